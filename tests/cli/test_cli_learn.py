"""`mainblock learn`: writes rules to a directory."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from command import Mainblock
from pages import rows, site, write_rows

from scrapy_mainblock.stores.directory import RulesDirectory


def test_rules_of_every_site_are_saved(mainblock: Mainblock, tmp_path: Path) -> None:
    pages = [page for name in "ab" for page in site(8, host=f"{name}.example", comments=10)]
    file = write_rows(tmp_path / "in.jsonl", rows(pages))
    result = mainblock("learn", file, "--rules", tmp_path / "rules")
    assert (result.code, result.err) == (0, "")
    assert result.out == f"2 rules of 2 sites in {tmp_path}/rules\n"
    loaded = RulesDirectory(tmp_path / "rules").load()
    assert {site: one.templates[0].rule.id for site, one in loaded.items()} == {
        "a.example": "content",
        "b.example": "content",
    }


def test_the_number_of_jobs_does_not_change_the_rules(mainblock: Mainblock, tmp_path: Path) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(40)))
    for jobs in ("1", "2"):
        mainblock("learn", file, "--rules", tmp_path / jobs, "--jobs", jobs)
    one, other = ((tmp_path / jobs / "news.example.json").read_bytes() for jobs in ("1", "2"))
    assert one == other


def test_pages_are_read_from_standard_input(
    mainblock: Mainblock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = "".join(json.dumps(row) + "\n" for row in rows(site(8))).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert mainblock("learn", "-", "--rules", tmp_path / "r").out.startswith("1 rules of 1 sites")


def test_an_unwritable_directory_is_reported(mainblock: Mainblock, tmp_path: Path) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(8)))
    result = mainblock("learn", file, "--rules", file)
    assert result.code in (1, 2)
    assert len(result.err.splitlines()) == 1
    assert str(file) in result.err


def test_if_no_rule_is_learned_the_required_page_count_is_printed(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(5)))
    result = mainblock("learn", file, "--rules", tmp_path / "r")
    assert (result.code, result.out.split(" in ")[0]) == (0, "0 rules of 0 sites")
    assert "that needs 6 pages of one template of a site; 5 pages were read" in result.err


def test_unwritable_rules_are_not_counted(mainblock: Mainblock, tmp_path: Path) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(8)))
    (tmp_path / "r" / "news.example.json").mkdir(parents=True)
    result = mainblock("learn", file, "--rules", tmp_path / "r")
    assert (result.code, result.out.split(" in ")[0]) == (1, "0 rules of 0 sites")
