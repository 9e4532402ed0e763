"""One page of the report in full: its copy, what each method keeps of it, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal

from scrapy_mainblock.papers.wang18.rules import ClusterRules
from scrapy_mainblock.recipe.decide import Decided
from scrapy_mainblock.render.render import render
from scrapy_mainblock.report.advice import Target, advice_of
from scrapy_mainblock.report.inspected import Inspected
from scrapy_mainblock.report.marked import marked
from scrapy_mainblock.report.methods import Shown, methods_of
from scrapy_mainblock.report.parts import links_around
from scrapy_mainblock.report.survey import decision_entry

LONGEST_FIELD = 2000
"""Characters shown of a field."""
LONGEST_TEXT = 400_000
"""Characters of a text; what is more is cut, which is said."""
BEGINNING = 20_000
"""Octets of a source that its ``<html>`` tag is looked for in."""
_ROOT = re.compile(rb"<html\s[^>]{0,2000}", re.IGNORECASE)
_ATTRIBUTES = {
    "lang": re.compile(rb"\slang\s?=\s?[\"']?([A-Za-z-]{2,20})", re.IGNORECASE),
    "dir": re.compile(rb"\sdir\s?=\s?[\"']?([A-Za-z-]{2,20})", re.IGNORECASE),
}
LONGEST_LINE = 300
"""Characters of a part that may be the one that a field stands in."""


def drawn_page(
    inspected: Inspected, target: Target, by_paper: ClusterRules | None = None
) -> dict[str, Any]:
    """All that the report shows of a page, as plain data; `by_paper`: see `methods_of`."""
    page = inspected.page
    shown = methods_of(inspected, by_paper)
    copy, cut = marked(page, {one.root for one in shown if one.root >= 0})
    chains: dict[str, int] = {}
    segments = [
        [chains.setdefault(page.chains[block], len(chains)), links]
        for block, links in zip(page.rows.segment_block, links_around(page), strict=True)
    ]
    likely = inspected.likely
    return {
        "copy": copy,
        "lang": _of_root(inspected, "lang"),
        "dir": _of_root(inspected, "dir"),
        "cut": "; ".join(one for one in (cut, page.cut) if one) or None,
        "places": list(chains),
        "segments": segments,
        "likely": None if likely is None else [round(100 * one) for one in likely],
        "methods": [_method_entry(one) for one in shown],
        "fields": [list(one) for one in fields_of(inspected)],
        "advice": [[one.what, one.command] for one in advice_of(inspected, target)],
    }


def _of_root(inspected: Inspected, name: Literal["lang", "dir"]) -> str | None:
    """An attribute of the page's ``<html>``, which the outline leaves out, else of its body."""
    rows = inspected.page.rows
    root = _ROOT.search(rows.source, 0, BEGINNING)
    if root is not None:
        found = _ATTRIBUTES[name].search(root[0])
        if found:
            return found[1].decode()
    return rows.attribute(rows.body, name.encode())


def _method_entry(shown: Shown) -> dict[str, Any]:
    reasons: dict[str, int] = {}
    why = [reasons.setdefault(part.why, len(reasons)) for part in shown.parts]
    text = shown.text
    if len(text) > LONGEST_TEXT:
        text = f"{text[:LONGEST_TEXT]}\n\n[… {len(text) - LONGEST_TEXT:,} more characters]"
    return {
        "name": shown.name,
        "label": shown.label,
        "kept": "".join("1" if one else "0" for one in shown.kept),
        "why": why,
        "reasons": list(reasons),
        "root": shown.root,
        "text": text,
        "decision": decision_entry(shown.decision) if shown.decision is not None else None,
    }


def fields_of(inspected: Inspected) -> Iterator[tuple[str, str, int]]:
    """The fields of the page's article, and the segment that shows each, -1 where none does."""
    page, decision = inspected.page, inspected.decision
    article = render(page, *Decided(decision, inspected.headline)).to_dict()
    lines = [
        "".join(text.split()).casefold() if len(text) <= LONGEST_LINE else "" for text in page.texts
    ]
    for name, value in article.items():
        if name in ("url", "metadata") or name.startswith("articleBody") or value in (None, []):
            continue
        for text in _texts(value):
            yield name, text[:LONGEST_FIELD], _line_with(text, lines)


def _texts(value: Any) -> Iterator[str]:
    """The texts of a field, which may be a list of objects."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        named = value.get("nameRaw") or value.get("name") or value.get("url")
        yield from _texts(named) if named else ()
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)


def _line_with(text: str, lines: list[str]) -> int:
    """The shortest line that a text stands in, -1 where there is none."""
    wanted = "".join(text.split()).casefold()
    if not wanted:
        return -1
    found = [(len(line), number) for number, line in enumerate(lines) if wanted in line]
    return min(found)[1] if found else -1
