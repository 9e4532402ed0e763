"""What the models count: kinds of characters, names of ids and classes, tags.

No feature looks at a word's meaning, and only one (`NAME_GROUPS`) at any language.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache

from scrapy_mainblock.outline.html.tags import HEADING_TAGS, LIST_TAGS, NAMES

# --- names of ids and classes -------------------------------------------------------------------

NAME_GROUPS = {
    "article": r"article|story|entry|post(?!ed|s\b)|blog|news",
    "content": r"content|main|body|text|copy",
    "comment": r"comment|disqus|repl(?:y|ies)|respon[ds]|discuss|talk|feedback|review",
    "share": r"share|social|follow|facebook|twitter|addthis|like",
    "related": r"relat|recommend|similar|more-|also|popular|most|trend|latest|recent|read-?next"
    r"|next|onward|further|suggest|discover|outbrain|taboola|teaser",
    "nav": r"nav|menu|crumb|pag(?:er|ination)|tabs|skip",
    "side": r"side|rail|widget|aside|column|right|left",
    "foot": r"foot|copyright|legal|disclaimer|colophon",
    "head": r"head|banner|logo|masthead|top",
    "advert": r"\bads?\b|advert|sponsor|promo|banner|dfp|google|\bad[-_]",
    "meta": r"meta|byline|author|date|time|posted|publish|info|dateline|credit|source",
    "tags": r"\btags?\b|keyword|categor|topics",
    "caption": r"caption|photo|image|img|figure|gallery|media|video|thumb|credit",
    "form": r"form|subscribe|newsletter|signup|login|search|cookie|consent|modal|popup|poll|vote"
    r"|print|email|tool",
    "bio": r"bio|about|profile|user|avatar",
    "hidden": r"hidden|hide|sr-only|screen-reader|visually|none",
    "list": r"list|item|card|grid|tile|feed|archive",
}
"""What designers call things, in ids and classes; English all over the world."""
_NAMES = [re.compile(pattern, re.IGNORECASE) for pattern in NAME_GROUPS.values()]
_SIGNATURE = re.compile(r"signature", re.IGNORECASE)
SIGNATURE = 1 << 31
"""In `name_bits`: the class is that of what stands under each of somebody's posts."""
LONGEST_NAME = 300
"""Characters of a class and an id that are looked at."""


@lru_cache(maxsize=8192)
def name_bits(classes: bytes, identifier: bytes) -> int:
    """Which groups a class and an id belong to, as bits in their order."""
    css_class = classes.decode("utf-8", "replace")
    name = f"{css_class} {identifier.decode('utf-8', 'replace')}"[:LONGEST_NAME]
    found = sum(1 << bit for bit, pattern in enumerate(_NAMES) if pattern.search(name))
    return found | SIGNATURE if _SIGNATURE.search(css_class) else found


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
"""By the code of a tag: which of the columns of tags is its, -1 for none."""
TAG_BITS = array(
    "i",
    [
        sum(1 << bit for bit, tags in enumerate(TAG_GROUPS.values()) if name in tags)
        for name in NAMES
    ],
)
IS_P, IS_TITLE, IS_HEADING, IS_LIST, IS_TABLE = (1 << bit for bit in range(5))
_WHAT_TAGS_ARE = ({"p"}, {"h1", "h2"}, HEADING_TAGS, LIST_TAGS, {"table"})
TAG_IS = array(
    "i",
    [sum(1 << bit for bit, tags in enumerate(_WHAT_TAGS_ARE) if name in tags) for name in NAMES],
)

# --- characters ---------------------------------------------------------------------------------

OTHER, UPPER, DIGIT, PAUSE, STOP, WIDE, SPACE = range(7)
FIRST_FAR = 0x3100
"""From here on all characters are taken for Chinese, but for a few."""
_PAUSES, _STOPS = ",;:、，；：", ".!?…。！？"


def _class_of(code: int) -> int:
    character = chr(code)
    if character in _PAUSES:
        return PAUSE
    if character in _STOPS:
        return STOP
    if character == " ":
        return SPACE
    if character.isupper():
        return UPPER
    if character.isdecimal():
        return DIGIT
    return WIDE if code >= 0x2E80 else OTHER


@lru_cache(maxsize=1)
def character_classes() -> bytes:
    """The class of each character before `FIRST_FAR`."""
    return bytes(map(_class_of, range(FIRST_FAR)))


FAR_CLASSES = {
    **{ord(one): PAUSE for one in "，：；"},
    **{ord(one): STOP for one in "！？"},
}
"""The classes of the characters behind it that are not wide."""

MARKS = {"prices": "$€£¥", "questions": "?？", "arrows": "›»→"}
"""What tells pages apart: how much of it there is in the whole of a page, see `page_type`."""
MARK_GROUPS = {ord(mark): group for group, marks in enumerate(MARKS.values()) for mark in marks}
ENDINGS = frozenset(map(ord, ".!?…。！？”\"»’')：:"))
"""What a sentence ends with."""
