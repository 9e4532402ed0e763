"""A page: bytes and a URL in, decoded and parsed once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import lxml.html
from lxml import etree
from w3lib.encoding import html_to_unicode

# A text without one letter that could begin a tag has no markup to parse.
_TAG = re.compile(r"<[a-zA-Z!/?]")


def decode(body: bytes | str, content_type: str | None = None) -> str:
    """The page's source as text; whatever the bytes are, this ends with a text.

    The order is a browser's (a byte-order mark, the Content-Type header, a ``<meta>``), with
    UTF-8 and then Windows-1252 where nothing is said: w3lib's `html_to_unicode`.
    """
    if isinstance(body, str):
        return body
    return html_to_unicode(content_type, bytes(body), auto_detect_fun=_guess)[1]


def _guess(body: bytes) -> str:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A page cut off in the middle of a character is UTF-8 all the same.
        return "utf-8" if error.start >= len(body) - 3 else "cp1252"
    return "utf-8"


def parse(source: str) -> lxml.html.HtmlElement | None:
    """The tree of a page, None where there is none to be had. Never raises.

    It is fed as UTF-8 with the encoding given, so that a `<meta>` or an XML declaration that says
    otherwise changes nothing; NUL, at which libxml2 would stop reading, is left out as a browser
    does; `huge_tree` lifts the depth at which libxml2 cuts a page from 256 to 2048.
    """
    if not _TAG.search(source):
        return None
    body = source.replace("\x00", "").encode("utf-8", "replace")
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        root = lxml.html.document_fromstring(body, parser=parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return None
    return root


@dataclass
class Page:
    """One page on its way through the core."""

    source: str
    url: str | None = None

    @classmethod
    def of(cls, html: bytes | str, url: str | None = None) -> Page:
        """Decode a page."""
        return cls(decode(html), url)

    @classmethod
    def parsed(cls, source: str, root: lxml.html.HtmlElement, url: str | None = None) -> Page:
        """A page whose tree somebody has built already, so that it is not built again."""
        page = cls(source, url)
        page.__dict__["root"] = root
        return page

    @cached_property
    def root(self) -> lxml.html.HtmlElement | None:
        """The tree, parsed when first asked for."""
        return parse(self.source)

    @property
    def body(self) -> lxml.html.HtmlElement | None:
        """The `<body>`, or the root of a page without one."""
        if self.root is None:
            return None
        body = self.root.find("body")
        return self.root if body is None else body
