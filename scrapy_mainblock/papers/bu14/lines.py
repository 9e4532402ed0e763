"""The text lines of a page and their six features ([Bu14], sections 3.1 and 3.2).

**Definition of a line.** The paper uses the lines of the source. Today a page is often a single
source line, so here a line ends where a reader sees it end: at the start and the end of every block
element, and at ``<br>``. `Deviates:` only lines with text or an image count; the paper also numbers
lines that consist only of tags.

**What is left out** (step 3 of the preprocessing; table 1 is unreadable in the text at hand):
comments and processing instructions, anything that is not shown or not text, and form controls, as
in every `Outline`. The form itself is not left out, since in many old pages it is the whole page,
nor is ``<a>``: table 1 lists it, but LinkNum counts it and the topical lines of table 2 have links.

**TextLength** (B) is the number of bytes of a line's text and of the tags that open in it, each as
``<name>`` and ``</name>``; the block element that opens a line opens in it. So
``<p class="body">text</p>`` has 4 + 7 bytes, and the five ``<div>`` around it do not add to it.
`Deviates:` the paper also counts attributes. They have grown since 2012 (lists of class names, URLs
with tracking), and with them the density of a paragraph depends more on its site than on its text.
Figures for both are in ``docs/papers/bu14.md``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from scrapy_mainblock.outline.layout import CLOSE, EMPTY, TEXT
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.bounded_cache import bounded_cache

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
"""Elements with a line break before and after them."""

VOID = frozenset(("br", "col", "hr", "img", "wbr", "area"))
"""Elements without an end tag to count."""


class TextLine(NamedTuple):
    """A line of a page: its features, named as in the paper (A to F), and its text."""

    number: int
    """A, Index: the number of the line, from 1."""
    page_lines: int
    """N, the number of lines of the page, for the relative index."""
    text_length: int
    """B: bytes of the line including its tags."""
    output_text_length: int
    """C: bytes of the line's text."""
    link_num: int
    """E: number of links with text or an image in this line."""
    img_num: int
    """F: number of images."""
    text: str
    """The line's text, with single spaces."""

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
    """The complete lines so far, and the state of the current line."""

    complete: list[tuple[int, int, int, int, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    tag_bytes: int = 0
    links: int = 0
    images: int = 0
    open_links: int = 0
    link_counted: bool = False

    def text(self, text: str) -> None:
        """Process a text between two tags."""
        self.texts.append(text)
        if self.open_links and not self.link_counted and not text.isspace():
            self.count_link()

    def open(self, tag: str, *, is_link: bool, is_empty: bool) -> None:
        """Process a start tag."""
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
        """Process an end tag."""
        if tag in BLOCKS:
            self.end_line()
        elif tag == "a" and is_link:
            self.open_links -= 1

    def count_link(self) -> None:
        """Count the open link, once for each line in which it shows something."""
        self.links += 1
        self.link_counted = True

    def end_line(self) -> None:
        """End the current line, and keep it if it has text or an image."""
        # Most line ends directly follow another one, with no line between them.
        text = " ".join("".join(self.texts).split()) if self.texts else ""
        if text or self.images:
            size = utf8_length(text)
            self.complete.append((size + self.tag_bytes, size, self.links, self.images, text))
        self.texts.clear()
        self.tag_bytes = self.links = self.images = 0
        self.link_counted = False


def text_lines(page: Outline) -> list[TextLine]:
    """Return the lines of a page, in order."""
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


@bounded_cache(most=256, longest=100)
def tag_bytes(tag: str) -> int:
    """Return the bytes of an element's tags, without attributes."""
    name = utf8_length(tag)
    return name + len("<>") if tag in VOID else 2 * name + len("<></>")


def utf8_length(text: str) -> int:
    """Return the number of bytes of a text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
