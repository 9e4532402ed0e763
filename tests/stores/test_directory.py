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

from scrapy_mainblock.stores import directory as directory_module
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
    assert names_in(directory.path) == [".good", ".lock", "news.example.json"]


def test_what_has_not_changed_is_not_written(directory: RulesDirectory) -> None:
    directory.save(rule())
    file = directory.path / "news.example.json"
    os.utime(file, (1, 1))
    directory.save(rule())
    assert file.stat().st_mtime == 1


PINNED = rule(pinned=True)
SLIPS = [
    ('"pinned": true', '"pinned": yes', "line 7: not JSON"),
    ('"pinned": true', '"pinned": "yes"', 'line 7: cluster 1: "pinned" is neither true nor false'),
    (
        '"id": "content"',
        '"path": "div.sect1"',
        'line 10: cluster 1: "path" is not a path like body1/div2',
    ),
    ('"version": 1', '"version": -1', 'line 8: cluster 1: "version" is not an integer >= 0'),
    ('"format": 2', '"form": 2', 'line 1: no "format": 2'),
]


@pytest.mark.parametrize("slip", SLIPS, ids=[one[2] for one in SLIPS])
@pytest.mark.parametrize("is_fresh", [False, True], ids=["the same process", "another process"])
def test_a_slip_of_an_editor_is_answered_by_the_last_good_state(
    directory: RulesDirectory,
    caplog: pytest.LogCaptureFixture,
    slip: tuple[str, str, str],
    is_fresh: bool,
) -> None:
    good, bad, message = slip
    directory.save(PINNED)
    file = directory.path / "news.example.json"
    text = file.read_text()
    assert good in text
    file.write_text(text.replace(good, bad))
    before = names_in(directory.path)

    reader = RulesDirectory(directory.path) if is_fresh else directory
    for _ in range(3):
        assert reader.load_site("news.example") == PINNED
        assert reader.load() == {"news.example": PINNED}
    assert names_in(directory.path) == before  # reading renames nothing
    assert file.read_text() == text.replace(good, bad)
    (line,) = caplog.messages
    assert f"{file}: {message}" in line
    assert "Fix it" in line
    assert reader.troubles == 1

    file.write_text(text.replace('"pages": 0', '"pages": 7'))  # mended
    (template,) = reader.load_site("news.example").templates  # type: ignore[union-attr]
    assert template.pages == 7


def test_a_slip_in_the_third_cluster_is_found_there(directory: RulesDirectory) -> None:
    three = tuple(only(rule(f"c{n}", first=100 * n)) for n in range(3))
    text = documents.site_to_text(SiteRules("news.example", three))
    before, slip, after = text.rpartition('"votes": 0')
    with pytest.raises(documents.DamagedDocumentError) as caught:
        documents.site_from_text(before + '"votes": "many"' + after)
    assert slip
    assert str(caught.value).startswith(f"line {before.count(chr(10)) + 1}: cluster 3: ")


def test_a_damaged_document_is_put_aside_when_the_next_one_is_written(
    directory: RulesDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    directory.save(PINNED)
    file = directory.path / "news.example.json"
    for number, text in enumerate(("{", '{"format": 2}'), 1):
        file.write_text(text)
        merged = RulesDirectory(directory.path).save(rule(f"b{number}", first=100 * number))
        assert merged.templates[0] == only(PINNED)  # of the last good state
        assert directory.load_site("news.example") == merged
        assert f"put aside as {file.name}.damaged-{number}" in caplog.text
    aside = sorted(directory.path.glob("*.damaged-*"))
    assert [one.read_text() for one in aside] == ["{", '{"format": 2}']


def test_without_a_last_good_state_a_damaged_document_is_no_rules(
    directory: RulesDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    directory.path.mkdir()
    (directory.path / "news.example.json").write_text("[]")
    (directory.path / "other.example.json").write_bytes(b"\xff")
    directory.save(replace(rule(), site="third.example"))
    assert set(directory.load()) == {"third.example"}
    assert len(caplog.messages) == 2
    assert "until then the site has no rules" in caplog.messages[0]


def test_who_has_read_a_site_hears_of_a_change(directory: RulesDirectory) -> None:
    sites = ["news.example", "none.example"]
    assert directory.changed(sites) == []  # nothing was read
    for site in sites:
        assert directory.load_site(site) is None
    assert directory.changed(sites) == []
    directory.save(rule())
    assert directory.changed(sites) == []  # it was this one that wrote
    RulesDirectory(directory.path).save(PINNED)
    assert directory.changed(sites) == ["news.example"]
    assert directory.load_site("news.example") == PINNED
    assert directory.changed(sites) == []
    (directory.path / "news.example.json").unlink()
    assert directory.changed(sites) == ["news.example"]
    assert directory.load_site("news.example") is None


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
    assert names_in(directory.path) == [".good", ".lock", "news.example.json"]


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


def test_documents_are_remembered_in_so_many_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = RulesDirectory(tmp_path)
    names = [f"{number}.example" for number in range(9)]
    for name in names:
        directory.save(SiteRules(name, (Template("c", Rule(id="x" * 1000), frozenset()),)))
    size = (tmp_path / "0.example.json").stat().st_size
    monkeypatch.setattr(directory_module, "MOST_BYTES_REMEMBERED", 3 * size)
    directory = RulesDirectory(tmp_path)
    assert len(directory.load()) == 9
    for _ in range(3):  # what is read again weighs no more
        assert directory.load_site(names[-1]) is not None
    assert list(directory._remembered) == [f"{name}.json" for name in names[-3:]]
    monkeypatch.setattr(directory_module, "MOST_BYTES_REMEMBERED", 1)
    assert directory.load_site(names[0]) is not None  # one that is too large alone is kept
    assert list(directory._remembered) == [f"{names[0]}.json"]
