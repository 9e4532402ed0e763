"""No subcommand destroys an existing output file before it has a complete replacement."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command import COMMAND, Mainblock, heed_interrupts, run
from pages import names_in, read_rows, rows, site, told, write_rows

from scrapy_mainblock.cli.files import stopping
from scrapy_mainblock.cli.files.output import output
from scrapy_mainblock.stores.whole_files import UnfinishedError

SITE = rows(site(8))
LABELLED = [{**row, "gold": told(120, f"story{number}w")} for number, row in enumerate(SITE)]

WRITERS = {
    "extract": ("extract", "IN", "-o", "OUT"),
    "extract --no-learn": ("extract", "IN", "-o", "OUT", "--no-learn"),
    "extract to .gz": ("extract", "IN", "-o", "OUT.gz"),
    "eval": ("eval", "IN", "--json", "OUT"),
    "curves": ("curves", "IN", "-o", "OUT"),
    "inspect": ("inspect", "IN", "-o", "OUT"),
    "farsw train": ("farsw", "train", "IN", "-o", "OUT"),
}


def arguments(words: tuple[str, ...], source: Path | str, out: Path) -> list[str]:
    names = {"IN": str(source), "OUT": str(out), "OUT.gz": f"{out}.gz"}
    return [names.get(word, word) for word in words]


@pytest.mark.parametrize("writer", WRITERS)
def test_without_readable_input_the_old_output_is_kept(
    mainblock: Mainblock, tmp_path: Path, writer: str
) -> None:
    words = arguments(WRITERS[writer], "typo.jsonl", tmp_path / "out")
    for name in ("out", "out.gz"):
        (tmp_path / name).write_text("an hour's work")
    result = mainblock(*words)
    assert result.out == ""
    assert "typo.jsonl: no such file" in result.err.splitlines()[0]
    if writer != "farsw train":  # which also reports that it found no labels
        assert (result.code, len(result.err.splitlines())) == (1, 1)
    assert names_in(tmp_path) == ["out", "out.gz"]
    assert {(tmp_path / name).read_text() for name in ("out", "out.gz")} == {"an hour's work"}


@pytest.mark.parametrize("writer", [one for one in WRITERS if one not in {"eval", "farsw train"}])
def test_inputs_without_a_page_keep_the_old_output_with_a_message(
    mainblock: Mainblock, tmp_path: Path, writer: str
) -> None:
    empty, out = tmp_path / "empty.jsonl", tmp_path / "out"
    empty.write_text("\n")
    words = arguments(WRITERS[writer], empty, out)
    named = words[words.index("-o") + 1]
    Path(named).write_text("an hour's work")
    result = mainblock(*words)
    said = f"mainblock: no page in any input; {named} was not changed\n"
    assert (result.code, result.out, result.err) == (1, "", said)
    assert Path(named).read_text() == "an hour's work"


@pytest.mark.parametrize("writer", WRITERS)
def test_a_complete_run_leaves_only_its_output(
    mainblock: Mainblock, tmp_path: Path, writer: str
) -> None:
    source, folder = write_rows(tmp_path / "in.jsonl", LABELLED), tmp_path / "made"
    folder.mkdir()
    words = arguments(WRITERS[writer], source, folder / "out")
    name = "out.gz" if "OUT.gz" in WRITERS[writer] else "out"
    for _ in range(2):  # the second run replaces the output of the first
        assert mainblock(*words).code == 0
        assert names_in(folder) == [name]
        assert (folder / name).stat().st_size > 100


@pytest.mark.parametrize("writer", [*WRITERS, "rules export"])
def test_dash_writes_only_the_output_to_standard_output(tmp_path: Path, writer: str) -> None:
    source = write_rows(tmp_path / "in.jsonl", LABELLED)
    run("learn", source, "--rules", tmp_path / "rules")
    export = ("rules", "export", "-", "--rules", str(tmp_path / "rules"))
    words = [
        {"IN": str(source), "OUT": "-", "OUT.gz": "-"}.get(word, word)
        for word in WRITERS.get(writer, export)
    ]
    result = run(*words, cwd=tmp_path)
    assert (result.returncode, result.stderr) == (0, b"")
    text = result.stdout.decode()
    if writer in ("curves", "inspect"):
        assert text.startswith("<!")
    else:
        found = text.splitlines() if "extract" in writer or "export" in writer else [text]
        assert all(map(json.loads, found))
    assert names_in(tmp_path) == ["in.jsonl", "rules"]


@contextmanager
def _waiting_command(*words: str | Path, rows: bytes) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command with a standard input that does not end."""
    with subprocess.Popen(
        [*COMMAND, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heed_interrupts,  # noqa: PLW1509 - no thread runs here
    ) as process:
        assert process.stdin is not None
        process.stdin.write(rows)
        process.stdin.flush()
        yield process
        process.kill()


def _interrupt(pid: int) -> None:
    os.killpg(pid, signal.SIGINT)


def _terminate(pid: int) -> None:
    os.kill(pid, signal.SIGTERM)


def _hang_up(pid: int) -> None:
    """Send SIGHUP to the whole process group, as a closed terminal does."""
    os.killpg(pid, signal.SIGHUP)


def _terminate_twice(pid: int) -> None:
    """Send SIGTERM to the process and then to its group, as `timeout` does."""
    os.kill(pid, signal.SIGTERM)
    os.killpg(pid, signal.SIGTERM)


ENDS = {
    "Ctrl-C": (_interrupt, 130, "interrupted"),
    "kill": (_terminate, 143, "terminated"),
    "timeout": (_terminate_twice, 143, "terminated"),
    "hang-up": (_hang_up, 129, "hung up"),
}


def _wait_for_size(part: Path, size: int) -> None:
    end = time.monotonic() + 60
    while not (part.exists() and part.stat().st_size >= size):
        assert time.monotonic() < end, "nothing is written"
        time.sleep(0.02)


def _stop_and_read_stderr(process: subprocess.Popen[bytes], part: Path, size: int, way: str) -> str:
    """Stop the process once its part file has a size; return its standard error."""
    end_it, code, _ = ENDS[way]
    assert process.stderr is not None
    _wait_for_size(part, size)
    end_it(process.pid)
    said = process.stderr.read().decode()
    assert process.wait(20) == code
    return said


@pytest.mark.parametrize(
    ("way", "jobs", "name"),
    [
        ("Ctrl-C", "1", "out.jsonl"),
        ("Ctrl-C", "1", "out.jsonl.gz"),
        ("Ctrl-C", "2", "out.jsonl"),
        ("Ctrl-C", "2", "out.jsonl.gz"),
        ("kill", "1", "out.jsonl.gz"),
        ("kill", "2", "out.jsonl"),
        ("timeout", "1", "out.jsonl"),
        ("timeout", "2", "out.jsonl.gz"),
        ("hang-up", "1", "out.jsonl"),
        ("hang-up", "2", "out.jsonl.gz"),
    ],
)
def test_an_interrupted_run_keeps_the_old_output_and_names_its_part(
    tmp_path: Path, name: str, jobs: str, way: str
) -> None:
    out, part = tmp_path / name, tmp_path / f"{name}.part"
    out.write_text("before")
    text = write_rows(tmp_path / "in.jsonl", SITE * 200).read_bytes()
    options = ("--no-learn", "--jobs", jobs)
    with _waiting_command("extract", "-", "-o", out, *options, rows=text) as process:
        said = _stop_and_read_stderr(process, part, 20_000, way)
    assert said == f"mainblock: {ENDS[way][2]}; the incomplete output is in {part}\n"
    assert out.read_text() == "before"
    data = part.read_bytes()
    lines = (gzip.decompress(data) if name.endswith(".gz") else data).splitlines()
    assert [json.loads(line)["id"] for line in lines][:8] == [row["id"] for row in SITE]
    assert len(lines) > 20


@pytest.mark.parametrize("way", ENDS)
def test_a_run_interrupted_before_writing_leaves_no_part(tmp_path: Path, way: str) -> None:
    out = tmp_path / "out.json"
    out.write_text("before")
    text = write_rows(tmp_path / "in.jsonl", LABELLED).read_bytes()
    with _waiting_command("eval", "-", "--json", out, rows=text) as process:
        said = _stop_and_read_stderr(process, tmp_path / "out.json.part", 0, way)
    assert said == f"mainblock: {ENDS[way][2]}\n"
    assert names_in(tmp_path) == ["in.jsonl", "out.json"]
    assert out.read_text() == "before"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_during_the_exit_do_not_change_its_code(tmp_path: Path, number: int) -> None:
    rows = write_rows(tmp_path / "in.jsonl", LABELLED).read_bytes()
    words = ("eval", "-", "--json", tmp_path / "out.json")
    with _waiting_command(*words, rows=rows) as process:
        assert process.stderr is not None
        _wait_for_size(tmp_path / "out.json.part", 0)
        os.kill(process.pid, number)
        assert process.stderr.readline()  # written just before the exit
        while process.poll() is None:
            os.kill(process.pid, signal.SIGTERM)
            time.sleep(0.0005)
    assert process.returncode == 128 + number


def test_a_full_disk_keeps_the_old_output_and_names_the_part(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    resource = pytest.importorskip("resource")
    source, out = write_rows(tmp_path / "in.jsonl", SITE * 50), tmp_path / "out.jsonl"
    out.write_text("before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    previous = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        result = mainblock("extract", source, "-o", out, "--no-learn")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, previous)
    assert result.code == 1
    part = tmp_path / "out.jsonl.part"
    assert result.err.splitlines() == [
        f"mainblock: stopped: File too large; the incomplete output is in {part}"
    ]
    assert out.read_text() == "before"
    assert part.stat().st_size == 100_000


def test_a_failed_export_keeps_the_old_file(mainblock: Mainblock, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_text("before")
    assert mainblock("rules", "export", file, "--rules", tmp_path / "none").code == 2
    assert file.read_text() == "before"
    source = write_rows(tmp_path / "in.jsonl", SITE)
    mainblock("learn", source, "--rules", tmp_path / "rules")
    assert mainblock("rules", "export", file, "--rules", tmp_path / "rules").code == 0
    assert [row["site"] for row in read_rows(file)] == ["news.example"]
    assert names_in(tmp_path) == ["all.jsonl", "in.jsonl", "rules"]


@pytest.mark.parametrize("number", stopping.SIGNALS)
@pytest.mark.parametrize("where", ["in a write", "between writes"])
def test_a_signal_never_leaves_a_partial_write_in_a_gzip_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, number: signal.Signals
) -> None:
    real = zlib.crc32

    def interrupting(*data: Any) -> int:  # called between the compressed data and its checksum
        if where == "in a write":
            signal.raise_signal(number)
        return real(*data)

    def write() -> None:
        with output(str(tmp_path / "out.gz"), "-o") as stream:
            stream.write(b"first")
            monkeypatch.setattr("gzip.zlib.crc32", interrupting)
            stream.write(b"second")
            signal.raise_signal(number)
            stream.write(b"third")

    before = {number: signal.getsignal(number) for number in stopping.SIGNALS}
    with stopping.by_exceptions(), pytest.raises(UnfinishedError) as caught:
        write()
    monkeypatch.undo()
    kind = KeyboardInterrupt if number == signal.SIGINT else stopping.Terminated
    assert type(caught.value.__cause__) is kind
    assert gzip.decompress(caught.value.part.read_bytes()) == b"firstsecond"
    assert {number: signal.getsignal(number) for number in stopping.SIGNALS} == before


def test_signals_ignored_or_handled_by_the_caller_are_left_alone(tmp_path: Path) -> None:
    """SIGINT is ignored in background commands of a shell, and SIGHUP under `nohup`."""
    heard: list[int] = []
    before = {number: signal.getsignal(number) for number in stopping.SIGNALS}
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        with stopping.by_exceptions(), output(str(tmp_path / "out.gz"), "-o") as stream:
            for number in stopping.SIGNALS:
                signal.raise_signal(number)
            stream.write(b"all")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert heard == [signal.SIGTERM]
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()) == b"all"


def test_a_second_sigterm_does_not_interrupt_the_cleanup_of_the_first() -> None:
    closed: list[str] = []

    def end() -> None:
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGTERM)
            closed.append("the file")

    with stopping.by_exceptions(), pytest.raises(stopping.Terminated):
        end()
    assert closed == ["the file"]


def test_a_later_sigterm_ends_the_run_if_the_first_was_dropped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A callback of the garbage collector is such a case: Python drops exceptions raised there."""
    with stopping.by_exceptions():
        with contextlib.suppress(stopping.Terminated):
            signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        monkeypatch.setattr(stopping, "AGAIN_SECONDS", 0.0)
        with pytest.raises(stopping.Terminated):
            signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


DROPPED = """
import gc, os, signal, time
from scrapy_mainblock.cli.files import stopping

def send(phase, _):
    if phase == "start":
        gc.callbacks.remove(send)
        os.kill(os.getpid(), signal.SIGTERM)

try:
    with stopping.by_exceptions():
        gc.callbacks.append(send)
        gc.collect(0)  # a full collection may take longer than the signal is away
        print("dropped")
        time.sleep(20)
except stopping.Terminated:
    print("came again")
"""


def test_a_signal_that_python_drops_is_raised_again() -> None:
    """An exception raised in a callback of the garbage collector is reported and then dropped."""
    command = [sys.executable, "-c", DROPPED]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split("\n") == ["dropped", "came again", ""]
