"""The pages of the inputs: JSON lines, HTML files, directories, WARC archives, standard input.

Inputs are streamed, and may be read twice (once to learn, once to extract); for that, standard
input is copied to a temporary file. An HTML file has no URL: the directory named on the command
line stands for the site of the files under it, unless it is a mirror (see `mirrors`). An input or
row that cannot be read is reported once, by name, and reading goes on.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, NoReturn

from scrapy_mainblock.inputs import mirrors
from scrapy_mainblock.inputs.warc import NoFastwarcError, html_responses, within
from scrapy_mainblock.page import sites
from scrapy_mainblock.page.status import status_in_words

HTML_SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")
JSON_SUFFIXES = (".jsonl", ".jsonl.gz", ".jl", ".jl.gz", ".ndjson", ".ndjson.gz")
WARC_SUFFIXES = (".warc", ".warc.gz", ".warc.zst")
STANDARD_INPUT = "-"
_SUFFIXES = (*HTML_SUFFIXES, *JSON_SUFFIXES, *WARC_SUFFIXES)

LARGEST = 128 * 1024 * 1024
"""Maximum bytes of a page or of a JSON row: compressed data may expand a thousandfold."""
TOO_LARGE = f"larger than {LARGEST // 1024 // 1024} MB"

_AT_ONCE = 1024 * 1024
"""Bytes per read: more than a typical row of a hundred thousand, so that few reads complete it."""

_UNREADABLE = (OSError, EOFError, zlib.error)


@dataclass(frozen=True)
class InputPage:
    """A page of the input; if it could not be read, `html` is None and `trouble` says why."""

    id: Any
    url: str | None
    site: str
    html: bytes | str | None
    trouble: str | None = None
    gold: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    status: int | None = None
    """The HTTP status of the response, if the input gives it."""

    @property
    def error_status(self) -> str | None:
        """What is wrong with the page according to its status; nothing is learned from it then."""
        return None if self.status is None else status_in_words(self.status)

    def rule_keys(self) -> Iterator[str]:
        """Yield the keys that its rules may have: its site, then its hosts in a crawl's order."""
        yield self.site
        if self.url:
            yield from (key for key in sites.keys(self.url) if key != self.site)


class Stretch(NamedTuple):
    """The position of a row in a file: cheaper to send to another process than the row itself."""

    file: str
    start: int
    size: int

    def read(self) -> bytes:
        """Return the row."""
        stream = _opened(self.file)
        stream.seek(self.start)
        return stream.read(self.size)


@lru_cache(maxsize=1)  # one suffices: rows come file by file
def _opened(name: str) -> BinaryIO:
    return Path(name).open("rb")  # stays open until the next file, or the end of the process


@dataclass
class JsonRow:
    """An unparsed row of JSON lines: it may be sent to another process to be parsed."""

    line: bytes | Stretch
    where: str
    site: str | None = None
    """The site of the page, if given by an option; it overrides the row's own."""

    def take(self) -> bytes:
        """Return the row's bytes, once: whoever still holds the row does not hold them too."""
        if isinstance(self.line, Stretch):
            return self.line.read()
        line, self.line = self.line, b""
        return line


Unread = InputPage | JsonRow
_URL = re.compile("https?:/")
"""Matches a URL that was made a path, which has one slash only."""


def read(unread: Unread) -> InputPage:
    """Return the page of a row, parsing it; return a page that was read already as it is."""
    if isinstance(unread, InputPage):
        return unread
    try:
        page = _page_of_row(unread.take())
    except OSError as error:
        return InputPage(None, None, "", None, trouble=_why(error))
    return page if unread.site is None else replace(page, site=unread.site)


