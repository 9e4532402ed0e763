"""The Page, the input of every extraction: an HTML source, decoded once, and its URL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scrapy_mainblock.page.frozen import instance_of
from scrapy_mainblock.page.source.decode import to_utf8
from scrapy_mainblock.page.source.limits import LARGEST, why_unreadable


@dataclass(frozen=True)
class Page:
    """An HTML source in UTF-8 and the URL that it comes from."""

    source: bytes
    url: str | None = None
    cut: str | None = None
    """Why the source is incomplete, or None if it is complete."""

    @classmethod
    def of(cls, html: Any, url: str | None = None) -> Page:
        """Make a page from bytes, a string, an lxml tree or a Scrapy response.

        A tree is serialized and scanned like any other source. Anything else is a mistake of the
        caller, not a bad page, and raises a TypeError.
        """
        if url is not None and not isinstance(url, str):
            raise TypeError(f"url must be str, not {type(url).__name__}")
        if not isinstance(html, (bytes, str, bytearray, memoryview)):
            if hasattr(html, "getroot"):  # an ElementTree, as `lxml.html.parse` returns it
                html = html.getroot()
                html = "" if html is None else html
            if hasattr(html, "getroottree"):
                html, url = _source_of_tree(html), url or _address_of_tree(html)
            elif hasattr(html, "url") and hasattr(html, "body"):
                html, url = _source_of_response(html), url or html.url
        return cls.of_utf8(to_utf8(html), url)

    @classmethod
    def of_utf8(cls, source: bytes, url: str | None = None) -> Page:
        """Make a page from a source that is UTF-8, whatever encoding it declares."""
        if url is not None and type(url) is not str:  # compiled code takes no subclass of it
            url = str(url)
        if len(source) <= LARGEST:
            return instance_of(cls, {"source": source, "url": url})
        cut = f"the page has more than {LARGEST:,} bytes: the rest was not read"
        return cls(source[:LARGEST], url, cut)

    @property
    def why_unreadable(self) -> str | None:
        """Why the source cannot be read as a page, or None if it can."""
        return why_unreadable(self.source)


def _source_of_response(response: Any) -> Any:
    try:
        # A response that is not text, such as an image, has no `text`.
        return getattr(response, "text", response.body)
    except Exception:  # Scrapy trusts a header that names a codec not meant for text
        return response.body


def _source_of_tree(root: Any) -> str:
    import lxml.html  # noqa: PLC0415 - most pages come as a source

    if not isinstance(root.tag, str):  # a comment or a processing instruction
        return ""
    doctype = root.getroottree().docinfo.doctype or None
    # As a string: in UTF-8 bytes, the page's own <meta> could declare another encoding.
    return str(lxml.html.tostring(root, encoding="unicode", doctype=doctype))


def _address_of_tree(root: Any) -> str | None:
    try:
        address = root.getroottree().docinfo.URL
    except AssertionError:  # a comment or processing instruction that belongs to no document
        return None
    return address if isinstance(address, str) else None
