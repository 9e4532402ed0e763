"""datatrove pipelines, run by its local executor over pages of synthetic sites."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from pages import rows, site, write_rows

from scrapy_mainblock import Rules, extract, learn

pytest.importorskip("datatrove", reason='pip install "scrapy-mainblock[datatrove]"')

from datatrove.data import Document
from datatrove.executor.local import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter

from scrapy_mainblock.datatrove import ExtractContent, LearnRules

HOSTS = ["a.example", "b.example", "c.example"]
PAGES = [page for host in HOSTS for page in site(8, host=host)]
EMPTY = ("<p></p>", "http://a.example/empty")


def _documents(pages: list[tuple[str, str]]) -> list[Document]:
    return [Document(html, url, metadata={"url": url}) for html, url in pages]


def test_learning_and_extracting_with_the_local_executor(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number, host in enumerate(HOSTS):
        pages = [*site(8, host=host), *([EMPTY] if not number else [])]
        write_rows(tmp_path / "in" / f"{number}.jsonl", rows(pages))

    def run(name: str, *steps: object) -> None:
        reader = JsonlReader(str(tmp_path / "in"), text_key="html")
        executor = LocalPipelineExecutor(
            [reader, *steps], tasks=3, workers=2, logging_dir=str(tmp_path / name)
        )
        executor.run()

    rules = str(tmp_path / "rules")
    run("learn", LearnRules(rules))
    assert sorted(Rules.load(rules).sites) == HOSTS
    run("extract", ExtractContent(rules), JsonlWriter(str(tmp_path / "out")))
    found = {
        row["metadata"]["url"]: row
        for file in (tmp_path / "out").glob("*.gz")
        for row in map(json.loads, gzip.decompress(file.read_bytes()).splitlines())
    }
    assert sorted(found) == sorted(url for _, url in PAGES)
    for html, url in PAGES:
        article = extract(html, url=url, rules=rules)
        assert found[url]["text"] == article.articleBody
        assert found[url]["metadata"]["headline"] == article.headline
        assert found[url]["metadata"]["mainblock"] == article.metadata
        assert article.metadata["method"] == "rule"


def test_a_page_without_content_is_dropped_or_kept() -> None:
    assert list(ExtractContent().run(iter(_documents([EMPTY])))) == []
    (kept,) = ExtractContent(keep_empty=True).run(iter(_documents([EMPTY])))
    assert kept.text == ""
    assert kept.metadata["mainblock"]["method"] == "none"
    assert kept.metadata["mainblock"]["reason"]


def test_learning_passes_documents_on_unchanged(tmp_path: Path) -> None:
    documents, before = _documents(PAGES), _documents(PAGES)
    assert list(LearnRules(str(tmp_path / "rules")).run(iter(documents))) == before


def test_a_site_is_learned_from_only_its_first_pages(tmp_path: Path) -> None:
    rules = str(tmp_path / "rules")
    list(LearnRules(rules, per_site=6).run(iter(_documents(site(12)))))
    (template,) = Rules.load(rules).sites["news.example"].templates
    assert template.pages == 6


def test_evicted_sites_are_saved_with_their_rules(tmp_path: Path) -> None:
    rules = str(tmp_path / "rules")
    list(LearnRules(rules, most_sites=1).run(iter(_documents(PAGES))))
    assert sorted(Rules.load(rules).sites) == HOSTS


def test_the_site_can_be_set_in_the_metadata(tmp_path: Path) -> None:
    documents = _documents(site(8))
    for one in documents:
        one.metadata["site"] = "own"
    rules = str(tmp_path / "rules")
    learnt = list(LearnRules(rules).run(iter(documents)))
    assert list(Rules.load(rules).sites) == ["own"]
    found = ExtractContent(rules).run(iter(learnt))
    assert {one.metadata["mainblock"]["method"] for one in found} == {"rule"}


def test_a_missing_extra_raises_an_error_with_the_install_command() -> None:
    code = (
        "import sys\n"
        "sys.modules['datatrove.pipeline.base'] = None\n"
        "import scrapy_mainblock.datatrove"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert 'pip install "scrapy-mainblock[datatrove]"' in done.stderr.splitlines()[-1]


def test_learning_updates_the_document_that_a_crawl_uses(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    learn(site(8, host="daily.com")).save(rules)
    list(LearnRules(str(rules)).run(iter(_documents(site(8, host="www.daily.com")))))
    assert list(Rules.load(rules).sites) == ["daily.com"]
