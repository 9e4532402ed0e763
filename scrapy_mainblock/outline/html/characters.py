"""Lookup tables for the bytes of a source in UTF-8: letters, whitespace, references, tags."""

from __future__ import annotations

import html.entities

from scrapy_mainblock.outline.layout import LENGTH, SECOND

CONTINUATION, LETTER, SPACE, LESS, REFERENCE, WIDE, CONTROL = range(7)
"""Kinds of bytes in a text. Nearly all bytes are of the first three kinds: the lowest bit marks
letters, the next one whitespace."""
NEXT_CONTROLS = 0xC2
"""The first byte of the control characters U+0080 to U+009F."""


def _kind(octet: int) -> int:
    if octet in b"\t\n\v\f\r\x1c\x1d\x1e\x1f ":
        return SPACE
    if octet < 0x20 or octet == 0x7F:
        return CONTROL
    if octet == ord("<"):
        return LESS
    if octet == ord("&"):
        return REFERENCE
    if octet in (0xC2, 0xE1, 0xE2, 0xE3):  # the first bytes of all non-ASCII spaces
        return WIDE
    return CONTINUATION if 0x80 <= octet < 0xC0 else LETTER


KIND = bytes(map(_kind, range(256)))
IN_TAG = bytes(
    1 if octet in b"\t\n\f\r " else 2 if octet in b"/>" else 4 if octet == ord("=") else 0
    for octet in range(256)
)
"""1 for whitespace, 2 for other ends of any name, 4 for the end of an attribute's name only."""
LOWER = bytes(octet + 32 if 65 <= octet <= 90 else octet for octet in range(256))
NAMED = {
    name.encode(): ord(characters[0])
    | (ord(characters[1]) if len(characters) > 1 else 0) << SECOND
    | (len(name) + 1) << LENGTH
    for name, characters in html.entities.html5.items()
}
"""The characters of each named reference, packed as `references.reference` packs them."""
