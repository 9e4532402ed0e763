"""A growable byte buffer, and loops over slices of bytes."""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import octets_of

BLANK, LAST_ASCII = 0x20, 0x7F


class Octets:
    """A byte buffer: the first `size` bytes of `data` are in use."""

    def __init__(self, room: int) -> None:
        self.room = max(room, 64)
        self.data = octets_of(self.room)
        self.size = 0

    def make_room(self, more: int) -> None:
        """Ensure that there is room for `more` bytes."""
        if self.size + more > self.room:
            self.room = 2 * self.room + more
            longer = octets_of(self.room)
            longer[: self.size] = self.data[: self.size]
            self.data = longer

    def put(self, octet: int) -> None:
        """Append a byte."""
        if self.size == self.room:
            self.make_room(1)
        self.data[self.size] = octet
        self.size += 1

    def write(self, octets: bytes) -> None:
        """Append some bytes."""
        self.extend(octets, 0, len(octets))

    def extend(self, source: bytes, start: int, end: int) -> None:
        """Append a slice of some bytes."""
        self.make_room(end - start)
        paste(self.data, self.size, source, start, end)
        self.size += end - start

    def extend_line(self, source: bytes, start: int, end: int) -> None:
        """Append a slice of some bytes, with any control character as a space."""
        self.make_room(end - start)
        paste_line(self.data, self.size, source, start, end)
        self.size += end - start

    def copy(self, other: Octets, start: int, end: int) -> None:
        """Append a slice of another buffer."""
        self.make_room(end - start)
        data, from_, behind = self.data, other.data, self.size - start
        for at in range(start, end):
            data[behind + at] = from_[at]
        self.size += end - start

    def character(self, code: int) -> None:
        """Append a character in UTF-8."""
        if self.size + 4 > self.room:
            self.make_room(4)
        data, at = self.data, self.size
        if code < 0x80:
            data[at] = code
            self.size = at + 1
        elif code < 0x800:
            data[at] = 0xC0 | code >> 6
            data[at + 1] = 0x80 | code & 0x3F
            self.size = at + 2
        elif code < 0x10000:
            data[at] = 0xE0 | code >> 12
            data[at + 1] = 0x80 | code >> 6 & 0x3F
            data[at + 2] = 0x80 | code & 0x3F
            self.size = at + 3
        else:
            data[at] = 0xF0 | code >> 18
            data[at + 1] = 0x80 | code >> 12 & 0x3F
            data[at + 2] = 0x80 | code >> 6 & 0x3F
            data[at + 3] = 0x80 | code & 0x3F
            self.size = at + 4

    def bytes(self) -> bytes:
        """Return the bytes written so far."""
        return bytes(self.data[: self.size])


def paste(data: memoryview[int], size: int, source: bytes, start: int, end: int) -> None:
    """Copy a slice of some bytes behind the first `size` bytes of a buffer.

    A buffer that is passed on needs no reference of its own, which takes longer than a short copy.
    """
    behind = size - start
    for at in range(start, end):
        data[behind + at] = source[at]


def paste_line(data: memoryview[int], size: int, source: bytes, start: int, end: int) -> None:
    """Do the same, with any control character as a space."""
    behind = size - start
    for at in range(start, end):
        data[behind + at] = max(source[at], BLANK)


def is_ascii(octets: bytes, start: int, end: int) -> bool:
    """Return whether a slice of some bytes is ASCII."""
    for at in range(start, end):
        if octets[at] > LAST_ASCII:
            return False
    return True
