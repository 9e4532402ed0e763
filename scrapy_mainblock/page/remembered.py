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

    def __init__(
        self,
        function: Callable[..., T],
        most: int,
        longest: int,
        measure: Callable[..., int] = len,
    ) -> None:
        """`measure` gives the characters of the arguments, all of them together."""
        update_wrapper(self, function)
        self._measure = measure
        self.function, self.most, self.longest = function, most, longest
        self._known = lru_cache(maxsize=most)(function)

    def __call__(self, *texts: Any) -> T:
        """Answer, from memory where that can be."""
        if self._measure(*texts) > self.longest:
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


def remembered(
    most: int, longest: int, measure: Callable[..., int] = len
) -> Callable[[Callable[..., T]], Remembered[T]]:
    """Make a function `Remembered`."""
    return lambda function: Remembered(function, most, longest, measure)
