"""Packs what is learned from a page into bytes, for another worker or for the disk.

Data from Redis may be anything: each value must be of the type that the class declares, and the
whole must not exceed a limit. (Pickle would be shorter, and would run what a stranger has put
there.)
"""

from __future__ import annotations

import json
import types
import zlib
from collections.abc import Callable, Iterable, Mapping, Set
from functools import lru_cache
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from scrapy_mainblock.outline.layout import EVERYTHING
from scrapy_mainblock.template.learning.evidence import PageEvidence

FORMAT = 3
"""Part of the key: workers of another version, whose pages would mean something else, share only
with each other. To be changed with `documents.FORMAT`, and with the contents of `PageEvidence`."""
LARGEST = 256_000
"""Limit on the bytes of a packed page; a larger one is not shared. Of 88 pages of 48 sites the
median is 9 KB and the largest 24 KB. Packing and unpacking each cost a tenth of looking at the
page."""
LARGEST_UNPACKED = 4_000_000
MOST_CHARACTERS = (1 << 31) - 1
"""Maximum characters at a place."""
MOST_VALUE = (1 << 32) - 1
"""Maximum number that stands for a value of a field."""


class SharedPage(NamedTuple):
    """A page that a worker has learned from, or would have."""

    evidence: PageEvidence
    fit: str | None = None
    """How the page fits the rule of its cluster; None if there was no rule."""
    rule_version: int = 0
    """The version of the rule that `fit` is about."""


class UnreadablePageError(ValueError):
    """The bytes are not a page of this version."""


def pack(page: SharedPage) -> bytes | None:
    """Return a page as bytes, or None if they would be too many."""
    text = json.dumps(page, ensure_ascii=True, separators=(",", ":"), default=_plain)
    if len(text) > LARGEST_UNPACKED:
        return None
    packed = zlib.compress(text.encode(), 1)
    return packed if len(packed) <= LARGEST else None


def unpack(packed: bytes) -> SharedPage:
    """Return a page from its bytes; raise UnreadablePageError if they are not a page."""
    try:
        inflate = zlib.decompressobj()
        text = inflate.decompress(packed, LARGEST_UNPACKED)
        if not inflate.eof:
            raise UnreadablePageError("cut off, or too long")
        page: SharedPage = _reader(SharedPage)(json.loads(text))
        _check(page.evidence)
    except (zlib.error, ValueError, TypeError, RecursionError) as error:
        raise UnreadablePageError(str(error)) from None
    return page


def _check(page: PageEvidence) -> None:
    """Raise UnreadablePageError if numbers do not fit where compiled code keeps them."""
    if page.structure and not 0 <= min(page.structure) <= max(page.structure) <= EVERYTHING:
        raise UnreadablePageError("a place without a hash of 64 bits")
    lengths = [length for one in page.seen.values() for length in (one.length, one.linked)]
    if lengths and not 0 <= min(lengths) <= max(lengths) <= MOST_CHARACTERS:
        raise UnreadablePageError("a place without a possible length")
    values = [value for one in page.fields for at in one.at for value in (at.value, at.raw)]
    if values and not 0 <= min(values) <= max(values) <= MOST_VALUE:
        raise UnreadablePageError("a value of a field without a hash of 32 bits")


def _plain(value: Any) -> Any:
    """Return the JSON form of a set or a read-only mapping, which `json` does not know."""
    return dict(value) if isinstance(value, Mapping) else sorted(value)


Reader = Callable[[Any], Any]
"""Converts a plain value to what a type hint says; raises ValueError or TypeError if it differs."""


@lru_cache(maxsize=100)
def _reader(hint: Any) -> Reader:
    """Return the reader for values of a type; it is cached, not made again for each value."""
    if isinstance(hint, type) and hasattr(hint, "_fields") and hasattr(hint, "_make"):
        hints = get_type_hints(hint)
        return _reader_of_tuple(hint._make, [hints[name] for name in hint._fields])
    origin, inner = get_origin(hint), get_args(hint)
    if origin is types.UnionType:  # always a type or None
        read_it = _reader(inner[0])
        return lambda value: None if value is None else read_it(value)
    if origin is tuple and inner[1:] != (...,):
        return _reader_of_tuple(tuple, inner)
    if origin in (tuple, frozenset, Set):
        make, read_each = tuple if origin is tuple else frozenset, _reader(inner[0])
        return lambda value: make(map(read_each, _list(value)))
    if origin is Mapping:
        read_value = _reader(inner[1])
        return lambda value: {key: read_value(one) for key, one in _dict(value).items()}
    return _reader_of_number(hint) if hint in (int, float) else _reader_of(hint)


def _reader_of_tuple(make: Callable[[Iterable[Any]], Any], hints: Iterable[Any]) -> Reader:
    readers = tuple(map(_reader, hints))

    def read(value: Any) -> Any:
        return make([read_it(part) for read_it, part in zip(readers, _list(value), strict=True)])

    return read


def _reader_of(hint: Any) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not hint:
            raise TypeError(f"{type(value).__name__} instead of {hint.__name__}")
        return value

    return read


def _reader_of_number(hint: type[int] | type[float]) -> Reader:
    kinds = {int, hint}  # 1.0 may be written as 1

    def read(value: Any) -> Any:
        if type(value) not in kinds:
            raise TypeError(f"{type(value).__name__} instead of {hint.__name__}")
        if not -_MOST <= value <= _MOST:
            raise ValueError("number out of range or NaN")
        return value

    return read


_MOST = 1 << 64
"""Above the hash of any place, and any length; infinity and NaN are out of bounds."""


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _dict(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("not an object")
    return value
