"""The text of segments as a reader sees it: references resolved, whitespace collapsed."""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import hashes, ints
from scrapy_mainblock.outline.buffers.hashing import Numbers, extended, of_words
from scrapy_mainblock.outline.buffers.octets import Octets
from scrapy_mainblock.outline.html.characters import (
    CONTROL,
    KIND,
    NEXT_CONTROLS,
    REFERENCE,
    SPACE,
    WIDE,
)
from scrapy_mainblock.outline.html.references import is_control, is_space, reference, wide_space
from scrapy_mainblock.outline.html.tags import BLOCK, FLAGS
from scrapy_mainblock.outline.layout import (
    CHARACTER,
    LENGTH,
    MOST_SEGMENTS,
    RAW_TEXT,
    SECOND,
    START,
    TEXT,
)
from scrapy_mainblock.outline.rows import Rows

SPACE_OCTET, AMPERSAND = 0x20, 0x26


class Folder:
    """Joins texts into one line, with each run of whitespace collapsed to one space."""

    def __init__(self, rows: Rows, room: int) -> None:
        self.rows = rows
        self.written = Octets(room)
        self.begun, self.spaced = 0, False

    def begin(self) -> None:
        """Begin another line, without a leading space."""
        self.begun, self.spaced = self.written.size, False

    def add(self, text: int) -> None:
        """Append a text of the page to the line, without its invisible control characters."""
        rows, source, written = self.rows, self.rows.source, self.written
        at, end = rows.text_start[text], rows.text_end[text]
        is_raw = rows.text_flags[text] & RAW_TEXT != 0
        kinds = KIND
        while at < end and kinds[source[at]] == SPACE:
            self.spaced = True
            at += 1
        last = end
        while last > at and kinds[source[last - 1]] == SPACE:
            last -= 1
        if last - at == rows.text_chars[text] + rows.text_gaps[text]:
            # Each byte is a character or the only whitespace between two words.
            if at < last:
                if self.spaced:
                    self._space()
                written.extend_line(source, at, last)
            self.spaced = self.spaced or last < end
            at = end
        while at < end:
            octet = source[at]
            kind = kinds[octet]
            if kind < SPACE:
                if self.spaced:
                    self._space()
                start = at
                at += 1
                while at < end:  # copy words with single spaces between them as they are
                    if kinds[source[at]] < SPACE:
                        at += 1
                    elif (
                        source[at] == SPACE_OCTET and at + 1 < end and kinds[source[at + 1]] < SPACE
                    ):
                        at += 2
                    else:
                        break
                written.extend(source, start, at)
            elif kind == SPACE:
                self.spaced = True
                at += 1
            elif kind == CONTROL:
                at += 1
            elif kind == REFERENCE and not is_raw:
                at += self._reference(source, at, end)
            elif kind == WIDE and wide_space(source, at, end):
                at += wide_space(source, at, end)
                self.spaced = True
            elif octet == NEXT_CONTROLS and at + 1 < end and source[at + 1] < 0xA0:
                at += 2
            else:
                if self.spaced:
                    self._space()
                written.put(octet)
                at += 1

    def _space(self) -> None:
        """Write the pending space, unless the line is empty."""
        self.spaced = False
        if self.written.size > self.begun:
            self.written.put(SPACE_OCTET)

    def _reference(self, source: bytes, at: int, end: int) -> int:
        """Append the characters of a reference, and return its length in the source."""
        found = reference(source, at, end)
        if not found:
            self._character(AMPERSAND)
            return 1
        self._character(found & CHARACTER)
        if found >> SECOND & CHARACTER:
            self._character(found >> SECOND & CHARACTER)
        return found >> LENGTH

    def _character(self, code: int) -> None:
        if is_space(code):
            self.spaced = True
        elif not is_control(code):
            if self.spaced:
                self._space()
            self.written.character(code)


class Folded:
    """The texts of a range of segments, concatenated in UTF-8: `octets`.

    The text of segment ``first + i`` is ``octets[starts[i]:starts[i + 1]]``.
    """

    def __init__(self, rows: Rows, first: int, end: int) -> None:
        self.first, self.count = first, end - first
        self.starts = ints(self.count + 1)
        self.octets = b""
        self._fold(rows)

    def _fold(self, rows: Rows) -> None:
        room = 64
        for text in range(len(rows.text_start)):
            room += rows.text_end[text] - rows.text_start[text]
        folder = Folder(rows, room)
        for number in range(self.count):
            segment = self.first + number
            self.starts[number] = folder.written.size
            folder.begin()
            for place in range(rows.segment_at[segment], rows.segment_to[segment]):
                event = rows.tape[place]
                if event & 3 == TEXT:
                    folder.add(event >> 2)
                elif segment == MOST_SEGMENTS - 1 and FLAGS[rows.tag[event >> 2]] & BLOCK:
                    folder.spaced = True  # the last segment holds all lines above the limit
        self.starts[self.count] = folder.written.size
        self.octets = folder.written.bytes()

    def hashes(self) -> memoryview[int]:
        """Return a hash of each text."""
        found = hashes(self.count)
        for number in range(self.count):
            found[number] = of_words(self.octets, self.starts[number], self.starts[number + 1])
        return found

    def may_repeat(self, kept: bytes, least: int) -> bool:
        """Return whether two of the kept texts of at least `least` bytes may be equal.

        Compare only their lengths and their first and last 8 bytes: on most pages these show that
        no two texts are equal.
        """
        octets, starts = self.octets, self.starts
        seen = Numbers(self.count)
        count = 0
        for number in range(self.count):
            start, end = starts[number], starts[number + 1]
            if kept[number] and end - start >= least:
                about = extended(START ^ (end - start), octets, start, start + 8)
                if seen.number(extended(about, octets, end - 8, end)) < count:
                    return True
                count += 1
        return False

    def beginning(self, kept: bytes, first: int, end: int, most: int) -> str:
        """Return the first `most` bytes of the kept texts of a range, joined by spaces.

        A character that would be cut in two is left out.
        """
        octets, starts = self.octets, self.starts
        found: list[bytes] = []
        size = 0
        for number in range(first, end):
            if kept[number]:
                start = starts[number]
                text = octets[start : min(starts[number + 1], start + most)]
                found.append(text)
                size += len(text) + 1
                if size > most:
                    break
        return b" ".join(found)[:most].decode("utf-8", "ignore")

    def text(self, number: int) -> str:
        """Return one text."""
        return self.octets[self.starts[number] : self.starts[number + 1]].decode()

    def texts(self) -> list[str]:
        """Return all texts."""
        starts = self.starts
        return [
            self.octets[starts[number] : starts[number + 1]].decode()
            for number in range(self.count)
        ]
