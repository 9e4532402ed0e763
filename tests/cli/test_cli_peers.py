"""Other extractors for comparison: each runs in its own process and may fail on any page."""

from __future__ import annotations

import json
import os
import sys
import time
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from command import Mainblock
from pages import rows, site, told, write_rows

from scrapy_mainblock.cli.scoring.measures import Answer
from scrapy_mainblock.cli.scoring.peers import PEERS, Guarded, Run, _is_installed
from scrapy_mainblock.inputs.pages import InputPage

FAILED = Answer(failed=True)


def page(html: str) -> InputPage:
    return InputPage("1", "http://news.example/1", "news.example", html)


def obedient() -> Run:
    """Return a peer that behaves as the page tells it to."""

    def run(html: str, url: str | None) -> tuple[str | None, str | None]:
        print("noise")  # noqa: T201
        os.write(1, b"noise of a library in C")
        if html == "raise":
            raise ValueError(html)
        if html == "sleep":
            time.sleep(60)
        if html == "die":
            os._exit(11)
        return (None, None) if html == "nothing" else (url, f"seen {html}")

    return run


def broken() -> Run:
    raise ImportError("no such library")


@pytest.fixture(scope="module")
def guarded() -> Guarded:
    peer = Guarded(obedient, seconds=2)
    yield peer
    peer.stop()


@pytest.mark.parametrize(
    ("html", "answer"),
    [
        ("a page", Answer(body="seen a page", headline="http://news.example/1")),
        ("nothing", Answer()),
        ("raise", FAILED),
        ("sleep", FAILED),
        ("die", FAILED),
        ("after all that", Answer(body="seen after all that", headline="http://news.example/1")),
    ],
)
def test_a_peer_that_fails_on_one_page_answers_the_next(
    guarded: Guarded, html: str, answer: Answer
) -> None:
    assert guarded.answer(page(html)) == answer


def test_output_of_a_peer_is_suppressed(capfd: pytest.CaptureFixture[str]) -> None:
    peer = Guarded(obedient)
    assert not peer.answer(page("a page")).failed
    peer.stop()
    assert capfd.readouterr() == ("", "")


def test_a_peer_that_cannot_be_imported_gives_the_reason() -> None:
    assert Guarded(broken).start() == "ImportError: no such library"


PLAIN = """<html lang="en"><head><title>The river rises</title></head><body>
<ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul>
<div class="article"><h1>The river rises</h1>%s</div><div>All rights reserved</div></body></html>"""
SENTENCES = (
    "The river has risen again in the night, and the people of the town are to stay at home. "
    "It was said that the bridge will be closed for a week, but nobody knows when it will open. "
)


@pytest.mark.parametrize("name", PEERS)
def test_each_installed_peer_finds_a_plain_article(name: str) -> None:
    if not _is_installed(name):
        pytest.skip(f"{name} is not installed")
    peer = Guarded(PEERS[name].load)
    try:
        paragraphs = "".join(f"<p>On day {day} they say: {SENTENCES * 2}</p>" for day in range(5))
        answer = peer.answer(page(PLAIN % paragraphs))
    finally:
        peer.stop()
    assert not answer.failed
    assert answer.body.count("bridge") >= 8


GNE = """
class GeneralNewsExtractor:
    def extract(self, html, host):
        if "story3" in html:
            raise ValueError("never this one")
        return {"title": "Title of no story", "content": %r}
"""


def _not_installed(name: str) -> str:
    """Tell the version of no peer, though the real one may be installed."""
    raise PackageNotFoundError(name)


def test_peers_are_measured_on_the_same_pages(
    mainblock: Mainblock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gne.py").write_text(GNE % told(120, "story0w"))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("scrapy_mainblock.cli.scoring.peers.version", _not_installed)
    some = rows(site(4))
    for number, row in enumerate(some):
        row["gold"] = told(120, f"story{number}w")
    file = write_rows(tmp_path / "gold.jsonl", some)
    result = mainblock("eval", file, "--peers", "gne", "--json", tmp_path / "figures.json")
    assert (result.code, result.err) == (0, "")
    assert result.out.index("side by side") > result.out.index("gne: token F1")
    found = json.loads((tmp_path / "figures.json").read_text())
    assert list(found) == ["auto", "gne"]
    *_, row = found["gne"]["groups"]
    assert (row["pages"], row["f1"], row["exact"], row["failed"]) == (4, 0.25, 0.25, 1)


def test_missing_peers_give_a_one_line_error(
    mainblock: Mainblock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write_rows(tmp_path / "gold.jsonl", rows(site(1), gold="a"))
    monkeypatch.setattr(sys, "path", [])
    for peers, told_of in (
        ("goose3", "peer goose3 is not installed"),
        ("all", "no peer is installed"),
        ("magic_html", "not on PyPI"),
        ("gosling", "unknown peer 'gosling'"),
    ):
        result = mainblock("eval", file, "--peers", peers)
        assert (result.code, result.out) == (2, "")
        assert told_of in result.err.splitlines()[-1]
