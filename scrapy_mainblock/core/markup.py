r"""Regular expressions over HTML source, for the methods that work without a tree.

Every pattern here is linear on any input, which is why they look as they do: a start tag may hold
no ``<`` outside of quotes, so that an attempt that began at a broken tag ends at the next one; an
unclosed comment or script reaches to the end of the source, as in a browser, so that there is no
failed search for an end to be repeated (an end tag without its ``>`` does too). There is no nested
quantifier that could match the same characters in two ways; a name ends where it must, so that
what follows cannot take a part of it.

A tag's end is sought in three ways, the first that finds one counts: with quotes that mean
something only behind a ``=``, as in HTML, so that a stray one (``href="x""``, ``'Gadkari's'``) does
not swallow the page up to the next; with any quotes, where a value holds a ``<``; and up to the
first ``>``, where a quote was never closed. (Quotes only behind a ``=`` *and* ``<`` in values would
be quadratic: any number of broken tags could each be followed to the end of the source.)

How often a value may come is bounded: of the second kind since broken tags, each with a quote that
another one closes, would otherwise be followed to the end as well; of the first since each turn of
a repeated group takes memory. A tag with more of them ends at its first ``>``.
"""

from __future__ import annotations

import html
import re

# Inside a start tag, up to its ">". A ">" in a quoted value does not end it, nor a "/".
_INSIDE = r"""[^<>=]*(?:=\s*(?:"[^"<]*"|'[^'<]*'|(?!["'\s]))[^<>=]*){0,500}"""
# The same where a value holds a "<": a quote that closes is followed by a space or the end.
_INSIDE_WITH_MARKUP = r"""[^<>"']*(?:(?:"[^"]*"|'[^']*')(?=[\s/>])[^<>"']*){0,30}"""
# The same where a quote was never closed: the tag then ends at the first ">".
_INSIDE_BROKEN = r"[^<>]*"
_REST_OF_TAG = rf"(?:{_INSIDE}|{_INSIDE_WITH_MARKUP}|{_INSIDE_BROKEN})"

# Their content is text to an HTML parser, or not shown: no tag and no link in it.
RAW_ELEMENTS = "script|style|textarea|xmp|iframe|noembed|noframes"
_COMMENT = r"<!--(?:-?>|.*?(?:--!?>|\Z))"
_RAW = rf"<(?P<raw>{RAW_ELEMENTS})(?=[\s/>]).*?(?:</(?P=raw)(?=[\s/>])[^>]*(?:>|\Z)|\Z)"

START_TAG_OF_A = re.compile(rf"<a(?=[\s/>]){_REST_OF_TAG}>", re.IGNORECASE)
_END_OF_COMMENT = re.compile(r"--!?>")
_END_OF_RAW = {
    name: re.compile(rf"</{name}(?=[\s/>])[^>]*(?:>|\Z)", re.IGNORECASE)
    for name in RAW_ELEMENTS.split("|")
}


def end_of_comment(source: str, start: int) -> int:
    """Where the comment ends whose ``<!--`` is at `start`; the end of the source if it is open."""
    if source.startswith((">", "->"), start + 4):
        return source.index(">", start) + 1
    found = _END_OF_COMMENT.search(source, start + 4)
    return found.end() if found else len(source)


def end_of_raw_element(source: str, name: str, start: int) -> int:
    """Where the raw element `name` ends, sought from `start`; the end of the source if open."""
    found = _END_OF_RAW[name.lower()].search(source, start)
    return found.end() if found else len(source)


_ANY_NAME = r"[a-z][^\s/<>]*(?![^\s/<>])"
_NOT_TEXT = re.compile(
    rf"{_COMMENT}|{_RAW}"
    rf"|<(?P<inline>/?(?:a|abbr|b|big|bdi|bdo|cite|em|font|i|ins|mark|small|span|strong|sub|sup|u|wbr)(?=[\s/>]))"
    rf"{_REST_OF_TAG}>"
    rf"|<[/!?]?{_ANY_NAME}{_REST_OF_TAG}(?:>|\Z)|</[^>]*(?:>|\Z)|<[!?][^>]*(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTES = re.compile(rf"(?P<tag></?{_ANY_NAME}){_REST_OF_TAG}(?P<end>>|\Z)", re.IGNORECASE)
# html.unescape reads the number, and Python refuses to read one of more than 4300 digits.
_ENDLESS_REFERENCE = re.compile(r"&#\d{1000,};?")


def without_markup(source: str, between: str = " ") -> str:
    """The text of a piece of source: no tags, comments or scripts; entities decoded.

    A tag parts two words, save for an inline one: ``<b>S</b>ome`` is one word. `between` is
    written where it does.
    """
    text = _NOT_TEXT.sub(lambda found: "" if found["inline"] else between, source)
    return html.unescape(_ENDLESS_REFERENCE.sub("\ufffd", text)) if "&" in text else text


def lines_of_text(source: str) -> list[str]:
    """The same, a line for each piece between two tags that are not inline; white space folded."""
    text = without_markup(" ".join(source.split()), between="\n")
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [line for line in lines if line]


def without_attributes(source: str) -> str:
    """The source with ``<div id="main">`` written ``<div>`` ([Wang14], definition 1)."""
    return _ATTRIBUTES.sub(r"\g<tag>\g<end>", source)
