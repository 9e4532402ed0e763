"""What an operator meets: waiting and its bounds, which page an item is of, rules that change.

All crawls of this module run together in one process (see `scenarios.py`), once.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from crawl.server import TEMPLATES, body_of, story
from scrapy_mainblock import ItemMetadata, learn
from scrapy_mainblock.stores.directory import RulesDirectory
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

TESTS = Path(__file__).parents[1]
NAMES = (
    "seconds pages earlier no_item item_count kinds chosen refusing later keys learnt pinned locked"
    " saving unknown idle swallowed overwritten"
).split()
PINNED_WITHIN = 5.0


@dataclass
class Result:
    """What came of one crawl."""

    stats: dict[str, Any]
    notes: list[list[Any]]
    log: list[str]
    items: list[dict[str, Any]]

    def ours(self, name: str) -> int:
        return int(self.stats.get(f"mainblock/{name}", 0))

    def lines(self, text: str) -> list[str]:
        return [line for line in self.log if text in line]


def _pin(rules: Path, site: str, element: str) -> None:
    pinned = Template("hand", Rule(element), frozenset(), pinned=True)
    RulesDirectory(rules).update(
        site, lambda known: SiteRules(site, (*(known.templates if known else ()), pinned))
    )


def _command(*words: str | Path) -> str:
    """What `mainblock` prints."""
    command = [sys.executable, "-m", "scrapy_mainblock.cli.main", *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _saved(file: Path, host: str) -> Path:
    """Twelve pages of a host as somebody has saved them, with their addresses."""
    pages = ((TEMPLATES["plain"](n), f"http://{host}/plain/{n}") for n in range(100, 112))
    rows = (json.dumps({"html": html, "url": url}) for html, url in pages)
    file.write_text("\n".join(rows) + "\n")
    return file


def _pin_when_asked(directory: Path) -> None:
    end = time.monotonic() + 100
    while not (directory / "pin now").exists() and time.monotonic() < end:
        time.sleep(0.02)
    _command("rules", "pin", "x.example", "--id", "foot", "--rules", directory / "pinned.rules")
    (directory / "pinned").touch()


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all have run."""
    directory = tmp_path_factory.mktemp("scenarios")
    pages = [(TEMPLATES["plain"](n), f"http://x.example/plain/{n}") for n in range(100, 112)]
    learn(pages).save(str(directory / "earlier.rules"))
    saved = _saved(directory / "www.jsonl", "www.daily.com")
    _command("learn", saved, "--rules", directory / "learnt.rules")
    _pin(directory / "keys.rules", "www.y.example", "foot")
    pinning = threading.Thread(target=_pin_when_asked, args=(directory,))
    pinning.start()
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "scenarios.py"), *NAMES],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=240,
    )
    pinning.join()
    assert done.returncode == 0, done.stderr[-3000:]
    return directory


@pytest.fixture(scope="module")
def results(directory: Path) -> dict[str, Result]:
    found = json.loads((directory / "results.json").read_text())
    results = {}
    for name, one in found.items():
        feed = directory / f"{name}.jsonl"
        items = [json.loads(line) for line in feed.open()] if feed.exists() else []
        results[name] = Result(one.get("stats", {}), one.get("notes", []), one["log"], items)
    return results


def _number(item: dict[str, Any]) -> int:
    return int(item["url"].rsplit("/", 1)[1])


def _most_waiting(result: Result) -> int:
    waiting = most = 0
    for what, _ in result.notes:
        waiting += {"reached": 1, "scraped": -1}.get(what, 0)
        most = max(most, waiting)
    return most


def test_no_crawl_has_an_error_in_its_log(results: dict[str, Result]) -> None:
    for name, result in results.items():
        allowed = ["this Scrapy version is not supported"] if name == "unknown" else []
        errors = [line for line in result.log if line.startswith(("ERROR", "CRITICAL"))]
        assert all(any(one in line for one in allowed) for line in errors), (name, errors)


# --- waiting has a bound ------------------------------------------------------------------------


def test_an_item_waits_at_most_so_many_seconds(results: dict[str, Result]) -> None:
    found = results["seconds"]
    assert len(found.items) == 30
    first = next(when for what, when in found.notes if what == "scraped")
    assert first < max(when for what, when in found.notes if what == "reached")
    assert found.ours("held") == found.ours("released") == 30


def test_what_waits_goes_when_the_spider_idles(results: dict[str, Result]) -> None:
    assert ["idle", True] in results["idle"].notes


