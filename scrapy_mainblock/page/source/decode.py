"""Decoding of a page's bytes, with the encoding chosen as in a browser."""

from __future__ import annotations

import codecs
import re

from w3lib.encoding import (
    html_body_declared_encoding,
    html_to_unicode,
    http_content_type_encoding,
    read_bom,
    to_unicode,
)

from scrapy_mainblock.page.source.first_bytes import first_declaration
from scrapy_mainblock.page.source.utf8 import is_utf8

_SAYS_UTF8 = re.compile(rb"""\w+\s*=\s*["']?\s*utf-8(?![\w-])""", re.IGNORECASE)
"""Matches the UTF-8 declaration that most pages have; w3lib reads all other declarations."""
_USUALLY = (b'charset=utf-8"', b'charset="utf-8"', b'encoding="utf-8"')
"""Its usual forms, which take a tenth of the time of a regular expression."""
_LONGEST_USUAL = 16
_DECLARED_WITHIN = 4096
_BEGIN_BOM = frozenset({b"\xef", b"\xfe", b"\xff", b"\x00"})
"""The first bytes of all byte-order marks."""
_HEAD = 64
"""Bytes that are enough to recognize UTF-16 without a byte-order mark."""
# Text encodings of Python that no page uses: punycode takes quadratic time, and the two escape
# codecs turn inert text into markup.
_NO_ENCODINGS_OF_PAGES = frozenset({"punycode", "idna", "unicode-escape", "raw-unicode-escape"})


def decode(body: bytes | str, content_type: str | None = None) -> str:
    """Decode a page's source; return a string whatever the bytes are.

    The order is that of a browser: byte-order mark, Content-Type header, ``<meta>``. If none of
    them declares a possible encoding, try UTF-8 and then Windows-1252. This is w3lib's
    `html_to_unicode`, shielded from the codecs that only Python has.
    """
    if isinstance(body, str):
        return body
    body = _octets(body)
    declared, may_be_utf8 = _declared(body, content_type)
    if may_be_utf8 and not _shows_utf16(body):
        try:
            return body.decode("utf-8")
        except UnicodeDecodeError:  # truncated in the middle of a character, or not UTF-8
            pass
    return _decode_other(body, content_type, declared)


def to_utf8(html: bytes | str) -> bytes:
    """Return the source in UTF-8; bytes that are UTF-8 already are returned unchanged."""
    if isinstance(html, str):
        return html.encode("utf-8", "replace")
    body = _octets(html)
    declared, may_be_utf8 = _declared(body)
    if may_be_utf8 and (body.isascii() or is_utf8(body)) and not _shows_utf16(body):
        return body
    return _decode_other(body, None, declared).encode("utf-8", "replace")


def _octets(body: bytes) -> bytes:
    if not isinstance(body, (bytes, bytearray, memoryview)):  # bytes(10**12) would succeed
        raise TypeError(f"a page must be bytes or str, not {type(body).__name__}")
    return bytes(body)


def _declared(body: bytes, content_type: str | None = None) -> tuple[str | None, bool]:
    """Return the declared encoding, and whether to read bytes that are valid UTF-8 as UTF-8."""
    if body[:1] in _BEGIN_BOM and read_bom(body)[1] is not None:
        return None, False
    declared = http_content_type_encoding(content_type) if content_type else None
    if declared is None:
        at = first_declaration(body, min(len(body), _DECLARED_WITHIN))
        if at < 0:
            return None, True
        if body[at : at + _LONGEST_USUAL].lower().startswith(_USUALLY):
            return "utf-8", True
        if _SAYS_UTF8.match(body, at, _DECLARED_WITHIN):
            return "utf-8", True
        declared = html_body_declared_encoding(body)
    return declared, declared in {None, "utf-8"}


def _decode_other(body: bytes, content_type: str | None, declared: str | None) -> str:
    if declared and not _can_be(declared, body):
        return to_unicode(body, _guess(body))
    return html_to_unicode(content_type, body, auto_detect_fun=_guess)[1]


def _can_be(encoding: str, body: bytes) -> bool:
    """Return whether a declared encoding is a text encoding and the bytes do not contradict it."""
    if encoding.startswith(("utf-16", "utf-32")):
        return b"\x00" in body  # markup has ASCII, so UTF-16 has zero bytes; browsers do the same
    try:
        b"a".decode(encoding)
    except (LookupError, UnicodeError):  # such as charset=hex or charset=undefined
        return False
    return encoding not in _NO_ENCODINGS_OF_PAGES


def _shows_utf16(body: bytes) -> bool:
    """Return whether the bytes are unmarked UTF-16; in English, they are valid UTF-8 too."""
    return len(body) > 3 and body.find(0, 0, _HEAD) >= 0 and _guess(body).startswith("utf-16")


def _guess(body: bytes) -> str:
    head = body[:_HEAD]
    even, odd = head[::2].count(0), head[1::2].count(0)
    # In UTF-16 every other byte is zero; the NULs of other pages may be anywhere.
    if 3 * (even + odd) > len(head) and 4 * min(even, odd) <= max(even, odd):
        return "utf-16-be" if head[0] == 0 else "utf-16-le"
    try:
        # Not final: a page truncated in the middle of a character is still UTF-8.
        codecs.getincrementaldecoder("utf-8")().decode(body, final=False)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
