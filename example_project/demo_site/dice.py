"""Random choices that are the same on every platform and Python version.

Only `random.Random.random()` is guaranteed to repeat across Python versions, so every other draw is
derived from it here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Random draws that depend only on the key with which the dice were created."""

    def __init__(self, *key: object) -> None:
        """Create dice from the parts of a key: the same parts give the same draws."""
        self.random = random.Random("/".join(map(str, key))).random  # noqa: S311 - made-up text, no secrets

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1."""
        return int(self.random() * limit)

    def between(self, low: int, high: int) -> int:
        """Return a number from low to high, both included."""
        return low + int(self.random() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.random() < probability

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""
        return choices[int(self.random() * len(choices))]

    def sample(self, choices: Sequence[T], count: int) -> list[T]:
        """Return the choices at up to `count` different positions, in random order.

        A small sample is drawn without copying `choices`.
        """
        wanted = min(count, len(choices))
        if wanted * 3 > len(choices):
            return self.shuffled(choices)[:wanted]
        positions: dict[int, None] = {}
        while len(positions) < wanted:
            positions[self.below(len(choices))] = None
        return [choices[position] for position in positions]

    def shuffled(self, choices: Sequence[T]) -> list[T]:
        """Return a copy of the choices in random order (Fisher-Yates)."""
        deck = list(choices)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return deck
