"""whole_file(): a file is either completely replaced or left unchanged."""

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


def test_the_file_is_replaced_only_when_the_block_ends(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_text("before")
    with whole_file(file) as stream:
        stream.write(b"after")
        stream.flush()
        assert file.read_text() == "before"
    assert file.read_text() == "after"
    assert names_in(tmp_path) == ["out"]


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_failed_block_keeps_the_file_and_names_its_part(
    tmp_path: Path, kind: type[BaseException]
) -> None:
    file = tmp_path / "out"
    file.write_text("before")
    for name in ("out.part", "out.part2"):  # the second run keeps the part of the first
        with pytest.raises(UnfinishedError) as caught:
            write_and_raise(file, name.encode(), kind())
        assert caught.value.part == tmp_path / name
        assert isinstance(caught.value.__cause__, kind)
    assert (tmp_path / "out.part").read_text() == "out.part"
    assert (tmp_path / "out.part2").read_text() == "out.part2"
    assert file.read_text() == "before"


@pytest.mark.parametrize("written", [b"", b"header"])
def test_not_made_error_leaves_no_file(tmp_path: Path, written: bytes) -> None:
    with pytest.raises(NotMadeError):
        write_and_raise(tmp_path / "out", written, NotMadeError())
    assert names_in(tmp_path) == []


def test_a_block_that_fails_before_writing_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="x"):
        write_and_raise(tmp_path / "out", b"", ValueError("x"))
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("is_there", [True, False])
def test_an_interrupt_while_the_part_is_opened_leaves_no_file(
    is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out.part").touch()  # left by an earlier run
    real = Path.open

    def interrupted(self: Path, *arguments: str) -> None:
        if is_there:
            real(self, *arguments).close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "open", interrupted)
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "out"):
        pytest.fail("the block has begun")
    assert names_in(tmp_path) == ["out.part"]


def test_a_symlink_and_the_mode_of_its_target_are_kept(tmp_path: Path) -> None:
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
def test_a_named_pipe_is_written_directly(tmp_path: Path) -> None:
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


def test_a_missing_folder_raises_before_the_block(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), whole_file(tmp_path / "none" / "out"):
        pytest.fail("the block began")


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EXDEV])
def test_a_file_that_is_a_mount_point_is_written_in_place(
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
