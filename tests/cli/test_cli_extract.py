"""`mainblock extract`: one output row for every page, in order, whatever the input."""

from __future__ import annotations

import gzip
import json
import os
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest
from command import COMMAND, Mainblock, run
from pages import names_in, read_rows, rows, site, story, told, told_in_html, write_rows

from scrapy_mainblock.cli.passes import METHODS
from scrapy_mainblock.render.article import FIELDS as ARTICLE_FIELDS

FIELDS = ["id", "url", "site", *(name for name in ARTICLE_FIELDS if name != "url")]
SITE = rows(site(8))
SHORT = rows([story(50, body=12, comments=90)])


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "in.jsonl", SITE + SHORT)


def test_a_row_has_the_documented_fields(mainblock: Mainblock, gold: Path, tmp_path: Path) -> None:
    result = mainblock("extract", gold, "-o", tmp_path / "out.jsonl")
    assert (result.code, result.out, result.err) == (0, "", "")
    found = read_rows(tmp_path / "out.jsonl")
    assert [list(row) for row in found] == [FIELDS] * 9
    assert [row["id"] for row in found] == [row["id"] for row in SITE + SHORT]
    assert [row["site"] for row in found] == ["news.example"] * 9
    assert found[0]["url"] == "http://news.example/0"
    assert found[0]["headline"] == "Title of story 0"
    assert found[0]["articleBody"] == told(120, "story0w")
    assert found[0]["articleBodyHtml"] == told_in_html(120, "story0w")
    assert found[0]["metadata"]["method"] == "rule"


