"""URLs of pictures: which are sizes of one picture, and which do not show a picture of the page."""

from __future__ import annotations

import re
from urllib.parse import unquote

_SHORTEST_NAME = 6
_ENDING = re.compile(r"\.(?:jpe?g|png|webp|gif|avif)$|\.(?:jpe?g|png|webp)(?=\.)")
_SIZE = re.compile(
    r"[-_.]?(?:\d{2,4}x\d{2,4}|v?\d{1,2}_\d{1,2}_\d{3,4}|w\d{3,4}(?:_h\d{3,4})?|scaled)$"
)
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:logos?|favicon|sprite|blank|spacer|pixel|placeholder|default[_-]?(?:image|img|og|share)"
    r"|no[_-]?image|avatar|gravatar|icon|1x1|transparent|loading)(?=[/_.-]|\d|$)|^data:",
    re.IGNORECASE,
)
_WORDS = (
    *("logo", "icon", "sprite", "blank", "spacer", "pixel", "placeholder", "default", "avatar"),
    *("noimage", "no-image", "no_image", "1x1", "transparent", "loading", "data:"),
)
"""The URL of every placeholder contains one of these. Most URLs contain none, which is tested
faster than the pattern."""
_DIGIT = re.compile(r"\d")
_MARK = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_MARK_WITH_DIGIT, _MARK_OF_LETTERS = 6, 12
"""Minimum length in characters of a name part that may be unique to one picture: of a part with a
digit, and of a part without."""
_NO_MARK = re.compile(r"(?:19|20)\d{4,6}|[\d-]{8,10}|[a-z]{0,6}\d{1,4}(?:x\d{1,4})?")
"""Matches a day or a size."""


def name_of(url: str) -> str:
    """Return the part that the URLs of a picture's sizes share: the path's end without suffixes."""
    path = _path(url).rstrip("/").lower()
    name = _ENDING.sub("", path.rpartition("/")[2])
    name = _SIZE.sub("", name)
    return name if len(name) >= _SHORTEST_NAME else path


def _path(url: str) -> str:
    """Return the path of an absolute URL, without the time-consuming checks of `urlsplit`."""
    path = url.partition("#")[0].partition("?")[0]
    host = path.find("//")
    if host >= 0:
        begins = path.find("/", host + 2)
        path = path[begins:] if begins >= 0 else ""
    return unquote(path, errors="replace") if "%" in path else path


def marks_of(url: str) -> set[str]:
    """Return the parts of a URL that identify a picture: numbers, hashes, hyphenated words."""
    found = _MARK.findall(plain(url))
    return {mark for mark in found if len(mark) >= _MARK_WITH_DIGIT and _tells(mark)}


def plain(url: str) -> str:
    """Return a URL in lowercase and unescaped."""
    return (unquote(url, errors="replace") if "%" in url else url).lower()


def _tells(mark: str) -> bool:
    if len(mark) >= _MARK_OF_LETTERS:
        return True
    return _DIGIT.search(mark) is not None and not _NO_MARK.fullmatch(mark)


def last_part(url: str) -> str:
    """Return the name of the file, or the last part of the path."""
    return url.partition("?")[0].rstrip("/").rpartition("/")[2]


def is_placeholder(url: str) -> bool:
    """Return whether a URL is that of a logo, or of a picture that stands in for a missing one."""
    url = url.partition("?")[0]
    lower = url.lower()
    return any(map(lower.__contains__, _WORDS)) and _PLACEHOLDER.search(url) is not None
