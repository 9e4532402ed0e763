"""Answers that are remembered, in so many bytes and no more."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Remembered(Generic[T]):
    """A function of texts whose answers are remembered: `most` of them, those asked for last.

    What is asked for in more than `longest` characters is worked out each time. A page may have
    names of a megabyte, another one on each page, and `lru_cache` alone would keep thousands.
    """

    def __init__(self, function: Callable[..., T], most: int, longest: int) -> None:
        update_wrapper(self, function)
        self.function, self.most, self.longest = function, most, longest
        self._known = lru_cache(maxsize=most)(function)

    def __call__(self, *texts: Any) -> T:
        """Answer, from memory where that can be."""
        if length(texts[0] if len(texts) == 1 else texts) > self.longest:
            return self.function(*texts)
        return self._known(*texts)

    def __reduce__(self) -> str:
        """Pickle it by its name, as a function is."""
        return self.function.__qualname__

    def __len__(self) -> int:
        """How many answers are remembered."""
        return self._known.cache_info().currsize

    @property
    def most_characters(self) -> int:
        """The characters of all that can be remembered."""
        return self.most * self.longest


def remembered(most: int, longest: int) -> Callable[[Callable[..., T]], Remembered[T]]:
    """Make a function `Remembered`."""
    return lambda function: Remembered(function, most, longest)


def length(value: Any) -> int:
    """The characters of a text, or of all texts in a collection of them, each with one more."""
    if isinstance(value, (str, bytes)):
        return len(value)
    return sum(map(length, value)) + len(value)
