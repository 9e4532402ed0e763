"""What one worker tells another of a page, as octets, and back.

What comes from Redis may be anything: each value must be of the type that the class says, and all
of it may only be so long. (Pickle would be shorter, and would run what a stranger has put there.)
"""

from __future__ import annotations

import json
import types
import zlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from scrapy_mainblock.template.learning.evidence import PageEvidence

FORMAT = 3
"""Part of the key: workers of another version, whose pages would mean something else, share with
each other alone. To be changed with `documents.FORMAT`, and with what `PageEvidence` holds."""
LARGEST = 256_000
"""Octets of a page; one with more is not shared. Of 88 pages of 48 sites the median is 9 KB and the
largest 24 KB; to pack and to unpack them costs a quarter and a third of looking at them."""
LARGEST_UNPACKED = 4_000_000


class SharedPage(NamedTuple):
    """A page that a worker has learnt from, or would have."""

    evidence: PageEvidence
    fit: str | None = None
    """Whether it fits the rule of its cluster, None where there was none."""
    rule_version: int = 0
    """Of which version of the rule that was said."""


class UnreadablePageError(ValueError):
    """No page of this version."""


def pack(page: SharedPage) -> bytes | None:
    """A page as octets; None where that would be too many."""
    text = json.dumps(_plain(page), ensure_ascii=True, separators=(",", ":"))
    if len(text) > LARGEST_UNPACKED:
        return None
    packed = zlib.compress(text.encode(), 1)
    return packed if len(packed) <= LARGEST else None


def unpack(packed: bytes) -> SharedPage:
    """A page from octets; UnreadablePageError where they are none."""
    try:
        inflate = zlib.decompressobj()
        text = inflate.decompress(packed, LARGEST_UNPACKED)
        if not inflate.eof:
            raise UnreadablePageError("cut off, or too long")
        page: SharedPage = _typed(SharedPage, json.loads(text))
    except (zlib.error, ValueError, TypeError, RecursionError) as error:
        raise UnreadablePageError(str(error)) from None
    return page


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    return value


def _typed(hint: Any, value: Any) -> Any:
    """A plain value as what a type hint says; ValueError or TypeError where it is not."""
    if isinstance(hint, type) and hasattr(hint, "_fields"):
        hints = _hints(hint)
        return hint(*(_typed(one, part) for one, part in zip(hints, _list(value), strict=True)))
    origin, inner = get_origin(hint), get_args(hint)
    if origin is types.UnionType:  # or None
        return None if value is None else _typed(inner[0], value)
    if origin is tuple and inner[1:] != (...,):
        return tuple(_typed(one, part) for one, part in zip(inner, _list(value), strict=True))
    if origin in (tuple, frozenset):
        return origin(_typed(inner[0], part) for part in _list(value))
    if origin is Mapping:
        if not isinstance(value, dict):
            raise TypeError("no object")
        return {key: _typed(inner[1], part) for key, part in value.items()}
    if type(value) is not hint and not (hint is float and type(value) is int):
        raise TypeError(f"{type(value).__name__} for {hint}")
    if type(value) in (int, float) and not abs(value) <= _MOST:
        raise ValueError("a number that is too large, or none")
    return value


_MOST = 1 << 64
"""The hash of a place is below it, and so is any length; infinity and what is no number are not."""


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


@lru_cache(maxsize=20)
def _hints(kind: Any) -> tuple[Any, ...]:
    found = get_type_hints(kind)
    return tuple(found[name] for name in kind._fields)