class _Piped:
    """Standard input whose beginning can be inspected before it is read."""

    def __init__(self) -> None:
        self._ahead = b""
        self._is_html: bool | None = None
        """The answer of `is_html`, kept because the beginning is gone once it was read."""

    def is_html(self) -> bool:
        """Return whether the input begins with a page rather than a row of JSON."""
        if self._is_html is None:
            while self._ahead.isspace() or not self._ahead:
                line = sys.stdin.buffer.readline(_AT_ONCE)
                self._ahead += line
                if not line or len(self._ahead) > _AT_ONCE:
                    break
            begins = self._ahead.removeprefix(b"\xef\xbb\xbf").lstrip()
            self._is_html = begins.startswith(_BEGINS_HTML)
        return self._is_html

    def read(self, size: int = -1) -> bytes:
        """Return bytes: first those that were inspected, then the rest."""
        if self._ahead:
            size = len(self._ahead) if size < 0 else size
            found, self._ahead = self._ahead[:size], self._ahead[size:]
            return found
        return sys.stdin.buffer.read(size)

    def readline(self, size: int) -> bytes:
        """Return a line, including any part of it that was inspected."""
        line, newline, self._ahead = self._ahead.partition(b"\n")
        if newline:
            return line + newline
        return line + sys.stdin.buffer.readline(size - len(line))


_BEGINS_HTML = (b"<", b"\xff\xfe", b"\xfe\xff")
"""A tag, or a UTF-16 byte order mark, which JSON lines never have."""


class MissingExtraError(Exception):
    """An optional dependency is missing; the message says how to install it."""


