"""Whole, cut, damaged and empty WARC archives: all whole records are read, with one message."""

from __future__ import annotations

import gzip
import io
import random
import zlib
from pathlib import Path
from typing import NamedTuple

import pytest
from command import Mainblock
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pages import read_rows, site, told

from scrapy_mainblock.inputs.pages import Inputs
from scrapy_mainblock.inputs.warc import Source

pytest.importorskip("fastwarc")
from fastwarc.stream_io import ZstdWriter

PAGES = [(f"<p>{letter * 40}</p>".encode(), f"http://a.example/{letter}") for letter in "abcd"]


def record(
    html: bytes, url: str, kind: str = "text/html", *, more: bytes = b"", status: str = "200 OK"
) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n".encode() + more
    block = head + b"\r\n" + html
    return (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:{url[-1]}>\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    ).encode() + block + b"\r\n\r\n"  # fmt: skip


def test_a_url_in_angle_brackets_is_read(tmp_path: Path) -> None:
    """GNU Wget writes them."""
    file = tmp_path / "a.warc"
    file.write_bytes(record(b"<p>x</p>", "<http://a.example/x>"))
    (page,) = Inputs([str(file)], print)
    assert (page.url, page.site) == ("http://a.example/x", "a.example")


def test_nothing_is_learned_from_error_pages(mainblock: Mainblock, tmp_path: Path) -> None:
    file, out, rules = tmp_path / "a.warc", tmp_path / "out.jsonl", tmp_path / "rules"
    pages = [(html.encode(), url) for html, url in site(8)]
    file.write_bytes(b"".join(record(*page, status="404 Not Found") for page in pages))
    assert mainblock("extract", file, "-o", out, "--rules", rules).code == 0
    rows = read_rows(out)
    assert [row["metadata"]["method"] for row in rows] == ["page"] * 8
    assert all(row["metadata"]["reason"].endswith("its status is 404") for row in rows)
    assert not [*rules.glob("*.json")]
    file.write_bytes(b"".join(record(*page) for page in pages))
    assert mainblock("extract", file, "-o", out, "--rules", rules).code == 0
    assert [row["metadata"]["method"] for row in read_rows(out)] == ["rule"] * 8


def records() -> list[bytes]:
    """Return records with each page between records that are not pages."""
    info = b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 9\r\n\r\nsoftware:\r\n\r\n"
    found = [info]
    for html, url in PAGES:
        found += [record(b"\x89PNG" * 9, f"{url}.png", "image/png"), record(html, url)]
    return [*found, info]


class Archive(NamedTuple):
    name: str
    data: bytes
    ends: tuple[int, ...]
    """Where each record ends; empty if that is unknown."""


def _gzip_member_per_record() -> Archive:
    members = [gzip.compress(one, mtime=0) for one in records()]
    ends = tuple(sum(map(len, members[: n + 1])) for n in range(len(members)))
    return Archive("a.warc.gz", b"".join(members), ends)


def plain() -> Archive:
    some = records()
    ends = tuple(sum(map(len, some[: n + 1])) for n in range(len(some)))
    return Archive("a.warc", b"".join(some), ends)


def _single_gzip_member() -> Archive:
    return Archive("a.warc.gz", gzip.compress(b"".join(records()), mtime=0), ())


def zstd() -> Archive:
    stream = io.BytesIO()
    writer = ZstdWriter(stream)
    writer.write(b"".join(records()))
    writer.close()
    return Archive("a.warc.zst", stream.getvalue(), ())


ARCHIVES = {
    "plain": plain(),
    "a member a record": _gzip_member_per_record(),
    "one member": _single_gzip_member(),
    "zstd": zstd(),
}


