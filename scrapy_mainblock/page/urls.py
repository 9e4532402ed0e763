"""`urljoin` and `urlsplit` without long URLs in their caches, where Python keeps the last 128."""

from __future__ import annotations

from urllib import parse
from urllib.parse import SplitResult

LONGEST_REMEMBERED = 2000


def joined(base: str, url: str) -> str:
    """Return a URL made absolute; raise ValueError if it is malformed."""
    try:
        return parse.urljoin(base, url)
    finally:
        _forget(len(base) + len(url))


def split(url: str) -> SplitResult:
    """Return the parts of a URL; raise ValueError if it is malformed."""
    try:
        return parse.urlsplit(url)
    finally:
        _forget(len(url))


def _forget(characters: int) -> None:
    if characters > LONGEST_REMEMBERED:
        parse.urlsplit.cache_clear()  # type: ignore[attr-defined]
