"""docs/performance.md and its plots, from the measured numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import report

PAGE, FOLDER = "performance.md", "performance"
NAMES = {
    "parse": "lxml parse",
    "scan": "link-block scan",
    "rule": "rule applied",
    "alone": "page alone",
}


def write_docs(found: Mapping[str, Any], docs: Path) -> None:
    """The table, the profile, and the plots, into the docs."""
    page = docs / PAGE
    report.put_into(page, "table", report.as_markdown(report.table(found["rows"])))
    numbers = found["numbers"]
    if "profile" in numbers:
        report.put_into(page, "profile", _profile(numbers["profile"]))
    if "where" in numbers:
        report.put_into(page, "where", _where(numbers["where"]))
    if "crawl" in numbers:
        report.put_into(page, "crawl", _crawl(numbers["crawl"]))
    if "command" in numbers:
        report.put_into(page, "command", _command(numbers["command"]))
    report.put_into(page, "machine", _machine(found["machine"], found["seconds"]))
    (docs / FOLDER).mkdir(exist_ok=True)
    for name, drawn in plots(numbers).items():
        (docs / FOLDER / f"{name}.svg").write_text(drawn, encoding="utf-8")


def plots(numbers: Mapping[str, Any]) -> dict[str, str]:
    """The plots that there are numbers for, by name."""
    drawn = {}
    if "site" in numbers:
        both = numbers["site"]
        thousands = [pages // 1000 for pages in both["command"]["pages"]]
        by = {"command": "the command", "crawl": "a crawl"}
        for name, title, what in (
            ("pages-time", "Learning one site: CPU seconds", "seconds"),
            ("pages-memory", "Evidence of one site: megabytes", "megabytes"),
        ):
            lines = {by[kind]: both[kind][what] for kind in by}
            drawn[name] = report.svg(title, "thousand pages", thousands, lines)
    if "growth" in numbers:
        sites, size = numbers["growth"]["sites"], numbers["growth"]["size"]
        for name, title, what in (
            ("sites-time", "Learning site after site: CPU milliseconds a page", "milliseconds"),
            ("sites-memory", "Evidence of all sites: megabytes", "megabytes"),
        ):
            drawn[name] = report.svg(title, "sites of 40 pages", sites["sites"], {"": sites[what]})
        drawn["size-time"] = report.svg(
            "One page: CPU milliseconds",
            "kilobytes of the page",
            size["kilobytes"],
            {shown: size["milliseconds"][name] for name, shown in NAMES.items()},
        )
        drawn["size-memory"] = report.svg(
            "One page alone: megabytes at its peak",
            "kilobytes of the page",
            size["kilobytes"],
            {"": size["megabytes"]},
        )
    return drawn


def _profile(profile: Mapping[str, Any]) -> str:
    lines = [["a page has", "on average", "from (10 %)", "to (90 %)"]]
    for name in ("bytes", "elements", "blocks", "segments"):
        of = profile[name]
        lines.append([name, *(f"{of[which]:,.0f}" for which in ("mean", "from", "to"))])
    return report.as_markdown(lines)


def _where(shares: Mapping[str, Mapping[str, float]]) -> str:
    lines = [["work", "own time by module"]]
    for kind, modules in shares.items():
        shown = ", ".join(f"`{name}` {share:.0%}" for name, share in modules.items())
        lines.append([kind, shown])
    return report.as_markdown(lines)


def _crawl(crawls: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [["crawl", "pages", "CPU s", "peak MB", "items by rule", "items without a text"]]
    for kind, crawl in crawls.items():
        stats = crawl["stats"]
        by_rule = f"{stats['mainblock/by_rule']:,.0f}" if kind == "on" else ""
        empty = "" if kind == "off" else f"{stats['empty']:,.0f}"
        figures = [f"{crawl['pages']:,}", f"{crawl['cpu']:.1f}", f"{crawl['peak']:.0f}"]
        lines.append([kind, *figures, by_rule, empty])
    return report.as_markdown(lines)


def _command(runs: Mapping[str, Mapping[str, float]]) -> str:
    lines = [["run", "CPU s", "wall s", "largest process, MB", "all processes at once, MB"]]
    for name, run in runs.items():
        times = [f"{run['cpu']:.0f}", f"{run['wall']:.0f}"]
        lines.append([f"--{name}", *times, f"{run['peak']:.0f}", f"{run['peak_together']:.0f}"])
    return report.as_markdown(lines)


def _machine(machine: Mapping[str, Any], seconds: Mapping[str, float]) -> str:
    peers = ", ".join(f"{name} {version}" for name, version in machine["peers"].items())
    taken = ", ".join(f"{part} {value:,.0f} s" for part, value in seconds.items())
    return (
        f"Python {machine['python']}, lxml {machine['lxml']} with libxml2 {machine['libxml2']},"
        f" {machine['cores']} cores. Peers: {peers or 'none'}. The parts took: {taken}."
    )
