"""A page: a source, decoded once, and its address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scrapy_mainblock.page.decode import to_utf8
from scrapy_mainblock.page.limits import LARGEST, why_unreadable


@dataclass(frozen=True)
class Page:
    """A source in UTF-8 and where it is from."""

    source: bytes
    url: str | None = None
    cut: str | None = None
    """What of the page is not in its source, None for nothing."""

    @classmethod
    def of(cls, html: Any, url: str | None = None) -> Page:
        """Make a page from bytes, a string, an lxml tree or a Scrapy response.

        A tree is serialised and scanned like any other source.
        Anything else is a TypeError: it is no page, but its caller's mistake.
        """
        if url is not None and not isinstance(url, str):
            raise TypeError(f"a page's url is a str, not {type(url).__name__}")
        if not isinstance(html, (bytes, str, bytearray, memoryview)):
            if hasattr(html, "getroot"):  # of a whole document, as `lxml.html.parse` returns it
                html = html.getroot()
                html = "" if html is None else html
            if hasattr(html, "getroottree"):
                html, url = _source_of_tree(html), url or _address_of_tree(html)
            elif hasattr(html, "url") and hasattr(html, "body"):
                html, url = _source_of_response(html), url or html.url
        return cls.of_utf8(to_utf8(html), url)

    @classmethod
    def of_utf8(cls, source: bytes, url: str | None = None) -> Page:
        """The page of a source that is UTF-8, whatever it declares."""
        if len(source) <= LARGEST:
            return cls(source, url)
        return cls(source[:LARGEST], url, f"it has more than {LARGEST:,} octets")

    @property
    def why_unreadable(self) -> str | None:
        """Why this is no page that can be read, None where it is one."""
        return why_unreadable(self.source)


def _source_of_response(response: Any) -> Any:
    try:
        # A response that is no text, an image, has none.
        return getattr(response, "text", response.body)
    except Exception:  # Scrapy believes a header that names a codec which is no text's
        return response.body


def _source_of_tree(root: Any) -> str:
    import lxml.html  # noqa: PLC0415 - most pages come as a source

    if not isinstance(root.tag, str):  # a comment, an instruction
        return ""
    doctype = root.getroottree().docinfo.doctype or None
    # As text: in UTF-8, the page's own <meta> could claim another encoding.
    return str(lxml.html.tostring(root, encoding="unicode", doctype=doctype))


def _address_of_tree(root: Any) -> str | None:
    address = root.getroottree().docinfo.URL
    return address if isinstance(address, str) else None
