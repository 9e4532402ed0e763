r"""Regular expressions over HTML source, for the methods that work without a tree.

Every pattern here is linear on any input, which is why they look as they do: a start tag may hold
no ``<`` outside of quotes, so that an attempt that began at a broken tag ends at the next one; an
unclosed comment or script reaches to the end of the source, as in a browser, so that there is no
failed search for an end to be repeated. There is no nested quantifier that could match the same
characters in two ways.
"""

from __future__ import annotations

import html
import re

# Inside a start tag, up to its ">": ">" and "<" in quoted values do not end it.
_INSIDE = r"""[^<>"']*(?:(?:"[^"]*"|'[^']*')[^<>"']*)*"""
# The same where a quote was never closed: the tag then ends at the first ">".
_INSIDE_BROKEN = r"[^<>]*"

# Their content is text to an HTML parser, or not shown: no tag and no link in it.
RAW_ELEMENTS = "script|style|textarea|xmp|iframe|noembed|noframes"
_COMMENT = r"<!--(?:-?>|.*?(?:-->|\Z))"
_RAW = rf"<(?P<raw>{RAW_ELEMENTS})(?=[\s/>]).*?(?:</(?P=raw)\b[^>]*>|\Z)"

START_TAG_OF_A = re.compile(rf"<a(?=[\s/>])(?:{_INSIDE}|{_INSIDE_BROKEN})>", re.IGNORECASE)
_END_OF_RAW = {
    name: re.compile(rf"</{name}\b[^>]*>", re.IGNORECASE) for name in RAW_ELEMENTS.split("|")
}


def end_of_comment(source: str, start: int) -> int:
    """Where the comment ends whose ``<!--`` is at `start`; the end of the source if it is open."""
    if source.startswith((">", "->"), start + 4):
        return source.index(">", start) + 1
    end = source.find("-->", start + 4)
    return len(source) if end < 0 else end + 3


def end_of_raw_element(source: str, name: str, start: int) -> int:
    """Where the raw element `name` ends, sought from `start`; the end of the source if open."""
    found = _END_OF_RAW[name.lower()].search(source, start)
    return found.end() if found else len(source)


_ANY_NAME = r"[a-z][^\s/<>]*"
_NOT_TEXT = re.compile(
    rf"{_COMMENT}|{_RAW}"
    rf"|<(?P<inline>/?(?:a|abbr|b|big|bdi|bdo|cite|em|font|i|ins|mark|small|span|strong|sub|sup|u|wbr)(?=[\s/>]))"
    rf"(?:{_INSIDE}|{_INSIDE_BROKEN})>"
    rf"|<[/!?]?{_ANY_NAME}(?:{_INSIDE}|{_INSIDE_BROKEN})(?:>|\Z)|</[^>]*(?:>|\Z)|<[!?][^>]*(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTES = re.compile(
    rf"(?P<tag></?{_ANY_NAME})(?:{_INSIDE}|{_INSIDE_BROKEN})(?:>|\Z)", re.IGNORECASE
)


def without_markup(source: str) -> str:
    """The text of a piece of source: no tags, comments or scripts; entities decoded.

    A tag parts two words, save for an inline one: ``<b>S</b>ome`` is one word.
    """
    text = _NOT_TEXT.sub(lambda found: "" if found["inline"] else " ", source)
    return html.unescape(text) if "&" in text else text


def without_attributes(source: str) -> str:
    """The source with ``<div id="main">`` written ``<div>`` ([Wang14], definition 1)."""
    return _ATTRIBUTES.sub(r"\g<tag>>", source)
