"""`tools/learning.py` prints the gains and losses of learning, on the traps of `planted_traps`."""

from __future__ import annotations

import json
from pathlib import Path

from pages import write_rows
from planted_traps import TRAPS, labelled
from tool_runs import Tools

UNSURE = 0.5
"""A probability below this is more likely wrong than right."""


def test_table_has_a_row_for_each_trap_without_lost_pages(tools: Tools, tmp_path: Path) -> None:
    pages = list(labelled())
    printed = tools("learning", write_rows(tmp_path / "traps.jsonl", pages))
    of = rows_of(printed)
    assert set(of) == {*TRAPS, "all"}
    assert int(of["all"]["pages"]) == len(pages)
    assert all(row[">.3w"] == "0" for row in of.values())
    assert float(of["all"]["F1"]) > float(of["all"]["alone"])


def test_pages_lost_in_a_first_crawl_have_a_low_probability(tools: Tools, tmp_path: Path) -> None:
    pages, worse = list(labelled()), tmp_path / "worse.jsonl"
    traps = write_rows(tmp_path / "traps.jsonl", pages)
    of = rows_of(tools("learning", traps, "--crawl", "--draws", "4", "--list", str(worse)))
    assert int(of["all"]["pages"]) == 4 * len(pages)
    assert float(of["all"]["F1"]) > max(0.9609, float(of["all"]["alone"]) + 0.015)
    lost = [one for one in map(json.loads, worse.read_text().splitlines()) if one["loss"] > 0.3]
    assert len(lost) == int(of["all"][">.3w"])
    assert [one for one in lost if one["probability"] > UNSURE] == []


def test_same_option_scores_each_draw_on_the_same_pages(tools: Tools, tmp_path: Path) -> None:
    traps = write_rows(tmp_path / "traps.jsonl", list(labelled()))
    words = ("learning", traps, "--same", "--teach", "6", "--draws")
    once, twice = (rows_of(tools(*words, draws))["all"] for draws in ("1", "2"))
    assert int(twice["pages"]) == 2 * int(once["pages"]) > 0
    assert twice["alone"] == once["alone"]  # it would differ for other pages


def rows_of(printed: str) -> dict[str, dict[str, str]]:
    """Return the rows of the table by name."""
    head, *rows = [line.split() for line in printed.splitlines()[2:]]
    return {row[0]: dict(zip(["pages", *head[1:]], row[1:], strict=False)) for row in rows}
