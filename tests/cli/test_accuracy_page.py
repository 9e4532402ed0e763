"""tools/accuracy.py and docs/accuracy.md, into which it writes figures, match each other."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from command import Mainblock
from pages import rows, site, told, write_rows

TOOL = Path(__file__).parents[2] / "tools" / "accuracy.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("accuracy", TOOL)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def figures(mainblock: Mainblock, tmp_path: Path) -> dict[str, Any]:
    """Figures of two sets of four pages; half of the second set's gold is not on its pages."""
    some = rows(site(8))
    for number, row in enumerate(some):
        row["gold"] = told(120, f"story{number}w") if number < 6 else "not there"
        attributes = {"one": "story1w1", "two": "comment1"}
        row["meta"] = {"set": "ab"[number // 4], "page_type": "article", "attrs": attributes}
    file = write_rows(tmp_path / "gold.jsonl", some)
    return json.loads(mainblock("eval", file, "--json").out)


def test_figures_are_written_to_their_columns_and_rows(
    tool: ModuleType, figures: dict[str, Any]
) -> None:
    table = (
        "| extractor | F1 | a | b | article | found | wrong in all | failed | c |\n|---|\n"
        "| other 1.2 | 1 |\n| auto | 2 |"
    )
    *_, other, row = tool.rewritten(table, figures).split("\n")
    assert other == "| other 1.2 | 1 |"
    # One of the eight pages has the first value; no page has the second.
    assert row == "| auto | 0.750 | 1.000 | 0.500 | 0.750 | 0.062 | 2 | 0 | - |"
    newer = tool.rewritten(table, {"other 1.10": figures["auto"]}).split("\n")
    assert (newer[2][:15], newer[3]) == ("| other 1.10 | ", "| auto | 2 |")


def test_every_table_of_the_page_can_be_rewritten(
    tool: ModuleType, figures: dict[str, Any]
) -> None:
    page = tool.PAGE.read_text("utf-8")
    tables = re.findall(r"<!-- table: ([\w-]+) -->\n\n(.*?)(?=\n\n|\Z)", page, re.S)
    assert len(tables) == page.count("<!-- table") > 5
    for _, table in tables:
        once = tool.rewritten(table, figures)
        assert once != table
        assert tool.rewritten(once, figures) == once


def test_the_command_rewrites_one_table_of_the_page(
    tool: ModuleType, figures: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tool.PAGE.read_text("utf-8")
    page, file = tmp_path / "page.md", tmp_path / "figures.json"
    page.write_text(before, "utf-8")
    file.write_text(json.dumps(figures), "utf-8")
    monkeypatch.setattr(tool, "PAGE", page)
    monkeypatch.setattr(sys, "argv", ["accuracy.py", "docs", str(file), "--as", "this one"])
    assert tool.main() == 0
    added = set(page.read_text("utf-8").split("\n")) - set(before.split("\n"))
    assert [line[:12] for line in added] == ["| this one |"]
    monkeypatch.setattr(sys, "argv", ["accuracy.py", "no-such", str(file)])
    assert tool.main() == 2
