"""The rules of any number of sites: in memory, and where they are kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from scrapy_mainblock.page.sites import keys
from scrapy_mainblock.stores.directory import RulesDirectory
from scrapy_mainblock.template.rules import SiteRules


class Store(Protocol):
    """Where rules are kept between runs."""

    address: str
    """Where it is, as a setting or `--rules` names it."""
    troubles: int
    """How many documents could not be used; each was said in the log."""

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
        """Read all rules of a directory."""
        return cls(store_at(address).load())

    def save(self, address: str | os.PathLike[str]) -> None:
        """Merge these rules into a directory; what is pinned there stays."""
        store = store_at(address)
        for rules in self.sites.values():
            store.save(rules)

    def __len__(self) -> int:
        return sum(len(site.templates) for site in self.sites.values())


RulesSource = Rules | str | os.PathLike[str] | None
"""What `extract` takes for rules."""

_stores: dict[str, Store] = {}


def store_at(address: str | os.PathLike[str]) -> Store:
    """Open the store at an address: the path of a directory."""
    return RulesDirectory(address)


def rules_for(source: RulesSource, url: str | None, site: str | None = None) -> SiteRules | None:
    """Find the rules for a page: under `site`, or by the page's host.

    The most specific host that has rules counts, from the whole host up to the registered domain.
    Anything but `Rules`, a path or an address is a TypeError.
    """
    if source is None:
        return None
    if isinstance(source, (str, os.PathLike)):
        path = os.fspath(source)
        known: Rules | Store = _stores.setdefault(path, store_at(path))
    elif isinstance(source, Rules):
        known = source
    else:
        raise TypeError(f"rules are a Rules or a path, not {type(source).__name__}")
    for key in keys(url) if site is None else (site,):
        found = known.load_site(key)
        if found is not None:
            return found
    return None
