"""The rules of any number of sites: in memory, and where they are kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from scrapy_mainblock.page.sites import keys
from scrapy_mainblock.stores.addresses import (
    StoreAwayError,
    check_scheme,
    is_server,
    with_namespace,
)
from scrapy_mainblock.stores.directory import RulesDirectory
from scrapy_mainblock.template.rules import SiteRules

if TYPE_CHECKING:
    from scrapy_mainblock.stores.packed_pages import SharedPage


class Store(Protocol):
    """Where rules are kept between runs."""

    address: str
    """Where it is, as a setting or `--rules` names it."""

    @property
    def troubles(self) -> int:
        """How many documents could not be used, or calls failed; the log says which."""

    def load(self) -> Mapping[str, SiteRules]:
        """Read the rules of all sites, by site."""

    def load_site(self, site: str) -> SiteRules | None:
        """Read the rules of one site, None where there are none."""

    def has(self, site: str) -> bool:
        """Whether there are rules of a site."""

    def changed(self, sites: Iterable[str]) -> list[str]:
        """Which of some sites have other rules now than when they were last read here."""

    def save(self, learnt: SiteRules) -> SiteRules:
        """Merge what was learnt of a site; return the site's rules as they now are."""

    def update(self, site: str, change: Callable[[SiteRules | None], SiteRules]) -> SiteRules:
        """Replace a site's rules by what `change` makes of them, with no other writer between."""


class Exchanged(NamedTuple):
    """What comes of telling pages of a site."""

    leads: bool
    """Whether this worker is the one that learns the site now."""
    pages: Sequence[SharedPage]
    """The pages that others have told since, if it is."""


@runtime_checkable
class SharedStore(Store, Protocol):
    """A store through which the workers of a fleet learn a site together."""

    def exchange(self, told: Mapping[str, Sequence[SharedPage]]) -> Mapping[str, Exchanged]:
        """Tell pages of some sites; StoreAwayError where nobody can be told now."""

    def close(self) -> None:
        """Let others learn, and end what runs beside."""


@dataclass(frozen=True)
class Rules:
    """The rules of any number of sites. Can be pickled."""

    sites: Mapping[str, SiteRules] = field(default_factory=dict)

    def of(self, site: str) -> SiteRules | None:
        """The rules under exactly this key, None where there are none."""
        return self.sites.get(site)

    load_site = of

    @classmethod
    def load(cls, address: str | os.PathLike[str]) -> Rules:
        """Read all rules of a directory, or of another store.

        A path at which no directory is raises a FileNotFoundError.
        """
        return cls(store_to_read(address).load())

    def save(self, address: str | os.PathLike[str]) -> None:
        """Merge these rules into a directory or another store; what is pinned there stays.

        What was learnt of a host goes into the document that its pages are looked up in, where
        there is one, as that of its registered domain by a crawl.
        """
        store = store_at(address)
        # (First all keys: what is written here must not draw the next one to it.)
        for rules in [_filed(rules, store) for rules in self.sites.values()]:
            store.save(rules)

    def __len__(self) -> int:
        return sum(len(site.templates) for site in self.sites.values())


def key_in(store: Store, candidates: Iterable[str], otherwise: str) -> str:
    """The first of some keys that a store has rules under: the most specific, as they come."""
    return next(filter(store.has, candidates), otherwise)


def save_learnt(store: Store, learnt: SiteRules) -> SiteRules:
    """Merge what was learnt into the document that the site's pages are looked up in."""
    return store.save(_filed(learnt, store))


def _filed(rules: SiteRules, store: Store) -> SiteRules:
    """Rules under the key that their pages are looked up by.

    A new document of a host would stand before its domain's, with all that is pinned there. Who
    pins a rule for a host wants just that.
    """
    candidates = keys(f"//{rules.site}")
    if candidates[0] != rules.site or any(one.pinned for one in rules.templates):
        return rules  # (a site may have any name)
    return replace(rules, site=key_in(store, candidates, rules.site))


RulesSource = Rules | str | os.PathLike[str] | None
"""What `extract` takes for rules."""

_stores: dict[str, Store] = {}


def store_at(address: str | os.PathLike[str]) -> Store:
    """Open the store at an address: the path of a directory, or ``redis://host:6379/0``.

    AddressError where no store can be at the address.
    """
    check_scheme(address)
    if not is_server(address):
        return RulesDirectory(address)
    from scrapy_mainblock.stores.redis.store import RedisRules  # noqa: PLC0415 - what has an extra

    return RedisRules(str(address))


def store_to_read(address: str | os.PathLike[str]) -> Store:
    """Open a store whose rules somebody wants, and not one to keep some in.

    NoDirectoryError where no directory is: read as one without rules, a slip in its name would show
    in nothing but worse articles.
    """
    store = store_at(address)
    if isinstance(store, RulesDirectory):
        store.look_for_documents()
    return store


def check_address(address: str) -> None:
    """AddressError where no store can be at an address; connects to nothing, looks at no disk."""
    check_scheme(address)
    if not is_server(address):
        return
    from scrapy_mainblock.stores.redis.link import connect  # noqa: PLC0415

    connect(with_namespace(address)[0])


def rules_for(source: RulesSource, url: str | None, site: str | None = None) -> SiteRules | None:
    """Find the rules for a page: under `site`, or by the page's host.

    The most specific host that has rules counts, from the whole host up to the registered domain.
    Anything but `Rules`, a path or an address is a TypeError, and a path at which no directory is
    when it is first asked for a FileNotFoundError.
    """
    if site is not None and not isinstance(site, str):
        raise TypeError(f"a site is a str, not {type(site).__name__}")
    if source is None:
        return None
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if path not in _stores:
            _stores[path] = store_to_read(path)
        known: Rules | Store = _stores[path]
    elif isinstance(source, Rules):
        known = source
    else:
        raise TypeError(f"rules are a Rules or a path, not {type(source).__name__}")
    try:
        for key in keys(url) if site is None else (site,):
            found = known.load_site(key)
            if found is not None:
                return found
    except StoreAwayError:  # which the store has said; the page is read alone
        return None
    return None
