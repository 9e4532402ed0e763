"""The rules of any number of sites, in memory and in a store."""

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
    """A store that keeps rules between runs."""

    address: str
    """The store's address, as in a setting or in `--rules`."""

    @property
    def troubles(self) -> int:
        """How many documents could not be used and how many calls failed; the log has each."""

    def load(self) -> Mapping[str, SiteRules]:
        """Return the rules of all sites, by site."""

    def load_site(self, site: str) -> SiteRules | None:
        """Return the rules of a site, or None."""

    def has(self, site: str) -> bool:
        """Return whether a site has rules."""

    def changed(self, sites: Iterable[str]) -> list[str]:
        """Return which of some sites have rules that changed since they were last read here."""

    def save(self, learnt: SiteRules) -> SiteRules:
        """Merge what was learned about a site; return the site's rules after that."""

    def update(self, site: str, change: Callable[[SiteRules | None], SiteRules]) -> SiteRules:
        """Replace a site's rules by what `change` returns, with no other writer in between."""


class Exchanged(NamedTuple):
    """The result of sharing pages of a site."""

    leads: bool
    """Whether this worker now learns the site."""
    pages: Sequence[SharedPage]
    """If this worker learns the site, the pages that others have shared since."""


@runtime_checkable
class SharedStore(Store, Protocol):
    """A store through which the workers of a fleet learn a site together."""

    def exchange(self, shared: Mapping[str, Sequence[SharedPage]]) -> Mapping[str, Exchanged]:
        """Share pages of some sites; raise StoreAwayError if that is not possible now."""

    def close(self) -> None:
        """Let other workers learn, and stop background work."""


@dataclass(frozen=True)
class Rules:
    """The rules of any number of sites. Can be pickled."""

    sites: Mapping[str, SiteRules] = field(default_factory=dict)

    def of(self, site: str) -> SiteRules | None:
        """Return the rules under exactly this key, or None."""
        return self.sites.get(site)

    load_site = of

    @classmethod
    def load(cls, address: str | os.PathLike[str]) -> Rules:
        """Read all rules of a directory, or of another store.

        Raises FileNotFoundError for a path without a directory.
        """
        return cls(store_to_read(address).load())

    def save(self, address: str | os.PathLike[str]) -> None:
        """Merge these rules into a directory or another store; what is pinned there stays.

        What was learned about a host goes into the document in which its pages are looked up, if
        there is one, for example the document of its registered domain that a crawl has made.
        """
        store = store_at(address)
        # Find all keys first: a document written here must not attract the next rules.
        for rules in [_filed(rules, store) for rules in self.sites.values()]:
            store.save(rules)

    def __len__(self) -> int:
        return sum(len(site.templates) for site in self.sites.values())


def key_in(store: Store, candidates: Iterable[str], otherwise: str) -> str:
    """Return the first of some keys, the most specific first, under which a store has rules."""
    return next(filter(store.has, candidates), otherwise)


def save_learnt(store: Store, learnt: SiteRules) -> SiteRules:
    """Merge what was learned into the document in which the site's pages are looked up."""
    return store.save(_filed(learnt, store))


def _filed(rules: SiteRules, store: Store) -> SiteRules:
    """Return the rules under the key by which their pages are looked up.

    A new document of a host would take precedence over that of its domain, with all its pins.
    Pinning a rule for a host is meant to do just that.
    """
    candidates = keys(f"//{rules.site}")
    if candidates[0] != rules.site or any(one.pinned for one in rules.templates):
        return rules  # a site may have any name
    return replace(rules, site=key_in(store, candidates, rules.site))


RulesSource = Rules | str | os.PathLike[str] | None
"""What `extract` accepts as rules."""

_stores: dict[str, Store] = {}


def store_at(address: str | os.PathLike[str]) -> Store:
    """Open the store at an address: the path of a directory, or ``redis://host:6379/0``.

    Raises AddressError if no store can be at the address.
    """
    check_scheme(address)
    if not is_server(address):
        return RulesDirectory(address)
    from scrapy_mainblock.stores.redis.store import RedisRules  # noqa: PLC0415 - what has an extra

    return RedisRules(str(address))


def store_to_read(address: str | os.PathLike[str]) -> Store:
    """Open a store to read rules from it, not to keep some in it.

    Raises NoDirectoryError if there is no directory: if it were read as one without rules, a typing
    error in its name would show in nothing but worse articles.
    """
    store = store_at(address)
    if isinstance(store, RulesDirectory):
        store.look_for_documents()
    return store


def check_address(address: str) -> None:
    """Raise AddressError if no store can be at an address, without connecting or reading a disk."""
    check_scheme(address)
    if not is_server(address):
        return
    from scrapy_mainblock.stores.redis.link import connect  # noqa: PLC0415

    connect(with_namespace(address)[0])


def rules_for(source: RulesSource, url: str | None, site: str | None = None) -> SiteRules | None:
    """Return the rules for a page, of `site` or by the page's host, or None.

    The most specific host that has rules counts, from the whole host up to the registered domain.
    Raises TypeError for anything but `Rules`, a path or an address, and FileNotFoundError if there
    is no directory at a path when it is first used.
    """
    if site is not None and not isinstance(site, str):
        raise TypeError(f"site must be str, not {type(site).__name__}")
    if source is None:
        return None
    if isinstance(source, Rules):
        known: Rules | Store = source
    elif isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        if path not in _stores:
            _stores[path] = store_to_read(path)
        known = _stores[path]
    else:
        raise TypeError(f"rules must be Rules, a path or an address, not {type(source).__name__}")
    try:
        for key in keys(url) if site is None else (site,):
            found = known.load_site(key)
            if found is not None:
                return found
    except StoreAwayError:  # the store has logged it; the page is read alone
        return None
    return None