class Inputs:
    """The pages of several inputs, in order; may be iterated over more than once.

    `report` is called once for each input or row that cannot be read.
    """

    def __init__(
        self,
        names: Sequence[str],
        report: Callable[[str], None],
        url: str | None = None,
        site: str | None = None,
    ) -> None:
        """`url` is the URL of a single page; `site` overrides the site of all pages."""
        self._names = names
        self._report = report
        self._url, self._site = url, site
        self._reported: set[str] = set()
        self._standard_input: Path | None = None
        self._piped = _Piped()
        self._elsewhere = False
        self.bytes_read = 0
        self.pages = 0
        """How many pages the last iteration yielded, including those that could not be read."""
        self.named_by_folders: set[str] = set()
        """Sites named after a folder, because the pages in it have no URL."""

    @property
    def had_trouble(self) -> bool:
        """Whether anything could not be read."""
        return bool(self._reported)

    def is_one_page(self) -> bool:
        """Return whether the input is one page, not rows: an HTML file, or HTML on stdin."""
        if len(self._names) != 1:
            return False
        (name,) = self._names
        if name == STANDARD_INPUT:
            return self._piped.is_html()
        return name.lower().endswith(HTML_SUFFIXES) and not Path(name).is_dir()

    def total_bytes(self) -> int | None:
        """Return the size of all inputs on disk, or None if it is not known in advance."""
        total = 0
        for name in self._names:
            path = self._standard_input if name == STANDARD_INPUT else Path(name)
            if path is None:
                return None
            files = _files_under(path) if path.is_dir() else [path]
            total += sum(file.stat().st_size for file in files if file.is_file())
        return total

    def spool_standard_input(self) -> None:
        """Copy standard input to a file so that it can be read twice; `close` removes the file."""
        if STANDARD_INPUT in self._names and self._standard_input is None:
            self._piped.is_html()  # inspects the beginning before it is copied
            with tempfile.NamedTemporaryFile("wb", suffix=".jsonl", delete=False) as spool:
                self._standard_input = Path(spool.name)
                shutil.copyfileobj(self._piped, spool)

    def close(self) -> None:
        """Remove the temporary file of `spool_standard_input`."""
        if self._standard_input is not None:
            self._standard_input.unlink(missing_ok=True)

    def __iter__(self) -> Iterator[InputPage]:
        for unread in self.unread():
            page = read(unread)
            self.report_row(unread, page.trouble)
            yield page

    def report_row(self, unread: Unread, trouble: str | None) -> None:
        """Report the trouble of a row that was parsed; a file's trouble was reported before."""
        if trouble and isinstance(unread, JsonRow):
            self._trouble(unread.where, trouble)

    def unread(self, *, elsewhere: bool = False) -> Iterator[Unread]:
        """Yield the pages before they are parsed; the caller passes row problems to `report_row`.

        If rows are parsed `elsewhere`, in another process, yield the position of a row in its file
        rather than its bytes, unless the file is compressed.
        """
        self.bytes_read = self.pages = 0
        self._elsewhere = elsewhere
        for name in self._names:
            try:
                for page in self._pages_of(name):
                    self.pages += 1
                    yield page if self._site is None else _with_site(page, self._site)
            except _UNREADABLE as error:
                self._trouble(name, _why(error))

    def _pages_of(self, name: str) -> Iterator[Unread]:
        if name == STANDARD_INPUT:
            with self._spooled() or nullcontext(self._piped) as stream:
                if self._piped.is_html():
                    yield self._html(stream, STANDARD_INPUT, self._url)
                else:
                    yield from self._json_lines(stream, "standard input")
        elif Path(name).is_dir():
            folder = Path(name)
            files = _files_under(folder)
            if not files:
                self._trouble(name, "no .html, .jsonl or .warc file in the directory")
            for file in files:
                try:
                    yield from self._file_in(folder, file)
                except _UNREADABLE as error:
                    self._trouble(str(file), _why(error))
        else:
            yield from self._file(Path(name))

    def _spooled(self) -> IO[bytes] | None:
        return self._standard_input.open("rb") if self._standard_input else None

    def _file_in(self, folder: Path, file: Path) -> Iterator[Unread]:
        """Yield the pages of a file in a folder: of a mirrored host, or of a site named like it."""
        is_of_rows = file.name.lower().endswith((*JSON_SUFFIXES, *WARC_SUFFIXES))
        if is_of_rows:
            yield from self._file(file)
        elif mirrored := mirrors.host_of(folder, file):
            yield self._html_file(file, mirrors.url_of(*mirrored))
        else:
            name = folder.resolve().name
            if self._site is None:
                self.named_by_folders.add(name)
            yield self._html_file(file, None, name)

    def _file(self, file: Path) -> Iterator[Unread]:
        name = file.name.lower()
        if name.endswith(JSON_SUFFIXES):
            with file.open("rb", buffering=_AT_ONCE) as raw:
                stream: Any = gzip.GzipFile(fileobj=raw) if name.endswith(".gz") else raw
                yield from self._json_lines(stream, str(file), raw)
        elif name.endswith(HTML_SUFFIXES):
            yield self._html_file(file, self._url)
        elif name.endswith(WARC_SUFFIXES):
            yield from self._warc(file)
        elif not file.exists():
            is_url = _URL.match(str(file))
            self._trouble(
                str(file), "a URL, not a file: save the page first" if is_url else "no such file"
            )
        else:
            known = ", ".join((*JSON_SUFFIXES[:2], *HTML_SUFFIXES[:1], *WARC_SUFFIXES))
            self._trouble(str(file), f"unknown type of file: expected {known}")

    def _json_lines(
        self, stream: IO[bytes] | _Piped, name: str, raw: BinaryIO | None = None
    ) -> Iterator[Unread]:
        before = self.bytes_read
        is_plain = self._elsewhere and stream is raw
        number = start = 0
        while line := stream.readline(LARGEST + 1):
            number += 1
            if raw is None:
                self.bytes_read += len(line)
            else:
                self.bytes_read = before + raw.tell()
            if len(line) > LARGEST:
                while line and not line.endswith(b"\n"):
                    line = stream.readline(LARGEST)
                yield self._unread_page(None, None, f"{name}, line {number}", TOO_LARGE)
                start = raw.tell() if is_plain and raw is not None else 0
            else:
                is_blank = line.isspace()
                row = JsonRow(
                    Stretch(name, start, len(line)) if is_plain else line, f"{name}, line {number}"
                )
                start += len(line)
                line = b"\n"  # only the row holds its bytes, until somebody takes them
                if not is_blank:
                    yield row

    def _unread_page(
        self, identifier: Any, url: str | None, where: str, why: str, site: str | None = None
    ) -> InputPage:
        """Return a page without HTML, which still gets its output row, and report why."""
        self._trouble(where, why)
        site = sites.host(url) if site is None else site
        return InputPage(identifier, url, site, None, trouble=why)

    def _html_file(self, file: Path, url: str | None, site: str | None = None) -> InputPage:
        try:
            with file.open("rb") as stream:
                return self._html(stream, str(file), url, site)
        except FileNotFoundError:
            raise
        except OSError as error:  # the page exists but cannot be read: it still gets its row
            return self._unread_page(str(file), url, str(file), _why(error), site)

    def _html(
        self, stream: IO[bytes] | _Piped, name: str, url: str | None, site: str | None = None
    ) -> InputPage:
        html = within(stream, LARGEST)
        if html is None:
            return self._unread_page(name, url, name, TOO_LARGE, site)
        self.bytes_read += len(html)
        return InputPage(name, url, sites.host(url) if site is None else site, html)

    def _warc(self, file: Path) -> Iterator[InputPage]:
        before = self.bytes_read

        def has_read(octets: int) -> None:
            self.bytes_read = before + octets

        def report(why: str) -> None:
            self._trouble(str(file), why)

        try:
            for found in html_responses(file, LARGEST, report, has_read):
                if found.html is None:
                    where = f"{file}, {found.id}"
                    yield self._unread_page(found.id, found.url, where, found.why or TOO_LARGE)
                else:
                    site = sites.host(found.url)
                    yield InputPage(found.id, found.url, site, found.html, status=found.status)
        except NoFastwarcError as error:
            raise MissingExtraError(str(error)) from None

    def _trouble(self, name: str, why: str) -> None:
        message = f"{name}: {why}"
        if message not in self._reported:
            self._reported.add(message)
            self._report(message)


