"""Finds the URL that a picture element shows once it is loaded, never that of a placeholder."""

from __future__ import annotations

import re

from scrapy_mainblock.outline.html.scan import scan
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.parts import Parts
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import tag_holds

IMG, NOSCRIPT, PICTURE, SOURCE = (CODES[name] for name in "img noscript picture source".split())
LAZY = tuple(
    b"data-src data-original data-lazy-src data-lazy data-original-src data-hi-res-src data-url"
    b" data-image data-full-src data-large-file".split()
)
"""Attributes from which scripts take a URL, the most common first."""
LAZY_SETS = (b"data-srcset", b"data-lazy-srcset", b"srcset")
SMALLEST_DATA = 300
"""Minimum length in characters of a URL that contains its picture; a shorter one is blank."""
FARTHEST = 3
"""How many elements after a picture its copy for readers without scripts may stand."""
LONGEST_COPY = 5000
_PLACEHOLDER = re.compile(
    r"(?:img|image)?[_.-]?(?:placeholders?|blank|spacer|pixel|transparent|lazy(?:load(?:ing|er)?)?"
    r"|loading|loader|preload(?:er)?|1x1|grey|gray|empty|dummy|trans|clear)"
    r"(?:[_.-]?(?:\d{1,4}(?:x\d{1,4})?|image|img|gif|bg|white|gr[ae]y)){0,3}"
    r"\.(?:gif|png|svg|jpe?g|webp)",
    re.IGNORECASE,
)
_WORDS = Parts(
    *(b"placeholder", b"blank", b"spacer", b"pixel", b"trans", b"lazy", b"load", b"1x1", b"grey"),
    *(b"gray", b"empty", b"dummy", b"clear"),
    ignores_case=True,
)
"""Each file name that `_PLACEHOLDER` matches contains one of these."""
_DRAWN = re.compile(r"\.svg(?:$|[?#])")
_BEGIN_WITHOUT_PATH = "dDaA"
LONGEST_NAME = 60
"""How many characters of a file name are examined: the names of placeholders are short."""
_NO_ADDRESS = re.compile(r"[\s{}<>\"']")
_BETWEEN = re.compile(r",(?=\s)")
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)[wx]")


def shown_address(rows: Rows, element: int) -> str | None:
    """Return the URL of a picture as the page has it; None for a placeholder or a drawing."""
    address = picture_address(rows, element)
    if address is None or not address or address.startswith("data:"):
        return None
    lower = address.lower()
    return None if ".svg" in lower and _DRAWN.search(lower) else address


def picture_address(rows: Rows, element: int) -> str | None:
    """Return the URL of a picture as the page has it, or None if there is only a placeholder."""
    source = rows.attribute(element, b"src")
    if source and not tag_holds(rows, element, b"data-") and not is_placeholder(source):
        return source
    found = of_attributes(rows, element)
    if found is None and source and not is_placeholder(source):
        found = source
    return found or of_picture(rows, element) or of_copy(rows, element)


def of_attributes(rows: Rows, element: int) -> str | None:
    """Return the URL that the attributes of a tag give for later loading, or None."""
    for name in LAZY:
        value = rows.attribute(element, name)
        if value and _is_address(value.strip()) and not is_placeholder(value):
            return value
    src = rows.attribute(element, b"src")
    for name in LAZY_SETS:
        value = rows.attribute(element, name)
        if value and (name != b"srcset" or not src or is_placeholder(src)):
            largest = largest_of(value)
            if largest:
                return largest
    return None


def of_picture(rows: Rows, element: int) -> str | None:
    """Return the largest picture in the first source of the surrounding ``<picture>``, or None."""
    parent = rows.parent[element]
    if parent < 0 or rows.tag[parent] != PICTURE:
        return None
    for number in range(parent + 1, element):
        if rows.tag[number] == SOURCE:
            found = of_attributes(rows, number)
            if found:
                return found
    return None


def of_copy(rows: Rows, element: int) -> str | None:
    """Return the picture in the ``<noscript>`` beside an element, or None."""
    for number in range(element + 1, min(element + 1 + FARTHEST, rows.element_count)):
        if rows.tag[number] == NOSCRIPT:
            content = rows.content(number)
            if b"<img" not in content.lower() or len(content) > LONGEST_COPY:
                return None
            copy = scan(content)
            for picture in copy.with_tag(IMG, 1):
                found = copy.attribute(picture, b"src")
                if found and not is_placeholder(found):
                    return found
            return None
    return None


def largest_of(candidates: str) -> str | None:
    """Return the largest picture of a `srcset`, or None."""
    best, largest = None, -1.0
    for candidate in _BETWEEN.split(candidates):
        words = candidate.split()
        url = words[0] if words else ""
        value = _SIZE.fullmatch(words[1].rstrip(",")) if len(words) > 1 else None
        size = float(value[1]) if value else 1
        if url and size > largest and not is_placeholder(url):
            best, largest = url.rstrip(","), size
    return best


def _is_address(value: str) -> bool:
    """Return whether the value of an attribute may be a URL; some values are a name or JSON."""
    return ("/" in value or "." in value) and not _NO_ADDRESS.search(value)


def is_placeholder(address: str) -> bool:
    """Return whether a URL is that of a placeholder."""
    address = address.strip()
    if not address or address[0] in _BEGIN_WITHOUT_PATH:
        scheme = address[:6].lower()
        if scheme.startswith("data:"):
            return len(address) < SMALLEST_DATA
        if not address or scheme == "about:":
            return True
    end = address.find("?")
    if end < 0:
        end = len(address)
    at = address.rfind("/", 0, end) + 1
    name = address[at : min(at + LONGEST_NAME + 1, end)]
    if not _WORDS.are_in(name.encode("utf-8", "replace")):  # most names are rejected here
        return False
    return _PLACEHOLDER.fullmatch(name) is not None
