"""The rows of one page: scan, rule, rule on a built tree, page alone; and what peers take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import lxml.html
from scrapy_mainblock.core.evidence import SiteEvidence
from scrapy_mainblock.core.linkblocks import link_blocks
from scrapy_mainblock.core.mainblock import extract_page, page_features, rules_of
from scrapy_mainblock.core.page import Page, decode

from scrapy_mainblock import Rules, extract

from . import peers
from .measure import Cost, costs

CONTROL = "parse"
LEAST_PAGES = 8
"""Pages of a site, for it to have a rule to be measured."""


class Measured(NamedTuple):
    """A page to be measured: its site has been learnt."""

    body: bytes
    url: str | None
    site: str


def learnt(pages: Iterable[Measured]) -> Rules:
    """The rules of all sites of the pages."""
    by_site: dict[str, SiteEvidence] = {}
    for page in pages:
        evidence = by_site.setdefault(page.site, SiteEvidence(page.site))
        evidence.add(page_features(page.body, url=page.url))
    return rules_of(by_site.values())


def ruled(pages: Sequence[Measured], rules: Rules) -> list[Measured]:
    """Those that are answered by a rule."""
    return [
        page
        for page in pages
        if extract(page.body, page.url, rules, site=page.site).metadata["method"] == "rule"
    ]


def ours(pages: Sequence[Measured], rules: Rules, passes: int) -> dict[str, Cost]:
    """The four rows, and as a control a parse in the place of work: about 1, if all is well."""
    sources = [decode(page.body) for page in pages]
    tree: list[Any] = [None]

    def build(number: int) -> None:
        tree[0] = lxml.html.document_fromstring(pages[number].body)

    def on_built_tree(number: int) -> object:
        page = Page.parsed(sources[number], tree[0], pages[number].url)
        return extract_page(page, rules, site=pages[number].site)

    works = {
        "scan": lambda n: link_blocks(sources[n]),
        "rule": lambda n: extract(pages[n].body, pages[n].url, rules, site=pages[n].site),
        "built": on_built_tree,
        "alone": lambda n: extract(pages[n].body, pages[n].url),
        CONTROL: lambda n: lxml.html.document_fromstring(pages[n].body),
    }
    bodies = [page.body for page in pages]
    return costs(bodies, works, passes, {"built": build})


def others(pages: Sequence[Measured], passes: int) -> dict[str, Cost]:
    """What the peers take for a page, parse included."""
    sources = [decode(page.body) for page in pages]
    works = {
        name: (lambda n, extractor=extractor: extractor(sources[n]))
        for name, extractor in peers.installed().items()
    }
    return costs([page.body for page in pages], works, passes)
