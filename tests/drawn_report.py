"""A report as the command writes it, its views in the browser, and the page shown in a view."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from browser import Tab
from command import run
from pages import write_rows


def write_report(folder: Path, name: str, pages: Sequence[dict[str, Any]], *more: str) -> str:
    """Write a report on some pages and return its URL."""
    rows = write_rows(folder / f"{name}.jsonl", pages)
    report = folder / f"{name}.html"
    done = run("inspect", rows, "-o", report, *more)
    assert done.returncode == 0, done.stderr.decode()
    return report.as_uri()


def open_view(tab: Tab, report: str, view: str) -> None:
    """Show a view, and wait until it is complete."""
    tab.open("about:blank")
    tab.open(f"{report}#/{view}", until="document.querySelector('main h1')")
    if view.startswith("page/"):
        number = view.partition("/")[2]
        tab.wait(f"document.getElementById('main').dataset.ready === '{number}'")
    if view == "figures":
        tab.wait("document.querySelector('.figure svg')")


def frame(script: str) -> str:
    """Wrap a script so that it runs on the document of the frame with the copy of a page."""
    return f"(document => {script})(document.querySelector('iframe').contentDocument)"