class Read(NamedTuple):
    pages: list[tuple[bytes | str | None, str | None]]
    troubles: list[str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("warc")


def read(folder: Path, name: str, data: bytes) -> Read:
    file = folder / name
    file.write_bytes(data)
    troubles: list[str] = []
    pages = [(page.html, page.url) for page in Inputs([str(file)], troubles.append)]
    return Read(pages, [one.removeprefix(f"{file}: ") for one in troubles])


@pytest.mark.parametrize("kind", ARCHIVES)
def test_a_whole_archive_yields_all_pages_without_a_message(folder: Path, kind: str) -> None:
    archive = ARCHIVES[kind]
    assert read(folder, archive.name, archive.data) == (PAGES, [])


@pytest.mark.parametrize("kind", ["plain", "a member a record"])
def test_a_cut_archive_yields_all_whole_records_and_one_message(folder: Path, kind: str) -> None:
    archive = ARCHIVES[kind]
    behind = 4 if kind == "plain" else 0  # the two line ends after a record
    for cut in range(1, len(archive.data), 3):
        found = read(folder, archive.name, archive.data[:cut])
        whole = sum(end - behind <= cut for end in archive.ends)
        is_between = any(end - behind <= cut <= end for end in archive.ends)
        assert found.pages == PAGES[: max(whole - 1, 0) // 2], cut
        if is_between:
            assert found.troubles == [], cut
        else:
            assert len(found.troubles) == 1, cut
            assert "cut off" in found.troubles[0], cut


@pytest.mark.parametrize("kind", ["one member", "zstd"])
def test_a_cut_stream_yields_the_first_pages_and_one_message(folder: Path, kind: str) -> None:
    archive = ARCHIVES[kind]
    counts = set()
    for cut in range(4, len(archive.data) - 13, 3):
        found = read(folder, archive.name, archive.data[:cut])
        assert found.pages == PAGES[: len(found.pages)], cut
        assert len(found.troubles) == 1, cut
        counts.add(len(found.pages))
    assert kind == "zstd" or counts >= {0, 1, 2, 3}  # a zstd frame this short yields no pages


@settings(max_examples=150, deadline=None)
@given(place=st.floats(0, 1, exclude_max=True), noise=st.binary(min_size=1, max_size=40))
@example(place=83.5 / 1638, noise=b" ")  # a reserved gzip flag
@pytest.mark.parametrize("kind", ["plain", "a member a record"])
def test_overwritten_bytes_lose_only_the_records_they_touch(
    folder: Path, kind: str, place: float, noise: bytes
) -> None:
    archive = ARCHIVES[kind]
    at = int(place * len(archive.data))
    data = archive.data[:at] + noise + archive.data[at + len(noise) :]
    data = data[: len(archive.data)]
    parts = [slice(*ends) for ends in zip((0, *archive.ends[:-1]), archive.ends, strict=True)]
    is_plain = kind == "plain"
    touched = {
        number
        for number, (part, one) in enumerate(zip(parts, records(), strict=True))
        if (data[part] if is_plain else _unpacked_member(data[part])) != one
    }
    if is_plain:  # a wrong length may swallow the next record; no checksum shows it
        touched |= {number + 1 for number in touched}
    whole = [page for number, page in enumerate(PAGES) if 2 * number + 2 not in touched]
    found = read(folder, archive.name, data)
    assert [page for page in found.pages if page in whole] == whole
    assert len(found.troubles) <= 1
    if not is_plain:
        assert found.pages == whole
        assert len(found.troubles) == bool(touched)


def _unpacked_member(member: bytes) -> bytes | None:
    """Return the content of a member, or None if it is damaged; the time in its header may differ.

    Uses zlib, because Python's gzip accepts flags that RFC 1952 (2.3.1.2) says to refuse.
    """
    reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        found = reader.decompress(member)
    except zlib.error:
        return None
    return found if reader.eof and not reader.unused_data else None


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.warc", b"", "no WARC record found"),
        ("a.warc.gz", b"", "no WARC record found"),
        ("a.warc.gz", gzip.compress(b"", mtime=0), "no WARC record found"),
        ("a.warc", b"\r\n\r\n", "no WARC record found"),
        ("a.warc", b"text\n", "cut off or damaged: no WARC record found"),
        ("a.warc", b"\n" * 100_000 + b"x", "cut off or damaged: no WARC record found"),
        (
            "a.warc.gz",
            gzip.compress(b"text\n", mtime=0),
            "cut off or damaged: no WARC record found",
        ),
        ("a.warc.gz", b"\x1f\x8b\x08", "cut off or damaged: no WARC record found"),
        ("a.warc", b"WARC/1.0\r\nWARC-Type: response\r\n", "cut off or damaged"),
        ("a.warc", b"WARC/1.0\r\nContent-Length: -5\r\n\r\n", "cut off or damaged"),
        ("a.warc", b"WARC/1.0\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\n", "cut off"),
    ],
)
def test_an_archive_without_records_gives_one_message(
    folder: Path, name: str, data: bytes, said: str
) -> None:
    found = read(folder, name, data)
    assert found.pages == []
    (line,) = found.troubles
    assert line.startswith(said)


