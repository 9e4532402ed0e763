"""A copy of a page that is safe to show: its elements and texts, nothing that acts or loads.

The copy is written from the Outline's tape, not cut out of the source: only the tags and attributes
listed here come through, each text is escaped, and every opened element is closed. So whatever the
page contains, the copy consists only of text and of elements without behavior. Each text is wrapped
in a ``<mb-s data-s="12">`` with the number of its segment, so that the report can draw on it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from html import escape

from scrapy_mainblock.outline.html.tags import BLOCK, CODES, FLAGS
from scrapy_mainblock.outline.layout import CLOSE, EMPTY, TEXT
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.rows import Rows

LONGEST_COPY = 2_000_000
"""Maximum characters of a copy. A longer page is cut: browsers take seconds to lay it out."""
LONGEST_STYLES = 150_000
"""Maximum bytes of a page's own style sheets."""
DEEPEST = 400
"""Maximum depth of nested elements; browsers themselves stop nesting at 512."""
LARGEST_PICTURE = 1200
"""Maximum width and height, in pixels, of the box that stands for an image."""

SHOWN = frozenset(
    "a abbr address article aside b bdi bdo big blockquote body caption center cite code dd del"
    " details dfn dir div dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header"
    " hgroup i ins kbd label legend li main mark menu nav nobr ol p pre q rb rp rt rtc ruby s samp"
    " section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u"
    " ul var".split()
)
ATTRIBUTES = frozenset(
    "align bgcolor cellpadding cellspacing class color colspan dir height id lang rowspan size"
    " style valign width".split()
)
_EMPTY = frozenset({"br", "hr", "wbr"})
_IMG = CODES["img"]
_STYLE = CODES["style"]
_NAMES_OF_ATTRIBUTES = re.compile(rb"[\s\"'/]([A-Za-z]+)\s*=")
_LOADS = re.compile(r"url\s*\(|@import|image-set|\bsrc\s*\(|expression\s*\(|[\\<]", re.IGNORECASE)
"""Constructs by which a style sheet loads something, and escapes that could hide them."""
_PIXELS = re.compile(r"\s*(\d{1,5})\s*(?:px\s*)?\Z")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def marked(page: Outline, roots: Collection[int] = ()) -> tuple[str, str | None]:
    """Return the copy of a page, and why it was cut or None; `roots` are marked with `data-e`."""
    writer = _Writer(page.rows, frozenset(roots))
    writer.run()
    return styles(page.rows) + "".join(writer.pieces), writer.cut


def styles(rows: Rows) -> str:
    """Return the page's own style sheets, except those that load something."""
    found: list[str] = []
    left = LONGEST_STYLES
    for element in rows.with_tag(_STYLE, 50):
        sheet = rows.content(element)
        if len(sheet) > left:
            continue
        text = _CONTROLS.sub("", sheet.decode("utf-8", "replace"))
        if text.strip() and not _LOADS.search(text):
            found.append(f"<style>{text}</style>")
            left -= len(sheet)
    return "".join(found)


class _Writer:
    """The writer of the copy, in one pass over the tape."""

    def __init__(self, rows: Rows, roots: frozenset[int]) -> None:
        self.rows, self.roots = rows, roots
        self.pieces: list[str] = []
        self.size = 0
        self.open: list[tuple[int, str]] = []
        self.cut: str | None = None

    def run(self) -> None:
        rows = self.rows
        place, end = rows.tape_at[rows.body], rows.tape_end[rows.body]
        while 0 <= place < end:
            event = rows.tape[place]
            kind, number = event & 3, event >> 2
            place += 1
            if kind == TEXT:
                self._text(number)
            elif kind == CLOSE:
                self._close(number)
            else:
                self._element(number, is_empty=kind == EMPTY)
            if self.size > LONGEST_COPY:
                self.cut = "the page is too long to be shown in full"
                break
        while self.open:
            self._put(f"</{self.open.pop()[1]}>")

    def _put(self, piece: str) -> None:
        self.pieces.append(piece)
        self.size += len(piece)

    def _text(self, number: int) -> None:
        rows = self.rows
        text = escape(_CONTROLS.sub("", rows.text(number)))
        segment = rows.text_segment[number]
        if segment >= 0 and rows.text_chars[number]:
            text = f'<mb-s data-s="{segment}">{text}</mb-s>'
        self._put(text)

    def _element(self, element: int, *, is_empty: bool) -> None:
        rows = self.rows
        name = rows.name(element)
        if rows.tag[element] == _IMG:
            self._put(self._picture(element))
            return
        if name in _EMPTY:
            self._put(f"<{name}>")
            return
        if name == "body" or name not in SHOWN:
            name = "div" if FLAGS[rows.tag[element]] & BLOCK else "span"
        if is_empty:
            self._put(f"<{name}{self._attributes(element)}></{name}>")
        elif len(self.open) < DEEPEST:
            self._put(f"<{name}{self._attributes(element)}>")
            self.open.append((element, name))

    def _close(self, element: int) -> None:
        # An element that was nested too deep was never opened, so it is not on the stack.
        if all(opened != element for opened, _ in reversed(self.open)):
            return
        opened = -1
        while opened != element:
            opened, name = self.open.pop()
            self._put(f"</{name}>")

    def _attributes(self, element: int) -> str:
        rows = self.rows
        found = f' data-e="{element}"' if element in self.roots else ""
        tag = rows.source[rows.start[element] : rows.inner[element]]
        if b"=" not in tag:
            return found
        names = {one.decode().lower() for one in _NAMES_OF_ATTRIBUTES.findall(tag)}
        for name in sorted(names & ATTRIBUTES):
            value = rows.attribute(element, name.encode())
            if value and not (name == "style" and _LOADS.search(value)):
                found += f' {name}="{escape(_CONTROLS.sub("", value))}"'
        return found

    def _picture(self, element: int) -> str:
        """Return a box of the image's size that contains its alternative text."""
        rows = self.rows
        sizes = []
        for name in ("width", "height"):
            pixels = _PIXELS.match(rows.attribute(element, name.encode()) or "")
            if pixels:
                sizes.append(f"{name}:{min(int(pixels[1]), LARGEST_PICTURE)}px")
        text = escape(_CONTROLS.sub("", rows.attribute(element, b"alt") or ""))
        return f'<mb-i style="{";".join(sizes)}">{text}</mb-i>'
