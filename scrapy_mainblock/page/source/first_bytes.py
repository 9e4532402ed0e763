"""Looks at the first bytes of a source, before it is decoded: each page pays for these."""

from __future__ import annotations

TAB, CARRIAGE_RETURN, SPACE, DELETE = 0x09, 0x0D, 0x20, 0x7F
LOWER = 0x20
"""The bit that makes an ASCII letter small."""
LESS, EXCLAMATION_MARK, SLASH, QUESTION_MARK = 0x3C, 0x21, 0x2F, 0x3F
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
REPLACEMENT = 0xEF
"""The first byte of U+FFFD, and of the forms of characters that are as wide as Chinese ones."""
DECLARE = (b"charset", b"encoding")
C, E = DECLARE[0][0], DECLARE[1][0]


def first_declaration(source: bytes, end: int) -> int:
    """Return where the first "charset" or "encoding" before `end` is, in any case; -1 if nowhere.

    Both words lie before `end`.
    """
    for at in range(end):
        octet = source[at] | LOWER
        if octet == C:
            word = DECLARE[0]
        elif octet == E:
            word = DECLARE[1]
        else:
            continue
        if at + len(word) <= end and spells(source, at, word):
            return at
    return -1


def spells(source: bytes, at: int, word: bytes) -> bool:
    """Return whether a word stands at a position, in upper or lower case."""
    for place in range(len(word)):
        if source[at + place] | LOWER != word[place]:
            return False
    return True


def begins_with_markup(source: bytes) -> bool:
    """Return whether nothing but whitespace, or a byte-order mark, stands before the first tag.

    So nearly all pages begin. Behind the less-than sign is a letter or ``!``, ``/``, ``?``.
    """
    size = len(source)
    at = len(BYTE_ORDER_MARK) if source.startswith(BYTE_ORDER_MARK) else 0
    while at < size and (source[at] == SPACE or TAB <= source[at] <= CARRIAGE_RETURN):
        at += 1
    if at + 1 >= size or source[at] != LESS:
        return False
    octet = source[at + 1]
    return 97 <= octet | LOWER <= 122 or octet in (EXCLAMATION_MARK, SLASH, QUESTION_MARK)


def is_surely_text(source: bytes, end: int) -> bool:
    """Return whether no byte before `end` is a control character or may begin U+FFFD.

    All bytes are counted, since a loop that stops at the first one cannot look at several at once.
    """
    others = 0
    for at in range(end):
        octet = source[at]
        is_control = (octet < TAB) | ((octet > CARRIAGE_RETURN) & (octet < SPACE))
        others += is_control | (octet == DELETE) | (octet == REPLACEMENT)
    return others == 0