def test_content_is_decoded_and_undecodable_pages_keep_their_rows(
    folder: Path,
) -> None:
    encoded = b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
    body = gzip.compress(PAGES[0][0])
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    data = record(chunked, PAGES[0][1], more=encoded)
    assert read(folder, "a.warc", data) == (PAGES[:1], [])
    broken = record(b"no gzip at all", PAGES[1][1], more=b"Content-Encoding: gzip\r\n")
    found = read(folder, "a.warc", data + broken + record(*PAGES[2]))
    assert [url for _, url in found.pages] == [url for _, url in PAGES[:3]]
    assert (found.pages[0], found.pages[2]) == (PAGES[0], PAGES[2])


def test_a_page_over_the_size_limit_keeps_its_row(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_mainblock.inputs.pages.LARGEST", 1000)
    large = record(b"<p>" + b"x" * 5000, "http://a.example/x")
    for name, data in (("a.warc", large), ("a.warc.gz", gzip.compress(large))):
        packed = name.endswith(".gz")
        after = gzip.compress(record(*PAGES[1])) if packed else record(*PAGES[1])
        found = read(folder, name, data + after)
        assert found.pages == [(None, "http://a.example/x"), PAGES[1]]
        assert len(found.troubles) == 1


def test_large_records_are_read_whole(folder: Path) -> None:
    rows = [(random.Random(n).randbytes(300_000), f"http://a.example/{n}") for n in range(3)]
    some = [record(html, url) for html, url in rows]
    for name, data in (
        ("a.warc", b"".join(some)),
        ("a.warc.gz", b"".join(map(gzip.compress, some))),
        ("b.warc.gz", gzip.compress(b"".join(some))),
    ):
        assert read(folder, name, data) == (rows, [])


def test_nuls_between_members_are_skipped() -> None:
    members = [gzip.compress(b"one"), b"\0" * 200_000, gzip.compress(b"two"), b"\0" * 9]
    source = Source(io.BytesIO(b"".join(members)), is_packed=True)
    assert source.read() + source.read() + source.read() == b"onetwo"
    assert source.damage is None


def test_the_command_names_a_damaged_archive_once_and_exits_1(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    file, out = tmp_path / "a.warc.gz", tmp_path / "out.jsonl"
    some = [gzip.compress(record(html.encode(), url)) for html, url in site(8)]
    some[3] = some[3][:-200] + b"\0" * 200
    file.write_bytes(b"".join(some))
    result = mainblock("extract", file, "-o", out)
    assert (result.code, result.out) == (1, "")
    assert result.err == f"mainblock: {file}: damaged: 1 records are incomplete\n"
    assert [row["url"][-1] for row in read_rows(out)] == list("0124567")
    assert read_rows(out)[0]["articleBody"] == told(120, "story0w")

    out.write_text("before")
    file.write_bytes(b"")
    result = mainblock("extract", file, "-o", out)
    assert (result.code, result.err) == (1, f"mainblock: {file}: no WARC record found\n")
    assert out.read_text() == "before"
