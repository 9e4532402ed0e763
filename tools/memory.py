"""Crawl many small pages and draw the memory in use: `python3 tools/memory.py -o memory.svg`.

The crawl has a JOBDIR and writes to a compressed feed that it overwrites, so that no item is safe
before the end: until then all items must be kept on disk. Scrapy's own set of seen requests is
switched off. The exit code is 1 if memory grows by more than `MOST_GROWTH` in the last nine tenths
of the crawl.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SPIDER = ROOT / "tests" / "faults" / "spiders" / "made_up_web.py"
HOSTS = 20
LOOKS = 100
MOST_GROWTH = 30
"""MB. Learning goes on, within limits of its own, while a site has new pages."""
SETTINGS = {
    "ADDONS": '{"scrapy_mainblock.Addon": 500}',
    "FEEDS": '{"out.jsonl.gz": {"format": "jsonlines", "overwrite": true, "postprocessing":'
    ' ["scrapy.extensions.postprocessing.GzipPlugin"]}}',
    "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
    "JOBDIR": "job",
    "LOG_LEVEL": "WARNING",
    "MAINBLOCK_RULES_DIR": "rules",
    "TELNETCONSOLE_ENABLED": "0",
    "WEB_PARAGRAPHS": "6",
}
WIDTH, HEIGHT, MARGIN = 720, 260, 44

Series = list[tuple[int, float]]
"""Pages crawled, and MB of memory."""


def crawl(pages: int, directory: Path) -> Series:
    """Crawl, and return the process's memory after each hundredth of the pages."""
    command = [sys.executable, "-m", "scrapy", "runspider", str(SPIDER)]
    for name, value in SETTINGS.items():
        command += ["-s", f"{name}={value}"]
    arguments = {"hosts": HOSTS, "pages": pages // HOSTS, "look": max(pages // LOOKS, 1)}
    for name, number in arguments.items():
        command += ["-a", f"{name}={number}"]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{SPIDER.parent}"}
    subprocess.run(command, cwd=directory, env=environment, check=True)
    lines = (directory / "memory.txt").read_text().splitlines()
    return [(int(seen), int(size) / 1e6) for seen, size in map(str.split, lines)]


def growth(series: Series) -> float:
    """Return the growth in MB over the last nine tenths of a crawl."""
    return series[-1][1] - series[len(series) // 10][1]


def drawn(series: Series) -> str:
    """Return the curve as SVG."""
    most_pages, most = series[-1][0], max(size for _, size in series)

    def place(seen: float, size: float) -> str:
        x = MARGIN + seen / most_pages * (WIDTH - 2 * MARGIN)
        return f"{x:.1f},{HEIGHT - MARGIN - size / most * (HEIGHT - 2 * MARGIN):.1f}"

    points = " ".join(place(*one) for one in series)
    axes = " ".join(place(*one) for one in ((0, most), (0, 0), (most_pages, 0)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="12">\n'
        f'<polyline points="{axes}" fill="none" stroke="#888"/>\n'
        f'<polyline points="{points}" fill="none" stroke="#06c" stroke-width="2"/>\n'
        f'<text x="4" y="{MARGIN - 12}">{most:.0f} MB</text>\n'
        f'<text x="{WIDTH - MARGIN}" y="{HEIGHT - 16}" text-anchor="end">'
        f"{most_pages:,} pages</text>\n</svg>\n"
    )


def main() -> int:
    """Crawl, print ten points of the curve, draw it, and check the growth."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("-o", "--out", type=Path, default=Path("memory.svg"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        series = crawl(options.pages, Path(directory))
    for seen, size in series[:: max(len(series) // 10, 1)]:
        print(f"{seen:>9,} pages  {size:6.1f} MB")
    options.out.write_text(drawn(series), encoding="utf-8")
    print(f"grown by {growth(series):.1f} MB in the last nine tenths; drawn in {options.out}")
    return int(growth(series) > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
