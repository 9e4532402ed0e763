"""The kinds of tags and of characters that the features count.

No feature depends on the meaning of a word, and only one (`name_groups`) on a language.
"""

from __future__ import annotations

from array import array
from functools import lru_cache

from scrapy_mainblock.outline.html.tags import HEADING_TAGS, LIST_TAGS, NAMES

# --- tags ---------------------------------------------------------------------------------------

TAG_GROUPS = {
    "in_article": {"article"},
    "in_main": {"main"},
    "in_aside": {"aside"},
    "in_nav": {"nav", "menu"},
    "in_header": {"header", "hgroup"},
    "in_footer": {"footer"},
    "in_form": {"form"},
    "in_table": {"table"},
    "in_list": {"ul", "ol"},
    "in_figure": {"figure"},
    "in_quote": {"blockquote"},
    "in_section": {"section"},
    "in_description_list": {"dl"},
}
TAGS = ("p", "li", "td", "div", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dd", "dt", "figcaption",
        "th", "blockquote", "article", "section", "body")  # fmt: skip

TAG_COLUMN = array("i", [TAGS.index(name) if name in TAGS else -1 for name in NAMES])
"""For the code of each tag, its index in `TAGS`, or -1."""
TAG_BITS = array(
    "i",
    [
        sum(1 << bit for bit, tags in enumerate(TAG_GROUPS.values()) if name in tags)
        for name in NAMES
    ],
)
NOWHERE = -1.0
"""The value of a feature that is a distance or a share, if there is nothing to measure."""
IS_P, IS_TITLE, IS_HEADING, IS_LIST, IS_TABLE = (1 << bit for bit in range(5))
_WHAT_TAGS_ARE = ({"p"}, {"h1", "h2"}, HEADING_TAGS, LIST_TAGS, {"table"})
TAG_IS = array(
    "i",
    [sum(1 << bit for bit, tags in enumerate(_WHAT_TAGS_ARE) if name in tags) for name in NAMES],
)

# --- characters ---------------------------------------------------------------------------------

OTHER, UPPER, DIGIT, PAUSE, STOP, WIDE, SPACE = range(7)
CLASS, ENDS, MARK_SHIFT = 0x07, 0x08, 4
MARK = 0x30
"""What is known about a character is one byte: its class, whether a sentence may end with it, and
the number of its group of `MARKS`, counted from 1."""
FIRST_FAR = 0x3100
"""From here on all characters count as Chinese, except for full-width forms."""
FIRST_FULL_WIDTH = 0xFF00
_PAUSES, _STOPS = ",;:、，；：", ".!?…。！？"
_ENDINGS = ".!?…。！？”\"»’')：:"

MARKS = {"prices": "$€£¥", "questions": "?？", "arrows": "›»→"}
"""Characters whose frequency in the whole page helps to tell its type: see `page_type`."""


def _kind_of(code: int) -> int:
    character = chr(code)
    kind = _class_of(character)
    if character in _ENDINGS:
        kind |= ENDS
    for group, marks in enumerate(MARKS.values(), start=1):
        if character in marks:
            kind |= group << MARK_SHIFT
    return kind


def _class_of(character: str) -> int:
    if character in _PAUSES:
        return PAUSE
    if character in _STOPS:
        return STOP
    if character == " ":
        return SPACE
    if character.isupper() and ord(character) < FIRST_FAR:
        return UPPER
    if character.isdecimal() and ord(character) < FIRST_FAR:
        return DIGIT
    return WIDE if ord(character) >= 0x2E80 else OTHER


@lru_cache(maxsize=1)
def character_kinds() -> bytes:
    """Return what is known about each character before `FIRST_FAR`."""
    return bytes(map(_kind_of, range(FIRST_FAR)))


@lru_cache(maxsize=1)
def full_width_kinds() -> bytes:
    """Return the same for the characters from `FIRST_FULL_WIDTH` on, by their lowest byte."""
    return bytes(map(_kind_of, range(FIRST_FULL_WIDTH, FIRST_FULL_WIDTH + 256)))
