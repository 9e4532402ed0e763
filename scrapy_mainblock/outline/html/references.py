"""Character references (``&amp;``, ``&#8217;``, ``&notin;``) as HTML resolves them; whitespace.

https://html.spec.whatwg.org/multipage/parsing.html#character-reference-state
"""

from __future__ import annotations

from scrapy_mainblock.outline.html.characters import NAMED
from scrapy_mainblock.outline.layout import CHARACTER, LENGTH, NO_BREAK_SPACE, SECOND

NUL, NUMBER_SIGN, AMPERSAND, SEMICOLON, EQUALS_SIGN, LOWER_X = 0x00, 0x23, 0x26, 0x3B, 0x3D, 0x78
LONGEST_NAME = 32
LONGEST_UNTERMINATED = 6
"""Some old names are recognized without a semicolon; the longest is ``&Aacute``."""
REPLACEMENT = 0xFFFD

# The characters of the numbers 128 to 159, which many pages take from Windows-1252.
_WINDOWS = bytes(range(0x80, 0xA0)).decode("cp1252", "replace")


def reference(source: bytes, at: int, size: int) -> int:
    """Return the character reference at an ampersand, packed into one number, or 0.

    The lowest 21 bits are its character, the next 21 a second one (a few names stand for two), and
    the bits above them the length of the reference in the source.
    """
    start = at + 1
    if start >= size:
        return 0
    if source[start] == NUMBER_SIGN:
        return _numeric(source, at, size)
    end = start
    while end < size and end - start < LONGEST_NAME and _is_alphanumeric(source[end]):
        end += 1
    if end < size and source[end] == SEMICOLON:
        if end - start == 4 and source[start] == 0x6E and source[start + 1] == 0x62:  # nb
            if source[start + 2] == 0x73 and source[start + 3] == 0x70:  # sp
                return NO_BREAK_SPACE
        found = NAMED.get(source[start : end + 1])
        if found is not None:
            return found
    end = min(end, start + LONGEST_UNTERMINATED)
    while end - start >= 2:
        found = NAMED.get(source[start:end])
        if found is not None:
            return found
        end -= 1
    return 0


def _numeric(source: bytes, at: int, size: int) -> int:
    end = at + 2
    base = 10
    if end < size and source[end] | 0x20 == LOWER_X:
        base = 16
        end += 1
    first = end
    value = 0
    while end < size:
        digit = _digit(source[end])
        if digit >= base:
            break
        value = min(value * base + digit, 0x110000)
        end += 1
    if end == first:
        return 0
    if end < size and source[end] == SEMICOLON:
        end += 1
    if value == 0 or value >= 0x110000 or 0xD800 <= value < 0xE000:
        value = REPLACEMENT
    elif 0x80 <= value < 0xA0:
        windows = ord(_WINDOWS[value - 0x80])
        if windows != REPLACEMENT:  # five of the numbers are undefined there
            value = windows
    return value | (end - at) << LENGTH


def _digit(octet: int) -> int:
    if 0x30 <= octet <= 0x39:
        return octet - 0x30
    octet |= 0x20
    return octet - 0x57 if 0x61 <= octet <= 0x66 else 99


def _is_alphanumeric(octet: int) -> bool:
    return 0x30 <= octet <= 0x39 or 0x61 <= octet | 0x20 <= 0x7A


def is_space(character: int) -> bool:
    """Return whether a character is whitespace."""
    if character <= 0x20:
        return 9 <= character <= 13 or character >= 0x1C
    if character < 0x1680:
        return character == 0x85 or character == 0xA0
    return 0x2000 <= character <= 0x200A or character in (
        0x1680,
        0x2028,
        0x2029,
        0x202F,
        0x205F,
        0x3000,
    )


def is_control(character: int) -> bool:
    """Return whether a character is an (invisible) control character and not whitespace."""
    return (character < 0x20 or 0x7F <= character < 0xA0) and not is_space(character)


def wide_space(source: bytes, at: int, size: int) -> int:
    """Return the byte length of the non-ASCII whitespace at an offset, or 0 if there is none."""
    first = source[at]
    if at + 1 >= size:
        return 0
    second = source[at + 1]
    if first == 0xC2:
        return 2 if second == 0x85 or second == 0xA0 else 0
    if at + 2 >= size:
        return 0
    third = source[at + 2]
    if first == 0xE2:
        if second == 0x80:
            is_wide = third <= 0x8A or third == 0xA8 or third == 0xA9 or third == 0xAF
            return 3 if is_wide else 0
        return 3 if second == 0x81 and third == 0x9F else 0
    if first == 0xE3:
        return 3 if second == 0x80 and third == 0x80 else 0
    return 3 if second == 0x9A and third == 0x80 else 0


def decoded(source: bytes, in_attribute: bool = False) -> str:
    """Return a piece of source as text, with references resolved and NULs removed."""
    if AMPERSAND in source or NUL in source:
        source = _resolved(source, in_attribute)
    return source.decode("utf-8", "replace")


def _resolved(source: bytes, in_attribute: bool) -> bytes:
    size = len(source)
    pieces = bytearray()
    at = start = 0
    while at < size:
        octet = source[at]
        if octet == AMPERSAND:
            found = reference(source, at, size)
            length = found >> LENGTH
            if in_attribute and found and source[at + length - 1] != SEMICOLON:
                behind = source[at + length] if at + length < size else 0
                if behind == EQUALS_SIGN or _is_alphanumeric(behind):
                    found = 0
            if found:
                pieces += source[start:at]
                pieces += chr(found & CHARACTER).encode()
                if found >> SECOND & CHARACTER:
                    pieces += chr(found >> SECOND & CHARACTER).encode()
                at += length
                start = at
                continue
        elif octet == NUL:
            pieces += source[start:at]
            start = at + 1
        at += 1
    pieces += source[start:]
    return bytes(pieces)
