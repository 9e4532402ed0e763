"""Cost of running without a compiler: the same pages compiled, and with MAINBLOCK_PURE=1.

    python -m benchmarks.pure [PAGES.jsonl.gz ...] [--pages 60]

Both are measured by `benchmarks.speed`, each in a process of its own, in the parses defined there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scrapy_mainblock.compiled import PURE

from .made_pages import ROOT
from .speed import PARSE
from .table import as_markdown, as_text


def figures(arguments: Sequence[str], *, is_pure: bool) -> list[dict[str, Any]]:
    """Return the figures of `benchmarks.speed`, with the compiled modules or without."""
    environment = {name: value for name, value in os.environ.items() if name != PURE}
    if is_pure:
        environment[PURE] = "1"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "figures.json")
        command = [sys.executable, "-m", "benchmarks.speed", *arguments, "--json", str(path)]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
        found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def lines_of(compiled: dict[str, Any], pure: dict[str, Any]) -> list[list[str]]:
    """Return the table of one set of pages."""
    lines = [["", "compiled", "uncompiled", "times"]]
    for one, other in zip(compiled["rows"], pure["rows"], strict=True):
        if one["name"] != PARSE:
            what = f"{one['name']}, {one['group']}, parses"
            lines.append(_line(what, one["parses"], other["parses"], 2))
    if compiled["learning"] and pure["learning"]:
        seconds = (found["learning"]["seconds"] for found in (compiled, pure))
        lines.append(_line("learning 100 pages, seconds", *seconds, 3))
    return lines


def _line(what: str, compiled: float, pure: float, digits: int) -> list[str]:
    return [what, f"{compiled:.{digits}f}", f"{pure:.{digits}f}", f"{pure / compiled:.0f}"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.pure",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", metavar="PAGES", help="(default: made pages)")
    parser.add_argument("--rounds", type=int, default=1, help="(default: %(default)s)")
    parser.add_argument("--pages", type=int, default=60, metavar="N", help="(default: %(default)s)")
    parser.add_argument("--articles", type=int, default=8, help="made pages of each template")
    parser.add_argument("--markdown", action="store_true", help="a table for the docs")
    options = parser.parse_args(arguments)
    passed = [*map(os.path.abspath, options.files)]
    for name in ("rounds", "pages", "articles"):
        passed += [f"--{name}", str(getattr(options, name))]
    both = (figures(passed, is_pure=is_pure) for is_pure in (False, True))
    for compiled, pure in zip(*both, strict=True):
        write = as_markdown if options.markdown else as_text
        print(f"\n{compiled['name']}: {compiled['pages']} pages\n{write(lines_of(compiled, pure))}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
