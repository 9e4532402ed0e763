"""Blocks -> text with its paragraphs, and the same content as clean, minimal HTML.

Both are made from the steps of one walk (`segments`), so that the text and the HTML of an article
always hold the same words. Nothing of the page's markup is passed on: the HTML is written anew,
from a short list of elements and attributes, with every text escaped, and is therefore safe to
show.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from itertools import accumulate, chain, islice
from types import ModuleType
from typing import Any, Literal, NamedTuple

from lxml.html import HtmlElement

from scrapy_mainblock.core.addresses import safe_url
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.permalinks import MARKED_TAGS, is_mark
from scrapy_mainblock.core.segments import MUTED, UNMUTED, Run, Segments, Step, segment
from scrapy_mainblock.core.tags import (
    BLOCK_TAGS,
    CELL_TAGS,
    KEPT_INLINE,
    LINE_TAGS,
    PARAGRAPH_TAGS,
    UNPRINTED_TAGS,
)

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


def events(block: HtmlElement) -> Iterator[Event]:
    """What a reader sees of a small element, in order."""
    opened: list[HtmlElement] = []
    hidden: HtmlElement | None = None
    for element in chain(block.iter(), [None]):
        parent = element.getparent() if element is not None and opened else None
        while opened and opened[-1] is not parent:
            ended = opened.pop()
            if hidden is None:
                yield Event("end", str(ended.tag), None)
            hidden = None if ended is hidden else hidden
            if hidden is None and opened and ended.tail:
                yield Event("text", "", None, ended.tail)
        if element is None:
            return
        opened.append(element)
        if hidden is None and not _is_shown(element):
            hidden = element
        if hidden is None:
            yield Event("start", str(element.tag), element)
            if element.text:
                yield Event("text", "", None, element.text)


def _is_shown(element: HtmlElement) -> bool:
    tag = element.tag
    if not isinstance(tag, str) or tag in UNPRINTED_TAGS:  # the tag of a comment is no str
        return False
    return not (tag in MARKED_TAGS and is_mark(element))


class _Gap(IntEnum):
    """What stands between two pieces of text; the widest that was asked for wins."""

    NONE = 0
    SPACE = 1
    CELL = 2
    LINE = 3
    PARAGRAPH = 4


_WRITTEN = ("", " ", " | ", "\n", "\n\n")
GAPS = {
    **dict.fromkeys(BLOCK_TAGS, 0),
    **dict.fromkeys(PARAGRAPH_TAGS, int(_Gap.PARAGRAPH)),
    **dict.fromkeys(LINE_TAGS, int(_Gap.LINE)),
    **dict.fromkeys(CELL_TAGS, int(_Gap.CELL)),
}


class Shown(NamedTuple):
    """Content as text, and as HTML that is safe to show."""

    text: str
    html: str


def show(pages: Iterable[tuple[Segments, Sequence[bool] | None]], base: str | None = None) -> Shown:
    """The kept segments of blocks, None for all; links made absolute with `base`.

    Paragraphs are parted by a blank line, items and rows stand each on a line.
    """
    read = list(pages)
    if native := _native():
        recorded = [(page.recording, kept) for page, kept in read]
        if all(recording is not None for recording, _ in recorded):
            return Shown(*native.show(recorded, base))
    text, markup = _TextWriter(), _HtmlWriter(base)
    for page, kept in read:
        text.gap = _Gap.PARAGRAPH
        _write(page, kept, text, markup)
        markup.close()
    return Shown(text.result(), markup.result())


@lru_cache(maxsize=1)
def _native() -> ModuleType | None:
    """The same, compiled; asked for late, since it begins with what stands here."""
    return compiled("shown")


def to_text(blocks: Iterable[HtmlElement], without: Collection[HtmlElement] = ()) -> str:
    """The text of blocks, without some elements in them."""
    return show((segment(block, without), None) for block in blocks).text


def to_html(
    blocks: Iterable[HtmlElement], without: Collection[HtmlElement] = (), base: str | None = None
) -> str:
    """The content of blocks as minimal HTML, safe to show; links made absolute with `base`."""
    return show(((segment(block, without), None) for block in blocks), base).html


def _write(  # noqa: C901 - a case for each kind of step
    page: Segments, kept: Sequence[bool] | None, text: _TextWriter, markup: _HtmlWriter
) -> None:
    """Write one block by the steps of its walk; a block with nothing kept is stepped over."""
    blocks, texts = page.blocks, page.texts
    steps: Sequence[Any] = page.steps
    if page.is_muted:
        steps, texts = _without_muted(page)
    left_out = _left_out(page, kept)
    at, end = 0, len(steps)
    while at < end:
        step = steps[at]
        at += 1
        if step.__class__ is int:
            if step >= 0:
                if left_out and left_out[step]:
                    at = blocks[step].behind
                    continue
                tag = blocks[step].tag
                text.block(tag, 1)
                markup.start(tag, blocks[step].element)
            else:
                tag = blocks[~step].tag
                text.block(tag, -1)
                markup.end(tag)
        elif step.__class__ is list:
            number = step[0]
            if number < 0:
                text.run(step, "")
                markup.run(step, "")
            elif kept is None or kept[number]:
                text.run(step, texts[number])
                markup.run(step, texts[number])
            elif len(step) > 2 or page.is_muted:
                markup.run(step, texts[number], hidden=True)
        elif step is None:
            text.line_break()
            markup.line_break()
        else:
            text.blank(step)
            markup.blank(step)


def _without_muted(page: Segments) -> tuple[list[Step], list[str]]:
    """The steps, as many, without what is in muted elements, and the texts without it."""
    steps: list[Step] = []
    texts = list(page.texts)
    depth = 0
    for step in page.steps:
        if not isinstance(step, list):
            steps.append([-1] if depth else step)
            continue
        run: Run = step[:1]
        for piece in step[1:]:
            depth += (piece is MUTED) - (piece is UNMUTED)
            if not depth and piece is not UNMUTED:
                run.append(piece)
        if run[0] >= 0 and len(run) < len(step):
            texts[run[0]] = " ".join("".join(one for one in run if isinstance(one, str)).split())
        steps.append(run)
    return steps, texts


def _left_out(page: Segments, kept: Sequence[bool] | None) -> list[bool]:
    """Which blocks hold nothing that is kept, nor stand next to it; never the outermost."""
    if kept is None:
        return []
    so_far = list(accumulate(map(bool, kept), initial=0))
    last = len(so_far) - 1
    left_out = []
    for one in page.blocks:
        first, end = one.first, one.end
        if first == end:  # nothing but pictures is of what stands next to it
            first, end = max(first - 1, 0), min(end + 1, last)
        left_out.append(so_far[end] == so_far[first])
    left_out[:1] = [False]
    return left_out


_ROW_TAGS = CELL_TAGS | {"tr"}


@dataclass(slots=True)
class _Row:
    """A row of a table as it is written."""

    begins: int
    """How many parts of the text stand before it."""
    first: int = -1
    """The place among the parts of the gap before its first text."""
    edges: list[int] = field(default_factory=list)
    """The places of the gaps between its cells."""
    at_edge: bool = False
    """Whether a cell has begun or ended since the last text."""
    has_lines: bool = False
    """Whether a cell is more than one line."""

    def add(self, place: int, gap: int) -> None:
        """A text comes, and its gap in `place` before it."""
        if self.first < 0:
            self.first = place
        elif self.at_edge:
            self.edges.append(place)
        elif gap >= _Gap.LINE:
            self.has_lines = True
        self.at_edge = False


class _TextWriter:
    """Joins pieces of text with the widest gap that was asked for between them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.gap = 0
        self._last_was_break = False
        self._in_pre = 0
        self._rows: list[_Row] = []
        """The rows of tables that are open, from the outside in."""
        self._row_ended = -1
        """Where a row of one line has ended, if its table goes on."""

    def block(self, tag: str, step: int) -> None:
        """A block begins (1) or ends (-1)."""
        gap = GAPS.get(tag, 0)
        if gap > self.gap:
            self.gap = min(gap, _Gap.LINE) if self._in_pre else gap
        if tag == "pre":
            self._in_pre += step
            self.gap = _Gap.PARAGRAPH
        elif tag in _ROW_TAGS:
            self._row(tag, step)
        elif tag == "table":
            self._row_ended = -1

    def _row(self, tag: str, step: int) -> None:
        """A row begins or ends, or a cell of one: a row of short cells is to be one line."""
        if tag != "tr":
            if self._rows:
                self._rows[-1].at_edge = True
        elif step > 0:
            if self._rows:
                self._rows[-1].has_lines = True
            self._rows.append(_Row(len(self._parts)))
        elif self._rows:
            row = self._rows.pop()
            if row.has_lines:
                return
            for place in row.edges:
                self._parts[place] = _WRITTEN[_Gap.CELL]
            if row.first > 0 and row.begins == self._row_ended:
                self._parts[row.first] = _WRITTEN[_Gap.LINE]
            self._row_ended = len(self._parts)

    def line_break(self) -> None:
        """A `<br>`: two in a row are a paragraph's end, as they are to a reader."""
        self.gap = max(self.gap, _Gap.PARAGRAPH if self._last_was_break else _Gap.LINE)
        self._last_was_break = True

    def blank(self, text: str) -> None:
        """White space between two blocks."""
        if self._in_pre:
            self._preformatted(text)
        elif not self.gap:
            self.gap = _Gap.SPACE

    def run(self, run: Run, text: str) -> None:
        """What stands on a line; `text` is its text with white space folded."""
        if self._in_pre:
            for piece in run:
                if piece.__class__ is str:
                    self._preformatted(piece)
            return
        if not text.isprintable():
            text = " ".join(_CONTROL.sub("", text).split())
        pieces = [piece for piece in run if piece.__class__ is str]
        if not text:
            if pieces and not self.gap:
                self.gap = _Gap.SPACE
            return
        if not self.gap and self._parts and pieces[0][0].isspace():
            self.gap = _Gap.SPACE
        self._put(text)
        if pieces[-1][-1].isspace():
            self.gap = _Gap.SPACE

    def _preformatted(self, text: str) -> None:
        """Text whose lines and spaces are meant: code, mostly."""
        text = _CONTROL.sub("", text.replace("\r\n", "\n"))
        if text.strip():
            self._put(text.lstrip("\n") if self.gap >= _Gap.LINE else text)
        elif self._parts and not self.gap:
            self._parts.append(text)

    def _put(self, text: str) -> None:
        if self._parts and self.gap >= _Gap.LINE:
            self._end_line()
        if self._rows:
            self._rows[-1].add(len(self._parts), self.gap)
        if self._parts:
            self._parts.append(_WRITTEN[self.gap])
        self._parts.append(text)
        self.gap = 0
        self._last_was_break = False

    def _end_line(self) -> None:
        """Code mostly ends with the end of its last line: the gap is not to be wider for that."""
        while self._parts and self._parts[-1].endswith("\n"):
            self._parts[-1] = self._parts[-1].rstrip("\n")
            if self._parts[-1]:
                break
            self._parts.pop()

    def result(self) -> str:
        return "".join(self._parts).strip()


