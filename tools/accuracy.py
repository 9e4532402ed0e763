"""Rewrite the tables of docs/accuracy.md with the figures of `mainblock eval`.

    mainblock eval GOLD.jsonl.gz [--peers] --json FIGURES.json
    python tools/accuracy.py TABLE FIGURES.json [--as NAME]

TABLE is the name of a table in the page: ``<!-- table: sites -->``. Each extractor of FIGURES gets
its row; other rows stay, so that ours can be refreshed without an hour of peers. `--as` gives the
row of a single method another name than the method's.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "accuracy.md"
SCORES = {
    "F1": ("f1", 3),
    "precision": ("precision", 3),
    "recall": ("recall", 3),
    "good": ("good", 2),
    "wrong": ("wrong", 3),
    "exact": ("exact", 2),
    "headline": ("headline", 3),
    "failed": ("failed", 0),
}
"""Columns over all pages; any other column is the F1 of the set or page type with its name."""
TENTH = {"least sure tenth": "pages", "wrong in it": "wrong", "wrong in all": "ofWrong"}
VALUES = {"found": ("found", 3), "taken": ("taken", 3)}
"""Columns over all pages whose rows have attribute values."""


def main() -> int:
    """Read the figures, and rewrite one table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("table", metavar="TABLE")
    parser.add_argument("figures", metavar="FIGURES", type=Path)
    parser.add_argument("--as", dest="name", metavar="NAME")
    options = parser.parse_args()
    figures = json.loads(options.figures.read_text("utf-8"))
    if options.name:
        figures = {options.name: next(iter(figures.values()))}
    page = PAGE.read_text("utf-8")
    marked = re.compile(rf"(<!-- table: {re.escape(options.table)} -->\n\n)(.*?)(?=\n\n|\Z)", re.S)
    found = marked.search(page)
    if found is None:
        sys.stderr.write(f"no table {options.table!r} in {PAGE}\n")
        return 2
    table = rewritten(found[2], figures)
    PAGE.write_text(page[: found.start(2)] + table + page[found.end(2) :].rstrip("\n") + "\n")
    return 0


def rewritten(table: str, figures: dict[str, Any]) -> str:
    """Return the table with the new figures; the title of its first column tells its kind."""
    title, rule, *rows = table.strip().split("\n")
    of, *columns = cells(title)
    if of == "probability":
        (report,) = figures.values()
        rows = [
            line(f"{each['from']:.1f}", each["pages"], f"{each['probability']:.3f}",
                 f"{each['good']:.3f}")
            for each in report["reliability"]
        ]  # fmt: skip
    elif of == "page type":
        (report,) = figures.values()
        rows = [
            line(each["type"], each["pages"], f"{each['right']:.3f}", called(each["called"]))
            for each in report["pageTypes"]
        ]
    else:
        for name, report in figures.items():
            put(rows, name, line(name, *(cell(report, column) for column in columns)))
    return "\n".join((title, rule, *rows))


def put(rows: list[str], name: str, row: str) -> None:
    """Replace the row of that name, or of another version of the same peer; else append the row."""
    peer = re.compile(rf"{re.escape(name.split(' ', maxsplit=1)[0])} \d[\d.]*")
    for place, known in enumerate(map(cells, rows)):
        if known[0] == name or (peer.fullmatch(name) and peer.fullmatch(known[0])):
            rows[place] = row
            return
    rows.append(row)


def line(*values: object) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, values))} |"


def called(counts: dict[str, int]) -> str:
    """Return the types that pages of one type were taken for, the most frequent first."""
    return ", ".join(f"{kind} {count}" for kind, count in counts.items())


def cells(row: str) -> list[str]:
    """Return the cells of a row of a table."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def cell(report: dict[str, Any], column: str) -> str:
    """Return a figure, or `-` if there is none."""
    if column in TENTH:
        held = report["wrongInLeastSureTenth"] or {}
        return str(held.get(TENTH[column], "-"))
    key, digits = VALUES.get(column) or SCORES.get(column) or ("f1", 3)
    group = "all" if column in VALUES or column in SCORES else column
    rows = report["attributes"] if column in VALUES else report["sets"] + report["types"]
    value = next((row[key] for row in rows if row["group"] == group), None)
    return "-" if value is None else f"{value:.{digits}f}"


if __name__ == "__main__":
    sys.exit(main())
