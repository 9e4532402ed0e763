"""A cache of function results that limits the size of entries as well as their number."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, TypeVar

T = TypeVar("T")

_MISSING = object()


class BoundedCache:
    """A function of strings with a cache of about its `most` recently used results.

    Calls with more than `longest` characters are not cached. Pages may have names of a megabyte,
    different ones on each page, and a plain `lru_cache` would keep thousands of them.

    The results are in two dicts. Once the `recent` one is full, it replaces the `older` one, whose
    remaining results were not used since the last time. So a hit does not reorder anything.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        most: int,
        longest: int,
        measure: Callable[..., int] | None = None,
    ) -> None:
        """Wrap `function`; `measure` returns the total characters of its arguments."""
        update_wrapper(self, function)
        self.function, self.most, self.longest = function, most, longest
        self._measure = measure
        self._most_recent = max(most // 2, 1)
        self._recent: dict[Any, Any] = {}
        self._older: dict[Any, Any] = {}

    def __call__(self, *texts: Any) -> Any:
        """Return the function's result, from the cache if possible."""
        key = texts[0] if self._measure is None else texts
        found = self._recent.get(key, _MISSING)
        return self._from_older(key, texts) if found is _MISSING else found

    def _from_older(self, key: Any, texts: tuple[Any, ...]) -> Any:
        """Return the result of a call that is not among the recent ones."""
        found = self._older.get(key, _MISSING)
        if found is _MISSING:
            found = self.function(*texts)
            length = len(key) if self._measure is None else self._measure(*texts)
            if length > self.longest:
                return found
        if len(self._recent) >= self._most_recent:
            self._older, self._recent = self._recent, {}
        self._recent[key] = found
        return found

    def __reduce__(self) -> str:
        """Pickle by name, as functions are pickled."""
        name: str = self.function.__qualname__
        return name

    def __len__(self) -> int:
        """Return how many results are cached."""
        return len(self._recent.keys() | self._older.keys())

    @property
    def most_characters(self) -> int:
        """Maximum characters of the arguments of all cached calls together."""
        return self.most * self.longest


def bounded_cache(
    most: int, longest: int, measure: Callable[..., int] | None = None
) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Return a decorator that wraps a function in a `BoundedCache`.

    A function of more than one argument needs a `measure`.
    """
    return lambda function: BoundedCache(function, most, longest, measure)
