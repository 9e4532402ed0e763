"""`mainblock rules pin SITE --headline CSS --author CSS`: checked, tested, written, unpinned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import Mainblock
from pages import read_rows, told_in_html, write_rows

NAMES = ["Anna Berg", "Ben Falk", "Cleo Dahl", "Dan Eder", "Eve Funk", "Finn Graf"]


def row(number: int, host: str = "news.example") -> dict[str, Any]:
    html = (
        f"<html lang=en><title>Story {number} of hills</title><div id=main><h1>Story {number} of"
        f' hills</h1><p class="byline">By <a href="/u">{NAMES[number % 6]}</a></p><p class="dated">'
        f"{number + 1} May 20{10 + number % 9}</p>{told_in_html(80, f'w{number}')}</div>"
        '<div class=foot><p class="who">Zoe Zorn</p><p class="when">3 June 2024</p></div></html>'
    )
    return {"id": f"{number}", "url": f"https://{host}/{number}", "html": html}


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "in.jsonl", [row(number) for number in range(10)])


@pytest.fixture
def kept(mainblock: Mainblock, pages: Path, tmp_path: Path) -> Path:
    mainblock("learn", pages, "--rules", tmp_path / "rules")
    return tmp_path / "rules"


def document(kept: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((kept / "news.example.json").read_text())
    return found


def test_learning_saves_the_places_of_fields(kept: Path) -> None:
    (cluster,) = document(kept)["clusters"]
    assert {name: one["place"] for name, one in cluster["fields"].items()} == {
        "authors": "div#main > p.byline",
        "datePublished": "div#main > p.dated",
        "headline": "h1",
    }
    assert all(one["pages"] == 10 for one in cluster["fields"].values())


def test_a_pin_applies_to_all_pages_and_overrides_learned_places(
    mainblock: Mainblock, kept: Path, pages: Path, tmp_path: Path
) -> None:
    pin = ("rules", "pin", "news.example", "--date", "p.when", "--author", "p.who", "--headline",
           "div.foot > p.when")  # fmt: skip
    done = mainblock(*pin, "--pages", pages, "--rules", kept)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "pinned: news.example site headline at div.foot > p.when (matches 10 of 10 pages)",
        "pinned: news.example site datePublished at p.when (matches 10 of 10 pages)",
        "pinned: news.example site authors at p.who (matches 10 of 10 pages)",
    ]
    assert document(kept)["fields"] == {
        "authors": {"place": "p.who", "pinned": True},
        "datePublished": {"place": "p.when", "pinned": True},
        "headline": {"place": "div.foot > p.when", "pinned": True},
    }
    out = tmp_path / "out.jsonl"
    assert mainblock("extract", pages, "--rules", kept, "-o", out).code == 0
    found = read_rows(out)
    assert {one["datePublished"][:10] for one in found} == {"2024-06-03"}
    assert {one["authors"][0]["name"] for one in found} == {"Zoe Zorn"}
    assert {one["headline"] for one in found} == {"3 June 2024"}
    assert found[0]["metadata"]["fields"]["authors"]["source"] == "rule:p.who"
    assert document(kept)["fields"]["authors"]["place"] == "p.who"  # extract has learned again
    listed = mainblock("rules", "list", "--rules", kept).out
    assert 'authors="p.who" datePublished="p.when" headline="div.foot > p.when"' in listed


def test_a_pin_of_one_cluster_applies_only_to_that_cluster(
    mainblock: Mainblock, kept: Path, pages: Path
) -> None:
    name = document(kept)["clusters"][0]["cluster"]
    pin = ("rules", "pin", "news.example", "--cluster", name, "--author", "p.byline > a")
    done = mainblock(*pin, "--rules", kept)
    assert done.out == (
        f"pinned: news.example {name} authors at p.byline > a"
        " (not tested; use --pages IN to test it)\n"
    )
    after = document(kept)
    assert "fields" not in after
    (cluster,) = after["clusters"]
    assert cluster["pinned"] is False
    assert cluster["fields"]["authors"] == {"place": "p.byline > a", "pinned": True}
    mainblock("learn", pages, "--rules", kept)
    (cluster,) = document(kept)["clusters"]
    assert cluster["fields"]["authors"] == {"place": "p.byline > a", "pinned": True}
    assert cluster["fields"]["datePublished"]["place"] == "div#main > p.dated"


def test_a_pin_equal_to_a_learned_place_prints_its_page_count(
    mainblock: Mainblock, kept: Path
) -> None:
    pin = ("rules", "pin", "news.example", "--date", "div#main > p.dated", "--rules", kept)
    assert "(matches the place learned from 10 known pages)" in mainblock(*pin).out


def test_a_block_and_its_fields_can_be_pinned_together(mainblock: Mainblock, kept: Path) -> None:
    pin = ("rules", "pin", "news.example", "--id", "main", "--author", "p.who", "--rules", kept)
    assert len(mainblock(*pin).out.splitlines()) == 2
    after = document(kept)
    assert after["clusters"][0]["rule"] == {"id": "main"}
    assert after["fields"]["authors"]["place"] == "p.who"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--author", "p + a"), '"+" is not supported'),
        (("--author", "//a[@rel]"), "is not a selector"),
        (("--author", " "), "give a place"),
        (("--headline", "h1 + h2"), '"+" is not supported'),
        (("--headline", "property:price"), "is not one of the supported properties"),
        (("--date", "property:price"), "is not one of the supported properties"),
        (("--date", "p:hover"), '":hover" is not supported in a selector'),
        (("--cluster", "nope", "--date", "p"), "has no cluster nope"),
    ],
)
def test_an_invalid_field_pin_is_refused(
    mainblock: Mainblock, kept: Path, options: tuple[str, ...], said: str
) -> None:
    before = document(kept)
    result = mainblock("rules", "pin", "news.example", *options, "--rules", kept)
    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert len(result.err.splitlines()) == 1
    assert document(kept) == before


def test_a_place_that_matches_no_given_page_is_not_written(
    mainblock: Mainblock, kept: Path, pages: Path
) -> None:
    before = document(kept)
    pin = ("rules", "pin", "news.example", "--date", "p.gone", "--pages", pages, "--rules", kept)
    result = mainblock(*pin)
    assert (result.code, result.out) == (2, "")
    assert "on any of 10 pages of news.example" in result.err
    assert document(kept) == before
    assert mainblock(*pin, "--force").out.endswith("(matches 0 of 10 pages)\n")


def test_unpinned_fields_are_learned_again(mainblock: Mainblock, kept: Path, pages: Path) -> None:
    before = document(kept)
    name = before["clusters"][0]["cluster"]
    pin = ("rules", "pin", "news.example", "--rules", kept, "--author", "p.who")
    mainblock(*pin)
    mainblock(*pin, "--cluster", name)
    done = mainblock("rules", "unpin", "news.example", "--rules", kept)
    assert (done.code, len(done.out.splitlines())) == (0, 2)
    after = document(kept)
    assert "fields" not in after
    assert "authors" not in after["clusters"][0]["fields"]
    assert mainblock("rules", "unpin", "news.example", "--rules", kept).code == 2
    mainblock("learn", pages, "--rules", kept)
    assert document(kept)["clusters"][0]["fields"] == before["clusters"][0]["fields"]


def test_check_reports_an_invalid_place(mainblock: Mainblock, kept: Path) -> None:
    changed = document(kept)
    changed["fields"] = {"authors": {"place": "p + a", "pinned": True}}
    changed["clusters"][0]["fields"]["datePublished"]["place"] = "//time"
    (kept / "news.example.json").write_text(json.dumps(changed))
    result = mainblock("rules", "check", "--rules", kept)
    assert result.code == 1
    assert 'all pages: "authors": "+" is not supported' in result.out
    assert '"datePublished": "//time" is not a selector' in result.out
    assert "2 problems" in result.out
