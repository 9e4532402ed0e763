"""Scrapy's request queues after a kill: they open, with all that is whole on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from queuelib.queue import LifoDiskQueue

from scrapy_mainblock.crawl.durable.request_queues import mend_queues

RECORDS = [bytes([65 + number]) * (3 + 7 * number) for number in range(7)]


@pytest.fixture
def queue(tmp_path: Path) -> Path:
    path = tmp_path / "requests.queue" / "slot" / "0"
    path.parent.mkdir(parents=True)
    return path


def _write(path: Path, records: list[bytes]) -> bytes:
    queue = LifoDiskQueue(path)
    for record in records:
        queue.push(record)
    queue.close()
    return path.read_bytes()


def _read(path: Path) -> list[bytes]:
    queue = LifoDiskQueue(path)
    found = []
    while (record := queue.pop()) is not None:
        found.append(record)
    return found[::-1]


def test_a_queue_that_was_closed_is_left_as_it_is(queue: Path) -> None:
    whole = _write(queue, RECORDS)
    assert mend_queues(queue.parents[2]) == 0
    assert queue.read_bytes() == whole


@pytest.mark.parametrize("number", [0, 3, 400], ids=lambda number: f"says {number}")
def test_cut_anywhere_it_opens_with_all_that_is_whole(queue: Path, number: int) -> None:
    whole = bytearray(_write(queue, RECORDS))
    whole[:4] = number.to_bytes(4, "big")
    ends, end = [], 4
    for record in RECORDS:
        end += len(record) + 4
        ends.append(end)
    for length in range(len(whole) + 1):
        queue.write_bytes(whole[:length])
        mend_queues(queue.parents[2])
        found = _read(queue)
        assert found == RECORDS[: sum(end <= length for end in ends)]
        assert mend_queues(queue.parents[2]) <= 1


def test_what_is_no_queue_of_this_kind_is_left_alone(tmp_path: Path) -> None:
    fifo = tmp_path / "requests.queue" / "slot" / "0s"
    fifo.mkdir(parents=True)
    (fifo / "q00000").write_bytes(b"")
    (fifo / "info.json").write_text("{")
    (tmp_path / "requests.seen").write_bytes(b"abc")
    assert mend_queues(tmp_path) == 0
    assert (fifo / "q00000").exists()
    assert mend_queues(tmp_path / "not there") == 0


def test_a_state_that_is_cut_off_goes(tmp_path: Path) -> None:
    state = tmp_path / "requests.queue" / "active.json"
    state.parent.mkdir()
    state.write_text('{"slot": [0]}')
    assert mend_queues(tmp_path) == 0
    state.write_text('{"slot": [')
    assert mend_queues(tmp_path) == 1
    assert not state.exists()
