"""`tools/ftr.py` compares imported rules with learnt ones on labelled pages."""

from __future__ import annotations

from pathlib import Path

from pages import row, site, told, write_rows
from tool_runs import Tools

PAGES = 8


def test_pins_are_counted_as_better_worse_or_unused(tools: Tools, tmp_path: Path) -> None:
    found = []
    for host in ("right.com", "wrong.com", "none.com"):
        for number, (html, _) in enumerate(site(PAGES, host=host)):
            gold = told(120, f"story{number}w")
            found.append(row(html, f"http://www.{host}/{number}", gold=gold))
    labelled = write_rows(tmp_path / "gold.jsonl", found)
    files = tmp_path / "ftr"
    files.mkdir()
    (files / "right.com.txt").write_text("body: //div[@id='content']\ntitle: //h1/..\n")
    (files / "wrong.com.txt").write_text("body: //div[@class='menu']\n")
    (files / "unseen.com.txt").write_text("body: //div[@id='content']\n")
    lines = tools("ftr", labelled, "--ftr", files).splitlines()
    assert any("right.com.txt:2: not carried over" in line for line in lines)
    table = {name: cells for name, *cells in (line.split("\t") for line in lines if "\t" in line)}
    pages, by_pin, learnt, pinned, better, worse = table["right.com"]
    # Here the learnt rule also keeps the few words of the comments.
    assert (pages, by_pin, pinned, better, worse) == ("8", "8", "1.000", "8", "0")
    assert 0.8 < float(learnt) < 1
    pages, by_pin, learnt, pinned, better, worse = table["wrong.com"]
    assert (pages, better, worse) == ("8", "0", by_pin)
    assert float(pinned) <= float(learnt) > 0.8
    assert table["all"][0] == "16"
    assert set(table) == {"site", "right.com", "wrong.com", "all"}
