"""A file is there as a whole, or what stood there before is."""

from __future__ import annotations

import errno
import os
import stat
import sys
import threading
from pathlib import Path

import pytest
from pages import names_in

from scrapy_mainblock.stores.whole_files import NotMadeError, UnfinishedError, whole_file


def write_and_raise(file: Path, data: bytes, error: BaseException) -> None:
    with whole_file(file) as stream:
        stream.write(data)
        raise error


def test_the_file_is_replaced_when_the_block_has_ended_and_not_before(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_text("before")
    with whole_file(file) as stream:
        stream.write(b"after")
        stream.flush()
        assert file.read_text() == "before"
    assert file.read_text() == "after"
    assert names_in(tmp_path) == ["out"]


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_block_that_raises_leaves_the_file_and_names_its_part(
    tmp_path: Path, kind: type[BaseException]
) -> None:
    file = tmp_path / "out"
    file.write_text("before")
    for name in ("out.part", "out.part2"):  # the second run leaves the first one's part alone
        with pytest.raises(UnfinishedError) as caught:
            write_and_raise(file, name.encode(), kind())
        assert caught.value.part == tmp_path / name
        assert isinstance(caught.value.__cause__, kind)
    assert (tmp_path / "out.part").read_text() == "out.part"
    assert (tmp_path / "out.part2").read_text() == "out.part2"
    assert file.read_text() == "before"


@pytest.mark.parametrize("written", [b"", b"header"])
def test_where_there_is_nothing_to_make_it_of_nothing_is_left(
    tmp_path: Path, written: bytes
) -> None:
    with pytest.raises(NotMadeError):
        write_and_raise(tmp_path / "out", written, NotMadeError())
    assert names_in(tmp_path) == []


def test_a_block_that_raises_before_it_has_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="x"):
        write_and_raise(tmp_path / "out", b"", ValueError("x"))
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("is_there", [True, False])
def test_a_signal_that_is_heeded_as_the_part_is_opened_leaves_nothing_of_this_run(
    is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out.part").touch()  # of an earlier run
    real = Path.open

    def interrupted(self: Path, *arguments: str) -> None:
        if is_there:
            real(self, *arguments).close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "open", interrupted)
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "out"):
        pytest.fail("the block has begun")
    assert names_in(tmp_path) == ["out.part"]


def test_a_link_goes_on_leading_to_the_file_and_its_mode_stays(tmp_path: Path) -> None:
    file, link = tmp_path / "real", tmp_path / "link"
    file.write_text("before")
    file.chmod(0o640)
    link.symlink_to(file)
    with whole_file(link) as stream:
        stream.write(b"after")
    assert link.is_symlink()
    assert file.read_text() == "after"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes")
def test_a_pipe_is_written_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with whole_file(pipe) as stream:
        stream.write(b"rows")
    reader.join(10)
    assert read == [b"rows"]
    assert names_in(tmp_path) == ["pipe"]


def test_a_folder_that_is_not_there_is_said_before_the_block(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), whole_file(tmp_path / "none" / "out"):
        pytest.fail("the block began")


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EXDEV])
def test_a_file_that_is_mounted_by_itself_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(part: Path, target: Path) -> None:
        raise OSError(number, "mounted")

    (tmp_path / "out").write_text("before, and longer than after")
    monkeypatch.setattr(Path, "replace", refuse)
    with whole_file(tmp_path / "out") as stream:
        stream.write(b"after")
    assert (tmp_path / "out").read_text() == "after"
    assert names_in(tmp_path) == ["out"]
