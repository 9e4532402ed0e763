"""`mainblock extract --learn` over many pages of many sites: memory, and both cores."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .measure import Usage, run
from .pages import ROOT, pages

COMMAND = (sys.executable, "-m", "scrapy_mainblock.cli.main", "extract")


@dataclass(frozen=True)
class Command:
    """What the command took."""

    pages: int
    sites: int
    jobs: int
    usage: Usage

    @property
    def at_best(self) -> float:
        """Seconds that as many cores as jobs would have taken, had they been ours alone.

        Either the busiest process is what all wait for, or the work is shared out evenly.
        """
        return max(self.usage.longest, self.usage.cpu / self.jobs)


def write_pages(path: Path, sites: int, pages_a_site: int) -> None:
    """The input: generated pages, as rows."""
    with path.open("w", encoding="utf-8") as out:
        for number, page in enumerate(pages(sites, pages_a_site)):
            row = {"id": number, "url": page.url, "html": page.html}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def extract_all(path: Path, *, count: int, sites: int, jobs: int) -> Command:
    """Run the command over the pages; it must write a row for each."""
    out = path.with_suffix(".out.jsonl")
    environment = {"PYTHONPATH": str(ROOT), **_one_thread()}
    arguments = (path, "-o", out, "--learn", "--jobs", str(jobs))
    usage = run([*COMMAND, *map(str, arguments)], environment=environment)
    rows = _lines(out.open("rb"))
    out.unlink()
    if rows != count:
        raise RuntimeError(f"{rows} rows for {count} pages")
    return Command(count, sites, jobs, usage)


def _lines(stream: Iterable[bytes]) -> int:
    return sum(1 for _ in stream)


def _one_thread() -> dict[str, str]:
    """NumPy's own threads would count as ours."""
    return {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL")}
