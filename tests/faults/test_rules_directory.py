"""A rules directory that is read-only, locked by a hung process, or truncated."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import run as mainblock
from crawl.harness import Crawler
from crawl.server import Server
from pages import names_in, rows, write_rows
from pages import site as site_pages

from faults.conftest import Mount
from scrapy_mainblock.stores import directory as stores
from scrapy_mainblock.stores.directory import RulesDirectory, merge
from scrapy_mainblock.stores.documents import site_to_text
from scrapy_mainblock.template.rules import BlockStats, Rule, SiteRules, Template

RULES = SiteRules(
    "127.0.0.1",
    (
        Template("a1", Rule("main", ("entry",), "body1/div2"), frozenset({1, 2}), 8, 7),
        Template("b2", Rule("x"), frozenset({3}), looks=BlockStats(1, 2, 0.5), pinned=True),
    ),
)


def test_a_crawl_uses_the_rules_of_a_read_only_directory(
    crawler: Crawler, site: Server, mount: Mount
) -> None:
    disk = mount(crawler.directory / "rules", "size=1m")
    crawler.crawl(url=site.url("/list/plain/8"), feed="first.jsonl")
    (disk / "damaged.example.json").write_text("{")
    before = names_in(disk)
    mount(disk, "remount,ro")
    crawled = crawler.crawl(url=site.url("/list/newsite/60"))
    assert crawled.numbers == list(range(60))
    assert crawled.methods == {"rule": 60}
    assert crawled.stats["rules/loaded"] == 1
    assert len(crawled.lines("the rules cannot be saved: [Errno 30] Read-only file system")) == 1
    assert names_in(disk) == before


@pytest.mark.parametrize(
    "arguments",
    [("learn", "IN"), ("rules", "pin", "site", "--id", "x"), ("extract", "IN", "-o", "OUT")],
    ids=" ".join,
)
def test_a_command_reports_a_read_only_directory_in_one_line(
    tmp_path: Path, mount: Mount, arguments: tuple[str, ...]
) -> None:
    disk = mount(tmp_path / "rules", "size=64k")
    RulesDirectory(disk).save(RULES)
    mount(disk, "remount,ro")
    pages = write_rows(tmp_path / "in.jsonl", rows(site_pages(8)))
    names = {"IN": str(pages), "OUT": str(tmp_path / "out.jsonl")}
    result = mainblock(*(names.get(one, one) for one in arguments), "--rules", str(disk))
    assert result.returncode in (1, 2)
    (line,) = result.stderr.decode().splitlines()
    assert "Read-only file system" in line
    if "OUT" in arguments:
        assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 8


def test_a_document_cut_at_any_byte_is_moved_aside(tmp_path: Path) -> None:
    whole = site_to_text(RULES).encode()
    other = SiteRules("other.example", RULES.templates)
    for length in range(len(whole) - 1):  # without its final newline it is still whole
        directory = RulesDirectory(tmp_path / str(length))
        directory.save(other)
        file = directory.path / "127.0.0.1.json"
        file.write_bytes(whole[:length])
        assert set(directory.load()) == {"other.example"}
        assert file.read_bytes() == whole[:length]
        assert directory.save(RULES) == RULES
        (aside,) = directory.path.glob("*.damaged-*")
        assert aside.read_bytes() == whole[:length]


HANG = """
import os, signal, sys
from scrapy_mainblock.stores.directory import RulesDirectory
with RulesDirectory(sys.argv[1])._lock():
    print("locked", flush=True)
    os.kill(os.getpid(), signal.SIGSTOP)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGSTOP")
def test_a_process_suspended_while_holding_the_lock_blocks_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "LOCK_SECONDS", 0.3)
    RulesDirectory(tmp_path).save(RULES)
    command = [sys.executable, "-c", HANG, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as stopped:
        assert stopped.stdout is not None
        assert stopped.stdout.readline() == b"locked\n"
        try:
            directory = RulesDirectory(tmp_path)
            assert directory.load_site("127.0.0.1") == RULES
            changed = SiteRules("127.0.0.1", (Template("c3", Rule("y"), frozenset({9})),))
            for patience in (0.3, 0.0):  # a crawl with many sites to save waits only once
                begun = time.monotonic()
                with pytest.raises(TimeoutError, match="keeps the directory locked"):
                    directory.save(changed)
                assert patience <= time.monotonic() - begun < patience + 0.25
            os.kill(stopped.pid, signal.SIGCONT)
            stopped.wait(30)
            assert len(directory.save(changed).templates) == 3
        finally:
            stopped.kill()


KILLED = """
import os, signal, sys
from scrapy_mainblock.stores import directory
from scrapy_mainblock.template.rules import Rule, SiteRules, Template
directory.os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
rules = SiteRules("127.0.0.1", (Template("c3", Rule("y"), frozenset({9})),))
directory.RulesDirectory(sys.argv[1]).save(rules)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_killed_writer_leaves_the_old_document_and_no_temporary_file(
    tmp_path: Path,
) -> None:
    RulesDirectory(tmp_path).save(RULES)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(list(tmp_path.glob(".*.tmp"))) == 1
    directory = RulesDirectory(tmp_path)
    assert directory.load_site("127.0.0.1") == RULES
    directory.save(RULES)
    assert names_in(tmp_path) == [".good", ".lock", "127.0.0.1.json"]


def test_two_crawls_and_learn_share_a_directory_concurrently(
    crawler: Crawler, site: Server
) -> None:
    rules = crawler.directory / "rules"
    pages = write_rows(
        crawler.directory / "in.jsonl", rows(site_pages(12, host="127.0.0.1", comments=10))
    )
    runs = []
    for template in ("plain", "other"):
        own = Crawler(crawler.directory / template)
        own.directory.mkdir()
        settings = {"MAINBLOCK_RULES_DIR": str(rules), "DOWNLOAD_DELAY": "0.02"}
        runs.append(own.start(url=site.url(f"/list/{template}/40"), settings=settings))
    learnt = 0
    while any(run.process.poll() is None for run in runs):
        assert mainblock("learn", str(pages), "--rules", str(rules)).returncode == 0
        learnt += 1
    assert learnt > 1
    for run in runs:
        crawled = run.wait()
        assert crawled.status == 0
        assert crawled.numbers == list(range(40))
        assert crawled.methods == {"rule": 40}
    found = RulesDirectory(rules).load_site("127.0.0.1")
    assert found is not None
    blocks = {one.rule.selectors[0] for one in found.templates}
    assert blocks == {("id", "main"), ("path", "body1/main1/article1/div1"), ("id", "content")}
    assert names_in(rules) == [".good", ".lock", "127.0.0.1.json"]


def _many(count: int, first: int = 0, *, pages: int = 6, pinned: bool = False) -> SiteRules:
    return SiteRules(
        "s",
        tuple(
            Template(f"c{n}", Rule(f"i{n}"), frozenset({10 * n}), pages=pages, pinned=pinned)
            for n in range(first, first + count)
        ),
    )


def test_the_templates_in_a_document_are_limited() -> None:
    """Templates learned from the most pages are kept, and so are manually pinned ones."""
    known = SiteRules("s", _many(5, pages=90).templates + _many(5, 5, pinned=True).templates)
    for first in range(10, 2000, 100):
        known = merge(known, _many(100, first))
    assert len(known.templates) == 400
    names = {one.cluster for one in known.templates}
    assert {f"c{n}" for n in range(10)} <= names
    assert "c2009" in names  # the latest among equals
    all_pinned = _many(500, pinned=True)
    assert merge(all_pinned, _many(1, 1000)).templates == all_pinned.templates
