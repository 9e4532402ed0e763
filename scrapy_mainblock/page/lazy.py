"""A property that is computed on first access and then cached."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from scrapy_mainblock.page import storing

T = TypeVar("T")


class CachedProperty:
    """`functools.cached_property` without its lock, which costs a microsecond before Python 3.12.

    Two threads may both compute the value; a page is used by one thread.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.__doc__ = function.__doc__
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        """Store the name of the attribute that will hold the value."""
        self.name = name

    def __get__(self, instance: object | None, owner: type | None) -> Any:
        """Compute the value and store it on the instance, where later lookups find it first."""
        if instance is None:
            return self
        value = self.function(instance)
        storing.PyObject_GenericSetAttr(instance, self.name, value)
        return value


def cached(function: Callable[[Any], T]) -> cached_property[T]:
    """Return a method as a property that is computed once for each object."""
    return CachedProperty(function)  # type: ignore[return-value]
