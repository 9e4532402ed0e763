"""The command with rules in Redis: learn, list, pin, and move to a directory and back."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from command import Mainblock
from pages import read_rows, rows, site, write_rows
from redis_server import RedisServer

from scrapy_mainblock import Rules


def test_rules_are_learned_into_redis_and_moved_to_a_directory(
    mainblock: Mainblock, tmp_path: Path, server: RedisServer
) -> None:
    pages = write_rows(tmp_path / "pages.jsonl", rows(site(8)))
    learnt = mainblock("learn", pages, "--rules", server.url)
    assert learnt.code == 0
    assert f"1 rules of 1 sites in {server.url}" in learnt.out
    assert "id=content" in mainblock("rules", "list", "--rules", server.url).out

    out = tmp_path / "out.jsonl"
    extracted = mainblock("extract", pages, "-o", out, "--rules", server.url, "--no-learn")
    assert extracted.code == 0
    assert {row["metadata"]["method"] for row in read_rows(out)} == {"rule"}

    pinned = mainblock("rules", "pin", "--rules", server.url, "news.example", "--id", "content")
    assert pinned.code == 0
    known = Rules.load(server.url)
    assert [one.pinned for one in known.sites["news.example"].templates] == [True, False]

    file, directory = tmp_path / "rules.jsonl", tmp_path / "rules"
    assert mainblock("rules", "export", "--rules", server.url, file).code == 0
    assert mainblock("rules", "import", "--rules", directory, file).code == 0
    assert Rules.load(directory) == known
    server.client.flushall()
    assert mainblock("rules", "import", "--rules", f"{server.url}?namespace=b", file).code == 0
    assert Rules.load(f"{server.url}?namespace=b") == known
    assert Rules.load(server.url) == Rules({})


def test_two_processes_extract_by_the_rules_in_redis(
    mainblock: Mainblock, tmp_path: Path, server: RedisServer
) -> None:
    pages = write_rows(tmp_path / "pages.jsonl", rows(site(40)))
    out = tmp_path / "out.jsonl"
    done = mainblock("extract", pages, "-o", out, "--rules", server.url, "--jobs", "2")
    assert done.code == 0
    assert [row["metadata"]["method"] for row in read_rows(out)] == ["rule"] * 40
    assert len(Rules.load(server.url)) == 1


@pytest.mark.parametrize("action", ["list", "show", "export", "pin", "learn", "extract"])
def test_an_unreachable_redis_is_reported_without_the_password(
    mainblock: Mainblock, tmp_path: Path, action: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"redis://:secret@127.0.0.1:{free.getsockname()[1]}/0"
    pages = write_rows(tmp_path / "pages.jsonl", rows(site(6)))
    words = {
        "list": ("rules", "list"),
        "show": ("rules", "show", "a.example"),
        "export": ("rules", "export"),
        "pin": ("rules", "pin", "a.example", "--id", "x"),
        "learn": ("learn", pages),
        "extract": ("extract", pages, "-o", tmp_path / "out.jsonl"),
    }[action]
    done = mainblock(*words, "--rules", url)
    assert done.code in (1, 2)
    assert "Connection refused" in done.err
    assert "secret" not in done.err + done.out
