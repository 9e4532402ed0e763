"""The HTML responses of a WARC archive: all that are whole, even if others are damaged.

fastwarc parses the records. It takes the end of its input for the end of a record, and the end of
a truncated gzip member for the end of the archive, so both are checked here: a record must be as
long as it declares, and its gzip member must end with the right checksum. After damaged data,
reading resumes at the next record that can be found.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

INSTALL = 'WARC files need an extra: pip install "scrapy-mainblock[warc]"'
NO_RECORD = "no WARC record found"
CUT_OFF = "cut off: the last record is incomplete"
_AT_ONCE = 1 << 16
_MEMBER, _RECORD = b"\x1f\x8b\x08", b"WARC/"
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_OPENING = 1 << 20
"""Bytes of a member that are kept, to see whether its first record is followed by another."""
_END_OF_RECORD = 4
"""Bytes after a record: two line ends."""


class Found(NamedTuple):
    """An HTML response."""

    id: str | None
    url: str | None
    html: bytes | None
    """None if it cannot be read."""
    why: str | None = None
    status: int | None = None
    """The HTTP status; None if unknown."""


class NoFastwarcError(ImportError):
    """The `warc` extra is not installed."""


class Source(io.RawIOBase):
    """The decompressed bytes of an archive, up to the first that cannot be read.

    This stream must not raise: an exception in it makes fastwarc end the process.
    """

    def __init__(self, raw: IO[bytes], *, is_packed: bool = False) -> None:
        """`is_packed` is what the file's name says, used if the first bytes are damaged."""
        self.raw = raw
        first = raw.read(_AT_ONCE)
        self.is_packed = _is_packed(first) or (
            is_packed and bool(first) and not first.startswith(_RECORD)
        )
        self.damage: str | None = None
        self.begin(0)

    def begin(self, at: int) -> None:
        """Read from a position in the file where a member or a record begins."""
        self.raw.seek(at)
        self.start, self.damage = at, None
        self.ahead = b""
        self.delivered = 0
        self._packed = b""
        self._member_at, self._member_start = at, 0
        """Where the current member begins, in the file and in the decompressed data."""
        self._opening = bytearray()
        """The first bytes of the current member."""
        self._unpacker = zlib.decompressobj(31)

    def readable(self) -> bool:
        """Return True: readers ask for it."""
        return True

    def tell(self) -> int:
        """Return how many bytes were delivered since `begin`."""
        return self.delivered

    def seek(self, offset: int, whence: int = 0) -> int:  # noqa: ARG002
        """Return the current position without moving: fastwarc asks for it this way."""
        return self.delivered

    def read(self, size: int = -1) -> bytes:
        """Return bytes of at most one member; none at the end, or where the data is damaged."""
        found, self.ahead = self.ahead or self._more(), b""
        if 0 <= size < len(found):
            found, self.ahead = found[:size], found[size:]
        self.delivered += len(found)
        return found

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer, and return the number of bytes read."""
        found = self.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def _more(self) -> bytes:
        if self.damage:
            return b""
        try:
            return self._unpacked() if self.is_packed else self.raw.read(_AT_ONCE)
        except (zlib.error, OSError) as error:
            self.damage = getattr(error, "strerror", None) or str(error)
            return b""

    def _unpacked(self) -> bytes:
        while True:
            if self._unpacker.eof and not self._next_member():
                return b""
            packed = self._packed or self.raw.read(_AT_ONCE)
            if not packed:
                self.damage = CUT_OFF
                return b""
            found = self._unpacker.decompress(packed, _AT_ONCE)
            self._packed = self._unpacker.unconsumed_tail or self._unpacker.unused_data
            if found:
                if len(self._opening) < _OPENING:
                    self._opening += found
                return found

    def _next_member(self) -> bool:
        """Begin the member after the one that ended; return False if there is none."""
        packed = self._packed
        while not packed.strip(b"\0"):  # some writers pad with NULs
            packed = self.raw.read(_AT_ONCE)
            if not packed:
                return False
        packed = packed.lstrip(b"\0")
        self._member_at = self.raw.tell() - len(packed)
        self._member_start = self._known
        self._packed, self._unpacker = packed, zlib.decompressobj(31)
        self._opening.clear()
        return True

    def spoils(self, start: int, length: int) -> bool:
        """Return whether a record is alone in a damaged member; reads to the member's end.

        In a member with many records, those before the damage are whole as far as can be checked.
        """
        if not self.is_packed or start != self._member_start:
            return False
        head = _END_OF_HEAD.search(self._opening)
        size = (head.end() if head else 0) + length + _END_OF_RECORD
        while not (self.damage or self._unpacker.eof or self._known > start + size + _AT_ONCE):
            self.ahead += self._more()
        is_alone = not self._opening.startswith(_RECORD, size)
        return self.damage is not None and start == self._member_start and is_alone

    @property
    def _known(self) -> int:
        return self.delivered + len(self.ahead)

    def resume(self, behind: int) -> bool:
        """Go to the next record after a position in the decompressed data; False if none."""
        if self.is_packed:
            after, mark = self._member_at + 1, _MEMBER
        else:
            after, mark = self.start + behind, b"\n" + _RECORD
        for at in _places_of(mark, self.raw, after):
            self.begin(at if self.is_packed else at + 1)
            if self.read(len(_RECORD)) == _RECORD:
                self.begin(self.start)
                return True
        return False


def _is_packed(first: bytes) -> bool:
    try:
        return zlib.decompressobj(31).decompress(first, len(_RECORD)) == _RECORD
    except zlib.error:
        return False


def _places_of(mark: bytes, raw: IO[bytes], after: int) -> Iterator[int]:
    """Yield the positions of a marker in a file after a given position."""
    before = b""
    raw.seek(after)
    while piece := raw.read(_AT_ONCE):
        window, end = before + piece, raw.tell()
        at = window.find(mark)
        while at >= 0:
            yield end - len(window) + at
            at = window.find(mark, at + 1)
        raw.seek(end)
        before = window[1 - len(mark) :]


def html_responses(
    file: Path, largest: int, report: Callable[[str], None], has_read: Callable[[int], None]
) -> Iterator[Found]:
    """Yield the HTML responses of an archive, in order; report once, at the end, what is wrong.

    `has_read` is called with the current position in the file. Raise NoFastwarcError if the extra
    is not installed.
    """
    with file.open("rb") as raw:
        archive = _Archive(Source(raw, is_packed=file.name.lower().endswith(".gz")), largest)
        for found in archive:
            has_read(raw.tell())
            yield found
    if archive.wrong:
        report(archive.wrong)


class _Archive:
    """The records of an archive."""

    def __init__(self, source: Source, largest: int) -> None:
        try:
            from fastwarc.warc import ArchiveIterator, WarcRecordType  # noqa: PLC0415 - an extra
        except ImportError:
            raise NoFastwarcError(INSTALL) from None
        self._records, self._response = ArchiveIterator, WarcRecordType.response
        self._source, self._largest = source, largest
        self._whole = self._spoilt = 0
        self._is_last_whole, self._is_broken = True, False

    @property
    def wrong(self) -> str | None:
        """What is wrong with the archive, or None."""
        if not self._whole:
            return f"cut off or damaged: {NO_RECORD}" if self._spoilt else NO_RECORD
        if not self._spoilt:
            return None
        if self._spoilt == 1 and not self._is_last_whole:
            return CUT_OFF
        return f"damaged: {self._spoilt} records are incomplete"

    def __iter__(self) -> Iterator[Found]:
        behind = 0
        is_going_on = True
        while is_going_on:
            records = self._records(self._source, parse_http=False, stream_detect=True)
            while (record := self._next(records)) is not None:
                block, length = self._block_of(record), _length_of(record)
                start = record.stream_pos
                is_whole = block is None or len(block) == length
                if not is_whole or self._source.spoils(start, length):
                    break
                self._count(is_whole=True)
                behind = start + max(length, 0)
                if record.record_type == self._response:
                    yield from self._found(record, block)
            else:
                if not (self._is_broken or self._source.damage):
                    return
                record = None
            if record is not None:
                behind = record.stream_pos + 1
            self._count(is_whole=False)
            is_going_on = self._source.resume(behind)
            behind = 0

    def _count(self, *, is_whole: bool) -> None:
        if self._is_broken and not self._is_last_whole:
            return  # the same damage, found again while looking for the next record
        self._whole += is_whole
        self._spoilt += not is_whole
        self._is_last_whole = is_whole

    def _next(self, records: Any) -> Any:
        """Return the next record, or None at the end and where the data is malformed."""
        self._is_broken = False
        try:
            return next(records, None)
        except Exception:  # OSError, in the versions seen
            self._is_broken = True
        except BaseException as error:
            if type(error).__module__ != "pyo3_runtime":  # a panic in fastwarc, not Ctrl-C
                raise
            self._is_broken = True
        return None

    def _block_of(self, record: Any) -> bytes | None:
        """Return the content of a record after its header, or None if it is too large."""
        return within(record.reader, self._largest)

    def _found(self, record: Any, block: bytes | None) -> Iterator[Found]:
        identifier = record.headers.get("WARC-Record-ID")
        url = _without_brackets(record.headers.get("WARC-Target-URI"))
        if block is None:
            yield Found(identifier, url, None)
            return
        try:
            record.set_bytes_content(block)
            record.parse_http(auto_decode="all", quirks_mode=True)
            headers = record.http_headers
            if headers and "html" in (headers.get("Content-Type") or "").lower():
                body = within(record.reader, self._largest)
                yield Found(identifier, url, body, status=headers.status_code)
        except (OSError, ValueError) as error:
            yield Found(identifier, url, None, f"cannot be decoded: {error}")


def _without_brackets(url: str | None) -> str | None:
    """Return a URL without the angle brackets that GNU Wget writes around it."""
    return url[1:-1] if url and url.startswith("<") and url.endswith(">") else url


def _length_of(record: Any) -> int:
    """Return the declared length of a record, or -1 if it is not a number."""
    text = (record.headers.get("Content-Length") or "").strip()
    return int(text) if text.isdecimal() and len(text) < 20 else -1


def within(stream: Any, most: int) -> bytes | None:
    """Return the whole of a stream, or None if it is longer than `most` bytes."""
    pieces: list[bytes] = []
    left = most
    while left >= 0 and (piece := stream.read(min(left + 1, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces) if left >= 0 else None
