"""Pages from files of every type: one page for every row; each problem is reported once."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pages import names_in, rows, site, write_rows
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from scrapy_mainblock.inputs import pages as inputs_module
from scrapy_mainblock.inputs.pages import InputPage, Inputs, is_read, read

ROWS = rows(site(3), site="news")


class Read:
    """The pages of some inputs, and the problems that were reported."""

    def __init__(self, *names: Path | str) -> None:
        self.troubles: list[str] = []
        self.inputs = Inputs([str(name) for name in names], self.troubles.append)
        self.pages = list(self.inputs)

    def again(self) -> list[InputPage]:
        return list(self.inputs)


@contextmanager
def standard_input(data: bytes) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(data))
    try:
        yield
    finally:
        sys.stdin = before


def as_lines(some: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in some)


def warc(path: Path) -> Path:
    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=path.suffix == ".gz")
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "test"}))
        for html, url in site(2):
            for kind in ("text/html; charset=utf-8", "image/png"):
                headers = StatusAndHeaders("200 OK", [("Content-Type", kind)], protocol="HTTP/1.0")
                writer.write_record(
                    writer.create_warc_record(
                        url, "response", payload=io.BytesIO(html.encode()), http_headers=headers
                    )
                )
    return path


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jl", "A.JSONL", "a.ndjson.gz"])
def test_a_row_of_json_lines_is_a_page(tmp_path: Path, name: str) -> None:
    data = as_lines(ROWS)
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    read = Read(tmp_path / name)
    assert [(page.id, page.url, page.site, page.html) for page in read.pages] == [
        (row["id"], row["url"], row["site"], row["html"]) for row in ROWS
    ]
    assert read.troubles == []
    assert read.again() == read.pages


def test_the_site_defaults_to_the_host_and_all_keys_are_optional(tmp_path: Path) -> None:
    file = write_rows(
        tmp_path / "a.jsonl",
        [
            {"html": "<p>a", "url": "http://A.example:80/x"},
            {"html": "<p>b"},
            {"html": "<p>c", "url": 5, "site": 6, "gold": 7, "meta": 8, "id": {"n": 1}},
            {"html": "<p>d", "gold": "d", "meta": {"title": "t"}, "id": 7, "more": "x"},
        ],
    )
    found = [(page.id, page.url, page.site, page.gold, page.meta) for page in Read(file).pages]
    assert found == [
        (None, "http://A.example:80/x", "a.example", None, {}),
        (None, None, "", None, {}),
        ({"n": 1}, None, "", None, {}),
        (7, None, "", "d", {"title": "t"}),
    ]


def test_an_unusable_row_keeps_its_position_and_is_named(tmp_path: Path) -> None:
    broken = [b"{", b"[1]", b'"text"', b"null", b'{"id": 1}', b'{"html": null}', b"\xff\xfe"]
    broken += [b"[" * 100_000, b'{"id": NaN, "html": "<p>x"}']
    good = as_lines(ROWS[:1])
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"\n".join([good.strip(), *broken, b"", b"   ", good.strip()]))
    read = Read(file)
    assert [page.html is not None for page in read.pages] == [True, *[False] * 9, True]
    assert all(page.trouble for page in read.pages[1:10])
    assert [line.split(": ")[0] for line in read.troubles] == [
        f"{file}, line {number}" for number in range(2, 11)
    ]
    assert read.again() == read.pages
    assert len(read.troubles) == 9
    assert read.inputs.had_trouble


def test_a_truncated_gzip_file_yields_its_readable_rows(tmp_path: Path) -> None:
    whole = gzip.compress(
        b"".join(as_lines(rows(site(1), more=os.urandom(999).hex())) for _ in range(99))
    )
    file = tmp_path / "a.jsonl.gz"
    file.write_bytes(whole[: len(whole) // 2])
    good = write_rows(tmp_path / "b.jsonl", ROWS)
    read = Read(file, good)
    assert 3 < len(read.pages) < 99
    assert [page.id for page in read.pages[-3:]] == ["0", "1", "2"]
    assert len(read.troubles) == 1
    assert str(file) in read.troubles[0]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("gone.jsonl", None),
        ("gone.html", None),
        ("gone.warc", None),
        ("gone", None),
        ("a.txt", b"text"),
        ("a", b"text"),
        ("not-gzip.jsonl.gz", b"{}"),
        ("not-warc.warc", b"text\n"),
        ("cut.warc.gz", b"\x1f\x8b\x08"),
        ("x" * 5000 + ".jsonl", None),
    ],
)
def test_an_unreadable_input_is_named_and_the_rest_is_read(
    tmp_path: Path, name: str, data: bytes | None
) -> None:
    if data is not None:
        (tmp_path / name).write_bytes(data)
    good = write_rows(tmp_path / "good.jsonl", ROWS)
    read = Read(good, tmp_path / name, good)
    assert [page.id for page in read.pages] == ["0", "1", "2"] * 2
    assert len(read.troubles) == 1
    assert name in read.troubles[0]
    assert "\n" not in read.troubles[0]


def test_an_html_file_is_a_page_without_a_url(tmp_path: Path) -> None:
    for name in ("a.html", "b.HTM"):
        (tmp_path / name).write_bytes(b"<p>\xe4")
        (page,) = Read(tmp_path / name).pages
        assert (page.id, page.url, page.html) == (str(tmp_path / name), None, b"<p>\xe4")


def test_the_pages_under_a_directory_have_its_name_as_site(tmp_path: Path) -> None:
    directory = tmp_path / "news.example"
    (directory / "sub").mkdir(parents=True)
    for name in ("b.html", "a.html", "sub/c.htm", "no.txt", "no.png"):
        (directory / name).write_text(f"<p>{name}")
    (directory / "dir.html").mkdir()
    write_rows(directory / "rows.jsonl", ROWS[:1])
    read = Read(directory)
    assert [(page.html, page.site) for page in read.pages[:2]] == [
        (b"<p>a.html", "news.example"),
        (b"<p>b.html", "news.example"),
    ]
    assert [page.site for page in read.pages] == ["news.example"] * 2 + ["news", "news.example"]
    assert read.troubles == []
    assert read.again() == read.pages


def test_a_directory_without_pages_is_reported(tmp_path: Path) -> None:
    read = Read(tmp_path)
    assert read.pages == []
    assert len(read.troubles) == 1


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz"])
def test_the_html_responses_of_a_warc_are_pages(tmp_path: Path, name: str) -> None:
    read = Read(warc(tmp_path / name))
    assert [(page.url, page.site, page.html) for page in read.pages] == [
        (url, "news.example", html.encode()) for html, url in site(2)
    ]
    assert all(page.id.startswith("<urn:uuid:") for page in read.pages)
    assert read.troubles == []
    assert read.again() == read.pages


def test_a_truncated_warc_yields_its_whole_records(tmp_path: Path) -> None:
    for name in ("a.warc", "a.warc.gz"):
        file = warc(tmp_path / name)
        data = file.read_bytes()
        for part in (0.45, 0.7, 0.95):
            file.write_bytes(data[: int(len(data) * part)])
            read = Read(file)
            assert len(read.pages) <= 2
            assert read.troubles == [f"{file}: cut off: the last record is incomplete"]


def test_standard_input_is_read_as_json_lines() -> None:
    with standard_input(as_lines(ROWS)):
        read = Read("-")
    assert [page.id for page in read.pages] == ["0", "1", "2"]


def test_spooled_standard_input_is_rereadable_and_then_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    inputs = Inputs(["-"], print)
    assert inputs.total_bytes() is None
    with standard_input(as_lines(ROWS)):
        inputs.spool_standard_input()
        inputs.spool_standard_input()
    assert list(inputs) == list(inputs)
    assert [page.id for page in inputs] == ["0", "1", "2"]
    assert inputs.total_bytes() == len(as_lines(ROWS))
    assert len(names_in(tmp_path)) == 1
    inputs.close()
    inputs.close()
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("before", [b"", b"\n\n ", b"\xef\xbb\xbf", b"\n" * 100_000])
def test_a_page_on_standard_input_is_still_a_page_once_spooled(
    tmp_path: Path, before: bytes
) -> None:
    html = before + b"<p>a page\n<p>of two lines"
    inputs = Inputs(["-", str(write_rows(tmp_path / "a.jsonl", ROWS))], print)
    with standard_input(html):
        inputs.spool_standard_input()
    for _ in "ab":
        first, *others = inputs
        assert (first.id, first.html, first.trouble) == ("-", html, None)
        assert [page.id for page in others] == ["0", "1", "2"]
    inputs.close()


def test_bytes_read_approach_the_total(tmp_path: Path) -> None:
    names = [
        write_rows(tmp_path / "a.jsonl", ROWS),
        warc(tmp_path / "b.warc.gz"),
        tmp_path / "c.html",
        tmp_path / "gone.jsonl",
    ]
    names[2].write_text("<p>x")
    read = Read(*names)
    total = read.inputs.total_bytes()
    assert total is not None
    assert 0.5 * total < read.inputs.bytes_read <= total


@pytest.mark.parametrize(
    ("file", "name", "expected"),
    [
        ("a.jsonl", "a.jsonl", True),
        ("d/../a.jsonl", "a.jsonl", True),
        ("d/out.jsonl", "d", True),
        ("d/e/out.jsonl.gz", "d", True),
        ("d/out.txt", "d", False),
        ("out.jsonl", "d", False),
        ("b.jsonl", "a.jsonl", False),
    ],
)
def test_is_read_is_true_for_an_input_and_files_under_it(
    tmp_path: Path, file: str, name: str, expected: bool
) -> None:
    (tmp_path / "d" / "e").mkdir(parents=True)
    assert is_read(tmp_path / file, tmp_path / name) is expected


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_rows_read_in_another_process_are_the_same(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs_module, "LARGEST", 200)
    lines = [
        b'{"id": 1, "html": "<p>\xc3\xa4</p>"}',
        b"",
        b" \t",
        b'{"id": 2, "html": "' + b"x" * 300 + b'"}',
        b"no row",
        b'{"id": 3, "html": "<p>c</p>"}',
    ]
    file = tmp_path / name
    text = b"\n".join(lines)
    file.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    found: dict[bool, list[InputPage]] = {}
    said: dict[bool, list[str]] = {False: [], True: []}
    for elsewhere in (False, True):
        unread = list(Inputs([str(file)], said[elsewhere].append).unread(elsewhere=elsewhere))
        found[elsewhere] = [read(one) for one in unread]
    assert found[True] == found[False]
    assert said[True] == said[False]
    assert [page.id for page in found[True]] == [1, None, None, 3]


def test_a_row_whose_file_was_removed_is_a_page_with_an_error(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"id": 1, "html": "<p>a</p>"}\n')
    unread = list(Inputs([str(file)], print).unread(elsewhere=True))
    file.unlink()
    assert [read(one).trouble for one in unread] == ["no such file"]


@pytest.mark.parametrize("site", [None, "news"])
def test_memory_of_a_large_row_is_given_back_once_it_is_read(
    tmp_path: Path, site: str | None
) -> None:
    """The largest pages have megabytes, and a process needs most memory while it reads them."""
    size = 8_000_000
    source = write_rows(tmp_path / "pages.jsonl", [{"html": "<p>" + "a word " * (size // 7)}])
    inputs = Inputs([str(source)], print, site=site)
    next(inputs.unread())
    tracemalloc.start()
    try:
        rows = inputs.unread()
        row = next(rows)
        assert tracemalloc.get_traced_memory()[0] > size
        page = read(row)
        # The text of the row, and that of the page; not its bytes as well.
        assert sys.version_info < (3, 11) or tracemalloc.get_traced_memory()[1] < 2.9 * size
        page = replace(page, html=None)  # as the passes over the inputs do, once it is a source
        assert page.trouble is None
        assert tracemalloc.get_traced_memory()[0] < size / 4
        assert next(rows, None) is None
    finally:
        tracemalloc.stop()