# --- HTML ---------------------------------------------------------------------------------------

KEPT_BLOCKS = frozenset(
    "blockquote caption dd dl dt figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre table tbody td"
    " tfoot th thead tr ul".split()
)
PARAGRAPHS = frozenset("h1 h2 h3 h4 h5 h6 p".split())
# In these, text may stand without a paragraph around it.
HOLDS_TEXT = KEPT_INLINE | frozenset(
    "caption dd dt figcaption h1 h2 h3 h4 h5 h6 li p pre td th".split()
)
# In these, nothing may stand but their own parts: which those are, and what to open for the rest.
PARTS = {
    "ul": (frozenset({"li"}), "li"),
    "ol": (frozenset({"li"}), "li"),
    "dl": (frozenset({"dt", "dd"}), "dd"),
    "tr": (frozenset({"td", "th"}), "td"),
    "table": (frozenset({"caption", "tbody", "tfoot", "thead", "tr"}), "tr"),
    "tbody": (frozenset({"tr"}), "tr"),
    "tfoot": (frozenset({"tr"}), "tr"),
    "thead": (frozenset({"tr"}), "tr"),
}
NO_PARTS: tuple[frozenset[str], str] = (frozenset(), "")
PART_TAGS = frozenset().union(*(parts for parts, _ in PARTS.values()))


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
        self._top = ""
        """The tag of the element that is open innermost."""
        # For each source element that has begun: how many elements were open before it.
        self._levels: list[int | None] = []
        self._in_a = self._in_pre = 0
        self._space = False
        # Whether text stands last, with no tag of a block behind it, and whether a block that is
        # not kept has begun or ended since: what follows is then not of the same line.
        self._text_stands = False
        self._parted = False

    def start(self, tag: str, element: HtmlElement) -> None:
        """A block begins."""
        self._levels.append(None)
        if tag in KEPT_BLOCKS:
            self._start_block(tag)
        elif tag == "hr":
            self._rule()
        elif tag in KEPT_INLINE:
            self._start_inline(tag, element)
        elif GAPS.get(tag):
            self._close_paragraph()

    def end(self, tag: str) -> None:
        """A block ends."""
        level = self._levels.pop()
        if level is not None:
            self._close_down_to(level)
        elif tag != "hr" and GAPS.get(tag):
            self._close_paragraph()

    def run(self, run: Run, text: str, *, hidden: bool = False) -> None:
        """What stands on a line; `text` is its text with white space folded."""
        if len(run) == 2 and text:
            if not hidden:
                self._text(run[1], text)
            return
        for piece in islice(run, 1, None):
            if piece.__class__ is str:
                if not hidden:
                    self._text(piece, " ".join(piece.split()))
            elif piece is None:
                level = self._levels.pop()
                if level is not None:
                    self._close_down_to(level)
            elif piece.tag == "img":
                self._image(piece)
            else:
                self._levels.append(None)
                self._start_inline(piece.tag, piece)

    def blank(self, text: str) -> None:
        """White space between two blocks."""
        if self._in_pre:
            self._parts.append(html.escape(_CONTROL.sub("", text), quote=False))
        else:
            self._space = True

    def line_break(self) -> None:
        """A `<br>`."""
        if self._top in HOLDS_TEXT:
            self._parts.append("<br>")
            self._end_line()

    def close(self) -> None:
        """End what is open: a block is over, and the next one is another paragraph."""
        self._close_down_to(0)
        self._space = False

    def result(self) -> str:
        return "".join(self._parts)

    def _text(self, text: str, folded: str) -> None:
        if self._in_pre:
            self._preformatted(_CONTROL.sub("", text))
            return
        if text[0].isspace():
            self._space = True
        if not folded.isprintable():
            folded = " ".join(_CONTROL.sub("", folded).split())
        if folded:
            self._make_room_for_text()
            self._parts.append(html.escape(folded, quote=False))
            self._space = text[-1].isspace()
            self._text_stands = True

    def _preformatted(self, text: str) -> None:
        if text.strip():
            self._make_room("")
            if self._parted:
                self._parts.append("\n")
            self._text_stands, self._parted = True, False
        self._parts.append(html.escape(text, quote=False))

    def _start_block(self, tag: str) -> None:
        self._close_paragraph()
        if tag in PART_TAGS:
            while self._open and self._open[-1].supplied and not self._fits(tag):
                self._pop()
            if not self._fits(tag):
                return
        self._levels[-1] = len(self._open)
        if self._top in PARTS:
            self._make_room(tag)
        self._push(tag)

    def _fits(self, tag: str) -> bool:
        """Whether a part of a list or table is inside of one: its nearest, or a row's table."""
        parts, opened = PARTS.get(self._top, NO_PARTS)
        return tag in parts or tag in PARTS.get(opened, NO_PARTS)[0]

    def _start_inline(self, tag: str, element: HtmlElement) -> None:
        attributes = ""
        if tag == "a":
            url = safe_url(element.get("href") or "", self._base)
            if url is None or self._in_a:
                return
            attributes = f' href="{html.escape(url)}"'
        self._make_room_for_text()
        self._levels[-1] = len(self._open)
        self._push(tag, attributes)

    def _rule(self) -> None:
        self._close_paragraph()
        self._make_room("hr")
        self._parts.append("<hr>")
        self._end_line()

    def _image(self, element: HtmlElement) -> None:
        source = safe_url(element.get("src") or "", self._base, image=True)
        if source:
            self._make_room_for_text()
            alt = html.escape(_CONTROL.sub("", element.get("alt") or ""))
            self._parts.append(f'<img src="{html.escape(source)}" alt="{alt}">')
            self._text_stands = True

    def _make_room(self, tag: str) -> None:
        """Open what `tag` must stand in, where the source left it out."""
        while self._top in PARTS:
            parts, missing = PARTS[self._top]
            if tag in parts:
                return
            self._push(missing, supplied=True)

    def _make_room_for_text(self) -> None:
        if self._top in PARTS:
            self._make_room("")
        if self._top not in HOLDS_TEXT:
            self._push("p")
        if self._parted:
            self._parts.append("\n" if self._in_pre else "<br>")
        elif self._space and self._parts[-1] != "<br>":
            begins = self._top not in KEPT_INLINE and self._parts[-1] is self._open[-1].written
            if not begins:
                self._parts.append(" ")
        self._space = self._parted = False

    def _close_paragraph(self) -> None:
        """End the inline elements that are open, and the paragraph or heading around them."""
        if self._open:
            while self._top in KEPT_INLINE:
                self._pop()
            if self._top in PARAGRAPHS or (self._top in HOLDS_TEXT and self._open[-1].supplied):
                self._pop()
        self._space = False
        self._parted = self._text_stands

    def _end_line(self) -> None:
        self._space = self._text_stands = self._parted = False

    def _close_down_to(self, level: int) -> None:
        while len(self._open) > level:
            self._pop()

    def _push(self, tag: str, attributes: str = "", *, supplied: bool = False) -> None:
        written = f"<{tag}{attributes}>"
        self._open.append(_OpenTag(tag, written, supplied, self._text_stands))
        self._top = tag
        self._parts.append(written)
        if tag not in KEPT_INLINE:
            self._end_line()
            self._in_pre += tag == "pre"
        elif tag == "a":
            self._in_a += 1

    def _pop(self) -> None:
        tag, written, _, after_text = self._open.pop()
        self._top = self._open[-1].tag if self._open else ""
        is_empty = self._parts[-1] is written
        if is_empty:
            self._parts.pop()
        else:
            self._parts.append(f"</{tag}>")
        if tag not in KEPT_INLINE:
            self._end_line()
            self._text_stands = self._parted = is_empty and after_text
            self._in_pre -= tag == "pre"
        elif tag == "a":
            self._in_a -= 1
