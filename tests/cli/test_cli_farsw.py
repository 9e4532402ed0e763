"""`mainblock farsw train`: trains a model on labeled pages (tests/papers/bu14 tests the model)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import Mainblock
from pages import read_rows, rows, words, write_rows


def labelled(count: int) -> list[dict[str, Any]]:
    """Return pages with a menu, an article of sentences and a footer; the gold is the article."""
    some = []
    menu = "".join(f'<li><a href="/s{place}">Section {place}</a></li>' for place in range(12))
    for number in range(count):
        lines = [
            ", ".join([words(12, f"p{number}x{line}a"), words(9, f"p{number}x{line}b")]) + "."
            for line in range(7)
        ]
        article = "".join(f"<p>{line}</p>" for line in lines)
        html = f"<html><body><ul>{menu}</ul><div>{article}</div><ul>{menu}</ul></body></html>"
        url = f"http://site{number % 4}.example/{number}"
        some += rows([(html, url)], gold="\n".join(lines))
    return some


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "gold.jsonl", labelled(16))


@pytest.mark.parametrize("variant", ["inter-site", "intra-site"])
def test_a_trained_model_is_written_and_extracts(
    mainblock: Mainblock, gold: Path, tmp_path: Path, variant: str
) -> None:
    model, out = tmp_path / "model.json", tmp_path / "out.jsonl"
    result = mainblock("farsw", "train", gold, "-o", model, "--variant", variant)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"{model}: {variant}, rules (")
    assert json.loads(model.read_text())["variant"] == variant

    result = mainblock("extract", gold, "-o", out, "--method", "farsw", "--model", model)
    assert result.code == 0
    wanted = labelled(1)[0]["gold"].split("\n")[3]
    assert wanted in read_rows(out)[0]["articleBody"]


def test_cross_validation_scores_each_fold(mainblock: Mainblock, gold: Path) -> None:
    result = mainblock("farsw", "train", gold, "--cross-validate", "4")
    lines = result.out.splitlines()
    assert lines[0] == "inter-site, 4 folds"
    assert [line.split()[0] for line in lines[2:]] == ["1", "2", "3", "4", "all"]
    assert lines[-1].split()[1] == "16"


@pytest.mark.parametrize(
    "options", [(), ("--cross-validate", "0"), ("-o", "no/such/m"), ("--variant", "x")]
)
def test_wrong_usage_is_one_line(
    mainblock: Mainblock, gold: Path, options: tuple[str, ...]
) -> None:
    result = mainblock("farsw", "train", gold, *options)
    assert result.code == 2
    assert len(result.err.splitlines()) == 1


def test_pages_without_gold_cannot_be_trained_on(mainblock: Mainblock, tmp_path: Path) -> None:
    some = [{key: value for key, value in row.items() if key != "gold"} for row in labelled(3)]
    file = write_rows(tmp_path / "in.jsonl", some)
    result = mainblock("farsw", "train", file, "-o", tmp_path / "m.json")
    assert result.code == 2
    assert len(result.err.splitlines()) == 1
    assert not (tmp_path / "m.json").exists()


@pytest.mark.parametrize("text", [None, "", "{", "[]", "{}", '{"variant": "x"}', "[" * 99_999])
def test_an_unusable_model_is_wrong_usage(
    mainblock: Mainblock, gold: Path, tmp_path: Path, text: str | None
) -> None:
    model = tmp_path / "model.json"
    if text is not None:
        model.write_text(text)
    out = tmp_path / "out.jsonl"
    result = mainblock("extract", gold, "-o", out, "--method", "farsw", "--model", model)
    assert result.code == 2
    assert len(result.err.splitlines()) == 1
    assert not out.exists()
