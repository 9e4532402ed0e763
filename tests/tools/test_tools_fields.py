"""`tools/fields.py` prints the accuracy of our extractor and of the installed peers."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from pages import told_in_html, write_rows
from tool_runs import Tools

HEAD = (
    '<meta property="og:image" content="http://news.example/a-hill.jpg">'
    '<meta name="description" content="It rains in the hills.">'
)


def labelled(number: int, **gold: Any) -> dict[str, Any]:
    html = (
        f"<html lang=en><head><title>Rain in the hills</title>{HEAD}</head><body>"
        f"<h1>Rain in the hills</h1><article>{told_in_html(120, 'word')}</article></body></html>"
    )
    url = f"http://site{number}.example/rain"
    return {"id": str(number), "url": url, "site": url[7:-5], "html": html, "gold_fields": gold}


ROWS = [
    labelled(1, mainImage="http://cdn.example/a-hill-300x200.webp", inLanguage="en"),
    labelled(2, mainImage="http://cdn.example/another.jpg", description="It rains in the hills"),
    labelled(3, headline="Rain in the Hills", authors=["Anna Berg"]),
]


def test_row_has_right_and_wrong_shares_of_the_pages_with_gold(
    tools: Tools, tmp_path: Path
) -> None:
    table = tools("fields", write_rows(tmp_path / "gold.jsonl", ROWS), "--markdown")
    _, head, _, ours = table.splitlines()
    of = dict(
        zip(*([cell.strip() for cell in line.split("|")] for line in (head, ours)), strict=True)
    )
    assert of["mainImage"] == "0.500 / 0.500"
    assert of["inLanguage"] == of["description"] == of["headline"] == "1.000 / 0.000"
    assert of["authors"] == of["datePublished"] == "-"
    assert of["raised"] == "0"
    assert float(of["parses"]) > 0


def test_installed_peers_have_rows_and_missing_ones_are_named(
    tools: Tools,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    peers = tools.module("field_peers")

    def titles() -> Any:
        def run(html: str, url: str | None) -> dict[str, Any]:
            if url == "http://site2.example/rain":
                raise RuntimeError
            return {"headline": "Snow", "mainImage": None}

        return run

    there = peers.Peer("a peer", "pytest", titles)
    away = peers.Peer("another", "no-such-distribution", titles)
    monkeypatch.setattr(peers, "PEERS", (there, away))
    said = io.StringIO()
    monkeypatch.setattr("sys.stderr", said)
    table = tools("fields", write_rows(tmp_path / "gold.jsonl", ROWS), "--peers", "--markdown")
    name, *cells = [cell.strip() for cell in table.splitlines()[-1].strip("| ").split("|")]
    assert name.startswith("a peer ")
    assert cells[6:8] == ["0.000 / 1.000", "1"]
    assert cells[3] == "-"
    assert "another" not in table
    assert said.getvalue() == "another is left out: pip install no-such-distribution\n"
