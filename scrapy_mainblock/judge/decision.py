"""The Decision: which segments of a page are content, by which rule or model, how sure, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from scrapy_mainblock.judge.claims import Choice
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.lazy import cached

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
    ENTRY,
) = range(15)
"""Why a segment is kept (up to `PINNED`) or dropped."""
IS_KEPT = bytes(reason <= PINNED for reason in range(256))
"""By reason 1 where a segment is kept, to translate octets."""

REASONS = (
    "the rule knows this place as content",
    "the rule does not know this place; by itself the page has content here",
    "likely content by the page alone",
    "under the rule's block",
    "outside of the rule's block",
    "drop selector {selector}",
    "matches none of the rule's keep selectors",
    "template line {selector!r}",
    "the rule does not know this place; by itself the page has no content here",
    "not likely content by the page alone",
    "the headline",
    "a heading with nothing kept below it",
    "repeats text that is kept at another place",
    "not part of the product's description",
    "one of a row of dated entries beside the article: comments, teasers",
)


class Part(NamedTuple):
    """One segment of a page, and what became of it."""

    kept: bool
    place: str
    """The chain of the blocks around it."""
    start: int
    """Where its text begins and ends in the source, in bytes of UTF-8."""
    end: int
    probability: float | None
    """How likely it is content by the page alone; None where the models did not run."""
    reason: str


class Tried(NamedTuple):
    """A selector of a rule, tried on a page."""

    selector: str
    """id, class or path."""
    value: str
    matches: int
    """How many elements of the page it matches. The first selector with any gives the block."""


@dataclass(frozen=True)
class Decision:
    """What is content on a page.

    It names segments by number and holds no text of theirs: see `render`.
    """

    method: Method
    kept: bytes = b""
    """For each segment of the page 1 if it is content, else 0."""
    why: bytes = b""
    """For each segment the number of its reason in `REASONS`."""
    root: int = 0
    """The element that is the main block: the rule's, or the body."""
    probability: float = 0.0
    """How likely the decision is right: that its F1 is at least 0.9."""
    page_type: str | None = None
    cluster: str | None = None
    rule: Mapping[str, str] | None = None
    """The selector that found the block, by its kind."""
    rule_version: int | None = None
    rule_pages: int | None = None
    """How many pages the rule was learnt from."""
    tried: tuple[Tried, ...] = ()
    """The selectors of the rule, up to the one that found the block."""
    reason: str | None = None
    """Why nothing is kept, why the page was read alone although there is a rule, or what is odd
    about it although the rule was used."""
    muted: tuple[int, ...] = ()
    """Inline elements that are left out."""
    by: bytes = b""
    """For each segment under the rule's block the index of the selector or line that dropped it, in
    32 bits."""
    first: int = 0
    """The first segment under the rule's block."""
    drop: tuple[str, ...] = ()
    """The rule's drop selectors."""
    lines: tuple[str, ...] = ()
    """The rule's template lines."""
    likely: Sequence[float] | None = None
    """How likely each segment is content by the page alone; None where the models did not run."""
    uses_description: bool = False
    """Whether the page shows nothing, and its own description stands in for the body."""
    fields: Mapping[str, Choice] = field(default_factory=dict)
    """Of each field of the article what it is filled from, and what was rejected; see `explain`."""
    page: Outline | None = field(default=None, compare=False, repr=False)
    """What `parts` describes segments by; not pickled, since `parts` are."""

    @cached
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
        """The selector or line that dropped a segment, where one did."""
        names = {DROPPED: self.drop, LINE: self.lines}.get(self.why[segment])
        return names[memoryview(self.by).cast("i")[segment - self.first]] if names else ""

    def dropped_by(self, segment: int) -> str:
        """The selector of the rule that dropped a segment; empty where none did."""
        return self._selector(segment) if self.why[segment] == DROPPED else ""

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
            "tried": [one._asdict() for one in self.tried],
            "reason": self.reason,
            "fields": {name: choice.to_dict() for name, choice in self.fields.items()},
            "kept": [_entry(part) for part in self.kept_parts],
            "dropped": [_entry(part) for part in self.dropped_parts],
        }

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the parts in place of the page."""
        state = {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}
        return {**state, "page": None, "parts": self.parts}


def _entry(part: Part) -> dict[str, Any]:
    entry = part._asdict()
    del entry["kept"]
    return entry
