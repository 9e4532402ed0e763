"""Tables by tag for the writers: how an element separates text, and where it may stand in HTML."""

from __future__ import annotations

from array import array

from scrapy_mainblock.outline.html.tags import (
    CELL_TAGS,
    KEPT_INLINE_TAGS,
    LINE_TAGS,
    NAMES,
    PARAGRAPH_TAGS,
)

NO_GAP, SPACE_GAP, CELL_GAP, LINE_GAP, PARAGRAPH_GAP = range(5)
"""What separates two pieces of text; the widest requested gap wins."""
WRITTEN_GAPS = (b"", b" ", b" | ", b"\n", b"\n\n")

KEPT_BLOCK_TAGS = frozenset(
    "blockquote caption dd dl dt figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre table tbody td"
    " tfoot th thead tr ul".split()
)
PARAGRAPHS = frozenset("h1 h2 h3 h4 h5 h6 p".split())
# Elements in which text may stand without a paragraph around it.
HOLD_TEXT = KEPT_INLINE_TAGS | frozenset(
    "caption dd dt figcaption h1 h2 h3 h4 h5 h6 li p pre td th".split()
)
# Elements in which only their own parts may stand: these parts, and the one to open for anything
# else.
PARTS = {
    "ul": ({"li"}, "li"),
    "ol": ({"li"}, "li"),
    "dl": ({"dt", "dd"}, "dd"),
    "tr": ({"td", "th"}, "td"),
    "table": ({"caption", "tbody", "tfoot", "thead", "tr"}, "tr"),
    "tbody": ({"tr"}, "tr"),
    "tfoot": ({"tr"}, "tr"),
    "thead": ({"tr"}, "tr"),
}

KEPT_BLOCK, INLINE, PARAGRAPH, HOLDS_TEXT, HAS_PARTS, IS_PART, ROW, CELL, RULE = (
    1 << bit for bit in range(9)
)
ATTRIBUTED, PLAYER, FORMULA = (1 << bit for bit in range(9, 12))


def _what(name: str) -> int:
    is_part = any(name in parts for parts, _ in PARTS.values())
    sets = (
        name in KEPT_BLOCK_TAGS,
        name in KEPT_INLINE_TAGS,
        name in PARAGRAPHS,
        name in HOLD_TEXT,
        name in PARTS,
        is_part,
        name == "tr",
        name in CELL_TAGS,
        name == "hr",
        name in CELL_TAGS or name == "ol",
        name in ("audio", "iframe", "video"),
        name in ("math", "script"),
    )
    return sum(1 << bit for bit, is_one in enumerate(sets) if is_one)


def _gap(name: str) -> int:
    if name in PARAGRAPH_TAGS:
        return PARAGRAPH_GAP
    if name in LINE_TAGS:
        return LINE_GAP
    return CELL_GAP if name in CELL_TAGS else NO_GAP


WHAT = array("i", map(_what, NAMES))
GAP = array("i", map(_gap, NAMES))
SUPPLIED = array("i", [NAMES.index(PARTS[name][1]) if name in PARTS else 0 for name in NAMES])
"""By the code of a tag that has parts: the code of the part to open for anything else."""
FITS = bytes(name in PARTS.get(around, (frozenset(), ""))[0] for around in NAMES for name in NAMES)
"""Whether a tag may be a part of another: at ``around * len(NAMES) + code``."""
COUNT = len(NAMES)
OPEN_TAGS = [f"<{name}>".encode() for name in NAMES]
CLOSE_TAGS = [f"</{name}>".encode() for name in NAMES]

NOTHING, BOUNDARY, INLINE_MARK, INLINE_CODE = range(4)
"""What an element of clean HTML is in Markdown: only its text, a block, words between two marks,
code."""
_MARKED_TAGS = frozenset("a b del em i ins mark s strong sub sup".split())
_CODE_TAGS = frozenset("code kbd samp".split())


def _in_markdown(name: str) -> int:
    if name in _MARKED_TAGS:
        return INLINE_MARK
    if name in _CODE_TAGS:
        return INLINE_CODE
    return BOUNDARY if name in KEPT_BLOCK_TAGS or name == "hr" else NOTHING


MARKDOWN = array("i", map(_in_markdown, NAMES))

PARAGRAPH_LINE, HEADING_LINE, CELL_LINE = range(3)
"""The kinds of lines in Markdown: a heading has no line breaks, a cell has ``<br>`` for each."""

EM, STRONG, LINK, TAG = range(4)
"""The kinds of marks in a line."""
