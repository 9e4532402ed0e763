"""Measure what pages, learning, the command, a crawl and an import cost, and print the table.

    python -m benchmarks.speed --json speed.json           # all of it, the sizes of the aims
    python -m benchmarks.speed --short                     # a minute, no peers: what CI runs
    python -m benchmarks.speed --parts page peers --input PAGES.jsonl.gz
    python -m benchmarks.speed --from speed.json --docs    # docs/performance.md and its plots

A parse is `lxml.html.document_fromstring` of the page's bytes, in the same process right before
what is measured; times are CPU times. Pages are generated unless --input names some. Peers are
measured where they are installed: pip install -e ".[benchmarks]".
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import lxml.etree

from . import peers, plots, report
from .pages import ROOT
from .parts import FULL, PARTS, SHORT, Bench

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="python -m benchmarks.speed",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    made.epilog = f"parts: {', '.join(PARTS)} (default: all; with --short, no peers nor growth)"
    made.add_argument(
        "--input", nargs="+", default=[], metavar="PAGES", help="JSONL of pages, for page rows"
    )
    made.add_argument("--json", type=Path, metavar="FILE", help="write, or bring up to date")
    made.add_argument("--short", action="store_true", help="small sizes, no peers")
    made.add_argument(
        "--scale", type=float, default=1.0, help="site, growth, crawl and command: so much of it"
    )
    made.add_argument("--crawl-sites", type=int, default=1, metavar="N", help="(%(default)s)")
    made.add_argument("--from", dest="read", type=Path, metavar="FILE", help="measure nothing")
    made.add_argument("--docs", action="store_true", help="write the page of the docs")
    made.add_argument(
        "--check", type=float, metavar="N", help="exit 1 when a row is beyond N times its aim"
    )
    return made


def main() -> int:
    options = parser().parse_args()
    known = options.read or options.json
    found: dict[str, Any] = {"rows": {}, "numbers": {}, "seconds": {}}
    if known and known.exists():
        found = json.loads(known.read_text())
    if not options.read:
        _measure(options, found)
    print(report.as_text(report.table(found["rows"])))
    if options.docs:
        plots.write_docs(found, ROOT / "docs")
    worse = report.beyond(found["rows"], options.check) if options.check else []
    for line in worse:
        print(f"beyond {options.check:g} times its aim: {line}", file=sys.stderr)
    return 1 if worse else 0


def _measure(options: argparse.Namespace, found: dict[str, Any]) -> None:
    sizes = SHORT if options.short else FULL.scaled(options.scale)
    sizes = replace(sizes, crawl_sites=options.crawl_sites)
    bench = Bench(options.input, sizes)
    found["machine"] = _machine()
    left_out = {"peers", "growth"} if options.short and options.parts == list(PARTS) else set()
    for part in options.parts:
        if part in left_out:
            continue
        start = time.perf_counter()
        for key, row in PARTS[part](bench).items():
            row["times"] = round(report.AIMS[key].times(row["ours"]), 3)
            row["others"] = {**found["rows"].get(key, {}).get("others", {}), **row["others"]}
            found["rows"][key] = row
        found["seconds"][part] = round(time.perf_counter() - start, 1)
        print(f"{part}: {found['seconds'][part]} s", file=sys.stderr, flush=True)
        found["numbers"].update(bench.numbers)
        if options.json:  # after each part: the last ones take long
            options.json.write_text(json.dumps(found, indent=1) + "\n")


def _machine() -> dict[str, Any]:
    return {
        "python": platform.python_version(),
        "lxml": ".".join(map(str, lxml.etree.LXML_VERSION[:3])),
        "libxml2": ".".join(map(str, lxml.etree.LIBXML_VERSION)),
        "cores": os.cpu_count(),
        "peers": peers.versions(),
    }


if __name__ == "__main__":
    raise SystemExit(main())
