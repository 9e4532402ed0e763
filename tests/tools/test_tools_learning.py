"""`tools/learning.py` prints what learning gains and loses, on the traps of `planted_traps`."""

from __future__ import annotations

import json
from pathlib import Path

from pages import write_rows
from planted_traps import TRAPS, labelled
from tool_runs import Tools

UNSURE = 0.5
"""Less likely right than wrong."""


def test_the_table_has_a_row_for_each_trap_and_none_loses_a_page(
    tools: Tools, tmp_path: Path
) -> None:
    pages = list(labelled())
    printed = tools("learning", write_rows(tmp_path / "traps.jsonl", pages))
    of = rows_of(printed)
    assert set(of) == {*TRAPS, "all"}
    assert int(of["all"]["pages"]) == len(pages)
    assert all(row[">.3w"] == "0" for row in of.values())
    assert float(of["all"]["F1"]) > float(of["all"]["alone"])


def test_in_a_first_crawl_a_page_that_the_rule_loses_is_said_to_be_unsure(
    tools: Tools, tmp_path: Path
) -> None:
    pages, worse = list(labelled()), tmp_path / "worse.jsonl"
    traps = write_rows(tmp_path / "traps.jsonl", pages)
    of = rows_of(tools("learning", traps, "--crawl", "--draws", "4", "--list", str(worse)))
    assert int(of["all"]["pages"]) == 4 * len(pages)
    assert float(of["all"]["F1"]) > max(0.9609, float(of["all"]["alone"]) + 0.015)
    lost = [one for one in map(json.loads, worse.read_text().splitlines()) if one["loss"] > 0.3]
    assert len(lost) == int(of["all"][">.3w"])
    assert [one for one in lost if one["probability"] > UNSURE] == []


def test_with_same_each_draw_is_asked_of_the_same_pages(tools: Tools, tmp_path: Path) -> None:
    traps = write_rows(tmp_path / "traps.jsonl", list(labelled()))
    words = ("learning", traps, "--same", "--teach", "6", "--draws")
    once, twice = (rows_of(tools(*words, draws))["all"] for draws in ("1", "2"))
    assert int(twice["pages"]) == 2 * int(once["pages"]) > 0
    assert twice["alone"] == once["alone"]  # of other pages it would be another


def rows_of(printed: str) -> dict[str, dict[str, str]]:
    """The rows of the table by their names."""
    head, *rows = [line.split() for line in printed.splitlines()[2:]]
    return {row[0]: dict(zip(["pages", *head[1:]], row[1:], strict=False)) for row in rows}
