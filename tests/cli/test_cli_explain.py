"""`mainblock explain`: what became of each part of the page, and which commands to try."""

from __future__ import annotations

import json
import os
import pty
import shlex
import subprocess
from pathlib import Path

import pytest
from command import COMMAND, Mainblock
from pages import row, site, story, write_rows


@pytest.fixture
def rules(tmp_path: Path, mainblock: Mainblock) -> Path:
    pages = write_rows(tmp_path / "p.jsonl", [row(html, url) for html, url in site(12)])
    assert mainblock("learn", pages, "--rules", tmp_path / "rules").code == 0
    return tmp_path / "rules"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(story(77)[0])
    return path


URL = "http://news.example/77"


def test_a_page_extracted_by_rule_is_explained_part_by_part(
    mainblock: Mainblock, rules: Path, page: Path
) -> None:
    out = mainblock("explain", page, "--url", URL, "--rules", rules).out
    assert "by the rule of its template, probability 0.9" in out
    assert "rule version 1, learned from 12 pages" in out
    assert "id content: 1 element  <- the main block" in out
    assert "the rule knows this place as content" in out
    assert "in a block of 8 links" in out
    assert "comments, judging by its class or id" in out
    assert "after the content" in out
    kept = [line for line in out.splitlines() if line.startswith("+")]
    assert len(kept) == 1
    assert "p x3 1.00" in kept[0]
    assert "story77w0" in kept[0]


def test_a_page_without_rules_is_explained_and_its_block_can_be_pinned(
    mainblock: Mainblock, page: Path, tmp_path: Path
) -> None:
    out = mainblock("explain", page, "--url", URL).out
    assert "from the page alone" in out
    command = next(line.strip() for line in out.splitlines() if "mainblock rules pin" in line)
    words = shlex.split(command.replace("RULES", str(tmp_path / "made")))
    assert words[:4] == ["mainblock", "rules", "pin", "news.example"]
    assert mainblock(*words[1:]).code == 0
    after = mainblock("explain", page, "--url", URL, "--rules", tmp_path / "made").out
    assert "id content: 1 element  <- the main block" in after


def test_json_output_is_the_decision(mainblock: Mainblock, rules: Path, page: Path) -> None:
    found = json.loads(mainblock("explain", page, "--url", URL, "--rules", rules, "--json").out)
    assert found["method"] == "rule"
    assert found["tried"] == [{"selector": "id", "value": "content", "matches": 1}]
    assert {one["reason"] for one in found["dropped"]} == {"outside of the rule's block"}


def test_a_missing_block_is_explained_with_a_suggested_command(
    mainblock: Mainblock, rules: Path, page: Path
) -> None:
    document = rules / "news.example.json"
    pinned = json.loads(document.read_text())
    pinned["clusters"][0]["rule"] = {"id": "gone"}
    document.write_text(json.dumps(pinned))
    out = mainblock("explain", page, "--url", URL, "--rules", rules).out
    assert "id gone: 0 elements" in out
    assert "the rule's block was not found" in out
    assert "The result may be wrong. Try" in out
    assert "--id content --cluster" in out


def test_unreadable_input_is_reported(mainblock: Mainblock, tmp_path: Path) -> None:
    assert mainblock("explain", tmp_path / "none.html").code == 1
    assert mainblock("explain", "http://news.example/").code == 2
    assert "scrapy mainblock explain" in mainblock("explain", "http://news.example/").err
    page = tmp_path / "page.html"
    page.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    done = mainblock("explain", page)
    assert done.code == 0
    assert "nothing found" in done.out
    assert mainblock("explain", page, "--rules", tmp_path / "none").code == 2


def in_a_terminal(*words: object, **environment: str) -> str:
    """Return what the command writes to a terminal."""
    ours, theirs = pty.openpty()
    subprocess.run(
        [*COMMAND, *map(str, words)],
        stdout=theirs,
        check=True,
        timeout=60,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", **environment},
    )
    os.close(theirs)
    pieces = []
    try:
        while piece := os.read(ours, 65536):
            pieces.append(piece)
    except OSError:  # end of output
        pass
    os.close(ours)
    return b"".join(pieces).decode()


def test_colors_are_used_only_on_terminals_that_support_them(
    page: Path, mainblock: Mainblock
) -> None:
    assert "\x1b[" not in mainblock("explain", page).out
    assert "\x1b[32m+" in in_a_terminal("explain", page)
    assert "\x1b[" not in in_a_terminal("explain", page, NO_COLOR="1")
    assert "\x1b[" not in in_a_terminal("explain", page, TERM="dumb")


def test_control_sequences_of_a_page_do_not_reach_the_terminal(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    text = "A sentence, and some more of it.\x1b]0;owned\x07\u202eevil" * 9
    page.write_text(f"<title>x\x1b[2J</title><div class='a\x1b[31mb'><p>{text}</p></div>")
    out = in_a_terminal("explain", page, "--url", "http://x.example/\x1b[2J")
    ours = out.replace("\x1b[0m", "")
    for colour in ("1", "2", "31", "32", "33"):
        ours = ours.replace(f"\x1b[{colour}m", "")
    assert "\x1b" not in ours
    assert "\u202e" not in ours
