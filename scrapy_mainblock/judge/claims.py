"""What a page claims of itself, and the choice among such claims."""

from __future__ import annotations

from typing import Any, NamedTuple


class Claim(NamedTuple):
    """A value that a field of the article may have."""

    value: Any
    source: str
    """Where the page has it; several places that say the same are joined by a comma."""
    probability: float
    raw: str = ""
    """As it stands in the page."""


class Choice(NamedTuple):
    """The claim that a field is filled from (None: it stays empty), and the rejected ones."""

    chosen: Claim | None
    rejected: tuple[Claim, ...] = ()
    reason: str = ""
    """Why the page was read by itself although there is a rule for the field."""

    def to_dict(self) -> dict[str, Any]:
        """The choice as plain data, fit for JSON."""
        return {
            "chosen": self.chosen._asdict() if self.chosen else None,
            "rejected": [one._asdict() for one in self.rejected],
            **({"reason": self.reason} if self.reason else {}),
        }


NOTHING = Choice(None)
