"""What a page is made of, before any template has touched it, and what comes out."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Literal

Language = Literal["en", "zh-CN"]
PageType = Literal["article", "index", "forum", "product", "documentation"]


@dataclass(frozen=True)
class Paragraph:
    """Running text; one phrase of it may be a link, and an advert may stand in the middle."""

    text: str
    link: tuple[str, str] | None = None
    """A phrase of the text, and where it leads."""
    advert_after: str | None = None
    """The sentence of the text after which an inline advert is put."""


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
        """One item a line."""
        return "\n".join(self.items)


@dataclass(frozen=True)
class Quote:
    """A block quotation."""

    text: str


@dataclass(frozen=True)
class Table:
    """Rows of cells, the first of them the head."""

    rows: tuple[tuple[str, ...], ...]

    @property
    def text(self) -> str:
        """One row a line, cells parted by tabs."""
        return "\n".join("\t".join(row) for row in self.rows)


@dataclass(frozen=True)
class Code:
    """Program text."""

    text: str


Block = Paragraph | Heading | Listing | Quote | Table | Code


def gold_text(blocks: tuple[Block, ...]) -> str:
    """The blocks as a careful human would copy them: parted by a blank line."""
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
    """What other pages know of a page, and all that is known before its body is written."""

    number: int
    path: str
    headline: str
    teaser: str
    author: str
    date: datetime.date
    topic: str
    authors: tuple[str, ...] = ()
    """Those that the page names: none on some, two on others; `author` is the first anywhere."""
    photographer: str = ""
    """Named under a picture, and no author."""

    @property
    def topic_id(self) -> str:
        """The topic for use in a path."""
        return self.topic if self.topic.isascii() else "zh"


@dataclass(frozen=True)
class Story:
    """One page's content."""

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
    """Template matter that makes pages heavy: the same on all pages of a template."""

    style: str = ""
    menu: str = ""
    script: str = ""


@dataclass(frozen=True)
class Surroundings:
    """What a template needs beside its content."""

    base_url: str
    bulk: Bulk = field(default_factory=Bulk)

    def absolute(self, path: str) -> str:
        """The URL of a path of this site."""
        return self.base_url.rstrip("/") + path


@dataclass(frozen=True)
class Rendered:
    """A template's work: the source, and some of what it put around the content."""

    html: str
    not_gold: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """A page of the site, and what a human would call its main text."""

    path: str
    html: str
    template: str
    page_type: PageType
    language: Language
    headline: str
    gold: str | None
    """Main text without the headline, paragraphs parted by a blank line; None for an index."""
    not_gold: tuple[str, ...]
    """Visible snippets that must not be in the extraction."""
    links: tuple[str, ...]
    """Paths of the site's other pages that this one links to."""
    date: datetime.date
    encoding: str = "utf-8"
    published: datetime.date | None = None
    """The day that the page shows itself; None where it shows none."""
    authors: tuple[str, ...] = ()
    """Those that it names, in this order."""

    @property
    def body(self) -> bytes:
        """The page as it travels."""
        return self.html.encode(self.encoding, "xmlcharrefreplace")

    @property
    def content_type(self) -> str:
        """The header's value; an old page leaves its encoding to its <meta>."""
        return "text/html; charset=utf-8" if self.encoding == "utf-8" else "text/html"
