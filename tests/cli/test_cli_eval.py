"""`mainblock eval`: scores methods against gold texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import Mainblock, run
from pages import rows, site, story, told, write_rows


def gold_rows(*, title: bool = False, **more: Any) -> list[dict[str, Any]]:
    """Return eight pages whose gold is their article, with or without the title in front."""
    some = rows(site(8), **more)
    for number, row in enumerate(some):
        row["gold"] = told(120, f"story{number}w")
        if title:
            row["gold"] = f"Title of story {number}\n{row['gold']}"
    return some


def reports(mainblock: Mainblock, file: Path, *options: str) -> dict[str, dict[str, Any]]:
    result = mainblock("eval", file, "--json", *options)
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def table(mainblock: Mainblock, file: Path, *options: str) -> dict[str, list[dict[str, Any]]]:
    found = reports(mainblock, file, *options)
    return {method: report["groups"] for method, report in found.items()}


def test_a_perfect_extraction_scores_one(mainblock: Mainblock, tmp_path: Path) -> None:
    file = write_rows(tmp_path / "gold.jsonl", gold_rows())
    (row, everything) = table(mainblock, file)["auto"]
    assert row == {
        "group": "-",
        "pages": 8,
        "precision": 1.0,
        "recall": 1.0,
        "f1": 1.0,
        "good": 1.0,
        "wrong": 0.0,
        "exact": 1.0,
        "headline": None,
        "byRule": 1.0,
        "failed": 0,
    }
    assert everything == {**row, "group": "all"}


def test_gold_with_a_title_is_compared_with_headline_and_body(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    for title in (True, False):
        file = write_rows(tmp_path / "gold.jsonl", gold_rows(title=title))
        assert table(mainblock, file)["auto"][-1]["f1"] == 1.0
    titled = write_rows(tmp_path / "t.jsonl", gold_rows(title=True, meta={"title": "quite other"}))
    assert table(mainblock, titled)["auto"][-1]["recall"] < 1.0


def test_the_majority_of_a_set_decides_whether_gold_includes_titles(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    both = gold_rows(title=True, meta={"set": "a"}) + gold_rows(meta={"set": "b"})
    found = table(mainblock, write_rows(tmp_path / "gold.jsonl", both))["auto"]
    assert [(row["group"], row["f1"]) for row in found] == [("a", 1.0), ("b", 1.0), ("all", 1.0)]
    mixed = [{**row, "meta": {}} for row in both[:8] + both[8:14]]
    found = table(mainblock, write_rows(tmp_path / "gold.jsonl", mixed))["auto"]
    assert 0.95 < found[-1]["f1"] < 1.0


def test_scores_can_be_grouped_by_set_or_by_site(mainblock: Mainblock, tmp_path: Path) -> None:
    some = gold_rows(meta={"set": "s"})
    for number, row in enumerate(some):
        row["site"] = f"site{number % 2}"
    file = write_rows(tmp_path / "gold.jsonl", some)
    assert [row["group"] for row in table(mainblock, file, "--by", "set")["auto"]] == ["s", "all"]
    by_site = table(mainblock, file, "--by", "site")["auto"]
    assert [(row["group"], row["pages"]) for row in by_site] == [
        ("site0", 4),
        ("site1", 4),
        ("all", 8),
    ]


def test_scores_can_be_grouped_by_page_type(mainblock: Mainblock, tmp_path: Path) -> None:
    some = gold_rows(meta={"page_type": "article"}) + gold_rows(meta={"page_type": "forum"})[:3]
    found = table(mainblock, write_rows(tmp_path / "gold.jsonl", some), "--by", "type")["auto"]
    assert [(row["group"], row["pages"]) for row in found] == [
        ("article", 8),
        ("forum", 3),
        ("all", 11),
    ]


def test_exact_requires_the_same_words_in_the_same_order(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    some = gold_rows()
    some[0]["gold"] = " ".join(reversed(some[0]["gold"].split()))
    found = table(mainblock, write_rows(tmp_path / "gold.jsonl", some))["auto"][-1]
    assert (found["f1"], found["exact"]) == (1.0, 0.875)


def test_a_headline_is_scored_against_the_title_of_the_row(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    some = gold_rows()
    for number, row in enumerate(some[:4]):
        row["meta"] = {"title": f"Title of story {number}" if number else "No such thing at all"}
    found = table(mainblock, write_rows(tmp_path / "gold.jsonl", some))["auto"][-1]
    assert found["headline"] == 0.75


def test_attribute_values_are_searched_in_the_extracted_text(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    attributes = {
        "first": "story0w1, STORY0W2",
        "many": ["story0w5", "Title of story 0"],
        "beside": ["comment3"],
        "nowhere": ["quite missing"],
        "none": None,
    }
    some = rows(site(8))
    some[0]["meta"] = {"attrs": attributes}
    report = reports(mainblock, write_rows(tmp_path / "gold.jsonl", some))["auto"]
    assert report["groups"] == []
    *_, row = report["attributes"]
    assert (row["pages"], row["values"], row["onPage"], row["found"]) == (1, 5, 0.8, 0.6)
    assert 0.7 < row["taken"] < 0.9


def test_page_types_are_scored_against_the_labels_of_the_rows(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    links = "".join(f'<li><a href="/{n}">Some headline of a page {n}</a></li>' for n in range(40))
    some = gold_rows(meta={"page_type": "article"})
    some += rows([(f"<ul>{links}</ul>", "http://news.example/")], meta={"page_type": "listing"})
    found = reports(mainblock, write_rows(tmp_path / "gold.jsonl", some), "--no-learn")
    assert [(row["type"], row["right"]) for row in found["auto"]["pageTypes"]] == [
        ("article", 1.0),
        ("listing", 1.0),
    ]


def test_clusters_are_scored_against_the_page_types_of_a_site(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    others = site(8, above="<ol><li>a<li>b<li>c</ol><h4>d</h4>" * 3, attributes='id="other"')
    some = rows(site(8), meta={"page_type": "Story"})
    some += rows(others, meta={"page_type": "Report"})
    some += rows(site(2), meta={"page_type": "Report"})
    report = reports(mainblock, write_rows(tmp_path / "gold.jsonl", some))["auto"]
    assert report["clusters"] == {
        "pages": 18,
        "clusters": 2,
        "types": 2,
        "precision": round((28 + 28 + 1) / (45 + 28), 4),
        "recall": round((28 + 28 + 1) / (28 + 45), 4),
    }
    assert [row["right"] for row in report["pageTypes"]] == [None, None]


def test_probabilities_are_compared_with_the_scores(mainblock: Mainblock, tmp_path: Path) -> None:
    some = gold_rows()
    some[0]["gold"] = "something that is not on the page at all"
    report = reports(mainblock, write_rows(tmp_path / "gold.jsonl", some))["auto"]
    (row,) = report["reliability"]
    assert (row["from"], row["pages"], row["good"]) == (0.9, 8, 0.875)
    assert report["wrongInLeastSureTenth"]["ofWrong"] == 1


def test_figures_are_written_to_a_file_in_addition_to_the_tables(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    file = write_rows(tmp_path / "gold.jsonl", gold_rows())
    result = mainblock("eval", file, "--json", tmp_path / "figures.json")
    assert "auto: token F1" in result.out
    printed = mainblock("eval", file, "--json").out
    assert (tmp_path / "figures.json").read_text() == printed


@pytest.mark.parametrize("file", ["gold.jsonl", "no/such/directory"])
def test_an_invalid_figures_file_is_refused_before_any_work(
    mainblock: Mainblock, tmp_path: Path, file: str
) -> None:
    gold = write_rows(tmp_path / "gold.jsonl", gold_rows())
    before = gold.read_bytes()
    result = mainblock("eval", gold, "--json", tmp_path / file)
    assert (result.code, result.out) == (2, "")
    assert "--json" in result.err
    assert gold.read_bytes() == before


def test_several_methods_are_scored_in_one_run(mainblock: Mainblock, tmp_path: Path) -> None:
    short = rows([story(50, body=12, comments=90)], gold=told(12, "story50w"))
    file = write_rows(tmp_path / "gold.jsonl", gold_rows() + short)
    found = table(mainblock, file, "--method", "cluster", "--method", "density")
    assert list(found) == ["cluster", "density"]
    assert found["cluster"][-1]["f1"] == 1.0
    assert found["density"][-1]["wrong"] == pytest.approx(1 / 9, abs=1e-4)
    assert found["density"][-1]["byRule"] == 0.0


def test_without_learning_no_page_is_extracted_by_rule(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    file = write_rows(tmp_path / "gold.jsonl", gold_rows())
    assert table(mainblock, file, "--no-learn")["auto"][-1]["byRule"] == 0.0


def test_rows_without_gold_are_learned_from_but_not_scored(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    some = gold_rows()
    for row in some[2:]:
        del row["gold"]
    (row, _) = table(mainblock, write_rows(tmp_path / "gold.jsonl", some))["auto"]
    assert (row["pages"], row["byRule"]) == (2, 1.0)


def test_the_printed_table_has_a_header_and_totals(mainblock: Mainblock, tmp_path: Path) -> None:
    result = mainblock("eval", write_rows(tmp_path / "gold.jsonl", gold_rows()))
    lines = result.out.splitlines()
    assert lines[1].startswith("auto: token F1")
    assert lines[2].split()[:5] == ["group", "pages", "precision", "recall", "F1"]
    assert lines[4].split()[:5] == ["all", "8", "1.000", "1.000", "1.000"]


def test_standard_input_can_be_scored_by_several_methods(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "gold.jsonl", gold_rows())
    options = ("--json", "--method", "density", "--method", "linkdensity")
    result = run("eval", "-", *options, stdin=file.read_bytes())
    assert [found["groups"][-1]["pages"] for found in json.loads(result.stdout).values()] == [8, 8]


def test_the_number_of_jobs_does_not_change_the_scores(tmp_path: Path) -> None:
    file = write_rows(tmp_path / "gold.jsonl", gold_rows())
    assert run("eval", file, "--jobs", "2").stdout == run("eval", file).stdout


def test_pages_without_any_gold_are_wrong_usage(mainblock: Mainblock, tmp_path: Path) -> None:
    result = mainblock("eval", write_rows(tmp_path / "in.jsonl", rows(site(3))))
    assert result.code == 2
    assert "gold" in result.err
    assert len(result.err.splitlines()) == 1


def test_a_missing_input_is_named(mainblock: Mainblock, tmp_path: Path) -> None:
    result = mainblock("eval", tmp_path / "gone.jsonl")
    assert result.code == 1
    assert "no such file" in result.err
