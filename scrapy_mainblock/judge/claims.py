"""The values that a page offers for a field of the article, and the choice among them.

They are defined here, below `fields`, because a `Decision` holds the choices.
"""

from __future__ import annotations

from typing import Any, NamedTuple


def rounded(probability: float) -> float:
    """Return a probability with four digits.

    `round`, which works on decimals, takes three times as long.
    """
    return int(probability * 10_000 + 0.5) / 10_000


class Claim(NamedTuple):
    """A candidate value for a field of the article."""

    value: Any
    source: str
    """Where in the page it was found; several places with the same value are joined by commas."""
    probability: float
    raw: str = ""
    """The value as written in the page."""


class Choice(NamedTuple):
    """The claim that a field is filled from (None: it stays empty), and the rejected claims."""

    chosen: Claim | None
    rejected: tuple[Claim, ...] = ()
    reason: str = ""
    """Why the field was read from the page itself although there is a rule for it."""

    def to_dict(self) -> dict[str, Any]:
        """Return the choice as plain data that can be serialized as JSON."""
        return {
            "chosen": self.chosen._asdict() if self.chosen else None,
            "rejected": [one._asdict() for one in self.rejected],
            **({"reason": self.reason} if self.reason else {}),
        }


NOTHING = Choice(None)
