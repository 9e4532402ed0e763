"""What holding a rule against the pages of its own cluster shows (`template.learning.sample`)."""

from __future__ import annotations

from typing import NamedTuple

MUCH, FEW = 0.3, 0.2
"""Pages that lose so much of their likely content, and are so few of the sample, are exceptions."""


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

    @property
    def is_of_few(self) -> bool:
        """Whether it loses much on few pages, so that it is these pages that are different.

        Where it does on many, the pages alone are wrong in the same way, and together know better.
        """
        return 0 < self.losing <= FEW * self.pages
