"""A directory of rules: shared, merged, never lost, whatever the sites are called."""

from __future__ import annotations

import json
import logging
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import names_in

from scrapy_mainblock.stores import documents
from scrapy_mainblock.stores.directory import RulesDirectory, file_name, merge
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

HOSTILE = [
    "",
    ".",
    "..",
    "../../etc/passwd",
    "a/b",
    "a\\b",
    "/",
    "CON",
    "con",
    "con.txt",
    "nul",
    "lpt1.example",
    ".hidden",
    "-rf",
    "%2e",
    "%",
    "%%",
    "A.example",
    "a.example",
    "a.example.",
    "a.example ",
    "a:80",
    "[::1]",
    "北京.example",
    "é",
    "e\u0301",
    "\ud800",
    "\x00",
    "a\nb",
    "*",
    "x" * 4096,
    "x" * 4095 + "y",
    "X" * 4096,
    "京" * 2000,
    "x" * 119,
    "x" * 120,
    "x" * 121,
]


def rule(
    name: str = "a1", identifier: str = "content", first: int = 1, **more: object
) -> SiteRules:
    template = Template(name, Rule(identifier), frozenset(range(first, first + 9)), **more)  # type: ignore[arg-type]
    return SiteRules("news.example", (template,))


@pytest.fixture
def directory(tmp_path: Path) -> RulesDirectory:
    return RulesDirectory(tmp_path / "rules")


# --- names --------------------------------------------------------------------------------------


def test_hostile_names_are_distinct_safe_files() -> None:
    files = [file_name(site) for site in HOSTILE]
    assert len({file.casefold() for file in files}) == len(HOSTILE)
    for file in files:
        assert file == Path(file).name
        assert file.isascii()
        assert len(file) <= 130
        assert not set(file) & set('/\\:*?"<>|\x00\n ')
        assert file[0] not in ".- " or file.startswith("-")
        assert file.split(".")[0].lower() not in ("con", "nul", "lpt1")
        assert file.endswith(".json")


@given(st.text(max_size=150), st.text(max_size=150))
def test_two_sites_never_share_a_file(one: str, other: str) -> None:
    same = file_name(one).casefold() == file_name(other).casefold()
    assert same == (one == other)


def test_no_site_can_be_called_like_the_file_of_a_long_one() -> None:
    long = file_name("x" * 500).removesuffix(".json")
    assert file_name(long) != f"{long}.json"


def test_hostile_names_are_kept_inside_of_the_directory(directory: RulesDirectory) -> None:
    for site in HOSTILE:
        directory.save(replace(rule(), site=site))
    assert set(directory.load()) == set(HOSTILE)
    for site in HOSTILE:
        found = directory.load_site(site)
        assert found is not None
        assert found.site == site
    assert names_in(directory.path.parent) == [directory.path.name]


# --- reading and writing ------------------------------------------------------------------------


def test_a_directory_that_is_not_there_yet_has_no_rules(directory: RulesDirectory) -> None:
    assert len(directory.load()) == 0
    assert directory.load_site("news.example") is None
    assert not directory.path.exists()


def test_what_is_saved_is_loaded(directory: RulesDirectory) -> None:
    assert directory.save(rule()) == rule()
    assert directory.load_site("news.example") == rule()
    assert directory.load() == {"news.example": rule()}
    files = [file.name for file in directory.path.iterdir() if file.name != ".lock"]
    assert files == ["news.example.json"]


def test_what_has_not_changed_is_not_written(directory: RulesDirectory) -> None:
    directory.save(rule())
    file = directory.path / "news.example.json"
    os.utime(file, (1, 1))
    directory.save(rule())
    assert file.stat().st_mtime == 1


