"""Instances of frozen dataclasses, made at once.

The constructor of a frozen class sets one field after the other, which takes five times as long as
filling them all at once, and a page makes a decision and an article.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

T = TypeVar("T")


def instance_of(kind: type[T], values: Mapping[str, Any]) -> T:
    """Return an instance of a frozen dataclass with some fields.

    The others have their defaults, which are attributes of the class. A field without a default, or
    with a factory for it, must be among `values`.
    """
    found = object.__new__(kind)
    vars(found).update(values)
    return found
