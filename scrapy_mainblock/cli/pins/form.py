"""Checks whether handwritten sites, ids, classes, paths and selectors can match anything."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.selectors import is_path
from scrapy_mainblock.page import sites
from scrapy_mainblock.template.rules import Rule
from scrapy_mainblock.template.selection import CHILD, Selection, why_no_selector

_COMBINATOR = re.compile(r"(?:^|\s)[>+~*](?:\s|$)|,|//|\[@")
_HOST_AND_PORT = re.compile(r"[^:]+:\d+")
_TAG_AND_NAME = re.compile(r"([a-z][a-z0-9]*)([.#])(\S+)")


def why_no_site(site: str) -> str | None:
    """Return the reason why a text cannot be a key of rules, or None if it can."""
    if "/" in site or _HOST_AND_PORT.fullmatch(site):
        host = sites.host(site if "//" in site else f"//{site}")
        return f"{site} is an address: give only its host{f', {host}' if host else ''}"
    if not site.strip() or any(map(str.isspace, site)):
        return f'"{site}" is not a host'
    if "." in site and (site != site.lower() or site.endswith(".")):
        return f"write the host {site} as {site.lower().rstrip('.')}"
    return None


def why_nowhere(rule: Rule) -> Iterator[str]:
    """Yield a line for each part of a rule that cannot match anything."""
    if rule.path and not is_path(rule.path):
        yield f"--path {rule.path}: expected a path like body1/div2/div1"
    for option, names in (("id", rule.id.split()), ("class", rule.classes)):
        wrong = _no_name(" ".join(names))
        if wrong:
            yield f"--{option} {' '.join(names)}: {wrong}; give only the {option}"


def _no_name(text: str) -> str | None:
    """Return what is wrong if a text is a selector rather than ids or classes, or None."""
    if _COMBINATOR.search(text):
        return "this is a selector"
    for name in text.split():
        tag = _TAG_AND_NAME.fullmatch(name)
        if name[0] in ".#" or (tag and tag[1] in CODES):
            return "this is a selector"
    return None


def problems_of(selection: Selection) -> Iterator[str]:
    """Yield a line for each problem with a rule's selectors, alone or together."""
    parts = {"drop": selection.drop, "keep": selection.keep, "known": selection.known}
    for key, selectors in parts.items():
        for selector in selectors:
            wrong = why_no_selector(selector.removesuffix(" > *") if key == "known" else selector)
            if wrong and selector:  # an empty selector means the block itself
                yield f'"{key}": {wrong}'
        for selector in sorted({one for one in selectors if selectors.count(one) > 1}):
            yield f'"{key}": "{selector}" is listed twice'
    for key in ("keep", "known"):
        for selector in sorted(set(parts[key]) & set(selection.drop)):
            yield f'"{selector}" is in both "drop" and "{key}": it is dropped'
    for selector in selection.known:
        around = [
            one
            for one in selection.drop
            if selector.removeprefix(CHILD).startswith(f"{one.removeprefix(CHILD)} > ")
        ]
        if around:
            yield f'"known": "{selector}" is inside "{around[0]}", which is dropped'
