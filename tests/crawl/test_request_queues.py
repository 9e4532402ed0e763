"""Scrapy's request queues after a kill: each opens with its whole records; none is deleted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from growth import assert_linear
from queuelib.queue import LifoDiskQueue, LifoSQLiteQueue
from scrapy.pqueues import _path_safe
from scrapy.settings import Settings

from scrapy_mainblock.crawl.durable.request_queues import ASIDE, _last_whole, mend_queues
from scrapy_mainblock.crawl.scrapy_compat import has_known_queues

RECORDS = [b"\x80" + bytes([65 + number]) * (3 + 7 * number) for number in range(7)]


@pytest.fixture
def queue(tmp_path: Path) -> Path:
    path = tmp_path / "requests.queue" / _path_safe("a.example") / "0"
    path.parent.mkdir(parents=True)
    return path


def write(path: Path, records: list[bytes]) -> bytes:
    queue = LifoDiskQueue(path)
    for record in records:
        queue.push(record)
    queue.close()
    (path.parents[1] / "active.json").write_text('{"a.example": [0]}')
    return path.read_bytes()


def read(path: Path) -> list[bytes]:
    queue = LifoDiskQueue(path)
    found = []
    while (record := queue.pop()) is not None:
        found.append(record)
    queue.f.close()
    return found[::-1]


def aside(queue: Path) -> list[bytes]:
    return [
        path.read_bytes() for path in sorted((queue.parents[2] / "mainblock" / ASIDE).glob("*"))
    ]


def test_a_closed_queue_is_left_unchanged(queue: Path) -> None:
    whole = write(queue, RECORDS)
    assert mend_queues(queue.parents[2]) == []
    assert queue.read_bytes() == whole
    assert aside(queue) == []


@pytest.mark.parametrize("number", [0, 3, 400], ids=lambda number: f"says {number}")
def test_a_queue_cut_anywhere_keeps_whole_records_and_saves_the_rest(
    queue: Path, number: int
) -> None:
    whole = bytearray(write(queue, RECORDS))
    whole[:4] = number.to_bytes(4, "big")
    ends, end = [], 4
    for record in RECORDS:
        end += len(record) + 4
        ends.append(end)
    for length in range(len(whole) + 1):
        queue.write_bytes(whole[:length])
        before = sum(map(len, aside(queue)))
        mend_queues(queue.parents[2])
        found = read(queue)
        assert found == RECORDS[: sum(end <= length for end in ends)]
        cut = length - max((end for end in (4, *ends) if end <= length), default=0)
        assert sum(map(len, aside(queue))) - before == cut
        assert len(mend_queues(queue.parents[2])) <= 1


def test_a_long_broken_end_loses_none_of_the_requests_before_it(queue: Path) -> None:
    requests = [b"\x80request %d" % number for number in range(1000)]
    whole = write(queue, requests)
    queue.write_bytes(whole + b"\x80broken" * 25_000)
    (mended,) = mend_queues(queue.parents[2])
    assert mended.bytes_cut == 175_000
    assert mended.aside is not None
    assert mended.aside.read_bytes() == b"\x80broken" * 25_000
    assert read(queue) == requests


def test_a_broken_end_is_scanned_in_linear_time(queue: Path) -> None:
    """Cover zeros, as a disk may leave them, and length fields that chain from one to the next."""
    whole = write(queue, RECORDS)
    for piece in (bytes(8), b"\0\0\0\1x"):

        def work(times: int, piece: bytes = piece) -> Callable[[], object]:
            broken = whole + piece * times + b"\x99"
            return lambda: _last_whole(broken)

        assert_linear(work, 500, 1_000_000)
    assert _last_whole(whole + bytes(8000)) == (len(whole), len(RECORDS))


def test_a_file_of_another_format_is_left_unchanged(queue: Path) -> None:
    """An SQLite queue from a time when the project had another SCHEDULER_DISK_QUEUE."""
    write(queue, RECORDS)
    other = queue.with_name("7")
    sqlite = LifoSQLiteQueue(str(other))
    for number in range(1001):
        sqlite.push(b"request %d" % number)
    sqlite.close()
    before = other.read_bytes()
    (queue.parents[1] / "active.json").unlink()
    (left,) = [one for one in mend_queues(queue.parents[2]) if one.is_left]
    assert left.file == other
    assert other.read_bytes() == before
    assert len(LifoSQLiteQueue(str(other))) == 1001
    assert json.loads((queue.parents[1] / "active.json").read_text()) == {"a.example": [0]}


def test_queues_of_other_classes_are_not_recognized(tmp_path: Path) -> None:
    assert has_known_queues(Settings())
    for name, other in (
        ("SCHEDULER_DISK_QUEUE", "scrapy.squeues.PickleFifoDiskQueue"),
        ("SCHEDULER_DISK_QUEUE", f"{LifoSQLiteQueue.__module__}.LifoSQLiteQueue"),
        ("SCHEDULER_DISK_QUEUE", "not.there"),
        ("SCHEDULER_PRIORITY_QUEUE", "crawl.test_request_queues.OtherQueue"),
        ("SCHEDULER", "crawl.test_request_queues.OtherQueue"),
    ):
        assert not has_known_queues(Settings({name: other})), other


class OtherQueue:
    """A queue class of a user's project."""


def test_files_with_other_names_are_left_unchanged(tmp_path: Path) -> None:
    fifo = tmp_path / "requests.queue" / "slot" / "0s"
    fifo.mkdir(parents=True)
    (fifo / "q00000").write_bytes(b"")
    (fifo / "info.json").write_text("{")
    (tmp_path / "requests.queue" / "mine.sqlite").write_bytes(b"SQLite format 3")
    (tmp_path / "requests.seen").write_bytes(b"abc")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert mend_queues(tmp_path) == []
    assert mend_queues(tmp_path / "not there") == []
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("state", [None, "", '{"a.example": [', '{"b.example": [1]}'])
def test_a_state_file_that_omits_a_queue_is_repaired(queue: Path, state: str | None) -> None:
    write(queue, RECORDS)
    file = queue.parents[1] / "active.json"
    file.unlink()
    if state is not None:
        file.write_text(state)
    (mended,) = mend_queues(queue.parents[2])
    assert mended.file == file
    assert json.loads(file.read_text())["a.example"] == [0]
    if state:
        assert state.encode() in aside(queue)
    assert mend_queues(queue.parents[2]) == []


def test_the_state_of_queues_without_slots_is_a_list_of_priorities(tmp_path: Path) -> None:
    directory = tmp_path / "requests.queue"
    directory.mkdir()
    for name in ("0", "-5", "3s"):
        queue = LifoDiskQueue(directory / name)
        queue.push(b"\x80request")
        queue.close()
    mend_queues(tmp_path)
    assert json.loads((directory / "active.json").read_text()) == [-5, 0, 3]
