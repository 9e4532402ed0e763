"""The data of a page: its content before a template is applied, and the rendered result."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Literal

Language = Literal["en", "zh-CN"]
PageType = Literal["article", "index", "forum", "product", "documentation"]


@dataclass(frozen=True)
class Paragraph:
    """Running text; one phrase may be a link, and an advert may be inserted in the middle."""

    text: str
    link: tuple[str, str] | None = None
    """A phrase of the text, and the target of its link."""
    advert_after: str | None = None
    """The sentence of the text after which an inline advert is inserted."""


@dataclass(frozen=True)
class Heading:
    """A sub-heading."""

    text: str


@dataclass(frozen=True)
class Listing:
    """Bullet points or numbered steps."""

    items: tuple[str, ...]
    ordered: bool = False

    @property
    def text(self) -> str:
        """The items, one per line."""
        return "\n".join(self.items)


@dataclass(frozen=True)
class Quote:
    """A block quotation."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows of cells; the first row is the header."""

    rows: tuple[tuple[str, ...], ...]

    @property
    def text(self) -> str:
        """The rows, one per line, with tabs between the cells."""
        return "\n".join("\t".join(row) for row in self.rows)


@dataclass(frozen=True)
class Code:
    """Program text."""

    text: str


Block = Paragraph | Heading | Listing | Quote | Table | Code


def gold_text(blocks: tuple[Block, ...]) -> str:
    """Return the blocks as a careful human would copy them, with blank lines between them."""
    return "\n\n".join(block.text for block in blocks)


@dataclass(frozen=True)
class Comment:
    """A reader's comment, a product review, or a post of a forum thread."""

    author: str
    when: str
    paragraphs: tuple[str, ...]
    signature: str = ""


@dataclass(frozen=True)
class Ref:
    """The data of a page that other pages use, and that is known before its body is written."""

    number: int
    path: str
    headline: str
    teaser: str
    author: str
    date: datetime.date
    topic: str
    authors: tuple[str, ...] = ()
    """The authors that the page names: none, one or two. The first of them is `author`."""
    photographer: str = ""
    """A person named under a picture, who is not an author."""

    @property
    def topic_id(self) -> str:
        """The topic as it is used in paths."""
        return self.topic if self.topic.isascii() else "zh"


@dataclass(frozen=True)
class Story:
    """The content of one page."""

    ref: Ref
    blocks: tuple[Block, ...]
    comments: tuple[Comment, ...] = ()
    tags: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    related: tuple[Ref, ...] = ()
    most_read: tuple[Ref, ...] = ()
    previous: Ref | None = None
    following: Ref | None = None


@dataclass(frozen=True)
class IndexContent:
    """One page of a section's list of articles."""

    title: str
    path: str
    refs: tuple[Ref, ...]
    page: int = 1
    pages: tuple[str, ...] = ()
    """The paths of all pages of this list."""
    most_read: tuple[Ref, ...] = ()


@dataclass(frozen=True)
class Bulk:
    """Template code that makes pages heavy: the same on all pages of a template."""

    style: str = ""
    menu: str = ""
    script: str = ""


@dataclass(frozen=True)
class Surroundings:
    """What a template needs besides the content."""

    base_url: str
    bulk: Bulk = field(default_factory=Bulk)

    def absolute(self, path: str) -> str:
        """Return the URL of a path of this site."""
        return self.base_url.rstrip("/") + path


@dataclass(frozen=True)
class Rendered:
    """The output of a template: the source, and some snippets that it put around the content."""

    html: str
    not_gold: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """A page of the site, with the text that a human would call its main text."""

    path: str
    html: str
    template: str
    page_type: PageType
    language: Language
    headline: str
    gold: str | None
    """The main text without the headline, paragraphs parted by a blank line; None for an index."""
    not_gold: tuple[str, ...]
    """Visible snippets that must not be in the extraction."""
    links: tuple[str, ...]
    """The paths of the site's other pages that this page links to."""
    date: datetime.date
    encoding: str = "utf-8"
    published: datetime.date | None = None
    """The date that the page itself shows; None if it shows none."""
    authors: tuple[str, ...] = ()
    """The authors that the page names, in order."""

    @property
    def body(self) -> bytes:
        """The page as it is sent."""
        return self.html.encode(self.encoding, "xmlcharrefreplace")

    @property
    def content_type(self) -> str:
        """The value of the header; old pages declare their encoding only in a <meta> tag."""
        return "text/html; charset=utf-8" if self.encoding == "utf-8" else "text/html"
