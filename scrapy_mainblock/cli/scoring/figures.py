"""The tables of `mainblock eval`, printed as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scrapy_mainblock.cli.console import say, word
from scrapy_mainblock.cli.scoring.measures import GOOD, WRONG, Row


class _Column(NamedTuple):
    key: str
    title: str
    digits: int
    """Digits after the decimal point; 0 for a count."""


_SCORES = (
    _Column("pages", "pages", 0),
    _Column("precision", "precision", 3),
    _Column("recall", "recall", 3),
    _Column("f1", "F1", 3),
    _Column("good", "good", 2),
    _Column("wrong", "wrong", 3),
    _Column("exact", "exact", 2),
    _Column("headline", "headline", 3),
    _Column("byRule", "by rule", 2),
    _Column("failed", "failed", 0),
)
_VALUES = (
    _Column("pages", "pages", 0),
    _Column("values", "values", 0),
    _Column("onPage", "on page", 3),
    _Column("found", "found", 3),
    _Column("taken", "taken", 3),
    _Column("failed", "failed", 0),
)
_BINS = (
    _Column("pages", "pages", 0),
    _Column("probability", "predicted", 3),
    _Column("good", "good", 3),
)


def print_reports(reports: Mapping[str, Mapping[str, Any]]) -> None:
    """Print all tables of each extractor; if there are several, also their F1 side by side."""
    for name, report in reports.items():
        if report["groups"]:
            print_groups(name, report["groups"])
        if report["attributes"]:
            _heading(
                f"{name}: attribute values in the extracted text, and its share of the page's text"
            )
            _print(report["attributes"], "group", _VALUES)
        if report["reliability"]:
            _print_reliability(name, report)
        if report["pageTypes"]:
            _print_page_types(name, report["pageTypes"])
        if report["clusters"]:
            _print_clusters(report["clusters"])
    if len(reports) > 1:
        _print_side_by_side({name: report["groups"] for name, report in reports.items()})


def print_groups(title: str, rows: Sequence[Row]) -> None:
    """Print the token scores of one extractor."""
    _heading(f"{title}: token F1 per page (good >= {GOOD}, wrong < {WRONG})")
    _print(rows, "group", _SCORES)


def _print_reliability(name: str, report: Mapping[str, Any]) -> None:
    _heading(f"{name}: predicted probability of a good result, and the share of good results")
    bins = [{**row, "bin": f"from {row['from']:.1f}"} for row in report["reliability"]]
    _print(bins, "bin", _BINS)
    held = report["wrongInLeastSureTenth"]
    if held:
        say(
            f"the {held['pages']} pages with the lowest probability (a tenth) contain"
            f" {held['wrong']} of the {held['ofWrong']} wrong results"
        )


def _print_page_types(name: str, rows: Sequence[Row]) -> None:
    _heading(f"{name}: page types, and the types predicted for them")
    called = list(dict.fromkeys(kind for row in rows for kind in row["called"]))
    counts = [{**row, **{kind: row["called"].get(kind, 0) for kind in called}} for row in rows]
    columns = [_Column(kind, kind, 0) for kind in called]
    _print(counts, "type", (_SCORES[0], _Column("right", "right", 3), *columns))


def _print_clusters(found: Row) -> None:
    say(
        f"{found['clusters']} clusters of {found['pages']} pages of {found['types']} types:"
        f" {found['precision']:.3f} of the pairs in a cluster have the same type,"
        f" {found['recall']:.3f} of the pairs of a type are in the same cluster"
    )


def _print_side_by_side(tables: Mapping[str, Sequence[Row]]) -> None:
    by_group: dict[str, Row] = {}
    for name, rows in tables.items():
        for row in rows:
            by_group.setdefault(row["group"], {"group": row["group"]})[name] = row["f1"]
    if by_group:
        _heading("side by side: F1")
        _print(list(by_group.values()), "group", [_Column(name, name, 3) for name in tables])


def _heading(text: str) -> None:
    say(f"\n{text}")


def _print(rows: Sequence[Row], label: str, columns: Sequence[_Column]) -> None:
    width = max(len(label), *(len(row[label]) for row in rows)) if rows else len(label)
    widths = [max(len(column.title), 5) for column in columns]
    titles = (f"{column.title:>{wide}}" for column, wide in zip(columns, widths, strict=True))
    say("  ".join((f"{label:{width}}", *titles)))
    for row in rows:
        cells = (
            f"{_cell(row.get(column.key), column):>{wide}}"
            for column, wide in zip(columns, widths, strict=True)
        )
        say("  ".join((f"{word(str(row[label])):{width}}", *cells)))


def _cell(value: float | None, column: _Column) -> str:
    return "-" if value is None else f"{value:.{column.digits}f}"