def test_a_damaged_document_is_put_aside_and_said_so(
    directory: RulesDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    directory.save(rule())
    directory.save(replace(rule(), site="other.example"))
    file = directory.path / "news.example.json"
    for text in ("{", '{"format": 2}'):
        file.write_text(text)
        assert set(directory.load()) == {"other.example"}
        assert not file.exists()
        assert "damaged" in caplog.text
        assert "news.example.json" in caplog.text
    aside = sorted(directory.path.glob("*.damaged-*"))
    assert [one.read_text() for one in aside] == ["{", '{"format": 2}']
    assert directory.save(rule()) == rule()


def test_a_document_of_a_later_version_is_left_alone(
    directory: RulesDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    directory.save(rule())
    file = directory.path / "news.example.json"
    newer = json.dumps({"format": documents.FORMAT + 1, "new": "things"})
    file.write_text(newer)

    assert directory.load_site("news.example") is None
    assert directory.save(rule()) == rule()
    with pytest.raises(documents.NewerDocumentError):
        directory.update("news.example", lambda _: rule())

    assert file.read_text() == newer
    assert f"format {documents.FORMAT + 1}" in caplog.text


def test_a_document_that_cannot_be_read_is_not_overwritten(
    directory: RulesDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    (directory.path / "news.example.json").mkdir(parents=True)  # root may read any file
    assert directory.load_site("news.example") is None
    with pytest.raises(OSError, match="directory"):
        directory.save(rule())


def test_a_directory_that_cannot_be_written_is_an_oserror(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError):
        RulesDirectory(tmp_path / "file").save(rule())
    with pytest.raises(NotADirectoryError):
        RulesDirectory(tmp_path / "file" / "under").save(rule())
    assert len(RulesDirectory(tmp_path / "file").load()) == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_read_only_directory_can_be_read(
    directory: RulesDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    directory.save(rule())
    (directory.path / "other.example.json").write_text("{")
    directory.path.chmod(0o500)
    try:
        assert set(directory.load()) == {"news.example"}
        with pytest.raises(PermissionError):
            directory.save(rule(identifier="other"))
    finally:
        directory.path.chmod(0o700)
    assert "damaged" in caplog.text


def _save_with_no_room(path: Path) -> str:
    resource = pytest.importorskip("resource")
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
    try:
        RulesDirectory(path).save(rule(identifier="other"))
    except OSError as error:
        return str(error.strerror)
    return "written"


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on files")
def test_a_write_that_fails_leaves_the_old_document_and_nothing_else(
    directory: RulesDirectory,
) -> None:
    directory.save(rule())
    with ProcessPoolExecutor(1) as pool:
        assert pool.submit(_save_with_no_room, directory.path).result() == "File too large"
    assert directory.load_site("news.example") == rule()
    assert names_in(directory.path) == [".lock", "news.example.json"]


# --- merging ------------------------------------------------------------------------------------


def only(rules: SiteRules) -> Template:
    (template,) = rules.templates
    return template


def test_the_same_rule_learnt_again_keeps_its_version_and_another_is_the_next() -> None:
    again = merge(rule(), rule(pages=20, votes=19))
    assert (only(again).version, only(again).pages) == (1, 20)
    changed = merge(again, rule(identifier="main"))
    assert (only(changed).version, only(changed).rule.id) == (2, "main")
    assert only(merge(changed, rule())).version == 3


def test_a_pinned_rule_is_never_overwritten() -> None:
    pinned = rule(identifier="by-hand", pinned=True)
    assert merge(pinned, rule()) == pinned
    assert merge(pinned, rule("b2", first=2)).templates[0] == pinned.templates[0]


def test_a_cluster_not_seen_this_time_is_kept() -> None:
    merged = merge(rule("a1"), rule("b2", first=100))
    assert [one.cluster for one in merged.templates] == ["a1", "b2"]


def test_the_same_template_under_another_first_page_is_the_same_cluster() -> None:
    merged = merge(rule("a1", "old"), rule("b2", "new", first=2))
    assert (only(merged).cluster, only(merged).rule.id, only(merged).version) == ("a1", "new", 2)
    assert merge(merged, rule("b2", "new", first=2)) == merged


def test_two_templates_that_are_both_learnt_stay_two() -> None:
    both = SiteRules("news.example", rule("a1").templates + rule("b2", first=2).templates)
    for known in (rule("a1"), rule("b2", first=2), both):
        merged = merge(known, both)
        assert {one.cluster for one in merged.templates} == {"a1", "b2"}
        assert merge(merged, both) == merged


# --- sharing ------------------------------------------------------------------------------------


def _save_some(path: Path, first: int) -> None:
    directory = RulesDirectory(path)
    for number in range(first, first + 25):
        directory.save(rule(f"c{number}", first=100 * number))


def test_processes_that_save_at_once_lose_nothing(tmp_path: Path) -> None:
    with ProcessPoolExecutor(4) as pool:
        list(pool.map(partial(_save_some, tmp_path), range(0, 100, 25)))
    found = RulesDirectory(tmp_path).load_site("news.example")
    assert found is not None
    assert {one.cluster for one in found.templates} == {f"c{number}" for number in range(100)}
    assert not list(tmp_path.glob("*.tmp"))
    assert not list(tmp_path.glob("*.damaged-*"))


def _read_often(path: Path, times: int) -> int:
    logging.disable()
    return sum(len(RulesDirectory(path).load()) > 0 for _ in range(times))


def test_a_reader_never_sees_half_a_document(tmp_path: Path) -> None:
    _save_some(tmp_path, 0)
    with ProcessPoolExecutor(2) as pool:
        reading = pool.submit(_read_often, tmp_path, 100)
        pool.submit(_save_some, tmp_path, 25).result()
        assert reading.result() == 100
