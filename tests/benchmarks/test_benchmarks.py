"""Each benchmark runs at its smallest size, and its figures are plausible."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import command, crawl, crawl_clocks, made_pages, paper_variants, pure, speed, steps
from benchmarks.clock import time_rounds
from benchmarks.pages import LEAST, Pages, made
from benchmarks.process import Usage
from benchmarks.table import as_markdown, as_text

ROOT = Path(__file__).resolve().parents[2]
ARTICLES = 14
"""Number of articles of each template: half of them suffice to teach a rule."""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@cache
def made_set() -> Pages:
    return made(ARTICLES)


@cache
def found() -> speed.Found:
    return speed.measure_pages(made_set(), (), rounds=1)


# --- pages ----------------------------------------------------------------------------------------


def test_pages_are_measured_by_rules_of_the_other_half() -> None:
    pages = made_set()
    taught = {id(body): lesson for lesson in pages.lessons for body, _ in lesson.pages}
    assert len(taught) == len(pages.measured)
    assert len(pages.lessons) == 2
    learnt = [lesson.learn() for lesson in pages.lessons]
    for page in pages.measured:
        own = pages.lessons.index(taught[id(page.body)])
        assert page.rules == learnt[1 - own]


def test_site_with_too_few_pages_teaches_no_rule() -> None:
    rows = [page.row for page in made_set().measured[: LEAST - 1]]
    pages = speed_pages(rows)
    assert not pages.lessons
    assert not any(page.rules.sites for page in pages.measured)


def speed_pages(rows: list[Any]) -> Pages:
    from benchmarks.pages import held_out  # noqa: PLC0415

    return held_out("rows", rows)


def test_made_pages_resemble_real_pages() -> None:
    """The share of pages whose Open Graph title is the visible headline, and the page size."""
    pages = list(made_pages.pages(made_pages.site(articles_per_template=40)))
    same = [f'{made_pages.escape(page.headline)}">' in page.html for page in pages]
    assert 0.15 < np.mean(same) < 0.5
    assert 0.05 < np.mean(["<h1" not in page.html for page in pages]) < 0.4
    assert 60_000 < np.mean([len(page.body) for page in pages]) < 110_000


# --- the clock ------------------------------------------------------------------------------------


def test_twice_the_work_takes_twice_the_time() -> None:
    def count(times: int) -> Any:
        return lambda size: sum(range(times * size))

    times = time_rounds({"once": count(1), "twice": count(2)}, [100_000] * 30, rounds=3)
    assert times["once"].shape == (3, 30)
    ratio = np.median(times["twice"]) / np.median(times["once"])
    assert 1.6 < ratio < 2.5


# --- speed ----------------------------------------------------------------------------------------

OURS = [
    speed.PARSE,
    speed.BY_RULE,
    speed.BODY_BY_RULE,
    speed.ALONE,
    speed.BODY_ALONE,
    speed.OUTLINE,
    speed.SCAN,
]


def test_speed_has_a_row_for_each_extractor_and_group_of_pages() -> None:
    rows = found().rows
    assert {row.name for row in rows} == set(OURS)
    by_rule, all_pages = dict.fromkeys(row.group for row in rows)
    assert re.fullmatch(r"by rule \(\d+ pages\)", by_rule)
    assert all_pages == "all pages"
    assert found().by_rule > 0.5


@pytest.mark.parametrize("group", [0, 1], ids=["by rule", "all pages"])
@pytest.mark.parametrize("name", OURS)
def test_columns_of_speed_are_plausible(name: str, group: int) -> None:
    row = [row for row in found().rows if row.name == name][group]
    assert 0 < row.least <= row.parses <= row.most
    assert row.least <= row.nine_tenths
    assert row.page <= row.nine_tenths
    assert 0 <= row.below_aim <= 1
    assert row.milliseconds > 0
    if row.name == speed.PARSE:
        assert row.parses == row.page == 1
    if row.name in (speed.PARSE, speed.OUTLINE, speed.SCAN):
        assert row.f1 is None
    else:
        assert row.f1 is not None
        assert row.f1 > 0.7
    assert len(speed.lines_of([row])[1]) == len(speed.HEAD)


def test_learning_is_measured() -> None:
    learning = found().learning
    assert learning is not None
    assert learning.pages == len(made_set().measured)
    assert learning.parses > 0.5


def test_page_that_makes_an_extractor_raise_counts_as_failed() -> None:
    def fails(_page: Any) -> None:
        raise ValueError

    broken = speed.Extractor(fails, speed._ours)
    measured = broken.measured(made_set().measured[0])
    assert measured is not None
    assert measured.failed
    assert measured.body is not None
    assert measured.body.score.f1 == 0


def test_speed_reads_files_and_writes_its_figures(tmp_path: Path) -> None:
    pages, figures = tmp_path / "pages.jsonl", tmp_path / "figures.json"
    with pages.open("w") as out:
        for page in made_set().measured[:4]:
            html = page.body.decode()
            row = {"url": page.url, "site": "s", "html": html, "gold": page.row.gold}
            out.write(json.dumps(row) + "\n")
    done = run("benchmarks.speed", str(pages), "--rounds", "1", "--json", str(figures))
    assert done.returncode == 0, done.stderr
    assert "pages.jsonl: 4 pages of 1 sites" in done.stdout
    (written,) = json.loads(figures.read_text())
    assert [row["name"] for row in written["rows"]] == OURS
    assert written["learning"] is None


def test_speed_refuses_an_unknown_peer() -> None:
    assert run("benchmarks.speed", "--peers", "nobody").returncode == 2


# --- steps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["by rule", "alone"])
def test_steps_add_up_to_the_whole(way: str) -> None:
    pages = made_set().measured[:20]
    work = steps.by_rule if way == "by rule" else steps.alone
    lines = {name: parses for name, parses, _, _ in steps.time_steps(pages, work, rounds=1)}
    whole = lines.pop("whole, with the clocks")
    lines.pop("whole")
    assert sum(lines.values()) == pytest.approx(whole)
    assert all(parses >= 0 for parses in lines.values())
    assert lines["between the steps"] < 0.4 * whole
    assert lines["scan"] > 0
    assert ("template and block" in lines) == (way == "by rule")


def test_clocks_are_removed_afterwards() -> None:
    from scrapy_mainblock.outline import outline  # noqa: PLC0415

    before, head = outline.scan, outline.Outline.head.function
    with steps.Clocks().put():
        assert outline.scan is not before
    assert outline.scan is before
    assert outline.Outline.head.function is head


# --- other benchmarks -----------------------------------------------------------------------------


def test_pure_compares_compiled_and_uncompiled_runs() -> None:
    row = {"name": "ours alone", "group": "all pages", "parses": 2.0}
    parse = {"name": speed.PARSE, "group": "all pages", "parses": 1.0}
    learning = {"pages": 10, "seconds": 0.1, "parses": 2.0}
    compiled = {"rows": [parse, row], "learning": learning}
    slow = {"rows": [parse, {**row, "parses": 80.0}], "learning": {**learning, "seconds": 3.0}}
    assert pure.lines_of(compiled, slow)[1:] == [
        ["ours alone, all pages, parses", "2.00", "80.00", "40"],
        ["learning 100 pages, seconds", "0.100", "3.000", "30"],
    ]


def test_pure_runs_uncompiled(tmp_path: Path) -> None:
    done = run("benchmarks.pure", "--articles", "1", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    alone = next(line for line in done.stdout.splitlines() if line.startswith("ours alone"))
    assert int(alone.split()[-1]) >= 3


def test_crawl_prints_four_rows() -> None:
    done = run("benchmarks.crawl", "--articles", "3", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    rows = [re.split(r"\s{2,}", line) for line in done.stdout.splitlines()[3:]]
    assert [row[0] for row in rows] == ["as it is", "as it is", "frozen", "frozen"]
    assert [row[1] for row in rows] == ["off", "on", "off", "on"]
    for start, pages in ((float(row[2]), float(row[3])) for row in rows):
        assert start > 0.1
        assert (
            abs(pages) < 5 * start
        )  # with so few pages, their time is lost in the noise of the start


def test_crawl_is_split_into_steps() -> None:
    with crawl.served(3) as (links_at, pages):
        head, *rows = crawl.split(links_at, pages)
    assert head == ["step", "us a page", "calls"]
    assert {row[0] for row in rows} == set(crawl_clocks.STEPS)
    found = {step: (float(us), float(calls)) for step, us, calls in rows}
    assert found["extracting"][1] == 1
    assert found["the tag"][1] == round((pages + 1) / pages, 2)  # the page of links has a tag too
    assert found["extracting"][0] > found["the pipeline"][0] > 0


def test_real_pages_are_repeated_with_other_urls(tmp_path: Path) -> None:
    rows = [
        {"id": "a", "url": "https://a.example/1", "site": "a", "html": "<p>1"},
        {"id": "b", "url": "https://a.example/?b=2", "site": "a", "html": "<p>2"},
        {"id": "c", "url": None, "site": "c", "html": "<p>3"},
    ]
    file = tmp_path / "pages.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    found = list(command.repeated(file, 7))
    assert [page.id for page in found] == list(range(7))
    assert [page.html for page in found] == ["<p>1", "<p>2", "<p>3"] * 2 + ["<p>1"]
    assert [page.site for page in found] == ["a", "a", "c"] * 2 + ["a"]
    assert len({page.url for page in found}) == 7
    assert found[2].url == "https://c/c?copy=2"
    file.write_bytes(gzip.compress(b""))
    with pytest.raises(ValueError, match="no pages"):
        list(command.repeated(file, 7))


def test_command_prints_time_and_memory() -> None:
    done = run("benchmarks.command", "--pages", "20", "--sites", "1", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    row = done.stdout.splitlines()[-1].split()
    assert row[:2] == ["--jobs", "1"]
    assert float(row[2]) > 0.1
    assert row[4] == "1.00"
    assert not sys.platform.startswith("linux") or 20 < float(row[6]) < 400


def test_archives_are_read_by_two_jobs() -> None:
    options = ["--pages", "40", "--sites", "1", "--jobs", "1", "2", "--warc"]
    done = run("benchmarks.command", *options)
    assert done.returncode == 0, done.stderr
    one, two = (line.split() for line in done.stdout.splitlines()[-2:])
    assert (one[1], two[1]) == ("1", "2")
    assert 0.2 < float(two[4]) < 2.5  # with so few pages, the start of two jobs dominates


def test_speedup_is_limited_by_the_busiest_process() -> None:
    one = Usage(cpu=10, wall=10, cpu_seen=10, busiest=10, peak=90)
    two = Usage(cpu=10.5, wall=6, cpu_seen=10.5, busiest=4, peak=90)
    assert command.times_as_fast(one, two, 2) == pytest.approx(10 / 5.25)
    assert command.times_as_fast(one, replace(two, busiest=8), 2) == pytest.approx(10 / 8)


def test_way_in_reports_the_steps_around_extraction() -> None:
    pytest.importorskip("pyarrow", reason='pip install "scrapy-mainblock[spark]"')
    done = run("benchmarks.way_in", "--pages", "40", "--rounds", "1")
    assert done.returncode == 0, done.stderr
    lines = [re.split(r"\s{2,}", line) for line in done.stdout.splitlines()[3:]]
    figures = {name: (float(ms), float(share)) for name, ms, share in lines}
    assert figures["extraction by rule"][1] == 1
    assert all(0 < ms < 50 for ms, _ in figures.values())
    assert len(figures) == 7


def test_hostile_runs_a_page_in_its_own_process() -> None:
    options = ["--only", "mainblock", "--pages", "unclosed b", "--size", "20000", "--json"]
    done = run("benchmarks.hostile", *options)
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert (row["inputs"], row["wrong"]) == (1, 0)
    assert row["characters"] > 1000
    assert run("benchmarks.hostile", "--pages", "nothing").returncode == 2


def test_most_variants_of_the_papers_find_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = made_set().measured[0]
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"html": page.body.decode(), "gold": page.row.gold}))
    paper_variants.main([str(path)])
    lines = capsys.readouterr().out.splitlines()[1:]
    assert len(lines) == len(paper_variants.VARIANTS)
    assert sum(float(line.split()[-3]) > 0.3 for line in lines) > len(lines) / 2


def test_table_as_text_and_as_markdown() -> None:
    lines = [["", "parses"], ["ours", "1.00"]]
    assert as_text(lines) == "      parses\nours    1.00"
    assert as_markdown(lines) == "|  | parses |\n|---|---|\n| ours | 1.00 |"
