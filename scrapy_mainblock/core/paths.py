"""Between an element and the notation of its path: ``body1/div3/div2`` ([Wang18], definition 3).

Each step is a tag and its number among the siblings of that tag. The root `<html>` is left out, as
in the paper. A tag that ends in a digit (or a dot) is parted from its number by a dot: ``h1.2``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from lxml.html import HtmlElement

from scrapy_mainblock.core.native import compiled

_native, _searching = compiled("seen"), compiled("search")
_STEP = re.compile(r"(?P<tag>[^/]*[^\d./]|[^/]*[\d.](?=\.))\.?(?P<number>[1-9][0-9]{0,6})")
_ENDS_LIKE_A_NUMBER = re.compile(r"[\d.]\Z")


def path_of(element: HtmlElement) -> str:
    """The path of an element."""
    path = _native.path_of(element) if _native else None
    return path_in_python(element) if path is None else path


def path_in_python(element: HtmlElement) -> str:
    """The same where nothing is compiled."""
    steps = []
    parent = element.getparent()
    while parent is not None:
        tag = str(element.tag)
        number = 1 + sum(1 for one in element.itersiblings(preceding=True) if one.tag == tag)
        steps.append(f"{tag}.{number}" if _ENDS_LIKE_A_NUMBER.search(tag) else f"{tag}{number}")
        element, parent = parent, parent.getparent()
    return "/".join(reversed(steps))


def find_path(root: HtmlElement, path: str) -> HtmlElement | None:
    """The element at a path, None where the page has none there (or the path is no path)."""
    if _searching is None or (steps := steps_of(path)) is None:
        return find_path_in_python(root, path)
    found: HtmlElement | None = _searching.at_path(root, steps)
    return found


@lru_cache(maxsize=1000)
def steps_of(path: str) -> tuple[tuple[bytes, int], ...] | None:
    """The steps of a path; None where they are for Python: no path, or a tag of a namespace."""
    parts = [_STEP.fullmatch(step) for step in path.split("/")]
    steps = [(part["tag"], int(part["number"])) for part in parts if part]
    if len(steps) < len(parts) or any("{" in tag or "\x00" in tag for tag, _ in steps):
        return None
    return tuple((tag.encode("utf-8", "surrogatepass"), number) for tag, number in steps)


def find_path_in_python(root: HtmlElement, path: str) -> HtmlElement | None:
    """The same where nothing is compiled."""
    element = root
    for step in path.split("/"):
        parts = _STEP.fullmatch(step)
        if parts is None:
            return None
        wanted = int(parts["number"])
        # Compared here, not by lxml, which refuses a tag with a control character.
        alike = (child for child in element.iterchildren() if child.tag == parts["tag"])
        found = next(islice(alike, wanted - 1, None), None)
        if found is None:
            return None
        element = found
    return element


def is_path(path: str) -> bool:
    """Whether a text is in the notation of a path."""
    return all(_STEP.fullmatch(step) for step in path.split("/"))
