"""The command line itself: one-line usage errors, help and version, and never a traceback."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command import Mainblock, run
from pages import names_in, rows, site, write_rows

import scrapy_mainblock
from scrapy_mainblock.cli.main import EXAMPLES, build_parser
from scrapy_mainblock.cli.passes import METHODS

SUBCOMMANDS = ["extract", "learn", "rules", "blocks", "curves", "eval", "farsw"]


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("no-such-command",),
        ("--no-such-option",),
        ("extract",),
        ("extract", "a.jsonl", "--method", "best"),
        ("extract", "a.jsonl", "--jobs", "0"),
        ("extract", "a.jsonl", "--jobs", "two"),
        ("extract", "a.jsonl", "--jobs", "100000"),
        ("inspect", "a.jsonl", "--rules", "r", "--edit", "--port", "65536"),
        ("farsw", "train", "a.jsonl", "--cross-validate", "1"),
        ("farsw", "train", "a.jsonl", "--cross-validate", "99999999999"),
        ("extract", "a.jsonl", "-o"),
        ("extract", "a.jsonl", "-o", "no/such/directory/out.jsonl"),
        ("extract", "a.jsonl", "-o", "."),
        ("learn", "a.jsonl"),
        ("learn", "a.jsonl", "--rules", "r", "--method", "cluster"),
        ("rules", "test", "a.jsonl", "--rules", "r", "--method", "cluster"),
        ("eval",),
        ("eval", "a.jsonl", "--by", "page"),
        ("farsw",),
        ("farsw", "no-such"),
        ("curves", "a.jsonl"),
        ("blocks",),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(
    mainblock: Mainblock, arguments: tuple[str, ...]
) -> None:
    result = mainblock(*arguments)
    assert result.code == 2
    assert result.out == ""
    (line,) = result.err.splitlines()
    assert line.startswith("mainblock")


@pytest.mark.parametrize(
    "arguments",
    [
        ("learn", "IN"),
        ("extract", "IN"),
        ("extract", "IN", "--no-learn"),
        ("rules", "list"),
        ("rules", "test", "IN"),
        ("rules", "pin", "site", "--id", "x"),
        ("rules", "import", "IN"),
    ],
)
def test_rules_in_a_file_are_wrong_usage(
    mainblock: Mainblock, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    pages = write_rows(tmp_path / "in.jsonl", rows(site(1)))
    words = [str(pages) if one == "IN" else one for one in arguments]
    result = mainblock(*words, "--rules", str(pages))
    assert result.code == 2
    assert result.out == ""
    assert result.err.splitlines() == [
        f"mainblock: --rules {pages}: this is a file; give a directory"
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        ("extract", "IN", "--no-learn"),
        ("extract", "PAGE"),
        ("explain", "PAGE"),
        ("inspect", "IN", "-o", "report.html"),
        ("inspect", "IN", "--edit"),
        ("rules", "list"),
        ("rules", "show", "news.example"),
        ("rules", "test", "IN"),
        ("rules", "check"),
        ("rules", "export"),
        ("rules", "unpin", "news.example"),
        ("rules", "drop", "news.example", "div.share"),
        ("rules", "keep", "news.example", "div.share"),
    ],
)
def test_reading_rules_from_a_missing_directory_is_wrong_usage(
    mainblock: Mainblock, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    named = {
        "IN": str(write_rows(tmp_path / "in.jsonl", rows(site(1)))),
        "PAGE": str(tmp_path / "page.html"),
    }
    (tmp_path / "page.html").write_text(site(1)[0][0])
    typo = tmp_path / "typo"
    result = mainblock(*(named.get(one, one) for one in arguments), "--rules", typo)
    assert (result.code, result.out) == (2, "")
    assert result.err.splitlines() == [
        f"mainblock: no directory {typo}: make one with mainblock learn --rules"
    ]
    assert names_in(tmp_path) == ["in.jsonl", "page.html"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("learn", "IN"),
        ("extract", "IN"),
        ("rules", "list"),
        ("rules", "pin", "news.example", "--id", "x"),
        ("rules", "import", "IN"),
        ("rules", "import", "--ftr", "."),
        ("inspect", "IN", "--edit"),
    ],
)
def test_an_unknown_rules_address_is_wrong_usage_and_creates_nothing(
    mainblock: Mainblock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(1)))
    monkeypatch.chdir(tmp_path)
    words = [str(file) if one == "IN" else one for one in arguments]
    result = mainblock(*words, "--rules", "reddis://me:secret@host/0")
    assert (result.code, result.out) == (2, "")
    (line,) = result.err.splitlines()
    assert "secret" not in line
    assert line.endswith("reddis://host/0: rules must be in a directory or at redis://…")
    assert names_in(tmp_path) == ["in.jsonl"]


@pytest.mark.parametrize("subcommand", ["explain", "blocks"])
def test_json_rows_are_refused_by_one_page_commands(
    mainblock: Mainblock, tmp_path: Path, subcommand: str
) -> None:
    result = mainblock(subcommand, write_rows(tmp_path / "rows.jsonl", rows(site(2))))
    assert (result.code, result.out) == (2, "")
    assert "these are JSON rows; this command takes one HTML page" in result.err


@pytest.mark.parametrize(
    "words", [("eval",), ("farsw", "train", "--cross-validate", "2"), ("farsw", "train", "-o", "m")]
)
@pytest.mark.parametrize("name", ["nothing.jsonl", "missing.jsonl"])
def test_inputs_without_a_page_are_exit_1(
    mainblock: Mainblock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    name: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nothing.jsonl").touch()
    result = mainblock(*words, name)
    assert (result.code, result.out) == (1, "")
    assert len(result.err.splitlines()) == 1
    assert not Path("m").exists()


@pytest.mark.parametrize("subcommand", SUBCOMMANDS)
def test_every_subcommand_has_help(mainblock: Mainblock, subcommand: str) -> None:
    result = mainblock(subcommand, "--help")
    assert result.code == 0
    assert result.out.startswith(f"usage: mainblock {subcommand}")


@pytest.mark.parametrize("words", EXAMPLES)
def test_examples_in_the_help_are_valid_commands(mainblock: Mainblock, words: str) -> None:
    text = mainblock(*words.split(), "--help").out
    shown = text.rpartition("examples:\n")[2].splitlines()
    assert len(shown) == len(EXAMPLES[words].strip().splitlines()) > 0
    for line in shown:
        command, *arguments = shlex.split(line.strip().partition("    ")[0])
        assert command == "mainblock"
        assert build_parser().parse_args(arguments).run


@pytest.mark.parametrize("method", [one for one in METHODS if one != "auto"])
@pytest.mark.parametrize("option", ["--learn", "--no-learn"])
def test_rules_with_a_papers_method_are_wrong_usage(
    mainblock: Mainblock, tmp_path: Path, method: str, option: str
) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(1)))
    out, kept = tmp_path / "out.jsonl", tmp_path / "rules"
    result = mainblock("extract", file, "-o", out, "--method", method, "--rules", kept, option)
    assert (result.code, result.out) == (2, "")
    assert result.err.splitlines() == [
        f"mainblock: --rules needs --method auto: {method} does not store rules"
    ]
    assert names_in(tmp_path) == ["in.jsonl"]


@pytest.mark.parametrize("pure", [False, True])
def test_the_version_states_whether_the_package_is_compiled(*, pure: bool) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "MAINBLOCK_PURE"}
    code = "from scrapy_mainblock import compiled; print(compiled.describe())"
    if pure:
        environment["MAINBLOCK_PURE"] = "1"
    said, state = (
        subprocess.run(
            [sys.executable, *words], env=environment, capture_output=True, check=True, text=True
        ).stdout
        for words in (["-m", "scrapy_mainblock.cli.main", "--version"], ["-c", code])
    )
    assert " ".join(said.split()) == f"mainblock {scrapy_mainblock.__version__} ({state.strip()})"
    assert state == "not compiled: MAINBLOCK_PURE is set\n" or not pure


def test_a_missing_extra_gives_a_one_line_install_hint(tmp_path: Path) -> None:
    (tmp_path / "a.warc").write_bytes(b"")
    without = (
        "import sys; sys.modules['fastwarc'] = sys.modules['fastwarc.warc'] = None;"
        "from scrapy_mainblock.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    result = subprocess.run(
        [sys.executable, "-c", without, "extract", str(tmp_path / "a.warc"), "--no-learn"],
        capture_output=True,
        check=False,
        text=True,
    )
    assert result.returncode == 2
    assert result.stderr == (
        'mainblock: WARC files need an extra: pip install "scrapy-mainblock[warc]"\n'
    )


def test_the_library_and_the_command_work_without_scrapy() -> None:
    code = (
        "import sys; sys.modules['scrapy'] = sys.modules['twisted'] = None\n"
        "import scrapy_mainblock, scrapy_mainblock.cli.main\n"
        "assert scrapy_mainblock.extract('<p>text</p>').articleBody == 'text'\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_rows_are_utf_8_even_if_the_terminal_is_not(tmp_path: Path) -> None:
    some = rows([(html.replace("story0w1,", "京é "), url) for html, url in site(1)])
    file = write_rows(tmp_path / "in.jsonl", some)
    result = subprocess.run(
        [sys.executable, "-m", "scrapy_mainblock.cli.main", "extract", str(file)],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
    )
    assert "京é" in result.stdout.decode()


def test_the_command_is_installed() -> None:
    command = Path(sys.executable).with_name("mainblock")
    if not command.exists():
        pytest.skip("not installed beside this interpreter")
    result = subprocess.run([command, "--version"], capture_output=True, check=True, text=True)
    assert result.stdout == run("--version").stdout.decode()
