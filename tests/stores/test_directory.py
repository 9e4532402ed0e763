"""A rules directory: shared, merged and never lost, whatever the names of the sites."""

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


def _site_rules(
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


def test_no_site_name_collides_with_the_file_of_a_long_name() -> None:
    long = file_name("x" * 500).removesuffix(".json")
    assert file_name(long) != f"{long}.json"


def test_hostile_names_stay_inside_the_directory(directory: RulesDirectory) -> None:
    for site in HOSTILE:
        directory.save(replace(_site_rules(), site=site))
    assert set(directory.load()) == set(HOSTILE)
    for site in HOSTILE:
        found = directory.load_site(site)
        assert found is not None
        assert found.site == site
    assert names_in(directory.path.parent) == [directory.path.name]


# --- reading and writing ------------------------------------------------------------------------


def test_a_missing_directory_has_no_rules(directory: RulesDirectory) -> None:
    assert len(directory.load()) == 0
    assert directory.load_site("news.example") is None
    assert not directory.path.exists()


def test_saved_rules_are_loaded(directory: RulesDirectory) -> None:
    assert directory.save(_site_rules()) == _site_rules()
    assert directory.load_site("news.example") == _site_rules()
    assert directory.load() == {"news.example": _site_rules()}
    assert names_in(directory.path) == [".good", ".lock", "news.example.json"]


def test_unchanged_rules_are_not_written(directory: RulesDirectory) -> None:
    directory.save(_site_rules())
    file = directory.path / "news.example.json"
    os.utime(file, (1, 1))
    directory.save(_site_rules())
    assert file.stat().st_mtime == 1


PINNED = _site_rules(pinned=True)
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
def test_after_an_editing_mistake_the_last_valid_state_is_used(
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

    file.write_text(text.replace('"pages": 0', '"pages": 7'))  # repaired
    (template,) = reader.load_site("news.example").templates  # type: ignore[union-attr]
    assert template.pages == 7


def test_the_message_locates_a_mistake_in_the_third_cluster(directory: RulesDirectory) -> None:
    three = tuple(_only_template(_site_rules(f"c{n}", first=100 * n)) for n in range(3))
    text = documents.site_to_text(SiteRules("news.example", three))
    before, slip, after = text.rpartition('"votes": 0')
    with pytest.raises(documents.DamagedDocumentError) as caught:
        documents.site_from_text(before + '"votes": "many"' + after)
    assert slip
    assert str(caught.value).startswith(f"line {before.count(chr(10)) + 1}: cluster 3: ")


def test_a_damaged_document_is_moved_aside_on_the_next_write(
    directory: RulesDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    directory.save(PINNED)
    file = directory.path / "news.example.json"
    for number, text in enumerate(("{", '{"format": 2}'), 1):
        file.write_text(text)
        merged = RulesDirectory(directory.path).save(_site_rules(f"b{number}", first=100 * number))
        assert merged.templates[0] == _only_template(PINNED)  # from the last valid state
        assert directory.load_site("news.example") == merged
        assert f"put aside as {file.name}.damaged-{number}" in caplog.text
    aside = sorted(directory.path.glob("*.damaged-*"))
    assert [one.read_text() for one in aside] == ["{", '{"format": 2}']


def test_a_damaged_document_without_a_valid_state_has_no_rules(
    directory: RulesDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    directory.path.mkdir()
    (directory.path / "news.example.json").write_text("[]")
    (directory.path / "other.example.json").write_bytes(b"\xff")
    directory.save(replace(_site_rules(), site="third.example"))
    assert set(directory.load()) == {"third.example"}
    assert len(caplog.messages) == 2
    assert "until then the site has no rules" in caplog.messages[0]


def test_changes_of_sites_that_were_read_are_reported(directory: RulesDirectory) -> None:
    sites = ["news.example", "none.example"]
    assert directory.changed(sites) == []  # nothing was read
    for site in sites:
        assert directory.load_site(site) is None
    assert directory.changed(sites) == []
    directory.save(_site_rules())
    assert directory.changed(sites) == []  # this object wrote it
    RulesDirectory(directory.path).save(PINNED)
    assert directory.changed(sites) == ["news.example"]
    assert directory.load_site("news.example") == PINNED
    assert directory.changed(sites) == []
    (directory.path / "news.example.json").unlink()
    assert directory.changed(sites) == ["news.example"]
    assert directory.load_site("news.example") is None


def test_a_document_of_a_later_version_is_not_overwritten(
    directory: RulesDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    directory.save(_site_rules())
    file = directory.path / "news.example.json"
    newer = json.dumps({"format": documents.FORMAT + 1, "new": "things"})
    file.write_text(newer)

    assert directory.load_site("news.example") is None
    assert directory.save(_site_rules()) == _site_rules()
    with pytest.raises(documents.NewerDocumentError):
        directory.update("news.example", lambda _: _site_rules())

    assert file.read_text() == newer
    assert f"format {documents.FORMAT + 1}" in caplog.text


def test_an_unreadable_document_is_not_overwritten(
    directory: RulesDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    (directory.path / "news.example.json").mkdir(parents=True)  # unreadable even for root
    assert directory.load_site("news.example") is None
    with pytest.raises(OSError, match="directory"):
        directory.save(_site_rules())


def test_an_unwritable_directory_raises_an_oserror(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FileExistsError):
        RulesDirectory(tmp_path / "file").save(_site_rules())
    with pytest.raises(NotADirectoryError):
        RulesDirectory(tmp_path / "file" / "under").save(_site_rules())
    assert len(RulesDirectory(tmp_path / "file").load()) == 0


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_read_only_directory_can_be_read(
    directory: RulesDirectory, caplog: pytest.LogCaptureFixture
) -> None:
    directory.save(_site_rules())
    (directory.path / "other.example.json").write_text("{")
    directory.path.chmod(0o500)
    try:
        assert set(directory.load()) == {"news.example"}
        with pytest.raises(PermissionError):
            directory.save(_site_rules(identifier="other"))
    finally:
        directory.path.chmod(0o700)
    assert "damaged" in caplog.text


def _save_with_no_room(path: Path) -> str:
    resource = pytest.importorskip("resource")
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
    try:
        RulesDirectory(path).save(_site_rules(identifier="other"))
    except OSError as error:
        return str(error.strerror)
    return "written"


@pytest.mark.skipif(sys.platform == "win32", reason="no limits on files")
def test_a_failed_write_leaves_only_the_old_document(
    directory: RulesDirectory,
) -> None:
    directory.save(_site_rules())
    with ProcessPoolExecutor(1) as pool:
        assert pool.submit(_save_with_no_room, directory.path).result() == "File too large"
    assert directory.load_site("news.example") == _site_rules()
    assert names_in(directory.path) == [".good", ".lock", "news.example.json"]


# --- merging ------------------------------------------------------------------------------------


def _only_template(rules: SiteRules) -> Template:
    (template,) = rules.templates
    return template


def test_only_a_different_rule_increments_the_version() -> None:
    again = merge(_site_rules(), _site_rules(pages=20, votes=19))
    assert (_only_template(again).version, _only_template(again).pages) == (1, 20)
    changed = merge(again, _site_rules(identifier="main"))
    assert (_only_template(changed).version, _only_template(changed).rule.id) == (2, "main")
    assert _only_template(merge(changed, _site_rules())).version == 3


def test_a_pinned_rule_is_never_overwritten() -> None:
    pinned = _site_rules(identifier="by-hand", pinned=True)
    assert merge(pinned, _site_rules()) == pinned
    assert merge(pinned, _site_rules("b2", first=2)).templates[0] == pinned.templates[0]


def test_a_cluster_missing_from_the_update_is_kept() -> None:
    merged = merge(_site_rules("a1"), _site_rules("b2", first=100))
    assert [one.cluster for one in merged.templates] == ["a1", "b2"]


def test_a_template_learned_from_another_first_page_is_merged() -> None:
    merged = merge(_site_rules("a1", "old"), _site_rules("b2", "new", first=2))
    assert (
        _only_template(merged).cluster,
        _only_template(merged).rule.id,
        _only_template(merged).version,
    ) == ("a1", "new", 2)
    assert merge(merged, _site_rules("b2", "new", first=2)) == merged


def test_two_similar_templates_in_one_update_stay_separate() -> None:
    both = SiteRules(
        "news.example", _site_rules("a1").templates + _site_rules("b2", first=2).templates
    )
    for known in (_site_rules("a1"), _site_rules("b2", first=2), both):
        merged = merge(known, both)
        assert {one.cluster for one in merged.templates} == {"a1", "b2"}
        assert merge(merged, both) == merged


# --- sharing ------------------------------------------------------------------------------------


def _save_some(path: Path, first: int) -> None:
    directory = RulesDirectory(path)
    for number in range(first, first + 25):
        directory.save(_site_rules(f"c{number}", first=100 * number))


def test_processes_that_save_concurrently_lose_nothing(tmp_path: Path) -> None:
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


def test_a_reader_never_sees_a_partial_document(tmp_path: Path) -> None:
    _save_some(tmp_path, 0)
    with ProcessPoolExecutor(2) as pool:
        reading = pool.submit(_read_often, tmp_path, 100)
        pool.submit(_save_some, tmp_path, 25).result()
        assert reading.result() == 100


def test_the_document_cache_is_limited_in_bytes(
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
    for _ in range(3):  # reading again adds no size
        assert directory.load_site(names[-1]) is not None
    assert list(directory._remembered) == [f"{name}.json" for name in names[-3:]]
    monkeypatch.setattr(directory_module, "MOST_BYTES_REMEMBERED", 1)
    assert directory.load_site(names[0]) is not None  # a single document above the limit is kept
    assert list(directory._remembered) == [f"{names[0]}.json"]
