"""A property that is computed on first access and then cached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class cached(Generic[T]):  # noqa: N801 - a decorator
    """`functools.cached_property` without its lock, which costs a microsecond before Python 3.12.

    Two threads may both compute the value; a page is used by one thread.
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        """Store the name of the attribute that will hold the value."""
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> cached[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> cached[T] | T:
        """Compute the value and store it on the instance, where later lookups find it first."""
        if instance is None:
            return self
        value = self.function(instance)
        object.__setattr__(instance, self.name, value)
        return value
