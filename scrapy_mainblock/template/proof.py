"""The result of checking a rule against the pages of its own cluster (`template.learning.sample`).

It decides whether the rule may be used, and it records how much text the rule usually leaves out,
so that unusual pages are noticed (`template.oddity`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MUCH, FEW = 0.3, 0.25
"""Pages that lose more than `MUCH` of their likely content, and are at most `FEW` of the sample,
are exceptions. (Two of eight are few: with .2, a rule that lost both did not know the usual
loss.)"""

MORE_LOSING = 0.5
"""A rule fails if, among the pages that it is checked on in use, the share of those that lose much
is greater by this than among the pages that it was proven on."""

MOST, LIKELY_RIGHT = 0.5, 0.8
"""A rule is also wrong if more than `MOST` of its own pages lose much, and these pages alone are on
average more likely right than `LIKELY_RIGHT`. (There are two sites among 48 where most pages lose
much: on one, the rules are right and its pages unsure of themselves, .30 to .36, with F1 .44 alone
and .90 by rule; on the other, where an article occurs twice among eight pages, these are sure, .98,
with F1 .97 alone and .37 by rule.)"""


class Proof(NamedTuple):
    """The result of checking a rule against the latest pages of its cluster."""

    pages: int = 0
    """How many of these pages have the rule's block."""
    worst: float = 0.0
    """The share of a page's content that the rule does not keep, on the worst page. What a page's
    content is, the page alone decides."""
    losing: int = 0
    """How many pages lose a share of more than `MUCH`."""
    outside: float = 1.0
    """The text outside of the block at places that the cluster's first page does not have, as a
    share of that text plus the block's: the maximum over the pages."""
    left: float = 1.0
    """The maximum share of the block's text, on any page, that the rule leaves out at such
    places."""
    dropped: float = 1.0
    """The maximum share of the block's text, on any page, that the rule leaves out at any place."""
    most_left: int = 0
    most_dropped: int = 0
    """`left` and `dropped` in characters: on a short article the share left out is large, although
    its amount is no greater than ever."""
    most_outside: int = 0
    """The maximum number of characters outside of the block, at any place."""
    least_kept: int = 0
    """The minimum number of characters that the rule keeps, of the pages that do not lose much."""

    checked: str = ""
    """The day of the last check against pages in use, as in 2026-11-19."""
    failed: bool = False
    """Whether the rule lost much on most of those pages, or on most of the pages it was learned
    from. It is not used until it is learned again."""

    def renewed(self, losses: Sequence[float], day: str) -> Proof:
        """Return the proof after a check against pages in use.

        `losses` are the shares of the content, as each page alone sees it, that the rule lost.
        """
        losing = sum(lost > MUCH for lost in losses)
        usual = self.losing / self.pages if self.pages else 0.0
        if losing > (usual + MORE_LOSING) * len(losses):
            return self._replace(
                pages=len(losses),
                worst=round(max(losses), 4),
                losing=losing,
                checked=day,
                failed=True,
            )
        return self._replace(worst=round(max(self.worst, *losses), 4), checked=day)

    def against(self, confidence: float) -> Proof:
        """Return the proof, failed if pages that are so likely right alone contradict the rule."""
        is_wrong = self.losing > MOST * self.pages and confidence > LIKELY_RIGHT
        return self._replace(failed=True) if is_wrong else self

    @property
    def loses_on_few(self) -> bool:
        """Whether the rule loses much on only a few pages, so that those pages are the exceptions.

        If it loses much on many pages, the pages alone are wrong in the same way, and together know
        better.
        """
        return 0 < self.losing <= FEW * self.pages