def test_the_progress_line_says_how_many_wait(results: dict[str, Result]) -> None:
    lines = results["seconds"].lines("Crawled ")
    assert any(re.search(r"items/min\), [1-9]\d* pages wait for a rule$", line) for line in lines)
    assert not results["refusing"].lines("pages wait for a rule")


def test_at_most_so_many_pages_of_a_site_wait(results: dict[str, Result]) -> None:
    found = results["pages"]
    assert len(found.items) == 40
    assert max(pages for what, pages in found.notes if what == "held") == 5
    assert 5 <= _most_waiting(found) <= 5 + 3  # the one that lets them go, and those on their way


def test_with_earlier_rules_only_pages_of_no_known_cluster_wait(
    results: dict[str, Result],
) -> None:
    found = results["earlier"]
    assert found.ours("rules/loaded") == 1
    assert found.ours("held") == 3
    first = [what for what, _ in found.notes].index("scraped")
    assert first < 4  # an item came out while there were pages to come


def test_a_held_item_is_an_item_for_closespider_timeout_no_item(
    results: dict[str, Result],
) -> None:
    found = results["no_item"]
    assert found.stats["finish_reason"] == "finished"
    assert len(found.items) == 40
    assert _most_waiting(found) == 40


def test_a_held_item_is_an_item_for_closespider_itemcount(results: dict[str, Result]) -> None:
    found = results["item_count"]
    assert found.stats["finish_reason"] == "closespider_itemcount"
    assert 10 <= len(found.items) <= 13


# --- which items are ours -----------------------------------------------------------------------


def test_what_cannot_take_anything_does_not_wait_and_is_not_counted(
    results: dict[str, Result],
) -> None:
    found = results["kinds"]
    images = [item for item in found.items if "file" in item]
    own = [item for item in found.items if item.get("articleBody") == "own"]
    ours = [item for item in found.items if "metadata" in item and item not in own]
    assert len(images) == len(own) == len(ours) == 8
    assert found.ours("held") == found.ours("released") == 8
    assert found.ours("not_ours") == 16
    assert found.ours("by_page") + found.ours("by_rule") + found.ours("empty") == 8
    places = [number for number, item in enumerate(found.items) if item in images or item in own]
    assert places == list(range(16))  # the others have waited until the end


def test_a_callable_says_which_items_are_ours(results: dict[str, Result]) -> None:
    found = results["chosen"]
    assert len(found.items) == 24
    for item in found.items:
        assert ("articleBody" in item) == (item.get("kind") == "story")
    assert found.ours("errors/items") >= 8  # it has raised for the third kind
    assert len(found.lines("cannot determine whether a dict is to be filled")) == 1


def test_an_item_that_cannot_be_filled_is_counted_and_comes_out(
    results: dict[str, Result],
) -> None:
    found = results["refusing"]
    assert [item["articleBody"] for item in found.items] == [None] * 3
    assert all(item["headline"] for item in found.items)
    assert found.ours("errors/fill") == 3
    assert len(found.lines("a Stubborn rejects the value for its field articleBody: not this")) == 1


# --- the right page under the right item --------------------------------------------------------


def test_an_item_of_a_later_callback_has_its_own_pages_text(results: dict[str, Result]) -> None:
    later = [item for item in results["later"].items if "what" not in item]
    assert sorted(map(_number, later)) == list(range(10))
    for item in later:
        assert body_of(item["articleBody"]) == "\n\n".join(story(_number(item)))
        assert item["metadata"]["sourceUrl"] == item["url"]
        assert item["metadata"]["status"] == 200
        assert item["metadata"].keys() == get_type_hints(ItemMetadata).keys()


def test_a_404_teaches_nothing_and_says_so(results: dict[str, Result]) -> None:
    (missing,) = (item for item in results["later"].items if item.get("what") == "missing")
    assert missing["metadata"]["status"] == 404
    assert missing["metadata"]["sourceUrl"] == missing["url"]
    assert "its status is 404" in missing["metadata"]["reason"]
    assert results["later"].lines("/missing/0: cluster none, rule none, passed on: its status is")


def test_metadata_is_json_in_csv(directory: Path, results: dict[str, Result]) -> None:
    with (directory / "later.csv").open(newline="") as file:
        rows = {row["url"]: json.loads(row["metadata"]) for row in csv.DictReader(file)}
    assert rows == {item["url"]: item["metadata"] for item in results["later"].items}


def test_the_rules_of_a_host_go_before_those_of_its_domain(results: dict[str, Result]) -> None:
    for item in results["keys"].items:
        is_pinned = item["url"].startswith("http://www.")
        assert (item["articleBody"] == "Imprint and contact") == is_pinned
    assert len(results["keys"].items) == 6


