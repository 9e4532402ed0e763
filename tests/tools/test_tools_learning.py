"""`tools/learning.py` prints what learning gains and loses, on the traps of `planted_traps`."""

from __future__ import annotations

from pathlib import Path

from pages import write_rows
from planted_traps import TRAPS, labelled
from tool_runs import Tools


def test_the_table_has_a_row_for_each_trap_and_none_loses_a_page(
    tools: Tools, tmp_path: Path
) -> None:
    table = tools("learning", write_rows(tmp_path / "traps.jsonl", list(labelled())))
    head, *rows = [line.split() for line in table.splitlines()[2:]]
    of = {row[0]: dict(zip(["pages", *head[1:]], row[1:], strict=False)) for row in rows}
    assert set(of) == {*TRAPS, "all"}
    assert all(row[">.3w"] == "0" for row in of.values())
    assert float(of["all"]["F1"]) > float(of["all"]["alone"])
