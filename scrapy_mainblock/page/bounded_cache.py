"""A cache of function results that limits the size of entries as well as their number."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, update_wrapper
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class BoundedCache(Generic[T]):
    """A function of strings with a cache of its `most` recently used results.

    Calls with more than `longest` characters are not cached. Pages may have names of a megabyte,
    different ones on each page, and a plain `lru_cache` would keep thousands of them.
    """

    def __init__(
        self,
        function: Callable[..., T],
        most: int,
        longest: int,
        measure: Callable[..., int] = len,
    ) -> None:
        """Wrap `function`; `measure` returns the total characters of its arguments."""
        update_wrapper(self, function)
        self._measure = measure
        self.function, self.most, self.longest = function, most, longest
        self._known = lru_cache(maxsize=most)(function)

    def __call__(self, *texts: Any) -> T:
        """Return the function's result, from the cache if possible."""
        if self._measure(*texts) > self.longest:
            return self.function(*texts)
        return self._known(*texts)

    def __reduce__(self) -> str:
        """Pickle by name, as functions are pickled."""
        return self.function.__qualname__

    def __len__(self) -> int:
        """Return how many results are cached."""
        return self._known.cache_info().currsize

    @property
    def most_characters(self) -> int:
        """Maximum characters of the arguments of all cached calls together."""
        return self.most * self.longest


def bounded_cache(
    most: int, longest: int, measure: Callable[..., int] = len
) -> Callable[[Callable[..., T]], BoundedCache[T]]:
    """Return a decorator that wraps a function in a `BoundedCache`."""
    return lambda function: BoundedCache(function, most, longest, measure)