def test_a_crawl_finds_what_the_command_has_learnt_and_the_command_what_the_crawl_has(
    directory: Path, results: dict[str, Result]
) -> None:
    """`learn` keeps rules by host, a crawl by registered domain: both look under both."""
    found, rules = results["learnt"], directory / "learnt.rules"
    assert len(found.items) == 16
    assert {item["metadata"]["method"] for item in found.items} == {"rule"}
    of_www = found.lines("http://www.daily.com/plain/")
    assert len([line for line in of_www if "passed on" in line]) == 8
    assert not [line for line in of_www if "held" in line]
    assert found.lines("http://m.daily.com/plain/0: cluster ")[0].count(", held: ") == 1
    names = {"www.daily.com.json", "daily.com.json"}
    assert {file.name for file in rules.glob("*.json")} == names
    saved = _saved(directory / "m.jsonl", "m.daily.com")
    tried = _command("rules", "test", saved, "--rules", rules)
    assert tried.splitlines()[-1] == "12 of 12 pages by rule"
    _command("learn", saved, "--rules", rules)
    assert {file.name for file in rules.glob("*.json")} == names


def test_a_pin_is_used_within_five_seconds(results: dict[str, Result]) -> None:
    found = results["pinned"]
    assert len(found.items) == 85
    after = sorted(item["pinned"] for item in found.items if item["pinned"])
    late = [item for item in found.items if (item["pinned"] or 0) > after[0] + PINNED_WITHIN]
    assert late, "the crawl was over before"
    assert {item["metadata"]["rule"]["id"] for item in late} == {"foot"}
    assert {item["articleBody"] for item in late} == {"Imprint and contact"}


# --- the process is the user's ------------------------------------------------------------------


@pytest.mark.parametrize("name", ["locked", "saving"])
def test_a_lock_on_the_rules_stops_no_reactor(results: dict[str, Result], name: str) -> None:
    found = results[name]
    assert len(found.items) == 20
    (longest,) = (value for what, value in found.notes if what == "longest")
    assert 0 < longest < 4  # of a lock of ten and more; some is the other crawls' of this process
    # It did wait for it: Scrapy's own elapsed time ends before the extensions have closed.
    (stopped,) = (value for what, value in found.notes if what == "stopped")
    assert stopped > 5
    assert found.ours("errors/rules_lost") == 1
    assert len(found.lines("the rules of 1 sites could not be saved")) == 1


def test_an_unexpected_scrapy_is_said_loudly_and_items_are_filled(
    results: dict[str, Result],
) -> None:
    found = results["unknown"]
    assert found.ours("errors/scraper") == 1
    (line,) = found.lines("this Scrapy version is not supported: items are not held")
    assert line.startswith("ERROR")
    assert found.ours("held") == 0
    assert sorted(map(_number, found.items)) == list(range(8))
    for item in found.items:
        assert body_of(item["articleBody"]) == "\n\n".join(story(_number(item)))


def test_swallowed_errors_are_counted_and_said_once_with_their_place(
    results: dict[str, Result],
) -> None:
    assert results["swallowed"].ours("errors/swallowed/ValueError") == 3
    lines = [line for line in results[""].log if "a test: ValueError at" in line]
    assert len(lines) == 1
    assert re.search(r"scenarios\.py:\d+ \(logged once\)", lines[0])


def test_debug_says_of_each_page_what_was_decided_and_repeats_no_text(
    results: dict[str, Result],
) -> None:
    found = results["earlier"]
    pattern = (
        r"DEBUG: mainblock: http://x\.example/(\w+/\d+): cluster \S+, rule .+, (held|passed on): "
    )
    said = [match for line in found.log if (match := re.match(pattern, line))]
    assert len(said) == len({match[1] for match in said}) == 13
    assert {match[1].split("/")[0] for match in said if match[2] == "held"} == {"unlike"}
    scraped = found.lines("Scraped from")
    assert len(scraped) == 13
    assert max(map(len, scraped)) < 1500
    assert not any(story(2)[4] in line for line in found.log)


def test_what_is_not_safe_yet_is_kept_on_disk_and_not_in_memory(
    directory: Path, results: dict[str, Result]
) -> None:
    kept = {seen: objects for seen, objects in results["overwritten"].notes if seen in (100, 300)}
    assert kept[300] <= kept[100] + 20
    with gzip.open(directory / "overwritten.gz") as file:
        assert len(file.readlines()) == 300
