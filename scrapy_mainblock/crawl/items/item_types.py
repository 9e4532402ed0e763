"""Conversion of values to the types that an item class declares for its fields.

By default an author is a dict. In an Article of zyte-common-items it becomes an `Author`, and so in
any other class whose field is annotated with a dataclass or an attrs class.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Union, get_args, get_origin, get_type_hints


def fitted(value: Any, item_class: type, field: str) -> Any:
    """Return a value as an item class wants it: dicts become objects of the annotated class."""
    wanted = _parts_of(item_class).get(field)
    if wanted is None or value is None:
        return value
    if isinstance(value, list):
        return [_made(one, wanted) for one in value]
    return _made(value, wanted)


def is_frozen(item_class: type) -> bool:
    """Return whether the items of a class cannot be changed: a frozen dataclass, attrs or model."""
    if issubclass(item_class, dict):
        return False
    dataclass = getattr(item_class, "__dataclass_params__", None)
    if dataclass is not None:
        return bool(dataclass.frozen)
    if hasattr(item_class, "__attrs_attrs__"):
        return item_class.__setattr__.__name__ == "_frozen_setattrs"
    config = getattr(item_class, "model_config", None)
    return isinstance(config, dict) and bool(config.get("frozen"))


def filled_copy(item: Any, values: Mapping[str, Any]) -> Any:
    """Return a copy of a frozen item with other values, without calling its `__init__`."""
    if hasattr(item, "model_copy"):
        return item.model_copy(update=values)
    copied = copy.copy(item)
    for name, value in values.items():
        object.__setattr__(copied, name, value)
    return copied


def _made(value: Any, wanted: type) -> Any:
    if not isinstance(value, dict):
        return value
    names = _names_of(wanted) or ()
    return wanted(**{name: one for name, one in value.items() if name in names})


@lru_cache(maxsize=256)
def _parts_of(item_class: type) -> dict[str, type]:
    """Return the fields of a class that are annotated with a dataclass or an attrs class."""
    if issubclass(item_class, dict):
        return {}
    try:
        hints = get_type_hints(item_class)
    except Exception:  # annotations that cannot be resolved
        return {}
    found = {}
    for name, hint in hints.items():
        for one in _inside(hint):
            if isinstance(one, type) and _names_of(one):
                found[name] = one
    return found


def _inside(hint: Any) -> list[Any]:
    """Return the types within a list, a tuple or a union."""
    if get_origin(hint) in _HOLDING:
        return [found for one in get_args(hint) for found in _inside(one)]
    return [hint]


_HOLDING = {list, tuple, Union, type(int | None)}


def _names_of(some: type) -> frozenset[str] | None:
    """Return the field names of a dataclass or an attrs class; None for any other class."""
    if dataclasses.is_dataclass(some):
        return frozenset(one.name for one in dataclasses.fields(some))
    attributes = getattr(some, "__attrs_attrs__", None)
    return None if attributes is None else frozenset(one.name for one in attributes)
