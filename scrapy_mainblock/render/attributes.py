"""The attributes that clean HTML keeps: spans of cells, numbers, languages, directions."""

from __future__ import annotations

import re

from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.page.remembered import remembered

CODE, OL = CODES["code"], CODES["ol"]
MOST_SPANNED = 1000
"""HTML's own limit to `colspan`."""
FARTHEST_AROUND = 3
"""How many elements around code may tell its language."""
_NUMBER = re.compile(r"-?[0-9]{1,9}")
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}")
_CODE_LANGUAGE = re.compile(
    r"(?:^|\s)(?:lang(?:uage)?-|highlight-(?:source-|text-)?|brush:\s*|sourceCode\s+)"
    r"([A-Za-z][A-Za-z0-9+#_.-]{0,29})",
    re.IGNORECASE,
)
_NO_LANGUAGE = frozenset("default none plain text notranslate console-output wrapper".split())


def own_attributes(rows: Rows, code: int, element: int) -> bytes:
    """The attributes of a cell or list as they are written, empty for none."""
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
    said = rows.attribute(element, name)
    number = _NUMBER.match(said.strip()) if said else None
    return int(number[0]) if number and int(number[0]) >= least else None


def directions(rows: Rows, element: int) -> bytes:
    """The language and direction of an element as they are written, empty for none."""
    found = b""
    said = (rows.attribute(element, b"dir") or "").strip().lower()
    if said in ("rtl", "ltr", "auto"):
        found = b' dir="%b"' % said.encode()
    language = (rows.attribute(element, b"lang") or "").strip()
    if _LANGUAGE_TAG.fullmatch(language):
        found += b' lang="%b"' % language.encode()
    return found


def code_language(rows: Rows, element: int) -> str:
    """The language of a block of code, as it or one around it says; empty where none does."""
    place = element + 1
    if place < rows.element_count and rows.tag[place] == CODE and rows.parent[place] == element:
        found = _language_said(rows, place)
        if found:
            return found
    for _ in range(FARTHEST_AROUND):
        if element < 0:
            break
        found = _language_said(rows, element)
        if found:
            return found
        element = rows.parent[element]
    return ""


def _language_said(rows: Rows, element: int) -> str:
    for name in (b"data-lang", b"data-language"):
        said = rows.attribute(element, name)
        if said and (found := language_of(f"lang-{said.strip()}")):
            return found
    return language_of(rows.classes(element))


@remembered(most=1000, longest=200)
def language_of(classes: str) -> str:
    """The language that a class names."""
    for found in _CODE_LANGUAGE.finditer(classes):
        name = found[1].lower().rstrip(".-")
        if name not in _NO_LANGUAGE:
            return name
    return ""
