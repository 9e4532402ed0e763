"""What each extraction method keeps of a page, segment by segment.

The report draws the results of all methods (rule, page alone, papers) on one copy of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.papers.methods import (
    Content,
    by_cluster,
    by_density,
    by_fuzzy_rules,
    by_link_blocks,
    by_link_density,
    by_paragraph_lengths,
)
from scrapy_mainblock.papers.wang18.rules import ClusterRules
from scrapy_mainblock.render.render import from_lines, from_segments, render
from scrapy_mainblock.report.inspected import Inspected
from scrapy_mainblock.report.parts import PagePart, parts_of

PAPERS: tuple[tuple[str, str, Callable[[Outline], Content]], ...] = (
    ("density", "Text density [Wang18]", by_density),
    ("linkdensity", "Link density [Guna12]", by_link_density),
    ("linkblocks", "Link blocks [Wang14]", by_link_blocks),
    ("farsw", "Fuzzy rules [Bu14]", by_fuzzy_rules),
    ("wpmte", "Paragraphs [Zhou09]", by_paragraph_lengths),
)
"""The papers' methods that need only the page: name, label, and the extracting function."""
SHORT = 12
"""Maximum characters of a segment that must equal a whole line, since such a short text may also
occur elsewhere. A longer segment may be part of a line that a method has joined."""


@dataclass(frozen=True)
class Shown:
    """What one method keeps of a page."""

    name: str
    label: str
    kept: bytes
    text: str
    root: int = -1
    """The main block's element, -1 if the method has none."""
    parts: tuple[PagePart, ...] = ()
    """The segments with reasons; empty for the papers' methods, which give no reasons."""
    decision: Decision | None = None


def methods_of(inspected: Inspected, by_paper: ClusterRules | None = None) -> list[Shown]:
    """Return the results of all methods: the decision first, then the page alone, then the papers.

    `by_paper` are the rules that the method of [Wang18] has learned for the page's site.
    """
    page = inspected.page
    found = [_ours("auto", _LABELS[inspected.decision.method], inspected, inspected.decision)]
    if inspected.alone is not inspected.decision:
        found.append(_ours("alone", "Page alone (no rule)", inspected, inspected.alone))
    clustered = by_cluster(page, by_paper) if by_paper is not None else None
    if clustered is not None:
        text = from_segments(page, clustered.kept, clustered.root).text
        label = "Clusters [Wang18]"
        found.append(Shown("cluster", label, clustered.kept, text, clustered.root))
    found += [_by_paper(page, name, label, method) for name, label, method in PAPERS]
    return found


_LABELS = {"rule": "By rule", "page": "Page alone (no rule)", "none": "Nothing found"}


def _ours(name: str, label: str, inspected: Inspected, decision: Decision) -> Shown:
    page = inspected.page
    body = render(page, decision, inspected.headline).articleBody or ""
    is_decided = decision is inspected.decision
    parts = inspected.parts if is_decided else parts_of(page, decision, inspected.likely)
    root = decision.root if decision.method == "rule" else -1
    return Shown(name, label, decision.kept, body, root, tuple(parts), decision)


def _by_paper(page: Outline, name: str, label: str, method: Callable[[Outline], Content]) -> Shown:
    try:
        content = method(page)
    except (ValueError, ArithmeticError, IndexError, KeyError, RecursionError):
        return Shown(name, f"{label}: failed", bytes(page.rows.segment_count), "")
    lines = list(content.lines)
    if lines:
        return Shown(name, label, with_lines(page, lines), from_lines(lines).text)
    kept = bytearray(page.rows.segment_count)
    for segment in content.segments:
        kept[segment] = 1
    text = from_segments(page, bytes(kept), page.rows.body, content.muted).text if any(kept) else ""
    return Shown(name, label, bytes(kept), text)


def with_lines(page: Outline, lines: Iterable[str]) -> bytes:
    """Return a byte for each segment: 1 if its text equals a line, or is part of one, else 0."""
    squeezed = ["".join(line.split()) for line in lines]
    whole = set(squeezed)
    together = "\n".join(squeezed)
    kept = bytearray(page.rows.segment_count)
    for segment, text in enumerate(page.texts):
        line = "".join(text.split())
        kept[segment] = line in whole or (len(line) > SHORT and line in together)
    return bytes(kept)
