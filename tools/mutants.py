"""Change each line that ensures that nothing is lost, and check that a test fails.

    python3 tools/mutants.py [NAME...]

For each mutant the package and its tests are copied to a temporary folder, the line is changed
there, and the test that guards it is run: it must fail, and must have passed without the change.
Takes minutes. Arguments name the mutants to run; the exit code is 1 if one survives.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CRAWL = "scrapy_mainblock/crawl"
COPIED = ("scrapy_mainblock", "tests", "pyproject.toml", "setup.cfg")


class Mutant(NamedTuple):
    """A line to change, and the test that must notice."""

    name: str
    file: str
    line: str
    instead: str
    test: str


MUTANTS = (
    Mutant(
        "an item is forgotten before it has left the last pipeline",
        f"{CRAWL}/crawl.py",
        "visit.pending.items += 1",
        "visit.pending.items += 0",
        "tests/faults/test_kills.py::test_output_delayed_by_another_middleware_is_not_lost",
    ),
    Mutant(
        "an item that is not ours is not kept",
        f"{CRAWL}/crawl.py",
        "is_kept = self.holding.keep_item(visit, item, passes=not may_wait)",
        "is_kept = not may_wait or self.holding.keep_item(visit, item)",
        "tests/faults/test_kills.py::test_output_delayed_by_another_middleware_is_not_lost",
    ),
    Mutant(
        "a feed that the next run overwrites is taken for safe",
        f"{CRAWL}/scrapy_compat.py",
        'self.is_appended = is_file and storage.write_mode == "ab" and is_plain',
        "self.is_appended = is_file and is_plain",
        "tests/faults/test_kills.py::test_an_overwritten_feed_is_complete_after_a_kill",
    ),
    Mutant(
        "what waits is not let go at the close",
        f"{CRAWL}/scrapy_compat.py",
        "await crawl.drain()",
        "pass",
        "tests/crawl/test_scenarios.py::test_a_held_item_counts_for_closespider_itemcount",
    ),
    Mutant(
        "what waits is not let go when the spider idles",
        f"{CRAWL}/crawl.py",
        "if self.replayer.release_all():\n            raise DontCloseSpider",
        "pass",
        "tests/crawl/test_scenarios.py::test_waiting_items_are_emitted_when_the_spider_idles",
    ),
    Mutant(
        "a page is not kept when it reaches the spider",
        f"{CRAWL}/crawl.py",
        "self.holding.keep_page(visit, response, self.crawler.spider)\n\n    def room_in",
        "pass\n\n    def room_in",
        "tests/faults/test_kills.py::test_output_delayed_by_another_middleware_is_not_lost",
    ),
    Mutant(
        "the broken end of a queue is not kept aside",
        f"{CRAWL}/durable/request_queues.py",
        "_keep_aside(content[end:], file, aside) if end < len(content) else None",
        "None",
        "tests/crawl/test_request_queues.py::"
        "test_a_long_broken_end_loses_none_of_the_requests_before_it",
    ),
    Mutant(
        "a queue of another form is mended",
        f"{CRAWL}/durable/request_queues.py",
        "_last_whole(content) if _has_our_form(content) else None",
        "_last_whole(content) or (4, 0)",
        "tests/crawl/test_request_queues.py::test_a_file_of_another_format_is_left_unchanged",
    ),
    Mutant(
        "a broken last line of a feed is not cut off",
        f"{CRAWL}/durable/feeds.py",
        "file.truncate(whole)",
        "pass",
        "tests/crawl/test_feeds.py::test_every_prefix_is_cut_to_its_whole_lines",
    ),
    Mutant(
        "an item of a full disk's feed is forgotten",
        f"{CRAWL}/crawl.py",
        "self.holding.has_lost = True",
        "pass",
        "tests/faults/test_full_disk.py::test_a_full_disk_for_the_feed_for_a_while",
    ),
    Mutant(
        "a damaged spool is begun anew without what can be read of it",
        f"{CRAWL}/durable/spool.py",
        "self.saved_pages = _copy_readable(self.put_aside, db)",
        "self.saved_pages = 0",
        "tests/crawl/test_spool.py::test_the_readable_pages_of_a_damaged_spool_are_replayed",
    ),
    Mutant(
        "a callback of an earlier run is not called again",
        f"{CRAWL}/durable/spool.py",
        "CASE WHEN ended THEN 'left' ELSE 'again' END",
        "'left'",
        "tests/crawl/test_spool.py::test_after_a_kill_pages_are_replayed_with_their_state",
    ),
)


def outcome(test: str, mutant: Mutant | None) -> int:
    """Run a test in a copy, changed by the mutant if there is one; return pytest's exit code."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for one in COPIED:
            source = ROOT / one
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, folder / one)
        if mutant is not None:
            changed = folder / mutant.file
            text = changed.read_text(encoding="utf-8")
            if text.count(mutant.line) != 1:
                sys.exit(f"{mutant.file} does not hold this line once: {mutant.line}")
            changed.write_text(text.replace(mutant.line, mutant.instead), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test]
        environment = {**os.environ, "PYTHONPATH": name}
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    if done.returncode not in (0, 1):
        sys.exit(f"{test}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode


def main() -> int:
    """Test each mutant, and run each of their tests once without."""
    chosen = [one for one in MUTANTS if not sys.argv[1:] or one.name in sys.argv[1:]]
    survived = 0
    passing: set[str] = set()
    for mutant in chosen:
        if mutant.test not in passing and outcome(mutant.test, None):
            sys.exit(f"fails without any mutant: {mutant.test}")
        passing.add(mutant.test)
        is_caught = bool(outcome(mutant.test, mutant))
        survived += not is_caught
        print(
            f"{'caught' if is_caught else 'SURVIVED':<9} {mutant.name} ({mutant.file})", flush=True
        )
        print(f"          {mutant.test}", flush=True)
    return int(survived > 0)


if __name__ == "__main__":
    sys.exit(main())
