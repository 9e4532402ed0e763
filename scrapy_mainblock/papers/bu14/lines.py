"""The text lines of a page and their six features ([Bu14], sections 3.1 and 3.2).

**What a line is.** The paper's lines are those of the source. A page of today is often one source
line, so here a line ends where a reader sees one end: at the start and the end of every block
element, and at ``<br>``. `Deviates:` only lines that hold text or an image are lines; the paper
numbers lines that hold nothing but tags as well.

**What is left out** (step 3 of the preprocessing; table 1 is unreadable in the text at hand):
comments and processing instructions, whatever is not shown or not text, and the controls of a form,
as in every `Outline`. Not the form itself, which is the whole page in many an old one, and not
``<a>``: table 1 lists it, but LinkNum counts it and the topical lines of table 2 have links.

**TextLength** (B) is the bytes of a line's text and of the tags that open in it, each as ``<name>``
and ``</name>``; the block element that opens a line opens in it. So ``<p class="body">text</p>``
has 4 + 7 bytes, and the five ``<div>`` around it cost it nothing. `Deviates:` the paper counts
attributes too. They have grown since 2012 (lists of class names, addresses with tracking), and
with them a paragraph's density says more about its site than about its text; figures for both are
in ``docs/papers/bu14.md``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_mainblock.outline.layout import CLOSE, EMPTY, TEXT
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.remembered import remembered

BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "br", "caption", "center", "col"),
        *("colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset"),
        *("figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header"),
        *("hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "ol", "p"),
        *("plaintext", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot"),
        *("th", "thead", "tr", "ul", "xmp"),
    )
)
"""Elements with a line break before and behind them."""

VOID = frozenset(("br", "col", "hr", "img", "wbr", "area"))
"""No end tag to be measured."""


class TextLine(NamedTuple):
    """A line of a page: its features A to F as the paper names them, and its text."""

    number: int
    """A, Index: the number of the line, from 1."""
    page_lines: int
    """N, which makes the index relative."""
    text_length: int
    """B: bytes of the line with its tags."""
    output_text_length: int
    """C: bytes of its text."""
    link_num: int
    """E: links with text or an image in this line."""
    img_num: int
    """F."""
    text: str
    """Its text, with single spaces."""

    @property
    def density(self) -> float:
        """D: OutputTextLength / TextLength."""
        return self.output_text_length / self.text_length if self.text_length else 0.0

    @property
    def relative_index(self) -> float:
        """Section 3.2: i / N, to compare pages of different sites."""
        return self.number / self.page_lines


@dataclass
class _Reader:
    """The line that is being read, and those that are complete."""

    complete: list[tuple[int, int, int, int, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    tag_bytes: int = 0
    links: int = 0
    images: int = 0
    open_links: int = 0
    link_counted: bool = False

    def text(self, text: str) -> None:
        """Read a text between two tags."""
        self.texts.append(text)
        if self.open_links and not self.link_counted and not text.isspace():
            self.count_link()

    def open(self, tag: str, *, is_link: bool, is_empty: bool) -> None:
        """Read a start tag."""
        if tag in BLOCKS:
            self.end_line()
        if tag == "a" and is_link:
            self.open_links += not is_empty
            self.link_counted = False
        elif tag == "img":
            self.images += 1
            if self.open_links and not self.link_counted:
                self.count_link()
        self.tag_bytes += tag_bytes(tag)

    def close(self, tag: str, *, is_link: bool) -> None:
        """Read an end tag."""
        if tag in BLOCKS:
            self.end_line()
        elif tag == "a" and is_link:
            self.open_links -= 1

    def count_link(self) -> None:
        """Once in every line in which the link shows something."""
        self.links += 1
        self.link_counted = True

    def end_line(self) -> None:
        """End the line that is being read."""
        # Most ends of lines follow one another: there is no line between them.
        text = " ".join("".join(self.texts).split()) if self.texts else ""
        if text or self.images:
            size = utf8_length(text)
            self.complete.append((size + self.tag_bytes, size, self.links, self.images, text))
        self.texts.clear()
        self.tag_bytes = self.links = self.images = 0
        self.link_counted = False


def text_lines(page: Outline) -> list[TextLine]:
    """The lines of a page, in order."""
    rows, reader = page.rows, _Reader()
    for place in range(rows.tape_at[rows.body], rows.tape_end[rows.body]):
        kind, number = rows.tape[place] & 3, rows.tape[place] >> 2
        if kind == TEXT:
            reader.text(rows.text(number))
            continue
        tag = rows.name(number)
        if kind == CLOSE:
            reader.close(tag, is_link=rows.href_at[number] > 0)
        else:
            reader.open(tag, is_link=rows.href_at[number] > 0, is_empty=kind == EMPTY)
    reader.end_line()
    total = len(reader.complete)
    return [TextLine(number, total, *line) for number, line in enumerate(reader.complete, start=1)]


@remembered(most=256, longest=100)
def tag_bytes(tag: str) -> int:
    """Bytes of an element's tags, without attributes."""
    name = utf8_length(tag)
    return name + len("<>") if tag in VOID else 2 * name + len("<></>")


def utf8_length(text: str) -> int:
    """Bytes of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
