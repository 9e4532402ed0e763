"""The rows of the table, and what is made of them: text, Markdown, JSON, plots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from scrapy_mainblock.curves import figure


class Aim(NamedTuple):
    """One row: what is measured, and what it should be."""

    work: str
    aim: float
    unit: str
    at_least: bool = False

    def times(self, value: float) -> float:
        """How many times the aim a value is: 1 or less is as good."""
        return self.aim / max(value, 1e-9) if self.at_least else value / self.aim

    def show(self, value: float) -> str:
        """A value with its unit."""
        return f"{number(value)} {self.unit}".strip()

    @property
    def shown(self) -> str:
        """The aim with its unit."""
        return f"{'>=' if self.at_least else '<='} {self.show(self.aim)}"


AIMS: dict[str, Aim] = {
    "scan": Aim("link-block scan of a page", 0.5, "parses"),
    "rule": Aim("rule applied, parse included", 1.4, "parses"),
    "built": Aim("rule applied to a tree that is there", 0.35, "parses"),
    "alone": Aim("page alone, parse included", 3.0, "parses"),
    "learning": Aim("learning 100 pages, without their parse", 0.25, "s"),
    "site": Aim("learning a site of ten times the pages", 12, "times"),
    "site_memory": Aim("... memory of that site's evidence", 20, "MB"),
    "command_memory": Aim("extract --learn, many sites: largest process", 300, "MB"),
    "command_jobs": Aim("extract --learn --jobs 2 against --jobs 1", 1.8, "times", at_least=True),
    "crawl": Aim("Scrapy crawl, extension on against off: CPU", 1.3, "times"),
    "crawl_memory": Aim("... resident memory more", 60, "MB"),
    "import": Aim("import of the core, beyond lxml and NumPy", 60, "ms"),
}

Rows = dict[str, dict[str, Any]]
"""By the aim's key: `ours`, `others` (by name), `note`, and how many `times` the aim it is."""


def row(ours: float, others: Mapping[str, float] | None = None, note: str = "") -> dict[str, Any]:
    """One row's figures."""
    return {"ours": ours, "others": dict(others or {}), "note": note}


def number(value: float) -> str:
    """Three digits that mean something."""
    return (
        f"{value:.2f}"
        if abs(value) < 10
        else f"{value:.1f}"
        if abs(value) < 100
        else f"{value:.0f}"
    )


def beyond(rows: Rows, times: float) -> list[str]:
    """What is worse than so many times its aim."""
    return [
        f"{AIMS[key].work}: {AIMS[key].show(found['ours'])}, aim {AIMS[key].shown}"
        for key, found in rows.items()
        if AIMS[key].times(found["ours"]) > times
    ]


def table(rows: Rows) -> list[list[str]]:
    """The table with its head; the rows in the order of the aims."""
    names = list(dict.fromkeys(name for found in rows.values() for name in found["others"]))
    lines = [["work", "aim", "ours", *names, "measured on"]]
    for key, aim in AIMS.items():
        if key in rows:
            found = rows[key]
            others = [number(found["others"][n]) if n in found["others"] else "" for n in names]
            lines.append([aim.work, aim.shown, aim.show(found["ours"]), *others, found["note"]])
    return lines


def as_text(lines: Sequence[Sequence[str]]) -> str:
    """For a terminal."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def as_markdown(lines: Sequence[Sequence[str]]) -> str:
    """For a page of the docs."""
    head, *rest = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([head, "|---" * len(lines[0]) + "|", *rest])


def put_into(path: Path, name: str, text: str) -> None:
    """Replace what stands in a document between `<!-- name -->` and `<!-- end of name -->`."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before = path.read_text(encoding="utf-8")
    pattern = re.compile(f"(?s){re.escape(begin)}.*?{re.escape(end)}")
    if not pattern.search(before):
        raise ValueError(f"{path} has no {begin} ... {end}")
    path.write_text(pattern.sub(lambda _: f"{begin}\n{text}\n{end}", before), encoding="utf-8")


_COLOURS = """
:root { --text: #222; --muted: #666; --line: #ddd; --panel: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #ddd; --muted: #999; --line: #444; --panel: #1a1a1a; }
}
svg.plot { background: var(--panel); }
"""


def svg(title: str, label: str, xs: Sequence[int], lines: Mapping[str, Sequence[float]]) -> str:
    """A plot as a file of its own."""
    drawn = figure.plot(title, label, xs, [figure.Series(n, tuple(v)) for n, v in lines.items()])
    style = f"<style>{_COLOURS}{figure.STYLE}</style>"
    opened, _, rest = drawn.partition("\n")
    opened = opened.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    return f"{opened}\n{style}\n{rest}\n"