def _with_site(unread: Unread, site: str) -> Unread:
    if isinstance(unread, JsonRow):
        unread.site = site  # a second row would hold the bytes too
        return unread
    return replace(unread, site=site)


def _page_of_row(line: bytes) -> InputPage:
    try:
        # Decoded here, as `json.loads` would do, because it would hold the bytes while it parses.
        text = line.decode(json.detect_encoding(line), "surrogatepass")
        del line
        row = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        return InputPage(None, None, "", None, trouble=f"not JSON: {error}")
    if not isinstance(row, dict):
        return InputPage(None, None, "", None, trouble="not a JSON object")
    url = row["url"] if isinstance(row.get("url"), str) else None
    site = row["site"] if isinstance(row.get("site"), str) else sites.host(url)
    html, gold, meta = row.get("html"), row.get("gold"), row.get("meta")
    return InputPage(
        row.get("id"),
        url,
        site,
        html if isinstance(html, str) else None,
        trouble=None if isinstance(html, str) else 'no text in "html"',
        gold=gold if isinstance(gold, str) else None,
        meta=meta if isinstance(meta, dict) else {},
    )


def _no_constant(name: str) -> NoReturn:
    # json.loads accepts NaN, and json.dumps would write it.
    raise ValueError(f"{name} is not valid JSON")


def is_read(file: Path, name: Path) -> bool:
    """Return whether a file, which need not exist yet, would be read if `name` is an input."""
    file, name = file.resolve(), name.resolve()
    return file == name or (name in file.parents and file.name.lower().endswith(_SUFFIXES))


def _files_under(directory: Path) -> list[Path]:
    """Return the files that hold pages, in a mirror also those without a known suffix."""
    return sorted(
        file
        for file in directory.rglob("*")
        if file.is_file()
        and (
            file.name.lower().endswith(_SUFFIXES)
            or (mirrors.host_of(directory, file) and mirrors.is_page(file))
        )
    )


def _why(error: BaseException) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
