"""Blocks -> text with its paragraphs, and the same content as clean, minimal HTML.

Both renderers read one stream of events, so that the text and the HTML of an article always hold
the same words. Nothing of the page's markup is passed on: the HTML is written anew, from a short
list of elements and attributes, with every text escaped, and is therefore safe to show.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from enum import IntEnum
from typing import Literal, NamedTuple
from urllib.parse import urljoin

from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core.counts import INVISIBLE_TAGS
from scrapy_mainblock.core.permalinks import MARKED_TAGS, is_mark

# Controls of a form are not text of the page, whatever their labels say.
UNPRINTED_TAGS = INVISIBLE_TAGS | {"button", "input", "select", "textarea"}

PARAGRAPH_TAGS = frozenset(
    "address article aside blockquote body center details dir div dl fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend main menu nav ol p pre section"
    " summary table ul".split()
)
LINE_TAGS = frozenset("br caption dd dt li option optgroup tbody tfoot thead tr".split())
CELL_TAGS = frozenset({"td", "th"})

# Control characters but white space, and lone surrogates: in no text anybody wrote, and to a
# terminal some of them are commands.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")


def without_controls(text: str) -> str:
    """The text without what is in no text anybody wrote."""
    return _CONTROL.sub("", text)


class Event(NamedTuple):
    """An element begins, a text stands, an element ends; `tag` is the element's."""

    kind: Literal["start", "text", "end"]
    tag: str
    element: HtmlElement | None
    text: str = ""


class Slot(NamedTuple):
    """A piece of text in the tree: before an element's first child, or behind the element."""

    element: HtmlElement
    is_tail: bool


class LeftOut(NamedTuple):
    """What is not shown of a block: elements with all that is under them, and pieces of text."""

    elements: Collection[HtmlElement] = ()
    slots: Collection[Slot] = ()


NOTHING_LEFT_OUT = LeftOut()


def events(block: HtmlElement, left_out: LeftOut = NOTHING_LEFT_OUT) -> Iterator[Event]:
    """What a reader sees of a block, in order, without what is left out."""
    dropped, hidden = left_out
    skipped: HtmlElement | None = None
    walk = etree.iterwalk(block, events=("start", "end"))
    for event, element in walk:
        if event == "start":
            if (
                element.tag in UNPRINTED_TAGS
                or element in dropped
                or (element.tag in MARKED_TAGS and is_mark(element))
            ):
                walk.skip_subtree()
                skipped = element
                continue
            yield Event("start", str(element.tag), element)
            if element.text and Slot(element, is_tail=False) not in hidden:
                yield Event("text", "", None, element.text)
            continue
        if element is skipped:
            skipped = None
        else:
            yield Event("end", str(element.tag), None)
        if element is not block and element.tail and Slot(element, is_tail=True) not in hidden:
            yield Event("text", "", None, element.tail)


class _Gap(IntEnum):
    """What stands between two pieces of text; the widest that was asked for wins."""

    NONE = 0
    SPACE = 1
    CELL = 2
    LINE = 3
    PARAGRAPH = 4


_WRITTEN = {
    _Gap.NONE: "",
    _Gap.SPACE: " ",
    _Gap.CELL: " | ",
    _Gap.LINE: "\n",
    _Gap.PARAGRAPH: "\n\n",
}


def _gap_of(tag: str) -> _Gap:
    if tag in PARAGRAPH_TAGS:
        return _Gap.PARAGRAPH
    if tag in LINE_TAGS:
        return _Gap.LINE
    return _Gap.CELL if tag in CELL_TAGS else _Gap.NONE


