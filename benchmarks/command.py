"""Memory and jobs of `mainblock extract --learn` over many sites.

    python -m benchmarks.command [--pages 20000] [--sites 200]

The pages are made (`made_pages`), each site from a seed of its own, and lie in a file as JSON
lines. Wall-clock time says something on an otherwise idle machine only; CPU time and memory always
do.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scrapy_mainblock import compiled

from . import made_pages
from .process import Usage, run
from .table import as_markdown, as_text

TEMPLATES = 8.3
"""Pages with a main text of a site are about so many times its articles of each template."""
PADDING_KB = 20
"""Less than real pages have: the file is as large as all pages together."""


def write_pages(path: Path, pages: int, sites: int) -> int:
    """Write the input; returns how many pages it has."""
    count = 0
    of_a_template = max(2, round(pages / sites / TEMPLATES))
    with path.open("w", encoding="utf-8") as out:
        for number in range(sites):
            site = made_pages.site(
                number,
                of_a_template,
                padding_kb=PADDING_KB,
                base_url=f"https://site{number}.example/",
            )
            for page in made_pages.pages(site):
                row = {"id": count, "url": site.url(page), "html": page.html}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                count += 1
    return count


def extract(path: Path, count: int, jobs: int) -> Usage:
    """Run the command; RuntimeError where a row is missing."""
    out = path.with_suffix(".out.jsonl")
    command = [sys.executable, "-m", "scrapy_mainblock.cli.main", "extract", str(path)]
    command += ["-o", str(out), "--learn", "--jobs", str(jobs)]
    environment = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}
    environment["PYTHONPATH"] = str(made_pages.ROOT)
    usage = run(command, cwd=path.parent, environment=environment)
    with out.open("rb") as lines:
        rows = sum(1 for _ in lines)
    out.unlink()
    if rows != count:
        raise RuntimeError(f"{rows} rows for {count} pages")
    return usage


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.command",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--pages", type=int, default=20_000, help="about (default: %(default)s)")
    parser.add_argument("--sites", type=int, default=200, help="(default: %(default)s)")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, 2], help="(default: 1 2)")
    parser.add_argument("--markdown", action="store_true", help="a table for the docs")
    options = parser.parse_args(arguments)
    lines = [["", "CPU s", "wall s", "largest process, MB"]]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pages.jsonl")
        count = write_pages(path, options.pages, options.sites)
        for jobs in options.jobs:
            usage = extract(path, count, jobs)
            figures = (f"{usage.cpu:.1f}", f"{usage.wall:.1f}", f"{usage.peak:.0f}")
            lines.append([f"--jobs {jobs}", *figures])
    write = as_markdown if options.markdown else as_text
    print(
        f"{count} made pages of {options.sites} sites; scrapy-mainblock {compiled.describe()}\n\n"
        f"{write(lines)}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
