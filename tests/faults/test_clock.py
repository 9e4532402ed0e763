"""A clock that is set back or forward during a crawl: the quiet time of a site is measured by a
monotonic clock."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from crawl.harness import Crawler

STAYING = str(Path(__file__).parent / "spiders" / "staying")
QUIET = 1.0
SET_CLOCK = """
import time
real, begun = time.time, time.monotonic()
time.time = lambda: real() + {hours} * 3600 * int((time.monotonic() - begun) / 0.3)
"""


@pytest.mark.parametrize("hours", [-1, 1], ids=["back", "forward"])
def test_a_clock_that_is_changed_constantly(
    crawler: Crawler, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    own = crawler.directory / "clock"
    own.mkdir()
    (own / "sitecustomize.py").write_text(SET_CLOCK.format(hours=hours))
    path = [str(own), str(Path(STAYING).parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, path)))
    crawled = crawler.crawl(STAYING, settings={"MAINBLOCK_QUIET": str(QUIET)})
    assert len(crawled.items) == 3
    assert crawled.stats["held"] == crawled.stats["released"] == 3
    notes = (crawler.directory / "times.txt").read_text().splitlines()
    times = [(what, float(when)) for what, when in map(str.split, notes)]
    reached = max(when for what, when in times if what == "reached")
    released = [when for what, when in times if what == "released"]
    assert QUIET <= min(released) - reached < QUIET + 2.5
    assert max(released) < max(when for what, when in times if what == "busy")