class _TextWriter:
    """Joins pieces of text with the widest gap that was asked for between them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._gap = _Gap.NONE
        self._last_was_break = False

    def gap(self, gap: _Gap) -> None:
        self._gap = max(self._gap, gap)

    def line_break(self) -> None:
        """A `<br>`: two in a row are a paragraph's end, as they are to a reader."""
        self.gap(_Gap.PARAGRAPH if self._last_was_break else _Gap.LINE)
        self._last_was_break = True

    def text(self, text: str) -> None:
        words = _CONTROL.sub("", text).split()
        if not words:
            self.gap(_Gap.SPACE)
            return
        if text[0].isspace():
            self.gap(_Gap.SPACE)
        self._write(" ".join(words))
        if text[-1].isspace():
            self.gap(_Gap.SPACE)

    def preformatted(self, text: str) -> None:
        """Text whose lines and spaces are meant: code, mostly."""
        text = _CONTROL.sub("", text.replace("\r\n", "\n"))
        if text.strip():
            self._write(text)
        elif self._parts and self._gap is _Gap.NONE:
            self._parts.append(text)

    def _write(self, text: str) -> None:
        if self._parts:
            self._parts.append(_WRITTEN[self._gap])
        self._parts.append(text)
        self._gap = _Gap.NONE
        self._last_was_break = False

    def result(self) -> str:
        return "".join(self._parts).strip()


def to_text(blocks: Iterable[HtmlElement], left_out: LeftOut = NOTHING_LEFT_OUT) -> str:
    """The text of blocks: paragraphs parted by a blank line, items and rows each on a line."""
    writer = _TextWriter()
    for block in blocks:
        writer.gap(_Gap.PARAGRAPH)
        preformatted = 0
        for kind, tag, _, text in events(block, left_out):
            if kind == "text":
                writer.preformatted(text) if preformatted else writer.text(text)
                continue
            if tag == "pre":
                preformatted += 1 if kind == "start" else -1
            if tag == "br":
                if kind == "start":
                    writer.line_break()
            else:
                writer.gap(_gap_of(tag))
    return writer.result()


# --- HTML ---------------------------------------------------------------------------------------

_KEPT_BLOCKS = frozenset(
    "blockquote caption dd dl dt figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre table tbody td"
    " tfoot th thead tr ul".split()
)
_KEPT_INLINE = frozenset(
    "a abbr b cite code del em i ins kbd mark q s samp small strong sub sup time u var".split()
)
_PARAGRAPHS = frozenset("h1 h2 h3 h4 h5 h6 p".split())
_VOID = frozenset({"br", "hr", "img"})
# In these, text may stand without a paragraph around it.
_HOLDS_TEXT = _KEPT_INLINE | frozenset(
    "caption dd dt figcaption h1 h2 h3 h4 h5 h6 li p pre td th".split()
)
# In these, nothing may stand but their own parts: which those are, and what to open for the rest.
_PARTS = {
    "ul": (frozenset({"li"}), "li"),
    "ol": (frozenset({"li"}), "li"),
    "dl": (frozenset({"dt", "dd"}), "dd"),
    "tr": (frozenset({"td", "th"}), "td"),
    "table": (frozenset({"caption", "tbody", "tfoot", "thead", "tr"}), "tr"),
    "tbody": (frozenset({"tr"}), "tr"),
    "tfoot": (frozenset({"tr"}), "tr"),
    "thead": (frozenset({"tr"}), "tr"),
}
_PART_TAGS = frozenset().union(*(parts for parts, _ in _PARTS.values()))

_CONTROL_IN_URL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]")
_SPACE_AND_CONTROL = re.compile(rf"{_CONTROL_IN_URL.pattern}|\x20")
_SCHEME = re.compile(r"([a-z][a-z0-9+.\-]*):", re.IGNORECASE)
_SAFE_SCHEMES = frozenset({"http", "https", "mailto"})
_IMAGE_DATA = re.compile(
    r"data:image/(?:gif|jpeg|png|webp|avif);base64,[A-Za-z0-9+/=]*", re.IGNORECASE
)


