"""What holding a rule against the pages of its own cluster shows (`template.learning.sample`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MUCH, FEW = 0.3, 0.25
"""Pages that lose so much of their likely content, and are so few of the sample, are exceptions.
(Two of eight are few: with .2 a rule that lost both had no idea of what is usual.)"""

MORE_LOSING = 0.5
"""A rule fails when, of the pages that it is checked on in use, so many more of a hundred lose much
than of those that it was proven on."""

MOST, LIKELY_RIGHT = 0.5, 0.8
"""A rule is wrong, too, when more than so many of its own pages lose much, and each alone is
more likely right than that. (There are two such sites among 48: on one the rules are right and its
pages unsure of themselves, .30 to .36, with F1 .44 alone and .90 by rule; on the other, where an
article stood twice among eight pages, these are sure, .98, with F1 .97 alone and .37 by rule.)"""


class Proof(NamedTuple):
    """A rule, held against the latest pages of its cluster."""

    pages: int = 0
    """How many of them have its block."""
    worst: float = 0.0
    """Of what a page alone takes for content, what the rule does not keep: on the worst page."""
    losing: int = 0
    """Pages on which that is more than `MUCH`."""
    outside: float = 1.0
    """How much text stands outside of the block, at places that the cluster's first page does not
    have: in shares of itself and of the block's, at the most."""
    left: float = 1.0
    """How much of the block's text, at such places, the rule leaves out, at the most."""
    dropped: float = 1.0
    """How much of the block's text it leaves out anywhere, at the most."""
    most_left: int = 0
    most_dropped: int = 0
    """The same two in characters: of a short article what is left out is much, and yet no more than
    ever."""
    most_outside: int = 0
    """How many characters stand outside of the block, anywhere, at the most."""
    least_kept: int = 0
    """How many characters it keeps, at the least, of the pages that do not lose much."""

    checked: str = ""
    """The day on which it was last held against pages in use, as in 2026-11-19."""
    failed: bool = False
    """Whether it lost much on most of those, or on most of the pages that taught it: it is not used
    until it is learnt anew."""

    def renewed(self, losses: Sequence[float], day: str) -> Proof:
        """What pages in use say of it: of what each alone takes for content, what it lost."""
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
        """The same, failed where the pages alone, so likely right, contradict the rule."""
        is_wrong = self.losing > MOST * self.pages and confidence > LIKELY_RIGHT
        return self._replace(failed=True) if is_wrong else self

    @property
    def is_of_few(self) -> bool:
        """Whether it loses much on few pages, so that it is these pages that are different.

        Where it does on many, the pages alone are wrong in the same way, and together know better.
        """
        return 0 < self.losing <= FEW * self.pages
