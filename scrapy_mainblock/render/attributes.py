"""The attributes that clean HTML keeps: cell spans, list numbers, languages and directions."""

from __future__ import annotations

import re

from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.page.bounded_cache import bounded_cache

CODE, OL = CODES["code"], CODES["ol"]
MOST_SPANNED = 1000
"""HTML's own limit for `colspan`."""
FARTHEST_AROUND = 3
"""How many elements, from a code block outwards, may name the language of the code."""
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}")
_CODE_LANGUAGE = re.compile(
    r"(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-|text-)?|brush:\s*|sourceCode\s+)"
    r"([A-Za-z][A-Za-z0-9+#_.-]{0,29})",
    re.IGNORECASE,
)
_NO_LANGUAGE = frozenset("default none plain text notranslate console-output wrapper".split())


def own_attributes(rows: Rows, code: int, element: int) -> bytes:
    """Return the attributes of a cell or list as they are written; empty if there are none."""
    if code == OL:
        start = _number(rows, element, b"start", 0)
        return b"" if start in (None, 1) else b' start="%d"' % start
    found = b""
    for name in (b"colspan", b"rowspan"):
        spanned = _number(rows, element, name, 1)
        if spanned is not None and spanned > 1:
            found += b' %b="%d"' % (name, min(spanned, MOST_SPANNED))
    return found


def _number(rows: Rows, element: int, name: bytes, least: int) -> int | None:
    value = rows.attribute(element, name)
    number = _NUMBER.match(value.strip()) if value else None
    return int(number[0]) if number and int(number[0]) >= least else None


def directions(rows: Rows, element: int) -> bytes:
    """Return the language and direction of an element as they are written; empty without any."""
    found = b""
    direction = (rows.attribute(element, b"dir") or "").strip().lower()
    if direction in ("rtl", "ltr", "auto"):
        found = b' dir="%b"' % direction.encode()
    language = (rows.attribute(element, b"lang") or "").strip()
    if _LANGUAGE_TAG.fullmatch(language):
        found += b' lang="%b"' % language.encode()
    return found


def code_language(rows: Rows, element: int) -> str:
    """Return the language that a code block, or an element around it, names; empty without one."""
    place = element + 1
    if place < rows.element_count and rows.tag[place] == CODE and rows.parent[place] == element:
        found = _declared_language(rows, place)
        if found:
            return found
    for _ in range(FARTHEST_AROUND):
        if element < 0:
            break
        found = _declared_language(rows, element)
        if found:
            return found
        element = rows.parent[element]
    return ""


def _declared_language(rows: Rows, element: int) -> str:
    for name in (b"data-lang", b"data-language"):
        value = rows.attribute(element, name)
        if value and (found := language_of(f"lang-{value.strip()}")):
            return found
    return language_of(rows.classes(element))


@bounded_cache(most=1000, longest=200)
def language_of(classes: str) -> str:
    """Return the language that a class attribute names; empty if it names none."""
    for found in _CODE_LANGUAGE.finditer(classes):
        name = found[1].lower().rstrip(".-")
        if name not in _NO_LANGUAGE:
            return name
    return ""