def test_learning_finds_a_short_article_that_a_single_page_hides(
    mainblock: Mainblock, gold: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    mainblock("extract", gold, "-o", out, "--method", "cluster", "--learn")
    assert read_rows(out)[-1]["articleBody"] == told(12, "story50w")
    mainblock("extract", gold, "-o", out, "--method", "cluster", "--no-learn")
    assert read_rows(out)[-1]["articleBody"] == told(90, "comment")


def test_every_input_row_has_an_output_row(mainblock: Mainblock, tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    lines = [json.dumps(row).encode() for row in SITE]
    bad = [b"{", b"[]", b'{"id": 5, "html": ""}', b'{"id": "a\\ud800", "html": "<p>\\ud800"}']
    file.write_bytes(b"\n".join([*lines, *bad, b"", lines[0]]) + b"\n")
    result = mainblock("extract", file, "-o", tmp_path / "out.jsonl")
    found = read_rows(tmp_path / "out.jsonl")
    assert result.code == 1
    assert [row["id"] for row in found] == [*map(str, range(8)), None, None, 5, "a\ud800", "0"]
    for row in found[8:11]:
        assert row["articleBody"] is None
        assert row["metadata"]["method"] == "none"
        assert row["metadata"]["reason"]
    assert result.err.splitlines() == [
        f"mainblock: {file}, line 9: {found[8]['metadata']['reason'].split(': ', 1)[1]}",
        f"mainblock: {file}, line 10: not a JSON object",
    ]


def test_messages_about_broken_rows_are_limited(mainblock: Mainblock, tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    file.write_text("{\n" * 100)
    result = mainblock("extract", file, "-o", tmp_path / "out.jsonl")
    assert result.code == 1
    assert len(read_rows(tmp_path / "out.jsonl")) == 100
    assert len(result.err.splitlines()) == 21
    assert "80 more" in result.err.splitlines()[-1]


@pytest.mark.parametrize("jobs", ["2", "3"])
def test_the_number_of_jobs_does_not_change_the_output(tmp_path: Path, jobs: str) -> None:
    pages = [page for name in "abc" for page in site(17, host=f"{name}.example")]
    file = write_rows(tmp_path / "in.jsonl", rows(pages))
    with file.open("a") as stream:
        stream.write("{\n")
    alone = run("extract", file, "--jobs", "1")
    together = run("extract", file, "--jobs", jobs)
    assert together.stdout == alone.stdout
    assert len(alone.stdout.splitlines()) == 52
    assert (alone.returncode, together.returncode) == (1, 1)
    assert together.stderr == alone.stderr


def test_dashes_mean_standard_input_and_output(tmp_path: Path, gold: Path) -> None:
    to_file = run("extract", gold, "-o", tmp_path / "out.jsonl")
    piped = run("extract", "-", "-o", "-", stdin=gold.read_bytes())
    by_default = run("extract", "-", stdin=gold.read_bytes())
    assert to_file.stdout == b""
    assert piped.stdout == by_default.stdout == (tmp_path / "out.jsonl").read_bytes()
    assert piped.stderr == b""
    assert piped.returncode == 0


def test_standard_input_leaves_no_temporary_file(tmp_path: Path, gold: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path / "t")}
    (tmp_path / "t").mkdir()
    for option in ("--learn", "--no-learn"):
        subprocess.run(
            [*COMMAND, "extract", "-", option],
            input=gold.read_bytes(),
            env=environment,
            capture_output=True,
            check=True,
        )
    assert names_in(tmp_path / "t") == []


def test_a_gz_output_is_compressed(mainblock: Mainblock, gold: Path, tmp_path: Path) -> None:
    mainblock("extract", gold, "-o", tmp_path / "out.jsonl.gz")
    mainblock("extract", gold, "-o", tmp_path / "out.jsonl")
    unpacked = gzip.decompress((tmp_path / "out.jsonl.gz").read_bytes())
    assert unpacked == (tmp_path / "out.jsonl").read_bytes()


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_a_row_for_every_page(
    mainblock: Mainblock, gold: Path, tmp_path: Path, method: str
) -> None:
    result = mainblock("extract", gold, "-o", tmp_path / "out.jsonl", "--method", method)
    assert result.code == 0
    found = read_rows(tmp_path / "out.jsonl")
    assert len(found) == 9
    assert {row["metadata"]["method"] for row in found} == (
        {"rule"} if method in ("auto", "cluster") else {"page"}
    )


def test_html_files_and_directories_are_accepted_as_inputs(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    directory = tmp_path / "news"
    directory.mkdir()
    for number in range(8):
        (directory / f"{number}.html").write_text(story(number)[0])
    out = tmp_path / "out.jsonl"
    assert mainblock("extract", directory, directory / "3.html", "-o", out).code == 0
    found = read_rows(out)
    assert [row["id"] for row in found[:8]] == [str(directory / f"{n}.html") for n in range(8)]
    assert [row["site"] for row in found] == ["news"] * 8 + [""]
    assert [row["metadata"]["method"] for row in found] == ["rule"] * 8 + ["page"]


# --- rules --------------------------------------------------------------------------------------


def test_rules_are_saved_and_reused(mainblock: Mainblock, gold: Path, tmp_path: Path) -> None:
    short = write_rows(tmp_path / "short.jsonl", SHORT)
    out, kept = tmp_path / "out.jsonl", tmp_path / "rules"
    assert mainblock("extract", gold, "-o", out, "--rules", kept).code == 0
    assert (kept / "news.example.json").exists()
    before = (kept / "news.example.json").read_bytes()

    for option in ("--no-learn", "--learn"):
        assert mainblock("extract", short, "-o", out, "--rules", kept, option).code == 0
        assert read_rows(out)[0]["articleBody"] == told(12, "story50w")
        assert (kept / "news.example.json").read_bytes() == before


def test_newly_learned_rules_replace_those_of_an_old_design(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    out, kept = tmp_path / "out.jsonl", tmp_path / "rules"
    boxes = "".join(f'<div class="box{place}">Box</div>' for place in range(20))
    for number, identifier in enumerate(["old", "new"]):
        above = boxes + "<table></table>" * number  # so that the first pages' structures differ
        pages = site(8, attributes=f'id="{identifier}"', above=above)
        file = write_rows(tmp_path / f"{identifier}.jsonl", rows(pages))
        assert mainblock("extract", file, "-o", out, "--rules", kept).code == 0
        assert {json.dumps(row["metadata"]["rule"]) for row in read_rows(out)} == {
            json.dumps({"id": identifier})
        }
    assert read_rows(out)[0]["metadata"]["ruleVersion"] == 2


def test_a_damaged_rules_file_does_not_stop_extraction(
    mainblock: Mainblock, gold: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "rules"
    kept.mkdir()
    (kept / "news.example.json").write_text("{")
    out = tmp_path / "out.jsonl"
    mainblock("extract", gold, "-o", out, "--rules", kept)
    assert {row["metadata"]["method"] for row in read_rows(out)} == {"rule"}
    assert (kept / "news.example.json.damaged-1").read_text() == "{"


# --- exit codes ---------------------------------------------------------------------------------


def test_a_missing_input_is_named_and_the_rest_is_extracted(
    mainblock: Mainblock, gold: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    result = mainblock("extract", tmp_path / "gone.jsonl", gold, "-o", out)
    assert result.code == 1
    assert result.err == f"mainblock: {tmp_path}/gone.jsonl: no such file\n"
    assert len(read_rows(out)) == 9


def test_a_url_is_not_taken_for_a_file(mainblock: Mainblock) -> None:
    result = mainblock("extract", "https://news.example/a")
    assert result.code == 1
    assert "a URL, not a file: save the page first" in result.err


def test_the_output_must_not_be_an_input(mainblock: Mainblock, tmp_path: Path) -> None:
    directory = tmp_path / "news"
    directory.mkdir()
    for number in range(8):
        (directory / f"{number}.html").write_text(story(number)[0])
    file = write_rows(directory / "in.jsonl", SITE)
    before = file.read_bytes()
    for source, out in [(file, file), (directory, file), (directory, directory / "out.jsonl")]:
        result = mainblock("extract", source, "-o", out)
        assert result.code == 2
        assert len(result.err.splitlines()) == 1
    assert file.read_bytes() == before
    assert not (directory / "out.jsonl").exists()
    assert mainblock("extract", directory, "-o", directory / "out.txt").code == 0


def test_a_full_output_device_gives_a_one_line_error(gold: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full")
    result = run("extract", gold, "-o", "/dev/full")
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1


def test_a_closed_output_pipe_is_not_an_error(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "in.jsonl", SITE * 100)
    with subprocess.Popen(
        [*COMMAND, "extract", str(file), "--no-learn"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        process.wait(20)


# --- on a terminal ------------------------------------------------------------------------------


def test_a_progress_bar_is_drawn_on_a_terminal(gold: Path, tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")

    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "extract", str(gold), "-o", str(tmp_path / "out.jsonl")], stderr=slave
    )
    os.close(slave)
    drawn = b""
    while select.select([master], [], [], 20)[0]:
        try:
            piece = os.read(master, 4096)
        except OSError:
            break
        if not piece:
            break
        drawn += piece
    os.close(master)
    assert process.wait(20) == 0
    text = drawn.decode()
    assert re.search(r"\rlearning \[#{30}\] 100% 9 pages", text)
    assert re.search(r"\rextracting \[#{30}\] 100% 9 pages", text)


def test_closing_the_terminal_ends_the_command_as_a_hang_up(gold: Path, tmp_path: Path) -> None:
    """Expect a hang-up, not "input/output error": failing to draw the bar must not end the run."""
    fcntl, pty, termios = map(pytest.importorskip, ("fcntl", "pty", "termios"))
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "extract", "-", "--no-learn", "-o", str(tmp_path / "out.jsonl")],
        stdin=subprocess.PIPE,
        stderr=slave,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - no threads
    )
    os.close(slave)
    assert process.stdin is not None
    process.stdin.write(gold.read_bytes())
    process.stdin.flush()
    drawn = b""
    while b"pages" not in drawn:
        drawn += os.read(master, 4096)
    os.close(master)
    assert process.wait(30) == 129


# --- memory -------------------------------------------------------------------------------------

MEASURED = """
import resource, sys
from scrapy_mainblock.cli.main import main
code = main(sys.argv[1:])
sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))
sys.exit(code)
"""


def _peak_memory(*arguments: Path | str) -> int:
    """Return the peak memory of the command, in KB."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *map(str, arguments)],
        capture_output=True,
        check=True,
        timeout=120,
    )
    found = int(done.stderr)
    return found // 1024 if sys.platform == "darwin" else found


@pytest.mark.skipif(sys.platform == "win32", reason="no rusage")
def test_memory_does_not_grow_with_the_input(tmp_path: Path) -> None:
    padding = f"<!-- {'x' * 20_000} -->"
    some = [
        {**row, "html": row["html"] + padding}
        for row in rows([page for n in range(3) for page in site(10, host=f"s{n}.example")])
    ]
    small = write_rows(tmp_path / "small.jsonl", some * 10)
    large = write_rows(tmp_path / "large.jsonl", some * 100)
    assert large.stat().st_size > 60_000_000
    out = tmp_path / "out.jsonl"
    options = ("-o", out, "--method", "cluster")
    assert (
        _peak_memory("extract", large, *options) < _peak_memory("extract", small, *options) + 8_000
    )
    assert len(read_rows(out)) == 300
