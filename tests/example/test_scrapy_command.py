"""`scrapy mainblock ...` works like `mainblock ...`, inside and outside a project."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from project import scrapy

PAGE = "<title>Fair</title><p>The fair opened on Monday, and hundreds of people came to see it.</p>"
ROW = json.dumps({"id": "a", "url": "https://news.example/a", "html": PAGE})


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    directory = tmp_path / "project"
    directory.mkdir()
    (directory / "scrapy.cfg").write_text("[settings]\ndefault = own_settings\n")
    (directory / "own_settings.py").write_text("MAINBLOCK_RULES_DIR = None\n")
    return directory


@pytest.fixture(params=["outside", "project"])
def place(request: pytest.FixtureRequest) -> Path:
    directory: Path = request.getfixturevalue(request.param)
    return directory


def mainblock(place: Path, *words: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    done = scrapy("mainblock", *words, cwd=place, stdin=stdin)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def test_mainblock_is_listed_among_scrapy_commands(place: Path) -> None:
    assert "  mainblock  " in scrapy("-h", cwd=place).stdout


def test_help_describes_the_subcommand(place: Path) -> None:
    done = mainblock(place, "extract", "--help")
    assert done.returncode == 0
    assert done.stdout.startswith("usage: scrapy mainblock extract ")


def test_help_alone_lists_the_subcommands(place: Path) -> None:
    assert mainblock(place, "--help").stdout.startswith("usage: scrapy mainblock [-h]")


def test_options_reach_the_subcommand(place: Path) -> None:
    """Some options, such as -o and -s, belong to Scrapy in other commands."""
    done = mainblock(place, "extract", "-", "-o", "out.jsonl", "--rules", "r", stdin=ROW)
    assert done.returncode == 0, done.stderr
    (row,) = (place / "out.jsonl").read_text().splitlines()
    assert json.loads(row)["headline"] == "Fair"
    assert "unrecognized arguments: -s" in mainblock(place, "extract", "-s", "A=1").stderr


def test_standard_input_and_output(place: Path) -> None:
    done = mainblock(place, "extract", "-", "-o", "-", "--no-learn", stdin=ROW)
    assert json.loads(done.stdout)["url"] == "https://news.example/a"


@pytest.mark.parametrize(
    ("words", "code"),
    [((), 2), (("extract",), 2), (("extract", "no-such.jsonl", "-o", "-"), 1)],
)
def test_exit_codes_are_kept(place: Path, words: tuple[str, ...], code: int) -> None:
    assert mainblock(place, *words).returncode == code


def test_rules_must_be_named_outside_a_project(outside: Path) -> None:
    done = mainblock(outside, "rules", "list")
    assert done.returncode == 2
    assert "the following arguments are required: --rules" in done.stderr


@pytest.mark.parametrize(
    ("setting", "directory"), [("None", ".scrapy/mainblock/rules"), ("'kept'", "kept")]
)
def test_rules_of_the_project_are_the_default(project: Path, setting: str, directory: str) -> None:
    (project / "own_settings.py").write_text(f"MAINBLOCK_RULES_DIR = {setting}\n")
    pin = ("rules", "pin", "news.example", "--class", "entry")
    assert mainblock(project, *pin).returncode == 0
    assert (project / directory / "news.example.json").exists()
    assert "class=entry" in mainblock(project, "rules", "list").stdout
    mainblock(project, *pin, "--rules", "other")
    assert (project / "other" / "news.example.json").exists()


def test_wrong_setting_is_named(project: Path) -> None:
    (project / "own_settings.py").write_text("MAINBLOCK_RULES_DIR = 7\n")
    done = mainblock(project, "rules", "list")
    assert done.returncode == 2
    assert "MAINBLOCK_RULES_DIR = 7 is wrong: use a directory" in done.stderr


class _Handler(BaseHTTPRequestHandler):
    """A handler that serves one page, which contains the user agent; other paths give 404."""

    def do_GET(self) -> None:
        if self.path == "/moved":
            self.send_response(301)
            self.send_header("Location", "/a")
            self.end_headers()
            return
        agent = self.headers["User-Agent"]
        self.send_response(200 if self.path == "/a" else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        text = f"The fair was opened by {agent}, and hundreds of people came to see it. " * 4
        self.wfile.write(f"<title>Fair</title><div id=content><p>{text}</p></div>".encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("path", ["a", "moved", "missing"])
def test_page_is_fetched_with_the_project_settings_and_explained(
    project: Path, address: str, path: str
) -> None:
    settings = project / "own_settings.py"
    settings.write_text('USER_AGENT = "the project"\nADDONS = {"scrapy_mainblock.Addon": 500}\n')
    done = mainblock(project, "explain", f"{address}/{path}")
    assert done.returncode == 0, done.stderr
    assert f"{address}/{'a' if path == 'moved' else path}" in done.stdout
    assert '"The fair was opened by the project' in done.stdout
    assert not done.stderr


def test_page_that_cannot_be_fetched_is_reported(project: Path) -> None:
    (project / "own_settings.py").write_text("RETRY_ENABLED = False\n")
    done = mainblock(project, "explain", "http://127.0.0.1:9/")
    assert done.returncode == 1
    assert "mainblock: http://127.0.0.1:9/: " in done.stderr
