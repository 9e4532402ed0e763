"""A truncated model file: one message is logged, and pages are still extracted."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from crawl.harness import Crawler
from crawl.server import Server
from pages import rows, write_rows
from pages import site as site_pages

import scrapy_mainblock
from scrapy_mainblock.judge.models.forest import Forest
from scrapy_mainblock.stores.directory import RulesDirectory

PACKAGE = Path(scrapy_mainblock.__file__).parent
MODELS = sorted((PACKAGE / "judge" / "models").glob("*.json"))
SAID = "cannot be loaded (JSONDecodeError): pages without a rule are scored by text density"


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package with its models cut in half, used by the processes that are started."""
    copy = tmp_path / "broken" / "scrapy_mainblock"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for model in MODELS:
        half = model.read_bytes()[: model.stat().st_size // 2]
        (copy / "judge" / "models" / model.name).write_bytes(half)
    path = [str(copy.parent), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, path)))
    return copy


def _command(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # In another directory, because `python -m` also imports packages from the working directory.
    command = [sys.executable, "-m", "scrapy_mainblock.cli.main", *arguments]
    return subprocess.run(
        command, capture_output=True, check=False, text=True, timeout=60, cwd=directory
    )


def test_each_page_is_scored_by_density_with_a_reason(tmp_path: Path, broken: Path) -> None:
    write_rows(tmp_path / "in.jsonl", rows(site_pages(9)))
    result = _command(tmp_path, "extract", "in.jsonl", "--rules", "rules")
    assert result.returncode == 0
    lines = result.stderr.splitlines()  # one for each model that was used
    assert 1 <= len(lines) <= len(MODELS)
    assert sum(SAID in line for line in lines) == 1
    found = [json.loads(row) for row in result.stdout.splitlines()]
    assert len(found) == 9
    for number, row in enumerate(found):
        assert row["metadata"]["method"] == "page"
        assert "cannot be loaded" in row["metadata"]["reason"]
        assert f"story{number}w0" in row["articleBody"]
        assert row["headline"]
    assert len(RulesDirectory(tmp_path / "rules").load()) == 0


def test_known_rules_are_still_used(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    write_rows(tmp_path / "in.jsonl", rows(site_pages(9)))
    assert _command(tmp_path, "learn", "in.jsonl", "--rules", "rules").returncode == 0
    request.getfixturevalue("broken")
    result = _command(tmp_path, "extract", "in.jsonl", "--rules", "rules")
    assert SAID in result.stderr
    found = [json.loads(row)["metadata"]["method"] for row in result.stdout.splitlines()]
    assert found == ["rule"] * 9


def test_a_crawl_works_without_models(crawler: Crawler, site: Server, broken: Path) -> None:
    crawled = crawler.crawl(url=site.url("/list/plain/20"))
    assert crawled.numbers == list(range(20))
    assert crawled.methods == {"page": 20}
    assert crawled.stats["held"] == 0
    assert all("Paragraph 5 of story" in item["articleBody"] for item in crawled.items)
    assert len(crawled.lines(SAID)) == 1


def test_a_model_cut_at_any_byte_is_refused() -> None:
    whole = json.loads((PACKAGE / "judge" / "models" / "content.json").read_text("utf-8"))
    whole["trees"] = whole["trees"][:2]
    text = json.dumps(whole)
    Forest.from_text(text, whole["names"])
    for length in range(len(text)):
        with pytest.raises(ValueError):  # noqa: PT011 - any message is fine
            Forest.from_text(text[:length], whole["names"])
