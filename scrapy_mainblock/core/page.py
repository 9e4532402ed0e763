"""A page: bytes and a URL in, decoded and parsed once."""

from __future__ import annotations

import codecs
import copy
import re
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

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
from scrapy_mainblock.core.lazily import lazily
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.repair import hidden_pages, show
from scrapy_mainblock.core.survey import survey_of

if TYPE_CHECKING:
    from scrapy_mainblock.core.native.survey import Questions, Survey

_NATIVE = compiled("source")
# What it leaves out it was tried for with the tokens of this libxml2, which are those of HTML5.
_UNREAD = compiled("unread") if etree.LIBXML_VERSION >= (2, 14) else None
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
    body = _octets(body)
    declared, may_be_utf8 = _declared(body, content_type)
    if may_be_utf8:
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError:  # cut off in the middle of a character, or not UTF-8
            pass
    return _decode_other(body, content_type, declared)


def _octets(body: bytes) -> bytes:
    if not isinstance(body, (bytes, bytearray, memoryview)):  # bytes(10**12) would be taken
        raise TypeError(f"a page is bytes or str, not {type(body).__name__}")
    return bytes(body)


def _declared(body: bytes, content_type: str | None = None) -> tuple[str | None, bool]:
    """The encoding that is declared, and whether, if the bytes are UTF-8, that is what they are."""
    if read_bom(body)[1] is not None:
        return None, False
    declared = http_content_type_encoding(content_type) or html_body_declared_encoding(body)
    return declared, declared in {None, "utf-8"}


def _decode_other(body: bytes, content_type: str | None, declared: str | None) -> str:
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


def _has_markup(source: str) -> bool:
    return _TAG.search(source) is not None and not is_binary(source)


def parse(source: str) -> lxml.html.HtmlElement | None:
    """The tree of a page, None where there is none to be had. Never raises.

    It is fed as UTF-8 with the encoding given, so that a `<meta>` or an XML declaration that says
    otherwise changes nothing; NUL, at which libxml2 would stop reading, is left out as a browser
    does; what the parser cannot take is made fit for it (`bounds`). Comments are not kept, so that
    nobody has to step over them.
    """
    return Page(source).root


def _parse(page: Page) -> tuple[lxml.html.HtmlElement | None, str | None]:
    """The tree as the parser has it, and what of the page is not in it, None for nothing."""
    lean = page.readable_as_it_came()
    if lean is not None:
        source, root, cut = None, _tree_of(lean), None
    else:
        source = page.source.replace("\x00", "")
        if not _has_markup(source):
            return None, None
        source, root, cut = source, *_bounded_tree_of(bounds.within(source))
    if root is None or bounds.is_surely_whole(root):
        return root, cut
    if bounds.ends_early(root):
        source = bounds.without_end(page.source if source is None else source)
        root, cut = _bounded_tree_of(bounds.within(source))
    for make_fit in (bounds.shallow, bounds.flat):
        if root is None or not bounds.is_cut(root):
            break
        root, cut = _bounded_tree_of(make_fit(page.source if source is None else source))
    return root, cut


def _bounded_tree_of(bounded: bounds.Bounded) -> tuple[lxml.html.HtmlElement | None, str | None]:
    return _tree_of(_lean(bounded.source.encode("utf-8", "replace"))[0]), bounded.cut


def _lean(utf8: bytes) -> tuple[bytes, bool]:
    """A source less what nobody reads, and whether no tag has too many attributes, for sure."""
    if _UNREAD is None:
        return utf8, False
    found: tuple[bytes, bool] = _UNREAD.without_unread(utf8, bounds.MOST_ATTRIBUTES)
    return found


def _tree_of(lean: bytes) -> lxml.html.HtmlElement | None:
    try:
        return lxml.html.document_fromstring(lean, parser=bounds.kept_parser())
    except (etree.LxmlError, ValueError, AssertionError):
        return None


_HAS_COMMENTS = etree.XPath("boolean(//comment() | //processing-instruction())")


def _without_comments(root: lxml.html.HtmlElement) -> lxml.html.HtmlElement:
    copied = copy.deepcopy(root)
    etree.strip_tags(copied, etree.Comment, etree.ProcessingInstruction)
    return copied


class _AsItCame(NamedTuple):
    """The bytes of a page that are UTF-8, and what is to know of them before they are parsed."""

    utf8: bytes
    characters: int
    is_markup: bool
    """Whether they are a text with markup in it, and without a NUL."""

    def for_the_parser(self) -> bytes | None:
        """What the parser is to read of them; None if more has to be done to them first."""
        if not self.is_markup or bounds.has_many_tags(self.utf8, self.characters):
            return None
        lean, is_within = _lean(self.utf8)
        if is_within or not bounds.has_long_tag(self.utf8, self.characters):
            return lean
        return None


