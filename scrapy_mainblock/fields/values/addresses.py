"""Makes URLs absolute; those of a common form need neither cleaning nor joining."""

from __future__ import annotations

import re
from urllib.parse import urljoin

LONGEST = 4000
"""Maximum length of a URL in characters; a longer one contains the picture itself."""
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ud800-\udfff]"
)
_UNSAFE = re.compile(r"""[ "'<>\\^`{|}]""")
_WORD = b"0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
HOST, ADDRESS, PATH, QUERY, DIGIT = 1, 2, 4, 8, 16
"""Flags of characters: in a host, behind the host of an address, in a path, in its query, in a
port."""
DOT, SLASH, COLON, QUESTION_MARK, LAST_ASCII = 0x2E, 0x2F, 0x3A, 0x3F, 0x7F
BEHIND_HOST = "/?#"
LONGEST_PORT = 5


def _kinds() -> bytes:
    found = bytearray(128)
    for octets, flag in (
        (_WORD + b".-", HOST),
        (_WORD + b"./~%+,;:=&?#@!-", ADDRESS),
        (_WORD + b"/~%+,:=&@!-", PATH),
        (_WORD + b"./~%+,;:=&@!-", QUERY),
        (b"0123456789", DIGIT),
    ):
        for octet in octets:
            found[octet] |= flag
    return bytes(found)


KINDS = _kinds()


class Base:
    """The base of a page's URLs."""

    def __init__(self, address: str | None) -> None:
        self.address = address or ""
        self.origin = origin_of(self.address)

    def absolute(self, address: str) -> str | None:
        """Return an HTTP or HTTPS URL made absolute, or None for any other URL or inline data."""
        found = self._plain(address)
        if found is None and address:
            address = _UNSEEN.sub("", address).strip()
            if not address or len(address) > LONGEST:
                return None
            found = self._plain(address)
            if found is None:
                found = self._joined(address)
        return found

    def _plain(self, address: str) -> str | None:
        """Return a URL of a common form, with no invisible character, made absolute; else None."""
        if not address or len(address) > LONGEST:
            return None
        if ord(address[0]) == SLASH:
            return self.origin + address if self.origin and is_plain_path(address) else None
        return address if is_plain_address(address) else None

    def _joined(self, address: str) -> str | None:
        try:
            url: str = urljoin(self.address, address)
        except ValueError:
            return None
        is_of_the_web = url[:8].lower().startswith(("http://", "https://"))
        return _UNSAFE.sub(lambda one: f"%{ord(one[0]):02X}", url) if is_of_the_web else None


def origin_of(address: str) -> str:
    """Return the scheme and host of a URL, which stand before a path; empty in an unusual form."""
    return address[: _end_of_origin(address)]


def _end_of_origin(address: str) -> int:
    """Return where the scheme and the host of a URL end, with its port; 0 for an unusual form."""
    start = _behind_scheme(address)
    end, size = past(address, start, HOST), len(address)
    if not start or end == start:
        return 0
    if end < size and ord(address[end]) == COLON:
        port = past(address, end + 1, DIGIT)
        if not 1 <= port - end - 1 <= LONGEST_PORT:
            return 0
        end = port
    return end if end == size or address[end] in BEHIND_HOST else 0


def _behind_scheme(address: str) -> int:
    """Return where the scheme of an HTTP or HTTPS URL ends, or 0 for any other text."""
    if address.startswith("http://"):
        return 7
    return 8 if address.startswith("https://") else 0


def is_plain_address(address: str) -> bool:
    """Return whether a text is an HTTP or HTTPS URL of common characters, without a port."""
    start = _behind_scheme(address)
    if not start:
        return False
    end, size = past(address, start, HOST), len(address)
    if end == start:
        return False
    if end == size:
        return True
    return ord(address[end]) == SLASH and past(address, end, ADDRESS) == size


def is_plain_path(address: str) -> bool:
    """Return whether a text is a path of common characters, and perhaps a query.

    It begins with one slash, and no part of it is ``.`` or ``..`` or ends with a dot.
    """
    size = len(address)
    if size < 2 or ord(address[0]) != SLASH or ord(address[1]) == SLASH:
        return False
    at = 1
    while True:
        at = past(address, at, PATH)
        if at == size:
            return True
        sign = ord(address[at])
        if sign != DOT:
            break
        at += 1
        if _ends_part(address, at):
            return False
        if ord(address[at]) == DOT and _ends_part(address, at + 1):
            return False
    if sign != QUESTION_MARK or at == 1:
        return False
    return at + 1 < size and past(address, at + 1, QUERY) == size


def _ends_part(address: str, at: int) -> bool:
    """Return whether a part of the path ends at an offset."""
    if at == len(address):
        return True
    return ord(address[at]) == SLASH or ord(address[at]) == QUESTION_MARK


def past(address: str, at: int, flag: int) -> int:
    """Return where the characters of a kind end that begin at an offset."""
    while at < len(address):
        code = ord(address[at])
        if code > LAST_ASCII or not KINDS[code] & flag:
            break
        at += 1
    return at
