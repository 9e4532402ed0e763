"""The training and measuring tools start, and work on a few made pages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType

import pytest
from pages import row, site, told, words, write_rows
from tool_runs import Tools

from scrapy_mainblock.judge import confidence, judgement, page_type

pytest.importorskip("catboost", reason="to train models needs scrapy-mainblock[train]")

FOLDS = ("--folds", "2")
HOSTS = ("one.example", "two.example", "four.example", "five.example")
"""Two hosts of each fold."""
ARTICLES, WRONG, LISTS = 10, 2, 3
"""Pages of a site, and the number of articles whose gold text is not on the page."""
PAGES = len(HOSTS) * (ARTICLES + LISTS)
TAUGHT = 3


def listing(number: int, host: str) -> tuple[str, str]:
    items = "".join(
        f"<li><a href='/{one}'>{words(6, f'teaser{number}x{one}w')}</a></li>" for one in range(30)
    )
    return f"<title>All</title><h1>All of {number}</h1><ul>{items}</ul>", f"http://{host}/l{number}"


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """Write labelled pages of four sites: articles, some with a wrong label, and lists."""
    rows = []
    types = [*page_type.TYPES, *["article"] * (ARTICLES - len(page_type.TYPES))]
    for host in HOSTS:
        for number, (page, url) in enumerate(site(ARTICLES, host=host)):
            text = told(120, f"story{number}w") if number >= WRONG else "not there"
            title = f"Title of story {number}"
            # The title of every other page does not confirm its heading.
            other = "<title>What happened on day" if number % 2 else "<title>Title of story"
            html = page.replace("<title>Title of story", other)
            meta = {"set": "made", "page_type": types[number], "title": title}
            rows.append(row(html, url, site=host, gold=text, meta=meta))
        for number in range(LISTS):
            html, url = listing(number, host)
            meta = {"set": "made", "page_type": "listing"}
            rows.append(row(html, url, site=host, gold=words(6, f"teaser{number}x1w"), meta=meta))
    return write_rows(tmp_path / "gold.jsonl", rows)


@pytest.fixture
def training(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Set up training with the smallest models; the shipped ones are restored after the test."""
    for module, name in (
        (judgement, "first_model"),
        (page_type, "model"),
        (judgement, "second_model"),
        (confidence, "model"),
        (confidence, "by_rule"),
    ):
        monkeypatch.setattr(module, name, getattr(module, name))
    found = tools.module("training")
    for settings in ("FIRST", "TYPES", "SECOND", "CONFIDENCE"):
        monkeypatch.setattr(found, settings, {"iterations": 2, "depth": 2})
    return found


@pytest.fixture
def models(training: ModuleType, gold: Path, tmp_path: Path) -> Path:
    """Train the models of two folds and return their file."""
    file = tmp_path / "models.json"
    training.models_of_folds([str(gold)], [], 2, file)
    return file


def test_hosts_are_in_both_folds(training: ModuleType) -> None:
    assert sorted(training.fold_of(host, 2) for host in HOSTS) == [0, 0, 1, 1]


def test_models_are_trained_and_survive_serialization(
    training: ModuleType, gold: Path, tools: Tools, tmp_path: Path
) -> None:
    folder = tmp_path / "models"
    tools("train_content", gold, "-o", folder, *FOLDS)
    names = ("content", "pagetype", "context", "confidence")
    texts = [(folder / f"{name}.json").read_text() for name in names]
    assert training.Models.from_texts(texts).to_texts() == texts


@pytest.mark.usefixtures("training")
def test_cross_validation_prints_the_accuracy_of_the_models(gold: Path, tools: Tools) -> None:
    said = tools("train_content", gold, "--cross-validate", *FOLDS)
    assert re.search(rf"^made +{PAGES} pages  0\.\d+$", said, re.M)
    assert f"of {PAGES} labelled pages" in said
    assert "are in the least sure tenth" in said


@pytest.mark.usefixtures("training")
def test_training_without_pages_of_a_type_is_refused(gold: Path, tools: Tools) -> None:
    gold.write_text(gold.read_text().replace('"forum"', '"article"'))
    with pytest.raises(SystemExit, match="none is forum"):
        tools("train_content", gold, *FOLDS)


@pytest.mark.parametrize("learning", [[], ["--no-learn"]])
def test_held_out_scores_each_site_with_models_that_have_not_seen_it(
    models: Path, gold: Path, learning: list[str], tools: Tools, tmp_path: Path
) -> None:
    figures = tmp_path / "figures.json"
    tools("held_out", gold, "--models", models, "--json", figures, *FOLDS, *learning)
    report = json.loads(figures.read_text())["auto, held out"]
    (everything,) = (one for one in report["sets"] if one["group"] == "all")
    assert everything["pages"] == PAGES
    assert 0 < everything["f1"] < 1


def test_headline_weights_are_fitted_and_written(
    models: Path, gold: Path, tools: Tools, tmp_path: Path
) -> None:
    output = tmp_path / "headline.json"
    arguments = ("-o", output, "--models", models, "--first-lines", "made", *FOLDS)
    said = tools("train_headline", gold, *arguments)
    assert json.loads(output.read_text())["weights"]
    assert re.search(r"^all +\d+ +1\.000", said, re.M)


@pytest.mark.usefixtures("training")
def test_headline_training_without_unconfirmed_titles_is_refused(gold: Path, tools: Tools) -> None:
    pages = gold.read_text().replace("<title>What happened on day", "<title>Title of story")
    gold.write_text(pages)
    with pytest.raises(SystemExit, match="nothing to learn from"):
        tools("train_headline", gold, *FOLDS)


def test_rule_weights_are_fitted_and_written(
    models: Path, gold: Path, tools: Tools, tmp_path: Path
) -> None:
    output = tmp_path / "rule.json"
    said = tools("train_rules", gold, "-o", output, "--models", models, *FOLDS)
    weights = json.loads(output.read_text())["weights"]
    assert {"agreement", "confidence", "left", "one"} <= set(weights)
    assert re.match(r"[1-9]\d* pages by a rule", said)


@pytest.mark.parametrize("teach", [[], ["--teach", str(TAUGHT), "--draws", "2"]])
def test_learning_tool_compares_rules_with_pages_alone(
    models: Path, gold: Path, teach: list[str], tools: Tools, tmp_path: Path
) -> None:
    listed = tmp_path / "worse.jsonl"
    said = tools("learning", gold, "--models", models, "--list", listed, *FOLDS, *teach)
    pages = 2 * (PAGES - TAUGHT * len(HOSTS)) if teach else PAGES
    assert re.search(rf"^all +{pages}  0\.\d+  0\.\d+", said, re.M)
    assert listed.exists()
