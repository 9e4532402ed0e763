"""What a long crawl keeps of its pages does not grow with them.

The long ones, 50,000 pages of 200 hosts and 100,000 small ones whose items are safe only at the
end: `pytest -m slow tests/faults/test_memory.py`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from crawl.harness import Crawler

MADE_UP_WEB = str(Path(__file__).parent / "spiders" / "made_up_web")
MB = 1_000_000


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize(
    ("hosts", "pages", "since", "most"),
    [(8, 60, 80, 15 * MB), pytest.param(200, 250, 2000, 150 * MB, marks=pytest.mark.slow)],
)
def test_memory_stays_where_it_was(
    crawler: Crawler, hosts: int, pages: int, since: int, most: int
) -> None:
    run = crawler.start(MADE_UP_WEB, hosts=hosts, pages=pages, look=since, url="")
    assert run.process.wait(7200) == 0
    crawled = run.wait()
    assert len(crawled.items) == hosts * pages
    assert crawled.methods["rule"] > 0.99 * hosts * pages
    looks = (crawler.directory / "memory.txt").read_text().splitlines()
    resident = {int(seen): int(size) for seen, size in map(str.split, looks)}
    assert next(iter(resident)) == since
    assert list(resident)[-1] == hosts * pages
    assert resident[hosts * pages] - resident[since] < most, resident


@pytest.mark.slow
def test_100_000_pages_cost_no_memory_that_10_000_do_not(tmp_path: Path) -> None:
    tool = Path(__file__).parents[2] / "tools" / "memory.py"
    drawn = tmp_path / "memory.svg"
    done = subprocess.run([sys.executable, str(tool), "-o", str(drawn)], timeout=14_400)
    assert done.returncode == 0
    assert "<polyline" in drawn.read_text()


def test_hosts_without_end_and_redirects_across_them(crawler: Crawler) -> None:
    """Redirected to another host, a page is of that host; hosts of one domain make room."""
    urls = [f"http://a{number}.evil.com/page/1" for number in range(60)]
    urls += [f"http://a{number}.evil.com/away/good.net" for number in range(60, 63)]
    urls += [f"http://good.net/page/{number}" for number in range(4, 28, 3)]
    settings = {"MAINBLOCK_SITE": "host", "MAINBLOCK_SITES": "5"}
    run = crawler.start(MADE_UP_WEB, urls=" ".join(urls), settings=settings)
    crawled = run.wait()
    assert crawled.status == 0
    assert "Traceback" not in crawled.log
    assert len(crawled.items) == 60 + 1 + 8  # the same address three times is one page
    rules = [path.name for path in (crawler.directory / "rules").glob("*.json")]
    assert rules == ["good.net.json"]
    good = [item for item in crawled.items if item["url"].startswith("http://good.net/")]
    assert [item["metadata"]["method"] for item in good] == ["rule"] * 9
