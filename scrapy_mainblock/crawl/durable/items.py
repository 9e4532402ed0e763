"""Conversion of items to plain data and back, so that they wait on disk as JSON, not as a pickle.

A value that JSON lacks is written as ``{"$": kind, "v": value}``. An item is restored with the same
class, field by field and without calling `__init__` (which ran when the item was created). A value
that would not be restored exactly raises NotPlainError, and its item is not kept at all.

A class is only taken from a module that is already loaded, and only if it is an item class: a class
path on disk imports nothing.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import sys
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from itemadapter import ItemAdapter
from scrapy import Item

from scrapy_mainblock.crawl.pages.tag import Tag

_DEEPEST = 60
"""Limit on the nesting of values, since the JSON reader recurses as well."""
_TAG = "$"


class NotPlainError(ValueError):
    """A value cannot be written as data and read back unchanged."""


def dumps(value: object) -> str:
    """Return a value as JSON; raises NotPlainError if that is not possible."""
    try:
        return json.dumps(_to_plain(value, 0))
    except (RecursionError, ValueError) as error:
        raise NotPlainError(str(error)) from None


def loads(text: str) -> Any:
    """Return the value that `dumps` wrote; raises ValueError for any other text."""
    try:
        return _from_plain(json.loads(text))
    except (RecursionError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from None


_WRITERS: Mapping[type, tuple[str, Callable[[Any], Any]]] = {
    datetime: ("datetime", datetime.isoformat),
    date: ("date", date.isoformat),
    time: ("time", time.isoformat),
    timedelta: ("timedelta", lambda value: [value.days, value.seconds, value.microseconds]),
    Decimal: ("decimal", str),
    UUID: ("uuid", str),
    bytes: ("bytes", lambda value: base64.b64encode(value).decode("ascii")),
}
_SEQUENCES: Mapping[type, str] = {tuple: "tuple", set: "set", frozenset: "frozenset"}
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda value: timedelta(*value),
    "decimal": Decimal,
    "uuid": UUID,
    "bytes": base64.b64decode,
    "tuple": lambda value: tuple(_from_plain(one) for one in value),
    "set": lambda value: {_from_plain(one) for one in value},
    "frozenset": lambda value: frozenset(_from_plain(one) for one in value),
    "dict": lambda value: {_from_plain(key): _from_plain(one) for key, one in value},
}


def _to_plain(value: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        raise NotPlainError("it is nested too deeply")
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind is list:
        return [_to_plain(one, depth + 1) for one in value]
    if kind is Tag:
        value, kind = dict(value), dict
    if kind is dict:
        return _dict_to_plain(value, depth)
    if kind in _SEQUENCES:
        return {_TAG: _SEQUENCES[kind], "v": [_to_plain(one, depth + 1) for one in value]}
    if kind in _WRITERS:
        name, write = _WRITERS[kind]
        written = write(value)
        # A named time zone would be restored as a mere offset.
        if kind in (datetime, time) and _reads_otherwise(value, name, written):
            raise NotPlainError("it contains a time zone with a name")
        return {_TAG: name, "v": written}
    if ItemAdapter.is_item(value):
        return {_TAG: "item", "v": _item_to_plain(value, depth)}
    raise NotPlainError(f"it contains a {kind.__module__}.{kind.__qualname__}")


def _reads_otherwise(value: Any, name: str, written: Any) -> bool:
    back = _READERS[name](written)
    return bool(back != value or repr(back.tzinfo) != repr(value.tzinfo) or back.fold != value.fold)


def _dict_to_plain(value: dict[Any, Any], depth: int) -> Any:
    if all(type(key) is str for key in value) and _TAG not in value:
        return {key: _to_plain(one, depth + 1) for key, one in value.items()}
    pairs = [[_to_plain(key, depth + 1), _to_plain(one, depth + 1)] for key, one in value.items()]
    return {_TAG: "dict", "v": pairs}


def _item_to_plain(item: Any, depth: int) -> dict[str, Any]:
    cls = type(item)
    path = f"{cls.__module__}:{cls.__qualname__}"
    if _loaded_class(path) is not cls:
        raise NotPlainError(f"{path} cannot be found by its name")
    return {
        "class": path,
        "fields": {
            name: _to_plain(value, depth + 1) for name, value in _state_of(item, cls).items()
        },
    }


def _state_of(item: Any, cls: type) -> dict[str, Any]:
    """Return the item's fields; raises NotPlainError if the item holds anything else."""
    if isinstance(item, Item):
        state, others = dict(item), set(vars(item)) - {"_values"}
    elif _is_mapping(cls):
        if not all(type(name) is str for name in item):
            raise NotPlainError(f"{cls.__qualname__} has a key that is not a string")
        state, others = dict(item), set(getattr(item, "__dict__", ()))
    elif _is_pydantic(cls):
        state, others = dict(vars(item)), set(item.__pydantic_extra__ or ())
        others |= set(item.__pydantic_private__ or ())
    else:
        names = _field_names(cls)
        state = {name: getattr(item, name) for name in names if hasattr(item, name)}
        others = set(getattr(item, "__dict__", ())) - names
    if others:
        raise NotPlainError(
            f"{cls.__qualname__} has an attribute that is not a field: {sorted(others)[0]}"
        )
    return state


