"""Inputs that decompress to more than the size limit keep their row, and the rest is read."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from scrapy_mainblock.inputs import pages as inputs
from scrapy_mainblock.inputs.pages import Inputs

LARGEST = 2_000_000
BOMB = b"<p>" + b"x" * (3 * LARGEST)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "LARGEST", LARGEST)


def read(path: Path) -> tuple[list[int | None], list[str]]:
    """Return the sizes of the pages that were read, and the reported problems."""
    troubles: list[str] = []
    pages = list(Inputs([str(path)], troubles.append))
    return [None if page.html is None else len(page.html) for page in pages], troubles


def lines(*pages: bytes) -> bytes:
    return b"".join(json.dumps({"html": page.decode()}).encode() + b"\n" for page in pages)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_a_row_over_the_size_limit_keeps_its_position(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    body = lines(b"<p>a", BOMB, b"<p>bc", BOMB)
    path.write_bytes(gzip.compress(body) if name.endswith(".gz") else body)
    sizes, troubles = read(path)
    assert sizes == [4, None, 5, None]
    assert [one.partition(", ")[2] for one in troubles] == [
        f"line {number}: {inputs.TOO_LARGE}" for number in (2, 4)
    ]


def test_a_file_over_the_size_limit_is_an_unread_page(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(BOMB)
    (tmp_path / "b.html").write_bytes(BOMB[:LARGEST])
    sizes, troubles = read(tmp_path)
    assert sizes == [None, LARGEST]
    assert len(troubles) == 1


@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_a_record_over_the_size_limit_keeps_its_row(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.warc.gz"
    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True)
        for body in (b"<p>a", BOMB, b"<p>bc"):
            headers = [("Content-Type", "text/html")]
            if encoding:
                headers.append(("Content-Encoding", encoding))
            payload = io.BytesIO(gzip.compress(body) if encoding else body)
            status = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.0")
            writer.write_record(
                writer.create_warc_record(
                    "http://e.example/", "response", payload=payload, http_headers=status
                )
            )
    sizes, troubles = read(path)
    assert sizes == [4, None, 5]
    assert len(troubles) == 1
    assert inputs.TOO_LARGE in troubles[0]
