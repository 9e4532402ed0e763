"""The full data of one drawn page: its copy, what each method keeps of it, and why."""

from __future__ import annotations

import re
from typing import Any, Literal

from scrapy_mainblock.papers.wang18.rules import ClusterRules
from scrapy_mainblock.report.advice import Target, advice_of
from scrapy_mainblock.report.fields import FieldShown, fields_of
from scrapy_mainblock.report.inspected import Inspected
from scrapy_mainblock.report.marked import marked
from scrapy_mainblock.report.methods import Shown, methods_of
from scrapy_mainblock.report.parts import links_around
from scrapy_mainblock.report.survey import decision_entry

LONGEST_TEXT = 400_000
"""Maximum characters of a text; a longer text is cut, with a note at its end."""
BEGINNING = 20_000
"""Number of bytes at the start of the source in which to look for the ``<html>`` tag."""
_ROOT = re.compile(rb"<html\s[^>]{0,2000}", re.IGNORECASE)
_ATTRIBUTES = {
    "lang": re.compile(rb"\slang\s?=\s?[\"']?([A-Za-z-]{2,20})", re.IGNORECASE),
    "dir": re.compile(rb"\sdir\s?=\s?[\"']?([A-Za-z-]{2,20})", re.IGNORECASE),
}


def drawn_page(
    inspected: Inspected, target: Target, by_paper: ClusterRules | None = None
) -> dict[str, Any]:
    """Return everything the report shows of a page, as plain data; `by_paper`: see `methods_of`."""
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
        "fields": [_field_entry(one) for one in fields_of(inspected)],
        "advice": [[one.what, one.command] for one in advice_of(inspected, target)],
    }


def _of_root(inspected: Inspected, name: Literal["lang", "dir"]) -> str | None:
    """Return an attribute of ``<html>``, which the Outline leaves out, otherwise of ``<body>``."""
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


def _field_entry(shown: FieldShown) -> list[Any]:
    sure = round(shown.probability, 2)
    return [shown.name, shown.value, shown.segment, shown.source, sure]
