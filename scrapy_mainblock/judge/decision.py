"""The Decision on a page: which segments are content, by which rule or model, how sure, and why.

This module also lists the reasons for keeping or dropping a segment. `Part` describes a single
segment to users (see `explain`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from scrapy_mainblock.judge.claims import Choice, rounded
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.frozen import instance_of
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
"""Why a segment is kept (up to `PINNED`) or dropped: an index into `REASONS`."""
IS_KEPT = bytes(reason <= PINNED for reason in range(256))
"""A table for `bytes.translate` that maps a reason to 1 if the segment is kept, else to 0."""

REASONS = (
    "the rule knows this place as content",
    "place unknown to the rule; judged from the page alone, it is content",
    "likely content, judged from the page alone",
    "under the rule's block",
    "outside of the rule's block",
    "drop selector {selector}",
    "matches none of the rule's keep selectors",
    "template line {selector!r}",
    "place unknown to the rule; judged from the page alone, it is not content",
    "not likely content, judged from the page alone",
    "the headline",
    "a heading with nothing kept below it",
    "repeats text that is kept at another place",
    "not part of the product's description",
    "part of a list of dated entries beside the article (comments, teasers)",
)


class Part(NamedTuple):
    """One segment of a page, and whether and why it was kept."""

    kept: bool
    place: str
    """The chain of the blocks around it."""
    start: int
    """Where its text begins in the source, in bytes of UTF-8; `end` is where it ends."""
    end: int
    probability: float | None
    """The probability that it is content, from the page alone; None if the models did not run."""
    reason: str


class Tried(NamedTuple):
    """A selector of a rule, as tried on a page."""

    selector: str
    """The kind of selector: id, class or path."""
    value: str
    matches: int
    """How many elements of the page match. The first selector with a match gives the block."""


@dataclass(frozen=True)
class Decision:
    """The decision about which segments of a page are content.

    It refers to segments by number and does not hold their text: see `render`.
    """

    method: Method
    kept: bytes = b""
    """For each segment of the page, 1 if it is content, else 0."""
    why: bytes = b""
    """For each segment, the index of its reason in `REASONS`."""
    root: int = 0
    """The element that is the main block: the one that the rule found, or the body."""
    probability: float = 0.0
    """The probability that the decision is right: that its F1 is at least 0.9."""
    page_type: str | None = None
    cluster: str | None = None
    rule: Mapping[str, str] | None = None
    """The selector that found the block: its kind and its value."""
    rule_version: int | None = None
    rule_pages: int | None = None
    """How many pages the rule was learned from."""
    tried: tuple[Tried, ...] = ()
    """The selectors of the rule that were tried, up to the one that found the block."""
    reason: str | None = None
    """Why nothing is kept, why the page was read alone although there is a rule, or what is odd
    about the page although the rule was used."""
    muted: tuple[int, ...] = ()
    """Inline elements that are left out."""
    by: bytes = b""
    """For each segment under the rule's block, the index of the selector or line that dropped it,
    as 32-bit integers."""
    first: int = 0
    """The first segment under the rule's block."""
    drop: tuple[str, ...] = ()
    """The rule's drop selectors."""
    lines: tuple[str, ...] = ()
    """The rule's template lines."""
    likely: Sequence[float] | None = None
    """For each segment, the probability that it is content, from the page alone; None if the models
    did not run."""
    uses_description: bool = False
    """Whether nothing of the page is kept, and its description (metadata) is used as the body."""
    fields: Mapping[str, Choice] = field(default_factory=dict)
    """For each field of the article, the chosen claim and the rejected ones; see `explain`."""
    page: Outline | None = field(default=None, compare=False, repr=False)
    """The Outline that `parts` is computed from; not pickled, because `parts` is."""

    @cached
    def parts(self) -> tuple[Part, ...]:
        """All segments of the page, with whether and why each was kept."""
        return tuple(self._parts())

    @property
    def kept_parts(self) -> tuple[Part, ...]:
        """The segments that are content."""
        return tuple(part for part in self.parts if part.kept)

    @property
    def dropped_parts(self) -> tuple[Part, ...]:
        """The segments that are not content."""
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
                None if self.likely is None else rounded(self.likely[segment]),
                reason,
            )

    def _selector(self, segment: int) -> str:
        """Return the selector or line that dropped a segment; empty if neither did."""
        names = {DROPPED: self.drop, LINE: self.lines}.get(self.why[segment])
        return names[memoryview(self.by).cast("i")[segment - self.first]] if names else ""

    def dropped_by(self, segment: int) -> str:
        """Return the selector of the rule that dropped a segment; empty if none did."""
        return self._selector(segment) if self.why[segment] == DROPPED else ""

    def to_dict(self) -> dict[str, Any]:
        """Return the decision as plain data that can be serialized as JSON."""
        return {
            "method": self.method,
            "probability": rounded(self.probability),
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
        """Pickle the parts instead of the page."""
        state = {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}
        return {**state, "page": None, "parts": self.parts}


def decision_with(**values: Any) -> Decision:
    """Return a decision with some fields; the method must be among them."""
    values.setdefault("fields", {})
    return instance_of(Decision, values)


def _entry(part: Part) -> dict[str, Any]:
    entry = part._asdict()
    del entry["kept"]
    return entry
