"""The Decision: which segments of a page are its content, by what, how sure, and why not the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from scrapy_mainblock.outline.outline import Outline

Method = Literal["rule", "page", "none"]

(
    KNOWN,
    LIKELY_PLACE,
    LIKELY,
    PINNED,
    OUTSIDE,
    DROPPED,
    NOT_KEPT,
    LINE,
    UNLIKELY_PLACE,
    UNLIKELY,
    TITLE,
    ORPHANED,
    REPEATED,
    NOT_DESCRIBED,
) = range(14)
"""Why a segment is kept (up to `PINNED`) or not."""

REASONS = (
    "the rule knows this place as content",
    "the rule does not know this place; the page itself takes it for content",
    "it is likely content",
    "it stands under the rule's block",
    "it stands outside of the rule's block",
    "drop selector {selector}",
    "no keep selector means it",
    "template line {selector!r}",
    "the rule does not know this place; the page itself does not take it for content",
    "it is not likely content",
    "it is the headline",
    "it is the heading of nothing that is kept",
    "it repeats what is kept at another place",
    "the page's own description does not have it",
)


class Part(NamedTuple):
    """One segment of a page, and what became of it."""

    kept: bool
    place: str
    """The chain of the blocks around it."""
    start: int
    """Where it begins and ends in the source, in octets of UTF-8."""
    end: int
    probability: float | None
    """How likely it is content by this page alone; None where nobody asked."""
    reason: str


@dataclass(frozen=True)
class Decision:
    """What is content on a page. It holds no text and no HTML: see `render`."""

    method: Method
    kept: bytes = b""
    """For each segment of the page 1 if it is content, else 0."""
    why: bytes = b""
    """For each segment a reason, a number of `REASONS`."""
    root: int = 0
    """The element that is the main block: the rule's, or the body."""
    probability: float = 0.0
    """How likely it is right: that its F1 is at least 0.9."""
    page_type: str | None = None
    cluster: str | None = None
    rule: Mapping[str, str] | None = None
    """The selector that found the block, by its kind."""
    rule_version: int | None = None
    rule_pages: int | None = None
    """How many pages the rule was learnt from."""
    tried: tuple[tuple[str, str, bool], ...] = ()
    """The selectors of the rule that were tried: kind, value, and whether it found a block."""
    reason: str | None = None
    headline: str | None = None
    muted: tuple[int, ...] = ()
    """Elements within lines that are left out."""
    by: bytes = b""
    """For each segment under the rule's block, from the first, the number of the selector or line
    that left it out (32 bits)."""
    first: int = 0
    """The first segment under the rule's block."""
    drop: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    """The rule's drop selectors, and lines that are template."""
    likely: tuple[float, ...] | None = None
    """How likely each segment is by this page alone, where that was asked."""
    described: tuple[str, ...] = ()
    """The page's own description, where it shows nothing."""
    page: Outline | None = field(default=None, compare=False, repr=False)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """All segments of the page, with what became of them."""
        return tuple(self._parts())

    @property
    def kept_parts(self) -> tuple[Part, ...]:
        """The segments that are content."""
        return tuple(part for part in self.parts if part.kept)

    @property
    def dropped_parts(self) -> tuple[Part, ...]:
        """The segments that are not."""
        return tuple(part for part in self.parts if not part.kept)

    def _parts(self) -> Iterator[Part]:
        page = self.page
        if page is None:
            return
        rows, chains = page.rows, page.chains
        for segment in range(len(self.kept)):
            start, end = rows.source_of(segment)
            reason = REASONS[self.why[segment]].format(selector=self._selector(segment))
            yield Part(
                self.kept[segment] == 1,
                chains[rows.segment_block[segment]],
                start,
                end,
                None if self.likely is None else round(self.likely[segment], 4),
                reason,
            )

    def _selector(self, segment: int) -> str:
        """The selector or line that left a segment out, where one did."""
        names = {DROPPED: self.drop, LINE: self.lines}.get(self.why[segment])
        return names[memoryview(self.by).cast("i")[segment - self.first]] if names else ""

    def to_dict(self) -> dict[str, Any]:
        """The decision as plain data, fit for JSON."""
        return {
            "method": self.method,
            "probability": round(self.probability, 4),
            "pageType": self.page_type,
            "cluster": self.cluster,
            "rule": dict(self.rule) if self.rule else None,
            "ruleVersion": self.rule_version,
            "rulePages": self.rule_pages,
            "tried": [
                {"selector": kind, "value": value, "found": found}
                for kind, value, found in self.tried
            ],
            "headline": self.headline,
            "reason": self.reason,
            "kept": [_entry(part) for part in self.kept_parts],
            "dropped": [_entry(part) for part in self.dropped_parts],
        }


def _entry(part: Part) -> dict[str, Any]:
    entry = part._asdict()
    del entry["kept"]
    return entry
