"""An attribute that is worked out when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazily(Generic[T]):  # noqa: N801 - used as `property` is
    """`functools.cached_property` without the lock that it takes before Python 3.12.

    A page asks for some twenty of them, one after the other, and the lock is most of what each
    takes. Nothing that is worked out here does harm if two threads do so at once.
    """

    def __init__(self, work_out: Callable[[Any], T]) -> None:
        self._work_out = work_out
        self._name = ""
        self.__doc__ = work_out.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazily[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object, owner: type) -> T | lazily[T]:
        if instance is None:
            return self
        found = instance.__dict__[self._name] = self._work_out(instance)
        return found