def _read(body: bytes) -> tuple[str | None, _AsItCame | None]:
    """What a page is made of: its source, or the bytes that it came as, or both."""
    if _NATIVE is not None:
        looks = _NATIVE.looks(body, _HEAD, _LEAST_HEAD, _MOST_CONTROLS)
        if looks is not None:
            may_declare_another, *found = looks
            if not may_declare_another or _declared(body)[1]:
                return None, _AsItCame(body, *found)
        return decode(body), None
    declared, may_be_utf8 = _declared(body)
    if may_be_utf8:
        try:
            source = body.decode("utf-8")
        except UnicodeDecodeError:
            pass
        else:
            is_markup = "\x00" not in source and _has_markup(source)
            return source, _AsItCame(body, len(source), is_markup)
    return _decode_other(body, None, declared), None


class Page:
    """One page on its way through the core."""

    def __init__(self, source: str | None, url: str | None = None) -> None:
        self.url = url
        self.memo: dict[str, Any] = {}
        """What others worked out of this page and may want again."""
        self.questions: Questions | None = None
        """What the rules of its site ask of its tree (`survey.asking`); to be set before the tree
        is asked for."""
        self.survey: Survey | None = None
        """What was found in the tree as soon as it was there, if there is such a thing."""
        self._as_it_came: _AsItCame | None = None
        self._given: lxml.html.HtmlElement | None = None
        if source is not None:
            self.__dict__["source"] = source

    @classmethod
    def of(cls, html: bytes | str, url: str | None = None) -> Page:
        """Decode a page, if it has to be: the parser reads UTF-8 as it is."""
        source, as_it_came = (html, None) if isinstance(html, str) else _read(_octets(html))
        page = cls(source, url)
        page._as_it_came = as_it_came
        return page

    @lazily
    def source(self) -> str:
        """The source as text."""
        assert self._as_it_came is not None
        return self._as_it_came.utf8.decode("utf-8")

    def readable_as_it_came(self) -> bytes | None:
        """The source in UTF-8, less what nobody reads, if it came so and the parser can read it."""
        return None if self._as_it_came is None else self._as_it_came.for_the_parser()

    @classmethod
    def parsed(cls, source: str, root: lxml.html.HtmlElement, url: str | None = None) -> Page:
        """A page whose tree somebody has built already, so that it is not built again.

        The tree stays theirs, and may hold comments; a copy is used if a part of the page is hidden
        in it (`repair`).
        """
        page = cls(source, url)
        page._given = root
        return page

    @lazily
    def root(self) -> lxml.html.HtmlElement | None:
        """The tree, parsed when first asked for."""
        root, given = None, self._given
        if given is not None:
            self._given = None
            if bounds.is_whole(given) and not bounds.has_many_tags(self.source, len(self.source)):
                root, self.__dict__["cut"] = given, None
        if root is None:
            given = None
            root, self.__dict__["cut"] = _parse(self)
        return None if root is None else self._shown(root, is_own=given is None)

    def _shown(self, root: lxml.html.HtmlElement, *, is_own: bool) -> lxml.html.HtmlElement:
        """The tree with all parts of the page shown that are hidden in it."""
        self.survey = survey_of(root, self.questions)
        hidden = [] if self.survey and not self.survey.may_hide else hidden_pages(root)
        if hidden:
            if not is_own:
                root = copy.deepcopy(root)
                hidden = hidden_pages(root)
            show(hidden)
            self.survey = survey_of(root, self.questions)
        return root

    @lazily
    def cut(self) -> str | None:
        """What of the page is not in its tree as it was, None for nothing."""
        _ = self.root  # which knows
        found: str | None = self.__dict__.get("cut")
        return found

    @lazily
    def nodes(self) -> list[Node]:
        """The elements with their counts, as the papers' methods want them; none without a tree.

        If the tree holds comments, they are those of a copy without them (lxml's walk by events is
        quadratic over a run of comments when asked for them: half a minute for 5 MB).
        """
        if self.root is None:
            return []
        return count(_without_comments(self.root) if _HAS_COMMENTS(self.root) else self.root)

    @lazily
    def base(self) -> str | None:
        """What its relative addresses are relative to: its `<base>`, if that is one of the web."""
        if self.root is None:
            return self.url
        if self.survey is not None:
            said = self.survey.base
        else:
            element = self.root.find("head/base[@href]")
            said = None if element is None else element.get("href") or ""
        if said is None:
            return self.url
        try:
            base = urljoin(self.url or "", said.strip())
        except ValueError:
            return self.url
        is_of_the_web = base.lower().startswith(("http://", "https://"))
        return base if is_of_the_web and base.isprintable() and " " not in base else self.url

    @property
    def body(self) -> lxml.html.HtmlElement | None:
        """The `<body>`, or the root of a page without one."""
        if self.root is None:
            return None
        if self.survey is not None and not self.survey.has_body:
            return self.root
        body = self.root.find("body")
        return self.root if body is None else body
