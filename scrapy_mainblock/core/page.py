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
    return _decode(body, content_type)[0]


def _decode(body: bytes | str, content_type: str | None = None) -> tuple[str, bytes | None]:
    """The source, and the same in UTF-8 where it came so."""
    if isinstance(body, str):
        return body, None
    if not isinstance(body, (bytes, bytearray, memoryview)):  # bytes(10**12) would be taken
        raise TypeError(f"a page is bytes or str, not {type(body).__name__}")
    body = bytes(body)
    if read_bom(body)[1] is None:
        declared = http_content_type_encoding(content_type) or html_body_declared_encoding(body)
        if declared in {None, "utf-8"}:
            try:
                return body.decode("utf-8"), body
            except UnicodeDecodeError:  # cut off in the middle of a character, or not UTF-8
                pass
        if declared and not _can_be(declared, body):
            return to_unicode(body, _guess(body)), None
    return html_to_unicode(content_type, body, auto_detect_fun=_guess)[1], None


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
_CONTROLS = bytes([*range(0x01, 0x09), *range(0x0E, 0x20), 0x7F])


def is_binary(source: str) -> bool:
    """Whether this is no text at all: compressed bytes, an image, sent as HTML.

    One character in nine of random bytes is a control character or none; a text has hardly any,
    though a page in a wrong encoding may have some. NUL does not count: UTF-16 is full of it.
    """
    head = source[:_HEAD].replace("\x00", "")
    if len(head) <= _LEAST_HEAD:
        return False
    utf8 = head.encode("utf-8", "replace")
    controls = len(utf8) - len(utf8.translate(None, _CONTROLS)) + head.count("\ufffd")
    return controls > _MOST_CONTROLS * len(head)


def parse(source: str) -> lxml.html.HtmlElement | None:
    """The tree of a page, None where there is none to be had. Never raises.

    It is fed as UTF-8 with the encoding given, so that a `<meta>` or an XML declaration that says
    otherwise changes nothing; NUL, at which libxml2 would stop reading, is left out as a browser
    does; what the parser cannot take is made fit for it (`bounds`). Comments are not kept, so that
    nobody has to step over them.
    """
    return parse_and_say(source)[0]


def parse_and_say(
    source: str, utf8: bytes | None = None
) -> tuple[lxml.html.HtmlElement | None, str | None]:
    """The same, and what of the page is not in the tree as it was, None for nothing.

    `utf8` is the source in UTF-8, if that is known.
    """
    if "\x00" in source:
        source, utf8 = source.replace("\x00", ""), None
    if not _TAG.search(source) or is_binary(source):
        return None, None
    bounded = bounds.within(source)
    root = _tree_of(bounded.source, utf8 if bounded.source is source else None)
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


def _tree_of(source: str, utf8: bytes | None = None) -> lxml.html.HtmlElement | None:
    body = source.encode("utf-8", "replace") if utf8 is None else utf8
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
    utf8: bytes | None = field(default=None, repr=False, compare=False)
    """The source in UTF-8, where it came so."""

    @classmethod
    def of(cls, html: bytes | str, url: str | None = None) -> Page:
        """Decode a page."""
        source, utf8 = _decode(html)
        return cls(source, url, utf8=utf8)

    @classmethod
    def parsed(cls, source: str, root: lxml.html.HtmlElement, url: str | None = None) -> Page:
        """A page whose tree somebody has built already, so that it is not built again.

        The tree stays theirs, and may hold comments. One that a part of the page is hidden in
        (`repair`) is not used.
        """
        page = cls(source, url)
        is_whole = not (bounds.ends_early(root) or bounds.is_cut(root) or hidden_pages(root))
        if is_whole and bounds.within(source).cut is None:
            page.__dict__["root"] = root
        return page

    @cached_property
    def root(self) -> lxml.html.HtmlElement | None:
        """The tree, parsed when first asked for."""
        root, self.__dict__["cut"] = parse_and_say(self.source, self.utf8)
        return root

    @cached_property
    def cut(self) -> str | None:
        """What of the page is not in its tree as it was, None for nothing."""
        _ = self.root  # which knows
        found: str | None = self.__dict__.get("cut")
        return found

    @cached_property
    def nodes(self) -> list[Node]:
        """The elements with their counts, as the papers' methods want them; none without a tree.

        If the tree holds comments, they are those of a copy without them (lxml's walk by events is
        quadratic over a run of comments when asked for them: half a minute for 5 MB).
        """
        if self.root is None:
            return []
        return count(_without_comments(self.root) if _HAS_COMMENTS(self.root) else self.root)

    @property
    def body(self) -> lxml.html.HtmlElement | None:
        """The `<body>`, or the root of a page without one."""
        if self.root is None:
            return None
        body = self.root.find("body")
        return self.root if body is None else body
