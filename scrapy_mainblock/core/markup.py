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
# A letter is one of ASCII: to Python, "ſ" and "İ" are an "s" and an "i" where case is ignored.
_RAW_NAME = f"(?a:{RAW_ELEMENTS})"
_COMMENT = r"<!--(?:-?>|.*?(?:--!?>|\Z))"
_RAW = rf"<(?P<raw>{_RAW_NAME})(?=[\s/>]).*?(?:</(?a:(?P=raw))(?=[\s/>])[^>]*(?:>|\Z)|\Z)"

START_TAG_OF_A = re.compile(rf"<a(?=[\s/>]){_REST_OF_TAG}>", re.IGNORECASE)
_END_OF_COMMENT = re.compile(r"--!?>")
_END_OF_RAW = {
    name: re.compile(rf"</(?a:{name})(?=[\s/>])[^>]*(?:>|\Z)", re.IGNORECASE)
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


_ANY_NAME = r"(?a:[a-z])[^\s/<>]*(?![^\s/<>])"
INLINE_ELEMENTS = "a|abbr|b|big|bdi|bdo|cite|em|font|i|ins|mark|small|span|strong|sub|sup|u|wbr"
_INLINE = f"/?(?a:{INLINE_ELEMENTS})"
_ANY_TAG = (
    rf"<(?P<inline>{_INLINE}(?=[\s/>]))"
    rf"{_REST_OF_TAG}>"
    rf"|<[/!?]?{_ANY_NAME}{_REST_OF_TAG}(?:>|\Z)|</[^>]*(?:>|\Z)|<[!?][^>]*(?:>|\Z)"
)
_NOT_TEXT = re.compile(rf"{_COMMENT}|{_RAW}|{_ANY_TAG}", re.IGNORECASE | re.DOTALL)
# The same, of a comment and a raw element only how they begin: their end is found faster by itself.
# Tags that part words and have nothing unusual in them are found as many as there are in a row.
_VALUE = r"""="[^"<>]*"|='[^'<>]*'|=[^\s"'<>=]+"""
_PLAIN_ATTRIBUTES = rf"(?:\s+[\w:-]+(?:{_VALUE}|(?=[\s/>])))*\s*"
_PLAIN_TAG = rf"<(?!(?:{_RAW_NAME}|{_INLINE})[\s/>])/?(?a:[a-z][a-z0-9]*){_PLAIN_ATTRIBUTES}/?>"
_NOT_TEXT_BEGINS = re.compile(
    rf"(?P<plain>(?:{_PLAIN_TAG}\s*){{1,100}})"
    rf"|(?P<comment><!--)|<(?P<raw>{_RAW_NAME})(?=[\s/>])|{_ANY_TAG}",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"<[^<>]*>")
_ATTRIBUTES = re.compile(rf"(?P<tag></?{_ANY_NAME}){_REST_OF_TAG}(?P<end>>|\Z)", re.IGNORECASE)
# html.unescape reads the number, and Python refuses to read one of more than 4300 digits.
_ENDLESS_REFERENCE = re.compile(r"&#\d{1000,};?")


def without_markup(source: str, between: str = " ") -> str:
    """The text of a piece of source: no tags, comments or scripts; entities decoded.

    A tag parts two words, save for an inline one: ``<b>S</b>ome`` is one word. `between` is
    written where it does.
    """
    return _decoded(_NOT_TEXT.sub(lambda found: "" if found["inline"] else between, source))


def beginning_of_text(source: str, size: int) -> tuple[str, bool]:
    """The first `size` characters (or more) of `without_markup`, and whether that is all of it."""
    pieces = []
    position = length = 0
    while found := _NOT_TEXT_BEGINS.search(source, position):
        start = found.start()
        length += start - position
        pieces.append(source[position:start])
        if length >= size:
            return _decoded("".join(pieces)), False
        if found["plain"]:
            position = found.end()
            pieces.append(_TAG.sub(" ", found["plain"]))
            continue
        if found["raw"]:
            position = end_of_raw_element(source, found["raw"], found.end())
        elif found["comment"]:
            position = end_of_comment(source, start)
        else:
            position = found.end()
        if not found["inline"]:
            pieces.append(" ")
    pieces.append(source[position:])
    return _decoded("".join(pieces)), True


# What is left out at the least, whatever surrounds it.
_SURELY_A_TAG = r"<[/!?]?[a-zA-Z][^<>]*>"
_ONLY_TAGS = re.compile(rf"(?:\s*{_SURELY_A_TAG})*\s*")
_SURELY_TAGS = re.compile(_SURELY_A_TAG)
# Tags, scripts, styles and comments as most are written. If no "<" is left without them, then each
# of them was one; where there are many in one, it is not worth it.
_PLAIN_MARKUP = re.compile(
    rf"<(?:(?!(?ai:{RAW_ELEMENTS})[\s/>])"
    rf"(?:(?P<inline>(?i:{_INLINE}))(?=[\s/>])|/?[a-zA-Z][a-zA-Z0-9]*){_PLAIN_ATTRIBUTES}/?>"
    rf"|(?P<raw>(?ai:{RAW_ELEMENTS})){_PLAIN_ATTRIBUTES}>"
    r"[^<]*(?:<(?!/(?ai:(?P=raw)))[^<]*){0,100}</(?P=raw)>"
    r"|!--(?!-?>)[^-]*(?:-(?!-!?>)[^-]*){0,100}-->)"
)


def at_most_text(source: str) -> tuple[str, bool]:
    """The text of a piece of source, quickly and with too much in it; whether its markup is plain.

    Too much is entities, words parted that are one, and tags if they are not plain.
    """
    if _ONLY_TAGS.fullmatch(source):
        return "", False
    text = _PLAIN_MARKUP.sub(" ", source)
    return (_SURELY_TAGS.sub(" ", source), False) if "<" in text else (text, True)


def text_of_plain(source: str) -> str:
    """`without_markup` where the markup is plain."""
    return _decoded(_PLAIN_MARKUP.sub(lambda found: "" if found["inline"] else " ", source))


def _decoded(text: str) -> str:
    return html.unescape(_ENDLESS_REFERENCE.sub("\ufffd", text)) if "&" in text else text


def lines_of_text(source: str) -> list[str]:
    """The same, a line for each piece between two tags that are not inline; white space folded."""
    text = without_markup(" ".join(source.split()), between="\n")
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [line for line in lines if line]


def without_attributes(source: str) -> str:
    """The source with ``<div id="main">`` written ``<div>`` ([Wang14], definition 1)."""
    return _ATTRIBUTES.sub(r"\g<tag>\g<end>", source)
