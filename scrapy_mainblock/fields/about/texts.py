"""A page's description, canonical URL and breadcrumbs: the first source that has a value wins."""

from __future__ import annotations

import html
import re
from typing import Any, TypeAlias

from scrapy_mainblock.fields.about.choice import claim
from scrapy_mainblock.fields.sources.linked_data import listed, text_of
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.sources.properties import value_of
from scrapy_mainblock.fields.titles import folded
from scrapy_mainblock.fields.values.names import key_of_name
from scrapy_mainblock.judge.claims import Claim
from scrapy_mainblock.outline.selectors import links_of

Crumb: TypeAlias = "dict[str, str | None]"

LONGEST = 5000
_MOST_CRUMBS, _LONGEST_CRUMB = 12, 200
_LONGEST_WRITTEN, _SHORTEST_WRITTEN = 300, 25
"""Limits in characters of a description that was written by hand; a longer one is the beginning of
the text."""
_LONGEST_OF_SITE = 60
"""Maximum length in characters of a description of the site, if it contains the site's name."""
_SHORTEST_HOST = 5
"""Minimum length in letters of a host's name that other texts do not contain by chance."""
_ENDS = (".", "!", "?", ":", "…", "]", ")", "»", "”", "“", '"', "。", "！", "？")
_CUT_WORDS = 15
"""How many characters at the end of a truncated description may differ."""
_TAG = re.compile(r"<[^<>]{1,500}>")
_CRUMB = re.compile(r"bread-?_?crumbs?\b", re.IGNORECASE)
_OF_GRAPH = "og:description"
_METAS = {
    "description": 0.9, _OF_GRAPH: 0.85, "twitter:description": 0.9,
    "dc.description": 0.85, "dcterms.description": 0.85, "dcterms.abstract": 0.8,
    "sailthru.description": 0.85,
}  # fmt: skip
_LINKED, _CANONICAL, _OPEN_GRAPH, _SHOWN = 0.85, 0.98, 0.9, 0.8


def description(sources: PageSources, only_first: bool) -> list[Claim]:
    """Return the page's descriptions, the best one first, or only that."""
    found = _descriptions(sources, only_first)
    if not found:
        return found
    if only_first and _is_repeated(sources.metas, found[0].source):
        return found
    best = _of_metas(sources, _OF_GRAPH, True)
    if not best or not _is_worse(found[0].value, best[0].value, sources):
        return found
    if only_first:
        return best
    found.remove(best[0])
    return best + found


def _is_repeated(metas: dict[str, list[str]], source: str) -> bool:
    """Return whether a source is a meta whose only content Open Graph's repeats as it is."""
    if _OF_GRAPH not in metas or not source.startswith("meta:"):
        return False
    contents = metas[source.removeprefix("meta:")]
    return len(contents) == 1 and contents[0] == metas[_OF_GRAPH][0]


def _descriptions(sources: PageSources, only_first: bool) -> list[Claim]:
    """Return the page's descriptions in the order of their sources."""
    found: list[Claim] = []
    for name in _METAS:
        found += _of_metas(sources, name, only_first)
        if found and only_first:
            return found
    linked = sources.linked
    if linked.nodes:
        if text := _plain(text_of(linked.main.get("description"))):
            found.append(claim(text, "json-ld:description", _LINKED))
            if only_first:
                return found
    properties = sources.properties
    if properties.all:
        shown = properties.of("description")
        if shown and (text := _plain(properties.value(shown[0]))):
            found.append(claim(text, "property:description", _SHOWN))
    return found


def _of_metas(sources: PageSources, name: str, only_first: bool) -> list[Claim]:
    found: list[Claim] = []
    metas = sources.metas
    if name in metas:
        for content in metas[name][:2]:
            if text := _plain(content):
                found.append(claim(text, f"meta:{name}", _METAS[name]))
                if only_first:
                    break
    return found


def _is_worse(first: str, of_graph: str, sources: PageSources) -> bool:
    """Return whether `first` was not written by hand or is truncated, and Open Graph's was not."""
    if first == of_graph:
        return False
    if len(first) > _LONGEST_WRITTEN:
        return len(of_graph) < len(first)
    if len(first) <= _LONGEST_OF_SITE and _names_site(first, sources):
        return True
    if len(of_graph) < len(first):
        return False
    is_cut = not first.endswith(_ENDS) and of_graph.startswith(first[:-_CUT_WORDS])
    return is_cut or len(first) < _SHORTEST_WRITTEN


def _names_site(text: str, sources: PageSources) -> bool:
    """Return whether a text contains the site's name, as declared by the page or as in its host."""
    site = folded(sources.site_name).lower()
    if site and site in text.lower():
        return True
    host = max(sources.host.split(".")[:-1], key=len, default="").replace("-", "")
    return len(host) >= _SHORTEST_HOST and host in key_of_name(text)


def _plain(text: str) -> str:
    if "&" in text:
        text = html.unescape(text)
    return folded(_TAG.sub(" ", text[:LONGEST]) if "<" in text else text[:LONGEST])


def canonical_url(sources: PageSources, only_first: bool) -> list[Claim]:
    """Return the page's canonical URLs, the best one first, or only that."""
    found: list[Claim] = []
    url = sources.absolute(sources.page.head.link("canonical"))
    if url:
        found.append(claim(url, "link:canonical", _CANONICAL))
        if only_first:
            return found
    url = sources.absolute(sources.meta("og:url"))
    if url:
        found.append(claim(url, "meta:og:url", _OPEN_GRAPH))
    return found


def breadcrumbs(sources: PageSources) -> list[Claim]:
    """Return the breadcrumbs: names and URLs from the site's home to the page."""
    linked = sources.linked
    if linked.nodes:
        for node in linked.of_type("breadcrumblist"):
            items = listed(node.get("itemListElement"))[:_MOST_CRUMBS]
            crumbs = [one for one in [_crumb(sources, item) for item in items] if one]
            if crumbs:
                return [claim(crumbs, "json-ld:BreadcrumbList", _CANONICAL)]
    if shown := _shown_crumbs(sources):
        return [claim(shown, "class:breadcrumb", _SHOWN)]
    return []


def _crumb(sources: PageSources, one: Any) -> Crumb:
    if not isinstance(one, dict):
        return {}
    item = sources.linked.resolved(one.get("item"))
    name = text_of(one.get("name")) or (text_of(item) if isinstance(item, dict) else "")
    address = item.get("@id") or item.get("url") if isinstance(item, dict) else item
    return _named(sources, name, address if isinstance(address, str) else "")


def _named(sources: PageSources, name: str, address: str) -> Crumb:
    name = _plain(name)[:_LONGEST_CRUMB]
    return {"name": name, "url": sources.absolute(address) or None} if name else {}


def _shown_crumbs(sources: PageSources) -> list[Crumb]:
    """Return the links of the first element with a breadcrumb class."""
    rows = sources.rows
    for outer in sources.breadcrumbs[:5]:
        if not _CRUMB.search(rows.classes(outer)):
            continue
        found: list[Crumb] = []
        for link in links_of(rows, outer):
            name = rows.line_of(link, _LONGEST_CRUMB) or value_of(rows, link)
            crumb = _named(sources, name, rows.address(link) or "")
            if crumb:
                found.append(crumb)
                if len(found) == _MOST_CRUMBS:
                    break
        if found:
            return found
    return []
