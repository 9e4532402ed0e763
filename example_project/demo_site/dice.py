"""Chance that falls the same way on every platform and Python version.

Only `random.Random.random()` is promised to repeat over Python versions, so every other draw
is made from it here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Draws that depend on nothing but the key the dice were made with."""

    def __init__(self, *key: object) -> None:
        """Make dice from the key's parts: same parts, same draws."""
        self.random = random.Random("/".join(map(str, key))).random  # noqa: S311 - made-up text, no secrets

    def below(self, limit: int) -> int:
        """Draw from 0 .. limit - 1."""
        return int(self.random() * limit)

    def between(self, low: int, high: int) -> int:
        """Draw from low .. high, both included."""
        return low + int(self.random() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        """Whether something of this probability happens."""
        return self.random() < probability

    def pick(self, choices: Sequence[T]) -> T:
        """Draw one of the choices."""
        return choices[int(self.random() * len(choices))]

    def sample(self, choices: Sequence[T], count: int) -> list[T]:
        """Draw up to `count` different positions, in random order, without copying `choices`."""
        wanted = min(count, len(choices))
        if wanted * 3 > len(choices):
            return self.shuffled(choices)[:wanted]
        positions: dict[int, None] = {}
        while len(positions) < wanted:
            positions[self.below(len(choices))] = None
        return [choices[position] for position in positions]

    def shuffled(self, choices: Sequence[T]) -> list[T]:
        """Copy the choices in random order (Fisher-Yates)."""
        deck = list(choices)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return deck
