"""URLs of pictures: which are sizes of one picture, and which do not show a picture of the page."""

from __future__ import annotations

import re
from urllib.parse import unquote

from scrapy_mainblock.outline.parts import Parts

_SHORTEST_NAME = 6
_ENDING = re.compile(r"\.(?:jpe?g|png|webp|gif|avif)$|\.(?:jpe?g|png|webp)(?=\.)")
_SIZE = re.compile(
    r"[-_.]?(?:\d{2,4}x\d{2,4}|v?\d{1,2}_\d{1,2}_\d{3,4}|w\d{3,4}(?:_h\d{3,4})?|scaled)$"
)
_OTHER_ENDS_OF_SIZES = ("scaled", "\n")
"""How a match of `_SIZE` may end besides with a digit (``$`` also matches before a line break)."""
_PLACEHOLDER = re.compile(
    r"(?:^|[/_.-])(?:logos?|favicon|sprite|blank|spacer|pixel|placeholder|default[_-]?(?:image|img|og|share)"
    r"|no[_-]?image|avatar|gravatar|icon|1x1|transparent|loading)(?=[/_.-]|\d|$)|^data:",
    re.IGNORECASE,
)
_OF_PLACEHOLDERS = Parts(
    *(b"logo", b"icon", b"sprite", b"blank", b"spacer", b"pixel", b"placeholder", b"default"),
    *(b"avatar", b"noimage", b"no-image", b"no_image", b"1x1", b"transparent", b"loading"),
    b"data:",
    ignores_case=True,
)
"""The URL of every placeholder contains one of these. Most URLs contain none, which is tested
faster than the pattern."""
_MARK_WITH_DIGIT, _MARK_OF_LETTERS = 6, 12
"""Minimum length in characters of a name part that may be unique to one picture: of a part with a
digit, and of a part without."""
_NO_MARK = re.compile(r"(?:19|20)\d{4,6}|[\d-]{8,10}|[a-z]{0,6}\d{1,4}(?:x\d{1,4})?")
"""Matches a day or a size."""


def name_of(url: str) -> str:
    """Return the part that the URLs of a picture's sizes share: the path's end without suffixes."""
    path = _path(url).rstrip("/").lower()
    name = path.rpartition("/")[2]
    if "." in name:
        name = _ENDING.sub("", name)
    if name[-1:].isdecimal() or name.endswith(_OTHER_ENDS_OF_SIZES):
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
    text = plain(url)
    found: set[str] = set()
    start, size = -1, len(text)
    for at in range(size + 1):
        if at < size:
            letter = text[at]
            if letter.isalnum():
                if start < 0:
                    start = at
                continue
            if start >= 0 and letter == "-" and at + 1 < size and text[at + 1].isalnum():
                continue
        if start >= 0:
            if at - start >= _MARK_WITH_DIGIT:
                mark = text[start:at]
                if at - start >= _MARK_OF_LETTERS or _tells(mark):
                    found.add(mark)
            start = -1
    return found


def plain(url: str) -> str:
    """Return a URL in lowercase and unescaped."""
    return (unquote(url, errors="replace") if "%" in url else url).lower()


def _tells(mark: str) -> bool:
    """Return whether a short mark has a digit, and is not a day or a size."""
    for letter in mark:
        if letter.isdecimal():
            return _NO_MARK.fullmatch(mark) is None
    return False


def may_tell_width(url: str) -> bool:
    """Return whether a URL may have a width: a ``w`` behind a separator and before a number."""
    for at in range(1, len(url) - 1):
        if url[at] == "w" and url[at - 1] in "?&;/_-m":
            behind = url[at + 1]
            if behind == "=" or behind == "i" or behind.isdecimal():
                return True
    return False


def last_part(url: str) -> str:
    """Return the name of the file, or the last part of the path."""
    return url.partition("?")[0].rstrip("/").rpartition("/")[2]


def is_placeholder(url: str) -> bool:
    """Return whether a URL is that of a logo, or of a picture that stands in for a missing one."""
    url = url.partition("?")[0]
    if not _OF_PLACEHOLDERS.are_in(url.encode("utf-8", "replace")):
        return False
    return _PLACEHOLDER.search(url) is not None
