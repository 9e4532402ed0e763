"""A page: bytes and a URL in, decoded and parsed once."""

from __future__ import annotations

import codecs
import copy
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import lxml.html
from lxml import etree
from w3lib.encoding import (
    html_body_declared_encoding,
    html_to_unicode,
    http_content_type_encoding,
    read_bom,
    to_unicode,
)

from scrapy_mainblock.core import bounds
from scrapy_mainblock.core.counts import Node, count
from scrapy_mainblock.core.repair import hidden_pages, show

# A text without one letter that could begin a tag has no markup to parse.
_TAG = re.compile(r"<[a-zA-Z!/?]")
# Codecs that Python takes for a text's; the first is quadratic, two turn inert text into markup.
_NO_ENCODINGS_OF_PAGES = frozenset({"punycode", "idna", "unicode-escape", "raw-unicode-escape"})


def decode(body: bytes | str, content_type: str | None = None) -> str:
    """The page's source as text; whatever the bytes are, this ends with a text.

    The order is a browser's (a byte-order mark, the Content-Type header, a ``<meta>``), with
    UTF-8 and then Windows-1252 where nothing is said or nothing that can be: w3lib's
    `html_to_unicode`, kept away from the codecs that are Python's own.
    """
    if isinstance(body, str):
        return body
    if not isinstance(body, (bytes, bytearray, memoryview)):  # bytes(10**12) would be taken
        raise TypeError(f"a page is bytes or str, not {type(body).__name__}")
    body = bytes(body)
    if read_bom(body)[1] is None:
        declared = http_content_type_encoding(content_type) or html_body_declared_encoding(body)
        if declared and not _can_be(declared, body):
            return to_unicode(body, _guess(body))
    return html_to_unicode(content_type, body, auto_detect_fun=_guess)[1]


def _can_be(encoding: str, body: bytes) -> bool:
    """Whether a declared encoding is one of texts, and not belied by the bytes."""
    if encoding.startswith(("utf-16", "utf-32")):
        return b"\x00" in body  # no markup is without an ASCII character; browsers do the same
    try:
        b"a".decode(encoding)
    except (LookupError, UnicodeError):  # charset=hex, charset=undefined
        return False
    return encoding not in _NO_ENCODINGS_OF_PAGES


def _guess(body: bytes) -> str:
    head = body[:64]
    even, odd = head[::2].count(0), head[1::2].count(0)
    # Every other byte; a page with many NULs in it has them anywhere.
    if 3 * (even + odd) > len(head) and 4 * min(even, odd) <= max(even, odd):
        return "utf-16-be" if head[0] == 0 else "utf-16-le"
    try:
        # A page cut off in the middle of a character is UTF-8 all the same.
        codecs.getincrementaldecoder("utf-8")().decode(body, final=False)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


_LEAST_HEAD, _HEAD = 64, 4096
_MOST_CONTROLS = 0.05
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1f\x7f\ufffd]")


def is_binary(source: str) -> bool:
    """Whether this is no text at all: compressed bytes, an image, sent as HTML.

    One character in nine of random bytes is a control character or none; a text has hardly any,
    though a page in a wrong encoding may have some. NUL does not count: UTF-16 is full of it.
    """
    head = source[:_HEAD].replace("\x00", "")
    return len(head) > _LEAST_HEAD and len(_CONTROLS.findall(head)) > _MOST_CONTROLS * len(head)


def parse(source: str) -> lxml.html.HtmlElement | None:
    """The tree of a page, None where there is none to be had. Never raises.

    It is fed as UTF-8 with the encoding given, so that a `<meta>` or an XML declaration that says
    otherwise changes nothing; NUL, at which libxml2 would stop reading, is left out as a browser
    does; what the parser cannot take is made fit for it (`bounds`). Comments are not kept, so that
    nobody has to step over them.
    """
    return parse_and_say(source)[0]


def parse_and_say(source: str) -> tuple[lxml.html.HtmlElement | None, str | None]:
    """The same, and what of the page is not in the tree as it was, None for nothing."""
    source = source.replace("\x00", "")
    if not _TAG.search(source) or is_binary(source):
        return None, None
    bounded = bounds.within(source)
    root = _tree_of(bounded.source)
    if root is not None and bounds.ends_early(root):
        source = bounds.without_end(source)
        bounded = bounds.within(source)
        root = _tree_of(bounded.source)
    for make_fit in (bounds.shallow, bounds.flat):
        if root is None or not bounds.is_cut(root):
            break
        bounded = make_fit(source)
        root = _tree_of(bounded.source)
    if root is not None:
        show(hidden_pages(root))
    return root, bounded.cut


def _tree_of(source: str) -> lxml.html.HtmlElement | None:
    body = source.encode("utf-8", "replace")
    try:
        return lxml.html.document_fromstring(body, parser=bounds.new_parser())
    except (etree.LxmlError, ValueError, AssertionError):
        return None


_HAS_COMMENTS = etree.XPath("boolean(//comment() | //processing-instruction())")


def _without_comments(root: lxml.html.HtmlElement) -> lxml.html.HtmlElement:
    copied = copy.deepcopy(root)
    etree.strip_tags(copied, etree.Comment, etree.ProcessingInstruction)
    return copied


@dataclass
class Page:
    """One page on its way through the core."""

    source: str
    url: str | None = None
    memo: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What others worked out of this page and may want again."""

    @classmethod
    def of(cls, html: bytes | str, url: str | None = None) -> Page:
        """Decode a page."""
        return cls(decode(html), url)

    @classmethod
    def parsed(cls, source: str, root: lxml.html.HtmlElement, url: str | None = None) -> Page:
        """A page whose tree somebody has built already, so that it is not built again.

        The tree stays theirs: if it holds comments, a copy without them is used (lxml's walks are
        quadratic over a run of comments when asked for them: half a minute for 5 MB). So it is if
        a part of the page is hidden in it (`repair`).
        """
        page = cls(source, url)
        own = root
        if _HAS_COMMENTS(root) or hidden_pages(root):
            own = _without_comments(root)
            show(hidden_pages(own))
        is_whole = not (bounds.ends_early(root) or bounds.is_cut(own))
        if is_whole and bounds.within(source).cut is None:
            page.__dict__["root"] = own
        return page

    @cached_property
    def root(self) -> lxml.html.HtmlElement | None:
        """The tree, parsed when first asked for."""
        root, self.__dict__["cut"] = parse_and_say(self.source)
        return root

    @cached_property
    def cut(self) -> str | None:
        """What of the page is not in its tree as it was, None for nothing."""
        _ = self.root  # which knows
        found: str | None = self.__dict__.get("cut")
        return found

    @cached_property
    def nodes(self) -> list[Node]:
        """The elements with their counts, made when first asked for; none of a page without a tree.

        A crawl asks twice: to know the page's cluster, and to extract.
        """
        return [] if self.root is None else count(self.root)

    @property
    def body(self) -> lxml.html.HtmlElement | None:
        """The `<body>`, or the root of a page without one."""
        if self.root is None:
            return None
        body = self.root.find("body")
        return self.root if body is None else body