def _field_names(cls: type) -> set[str]:
    if dataclasses.is_dataclass(cls):
        return {field.name for field in dataclasses.fields(cls)}
    fields = getattr(cls, "__attrs_attrs__", None)
    if fields is None:
        raise NotPlainError(f"{cls.__qualname__} is not a known kind of item class")
    return {field.name for field in fields}


def _is_mapping(cls: type) -> bool:
    """Return whether a class is a dict that stores its values as a dict or OrderedDict does."""
    stores = getattr(cls, "__setitem__", None)
    is_plain = stores is dict.__setitem__ or stores is OrderedDict.__setitem__
    return issubclass(cls, dict) and is_plain and not issubclass(cls, defaultdict)


def _is_pydantic(cls: type) -> bool:
    return hasattr(cls, "__pydantic_fields__") and hasattr(cls, "model_construct")


def _item_from(value: Mapping[str, Any]) -> Any:
    cls = _loaded_class(value["class"])
    if cls is None:
        raise ValueError(f"{value['class']!r} is not an item class of this project")
    fields = {str(name): _from_plain(one) for name, one in value["fields"].items()}
    if issubclass(cls, Item):
        return cls(fields)
    if _is_pydantic(cls):
        return _pydantic_item(cls, fields)
    if _is_mapping(cls):
        mapping: Any = cls.__new__(cls)
        for name, one in fields.items():
            mapping[name] = one
        return mapping
    if not fields.keys() <= _field_names(cls):
        raise ValueError(f"{value['class']!r} no longer has these fields")
    item: Any = object.__new__(cls)
    for name, one in fields.items():
        object.__setattr__(item, name, one)
    return item


def _pydantic_item(cls: type, fields: dict[str, Any]) -> Any:
    """Create an item like `model_construct`, which however would take field names for aliases."""
    item: Any = object.__new__(cls)
    object.__setattr__(item, "__dict__", fields)
    object.__setattr__(item, "__pydantic_fields_set__", set(fields))
    object.__setattr__(item, "__pydantic_extra__", None)
    object.__setattr__(item, "__pydantic_private__", None)
    return item


def _loaded_class(path: str) -> type | None:
    module, _, name = path.partition(":")
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, type) and ItemAdapter.is_item_class(found) else None


def _from_plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_from_plain(one) for one in value]
    if not isinstance(value, dict):
        return value
    if _TAG in value:
        kind = value[_TAG]
        return _item_from(value["v"]) if kind == "item" else _READERS[kind](value["v"])
    return {key: _from_plain(one) for key, one in value.items()}
