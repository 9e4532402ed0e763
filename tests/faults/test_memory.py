"""The memory of a long crawl does not grow with its pages.

The long tests, 50,000 pages of 200 hosts and 100,000 small pages whose items are safe only at the
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
def test_memory_stays_bounded(
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
def test_100_000_pages_take_no_more_memory_than_10_000(tmp_path: Path) -> None:
    tool = Path(__file__).parents[2] / "tools" / "memory.py"
    drawn = tmp_path / "memory.svg"
    done = subprocess.run([sys.executable, str(tool), "-o", str(drawn)], timeout=14_400)
    assert done.returncode == 0
    assert "<polyline" in drawn.read_text()


def test_many_hosts_and_redirects_between_them(crawler: Crawler) -> None:
    """A page redirected to another host belongs to that host; unused hosts are evicted."""
    urls = [f"http://a{number}.evil.com/page/1" for number in range(60)]
    urls += [f"http://a{number}.evil.com/away/good.net" for number in range(60, 63)]
    urls += [f"http://good.net/page/{number}" for number in range(4, 28, 3)]
    settings = {"MAINBLOCK_SITE": "host", "MAINBLOCK_SITES": "5"}
    run = crawler.start(MADE_UP_WEB, urls=" ".join(urls), settings=settings)
    crawled = run.wait()
    assert crawled.status == 0
    assert "Traceback" not in crawled.log
    assert len(crawled.items) == 60 + 1 + 8  # three redirects to one URL yield one page
    rules = [path.name for path in (crawler.directory / "rules").glob("*.json")]
    assert rules == ["good.net.json"]
    good = [item for item in crawled.items if item["url"].startswith("http://good.net/")]
    assert [item["metadata"]["method"] for item in good] == ["rule"] * 9
