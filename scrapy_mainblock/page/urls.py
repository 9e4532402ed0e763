"""`urljoin` and `urlsplit` without long addresses in memory: Python keeps the last 128 of each."""

from __future__ import annotations

from urllib import parse
from urllib.parse import SplitResult

LONGEST_REMEMBERED = 2000


def joined(base: str, url: str) -> str:
    """An address made absolute; ValueError where it is none."""
    try:
        return parse.urljoin(base, url)
    finally:
        _forget(len(base) + len(url))


def split(url: str) -> SplitResult:
    """The parts of an address; ValueError where it is none."""
    try:
        return parse.urlsplit(url)
    finally:
        _forget(len(url))


def _forget(characters: int) -> None:
    if characters > LONGEST_REMEMBERED:
        parse.urlsplit.cache_clear()  # type: ignore[attr-defined]