def safe_url(value: str, base: str | None, *, image: bool = False) -> str | None:
    """A URL that may be shown, made absolute where `base` is known; None for any other.

    A browser strips control characters and white space before it looks at the scheme, and so do
    we; what is left is http, https, mailto or relative, and for an image base64 data of one. A
    space inside is part of the address.
    """
    bare = _SPACE_AND_CONTROL.sub("", value)
    if image and _IMAGE_DATA.fullmatch(bare):
        return bare
    scheme = _SCHEME.match(bare)
    url = _CONTROL_IN_URL.sub("", value).strip().replace(" ", "%20")
    if not _is_safe(scheme):
        return None
    if base and not scheme:
        try:
            url = urljoin(base, url)
        except ValueError:
            return None
    return url if url and _is_safe(_SCHEME.match(url)) else None


def _is_safe(scheme: re.Match[str] | None) -> bool:
    return scheme is None or scheme[1].lower() in _SAFE_SCHEMES


class _OpenTag(NamedTuple):
    tag: str
    written: str
    supplied: bool
    """Whether the source did not have it here."""
    after_text: bool
    """Whether text stood right before it."""


class _HtmlWriter:
    """Writes balanced HTML: what it opens it closes, and loose text gets a paragraph.

    Block elements that are not kept (`<div>`, `<section>` ...) only end the paragraph they stand
    in. An element whose place is wrong in the source (a `<td>` without its row, text between two
    `<li>`) is given the parents it needs.
    """

    def __init__(self, base: str | None) -> None:
        self._base = base
        self._parts: list[str] = []
        self._open: list[_OpenTag] = []
        # For each source element that has begun: how many elements were open before it.
        self._levels: list[int | None] = []
        # How many <a> and <pre> are open.
        self._inside: Counter[str] = Counter()
        self._space = False
        # Whether text stands last, with no tag of a block behind it, and whether a block that is
        # not kept has begun or ended since: what follows is then not of the same line.
        self._text_stands = False
        self._parted = False

    def start(self, tag: str, element: HtmlElement) -> None:
        self._levels.append(None)
        if tag in _KEPT_INLINE:
            self._start_inline(tag, element)
        elif tag in _VOID:
            self._void(tag, element)
        elif tag in _KEPT_BLOCKS:
            self._start_block(tag)
        elif _gap_of(tag) is not _Gap.NONE:
            self._close_paragraph()

    def end(self, tag: str) -> None:
        level = self._levels.pop()
        if level is not None:
            self._close_down_to(level)
        elif _gap_of(tag) is not _Gap.NONE and tag not in _VOID:
            self._close_paragraph()

    def text(self, text: str) -> None:
        clean = _CONTROL.sub("", text)
        words = clean.split()
        if self._inside["pre"]:
            self._preformatted(clean, is_blank=not words)
            return
        self._space = self._space or text[0].isspace()
        if words:
            self._make_room_for_text()
            self._parts.append(html.escape(" ".join(words), quote=False))
            self._space = text[-1].isspace()
            self._text_stands = True

    def _preformatted(self, text: str, *, is_blank: bool) -> None:
        if not is_blank:
            self._make_room("")
            if self._parted:
                self._parts.append("\n")
            self._text_stands, self._parted = True, False
        self._parts.append(html.escape(text, quote=False))

    def close(self) -> None:
        """End what is open: a block is over, and the next one is another paragraph."""
        self._close_down_to(0)
        self._space = False

    def result(self) -> str:
        return "".join(self._parts)

    def _start_block(self, tag: str) -> None:
        self._close_paragraph()
        if tag in _PART_TAGS:
            while self._open and self._open[-1].supplied and not self._fits(tag):
                self._pop()
            if not self._fits(tag):
                return
        self._levels[-1] = len(self._open)
        self._make_room(tag)
        self._push(tag)

    def _fits(self, tag: str) -> bool:
        """Whether a part of a list or table is inside of one: its nearest, or a row's table."""
        container = self._open[-1].tag if self._open else ""
        parts, opened = _PARTS.get(container, (frozenset(), ""))
        return tag in parts or tag in _PARTS.get(opened, (frozenset(), ""))[0]

    def _start_inline(self, tag: str, element: HtmlElement) -> None:
        attributes = ""
        if tag == "a":
            url = safe_url(element.get("href") or "", self._base)
            if url is None or self._inside["a"]:
                return
            attributes = f' href="{html.escape(url)}"'
        self._make_room_for_text()
        self._levels[-1] = len(self._open)
        self._push(tag, attributes)

    def _void(self, tag: str, element: HtmlElement) -> None:
        if tag == "hr":
            self._close_paragraph()
            self._make_room("hr")
            self._parts.append("<hr>")
            self._end_line()
        elif tag == "br":
            if self._open and self._open[-1].tag in _HOLDS_TEXT:
                self._parts.append("<br>")
                self._end_line()
        else:
            source = safe_url(element.get("src") or "", self._base, image=True)
            if source:
                self._make_room_for_text()
                alt = html.escape(_CONTROL.sub("", element.get("alt") or ""))
                self._parts.append(f'<img src="{html.escape(source)}" alt="{alt}">')
                self._text_stands = True

    def _make_room(self, tag: str) -> None:
        """Open what `tag` must stand in, where the source left it out."""
        while self._open and self._open[-1].tag in _PARTS:
            parts, missing = _PARTS[self._open[-1].tag]
            if tag in parts:
                return
            self._push(missing, supplied=True)

    def _make_room_for_text(self) -> None:
        self._make_room("")
        if not self._open or self._open[-1].tag not in _HOLDS_TEXT:
            self._push("p")
        begins = (
            self._parts[-1] is self._open[-1].written and self._open[-1].tag not in _KEPT_INLINE
        )
        if self._parted:
            self._parts.append("\n" if self._inside["pre"] else "<br>")
        elif self._space and not begins and self._parts[-1] != "<br>":
            self._parts.append(" ")
        self._space = self._parted = False

    def _close_paragraph(self) -> None:
        """End the inline elements that are open, and the paragraph or heading around them."""
        while self._open and self._open[-1].tag in _KEPT_INLINE:
            self._pop()
        if self._open and (self._open[-1].tag in _PARAGRAPHS or self._is_supplied_part()):
            self._pop()
        self._space = False
        self._parted = self._text_stands

    def _end_line(self) -> None:
        self._space = self._text_stands = self._parted = False

    def _is_supplied_part(self) -> bool:
        return self._open[-1].supplied and self._open[-1].tag in _HOLDS_TEXT

    def _close_down_to(self, level: int) -> None:
        while len(self._open) > level:
            self._pop()

    def _push(self, tag: str, attributes: str = "", *, supplied: bool = False) -> None:
        self._open.append(_OpenTag(tag, f"<{tag}{attributes}>", supplied, self._text_stands))
        self._parts.append(self._open[-1].written)
        self._inside[tag] += 1
        if tag not in _KEPT_INLINE:
            self._end_line()

    def _pop(self) -> None:
        tag, written, _, after_text = self._open.pop()
        self._inside[tag] -= 1
        is_empty = self._parts[-1] is written
        if is_empty:
            self._parts.pop()
        else:
            self._parts.append(f"</{tag}>")
        if tag not in _KEPT_INLINE:
            self._end_line()
            self._text_stands = self._parted = is_empty and after_text


def to_html(
    blocks: Iterable[HtmlElement],
    left_out: LeftOut = NOTHING_LEFT_OUT,
    base: str | None = None,
) -> str:
    """The content of blocks as minimal HTML, safe to show; links made absolute with `base`."""
    writer = _HtmlWriter(base)
    for block in blocks:
        for _, tag, element, text in events(block, left_out):
            if element is not None:
                writer.start(tag, element)
            elif tag:
                writer.end(tag)
            else:
                writer.text(text)
        writer.close()
    return writer.result()
