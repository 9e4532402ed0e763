"""`mainblock rules pin`, `unpin`, `drop`, `keep` and `check`: invalid rules are not written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command import Mainblock
from pages import read_rows, rows, site, story, told, write_rows

SITE = site(8)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "in.jsonl", rows(SITE))


@pytest.fixture
def kept(mainblock: Mainblock, pages: Path, tmp_path: Path) -> Path:
    """A directory with the rule of one site."""
    mainblock("learn", pages, "--rules", tmp_path / "rules")
    return tmp_path / "rules"


def clusters(kept: Path, site: str = "news.example") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((kept / f"{site}.json").read_text())["clusters"]
    return found


def edit(kept: Path, site: str = "news.example", **parts: Any) -> None:
    """Change the first rule of a document, as by manual editing."""
    file = kept / f"{site}.json"
    document = json.loads(file.read_text())
    document["clusters"][0]["rule"].update(parts)
    file.write_text(json.dumps(document))


# --- pin ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--class", "div.sect1 > p"), "this is a selector"),
        (("--class", ".sect1"), "this is a selector"),
        (("--class", "div.sect1"), "this is a selector"),
        (("--class", "a, b"), "this is a selector"),
        (("--id", "#main"), "this is a selector"),
        (("--id", "//div"), "this is a selector"),
        (("--path", "div.sect1"), "body1/div2/div1"),
        (("--path", "body > div"), "body1/div2/div1"),
        (("--class", "  "), "give what to pin"),
        (("--id", "a" * 3000), "2000 characters"),
    ],
)
def test_a_value_that_cannot_match_is_refused(
    mainblock: Mainblock, kept: Path, options: tuple[str, str], said: str
) -> None:
    before = (kept / "news.example.json").read_bytes()
    result = mainblock("rules", "pin", "news.example", *options, "--rules", kept)
    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert len(result.err.splitlines()) == 1
    assert (kept / "news.example.json").read_bytes() == before


@pytest.mark.parametrize("name", ["p-1.5", "md:w-1/2", "w-[10px]", "x.y", "content__body"])
def test_an_unusual_but_valid_class_is_pinned(mainblock: Mainblock, kept: Path, name: str) -> None:
    result = mainblock("rules", "pin", "news.example", "--class", name, "--rules", kept)
    assert (result.code, clusters(kept)[0]["rule"]["class"]) == (0, name)


@pytest.mark.parametrize(
    ("site", "host"),
    [
        ("https://www.a.example/x", "www.a.example"),
        ("a.example/", "a.example"),
        ("a.example:8080", "a.example"),
        ("A.Example", "a.example"),
        ("a.example.", "a.example"),
        ("", "is not a host"),
        ("a b", "is not a host"),
    ],
)
def test_a_site_that_is_not_a_host_is_refused(
    mainblock: Mainblock, tmp_path: Path, site: str, host: str
) -> None:
    result = mainblock("rules", "pin", site, "--id", "x", "--force", "--rules", tmp_path / "r")
    assert result.code == 2
    assert result.err.rstrip().endswith(host)
    assert not (tmp_path / "r").exists()


def test_any_site_name_that_has_rules_can_be_pinned(mainblock: Mainblock, tmp_path: Path) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(SITE, site="a/b C"))
    mainblock("learn", file, "--rules", tmp_path / "r")
    assert mainblock("rules", "pin", "a/b C", "--id", "x", "--rules", tmp_path / "r").code == 0


def test_a_pin_is_tested_on_the_given_pages(
    mainblock: Mainblock, kept: Path, pages: Path, tmp_path: Path
) -> None:
    options = ("rules", "pin", "news.example", "--rules", kept, "--pages", pages)
    before = (kept / "news.example.json").read_bytes()
    result = mainblock(*options, "--class", "no-such")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "mainblock: class=no-such matches none of 8 pages of news.example"
        " (--force writes it anyway)\n"
    )
    assert (kept / "news.example.json").read_bytes() == before

    some = [story(50, attributes='class="main-text"'), *SITE[:2], ("<p>x</p>", "http://b.example/")]
    more = write_rows(tmp_path / "more.jsonl", rows(some))
    result = mainblock(*options[:-1], more, "--class", "main-text")
    assert result.out == "pinned: news.example site class=main-text (matches 1 of 3 pages)\n"

    result = mainblock(*options, "--class", "no-such", "--force")
    assert result.code == 0
    assert "matches 0 of 8 pages" in result.out


def test_an_unusual_value_that_matches_pages_is_accepted(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    some = site(3, attributes='class="div.entry"')
    file = write_rows(tmp_path / "odd.jsonl", rows(some))
    options = ("rules", "pin", "news.example", "--class", "div.entry", "--rules", tmp_path / "r")
    assert mainblock(*options).code == 2
    assert "matches 3 of 3 pages" in mainblock(*options, "--pages", file).out


def test_pages_of_other_sites_and_clusters_are_not_counted(
    mainblock: Mainblock, kept: Path, tmp_path: Path
) -> None:
    name = clusters(kept)[0]["cluster"]
    other = write_rows(tmp_path / "b.jsonl", rows(site(2, host="b.example")))
    result = mainblock(
        "rules", "pin", "news.example", "--id", "content", "--pages", other, "--rules", kept
    )
    assert result.code == 2
    assert "no page of news.example in --pages (2 of other sites)" in result.err

    unlike = "<div class=x><div id=content><blockquote><p>text</p></blockquote></div></div>"
    mixed = write_rows(
        tmp_path / "mixed.jsonl", rows([*SITE[:2], (unlike, "http://news.example/9")])
    )
    words = ("rules", "pin", "news.example", "--cluster", name, "--pages", mixed, "--rules", kept)
    assert "(matches 2 of 2 pages)" in mainblock(*words).out


def test_a_page_without_a_site_is_counted(mainblock: Mainblock, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(story(1)[0])
    words = ("rules", "pin", "a.example", "--id", "content", "--rules", tmp_path / "r")
    result = mainblock(*words, "--pages", tmp_path / "page.html")
    assert "(matches 1 of 1 pages)" in result.out


def test_a_pin_equal_to_the_learned_rule_prints_its_page_count(
    mainblock: Mainblock, kept: Path
) -> None:
    result = mainblock("rules", "pin", "news.example", "--id", "content", "--rules", kept)
    assert "(matches the learned rule of 8 known pages)" in result.out


def test_unreadable_pages_are_named_and_nothing_is_pinned(mainblock: Mainblock, kept: Path) -> None:
    result = mainblock(
        "rules", "pin", "news.example", "--id", "content", "--pages", "gone.html", "--rules", kept
    )
    assert result.code == 2
    assert "gone.html: no such file" in result.err
    assert len(clusters(kept)) == 1


# --- shared keys of command and crawl ------------------------------------------------------------


@pytest.fixture
def crawled(mainblock: Mainblock, pages: Path, tmp_path: Path) -> Path:
    """Rules of pages under www., saved under the registered domain, as a crawl saves them."""
    some = rows(site(8, host="www.daily.com"), site="daily.com")
    mainblock("learn", write_rows(tmp_path / "c.jsonl", some), "--rules", tmp_path / "crawled")
    return tmp_path / "crawled"


def test_pages_of_a_subdomain_use_the_rules_saved_by_a_crawl(
    mainblock: Mainblock, crawled: Path, tmp_path: Path
) -> None:
    for more in ({}, {"site": "www.daily.com"}):
        file = write_rows(tmp_path / "saved.jsonl", rows(site(8, host="www.daily.com"), **more))
        result = mainblock("rules", "test", file, "--rules", crawled)
        assert result.out.splitlines()[-1] == "8 of 8 pages by rule"
        out = tmp_path / "out.jsonl"
        mainblock("extract", file, "-o", out, "--rules", crawled, "--no-learn")
        assert {row["metadata"]["method"] for row in read_rows(out)} == {"rule"}


def test_learning_updates_the_document_that_a_crawl_uses(
    mainblock: Mainblock, crawled: Path, tmp_path: Path
) -> None:
    mainblock("rules", "pin", "daily.com", "--class", "comments", "--rules", crawled)
    file = write_rows(tmp_path / "saved.jsonl", rows(site(8, host="www.daily.com")))
    for words in (("learn", file), ("extract", file, "-o", tmp_path / "out.jsonl")):
        assert mainblock(*words, "--rules", crawled).code == 0
        assert [one.name for one in crawled.glob("*.json")] == ["daily.com.json"]
    assert {row["articleBody"] for row in read_rows(tmp_path / "out.jsonl")} == {
        told(15, "comment")
    }


def test_a_pin_under_www_overrides_the_domain_with_a_notice(
    mainblock: Mainblock, crawled: Path, tmp_path: Path
) -> None:
    result = mainblock("rules", "pin", "www.daily.com", "--class", "comments", "--rules", crawled)
    assert result.out.splitlines()[1] == (
        "the rules of daily.com no longer apply to pages of www.daily.com"
    )
    file = write_rows(
        tmp_path / "two.jsonl",
        rows([*site(1, host="www.daily.com"), *site(1, host="m.daily.com")]),
    )
    mainblock("extract", file, "-o", tmp_path / "out.jsonl", "--rules", crawled, "--no-learn")
    pinned, learnt = read_rows(tmp_path / "out.jsonl")
    assert pinned["articleBody"] == told(15, "comment")
    assert learnt["articleBody"].startswith("story0w0")
    assert (pinned["metadata"]["cluster"], learnt["metadata"]["method"]) == ("site", "rule")


# --- unpin ---------------------------------------------------------------------------------------


def test_unpin_removes_manual_rules_and_restores_learned_ones(
    mainblock: Mainblock, kept: Path
) -> None:
    (learnt,) = clusters(kept)
    words = ("rules", "pin", "news.example", "--rules", kept)
    mainblock(*words, "--class", "comments")
    mainblock(*words, "--cluster", learnt["cluster"])
    mainblock(*words, "--cluster", learnt["cluster"], "--id", "other")
    assert len(clusters(kept)) == 2
    result = mainblock("rules", "unpin", "news.example", "--rules", kept)
    assert result.code == 0
    assert sorted(line.rpartition(": ")[2] for line in result.out.splitlines()) == [
        "now id=content path=body1/div2/div1",
        "removed",
    ]
    (after,) = clusters(kept)
    assert (after["rule"]["id"], after["votes"], after["pinned"]) == ("content", 8, False)
    assert after["version"] == 3


@pytest.mark.parametrize(
    "corrections",
    [
        [("drop", "news.example", "> p.byline")],
        [("drop", "news.example", "> p.byline"), ("drop", "news.example", "> p.more")],
        [("drop", "news.example", "> p.byline"), ("pin", "news.example", "--class", "comments")],
        [("pin", "news.example", "--cluster", "{cluster}", "--class", "comments")],
    ],
    ids=["one", "two", "another block", "a block"],
)
def test_unpin_restores_what_was_learned_before_the_first_correction(
    mainblock: Mainblock, kept: Path, corrections: list[tuple[str, ...]]
) -> None:
    (learnt,) = clusters(kept)
    for words in corrections:
        filled = (one.format(cluster=learnt["cluster"]) for one in words)
        assert mainblock("rules", *filled, "--rules", kept).code == 0
    assert mainblock("rules", "unpin", "news.example", "--rules", kept).code == 0
    (after,) = clusters(kept)
    for key in ("rule", "pages", "votes", "looks", "judged", "pinned"):
        assert after[key] == learnt[key], key
    assert "learned" not in after


def test_one_cluster_can_be_unpinned_alone(mainblock: Mainblock, kept: Path) -> None:
    name = clusters(kept)[0]["cluster"]
    mainblock("rules", "pin", "news.example", "--class", "x", "--rules", kept)
    mainblock("rules", "pin", "news.example", "--cluster", name, "--rules", kept)
    mainblock("rules", "unpin", "news.example", "--cluster", name, "--rules", kept)
    assert {one["cluster"]: one["pinned"] for one in clusters(kept)} == {"site": True, name: False}


@pytest.mark.parametrize("site", ["news.example", "none.example"])
def test_unpin_without_a_pin_is_wrong_usage(mainblock: Mainblock, kept: Path, site: str) -> None:
    result = mainblock("rules", "unpin", site, "--rules", kept)
    assert (result.code, len(result.err.splitlines())) == (2, 1)


# --- drop and keep -------------------------------------------------------------------------------

WITH_BOX = '<div class="box"><p>{}</p></div>'


@pytest.fixture
def boxes(tmp_path: Path) -> Path:
    """Pages with a box in the main block."""
    some = [
        (html.replace('id="content">', f'id="content">{WITH_BOX.format(told(30, "box"))}'), url)
        for html, url in SITE
    ]
    return write_rows(tmp_path / "boxes.jsonl", rows(some))


@pytest.fixture
def boxed(mainblock: Mainblock, boxes: Path, tmp_path: Path) -> Path:
    mainblock("learn", boxes, "--rules", tmp_path / "boxed")
    return tmp_path / "boxed"


def bodies(mainblock: Mainblock, file: Path, kept: Path) -> list[str]:
    out = file.with_name("out.jsonl")
    mainblock("extract", file, "-o", out, "--rules", kept, "--no-learn")
    return [row["articleBody"] for row in read_rows(out)]


def test_a_dropped_part_can_be_kept_again(mainblock: Mainblock, boxes: Path, boxed: Path) -> None:
    words = ("news.example", "div.box", "--rules", boxed, "--pages", boxes)
    result = mainblock("rules", "drop", *words)
    assert result.out.rstrip().endswith("drops div.box (matches 8 of 8 pages)")
    assert bodies(mainblock, boxes, boxed)[0] == told(120, "story0w")
    assert clusters(boxed)[0]["pinned"]
    assert mainblock("rules", "keep", *words).code == 0
    assert bodies(mainblock, boxes, boxed)[0].startswith("box0")
    assert "drop" not in clusters(boxed)[0]["rule"]


def test_a_kept_block_is_content_with_its_descendants(
    mainblock: Mainblock, boxes: Path, boxed: Path
) -> None:
    edit(boxed, known=["p"], drop=["div.box"])
    mainblock("rules", "keep", "news.example", "div.box", "--rules", boxed)
    rule = clusters(boxed)[0]["rule"]
    assert (rule["known"], "drop" in rule) == (["p", "div.box > *"], False)
    assert bodies(mainblock, boxes, boxed)[0].startswith("box0")


@pytest.mark.parametrize(
    ("action", "selector", "said"),
    [
        ("drop", ".box", "not a valid step"),
        ("drop", "div..box", "not a valid step"),
        ("drop", "boxes.box", "boxes is not the tag of a block element"),
        ("drop", f"div.{'a' * 21000}", "20000 characters"),
        ("drop", "div.box, p", "not a valid step"),
        ("keep", "div.post-12", "names with a number"),
        ("drop", "div.none", "matches none of 8 pages"),
        ("keep", "aside > p", 'is inside "aside"'),
    ],
)
def test_an_invalid_or_useless_selector_is_refused(  # noqa: PLR0917 - a table's columns
    mainblock: Mainblock, boxes: Path, boxed: Path, action: str, selector: str, said: str
) -> None:
    edit(boxed, drop=["aside"])
    before = (boxed / "news.example.json").read_bytes()
    force = () if "none" in said else ("--force",)
    result = mainblock(
        "rules", action, "news.example", selector, *force, "--rules", boxed, "--pages", boxes
    )
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    assert said in result.err
    assert (boxed / "news.example.json").read_bytes() == before


def test_with_several_clusters_drop_needs_a_cluster_option(
    mainblock: Mainblock, boxed: Path
) -> None:
    mainblock("rules", "pin", "news.example", "--class", "x", "--rules", boxed)
    result = mainblock("rules", "drop", "news.example", "div.box", "--rules", boxed)
    assert result.code == 2
    assert "--cluster" in result.err
    words = ("rules", "drop", "news.example", "div.box", "--cluster", "site", "--rules", boxed)
    assert mainblock(*words).code == 0


def test_check_accepts_selectors_written_by_learning(
    mainblock: Mainblock, kept: Path, pages: Path
) -> None:
    edit(kept, drop=["> ul.a", "> div.b:links"], known=["div.c > p", "> div.d > *"])
    result = mainblock("rules", "check", "--rules", kept)
    assert (result.code, result.out) == (0, "1 rules of 1 sites: no problems\n")


@pytest.mark.parametrize("written", ["> div.b", ">div.b"])
def test_a_child_of_the_rules_block_can_be_dropped_and_kept(
    mainblock: Mainblock, kept: Path, written: str
) -> None:
    edit(kept, drop=["> div.a"], known=["p"])
    said = mainblock("rules", "drop", "news.example", written, "--rules", kept)
    assert (said.code, clusters(kept)[0]["rule"]["drop"]) == (0, ["> div.a", "> div.b"])
    for selector in ("> div.b", "div.a"):
        assert mainblock("rules", "keep", "news.example", selector, "--rules", kept).code == 0
    rule = clusters(kept)[0]["rule"]
    assert "drop" not in rule
    assert rule["known"] == ["p", "> div.b > *", "div.a > *"]


def test_a_part_of_a_dropped_block_cannot_be_kept_alone(mainblock: Mainblock, kept: Path) -> None:
    edit(kept, drop=["> div.a"])
    result = mainblock("rules", "keep", "news.example", "div.a > p", "--rules", kept)
    assert result.code == 2
    assert 'is inside "> div.a", which is dropped' in result.err


# --- check ---------------------------------------------------------------------------------------


def test_check_accepts_a_directory_written_by_learning(mainblock: Mainblock, boxed: Path) -> None:
    result = mainblock("rules", "check", "--rules", boxed)
    assert (result.code, result.out) == (0, "1 rules of 1 sites: no problems\n")


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"class": ".sect1"}, "--class .sect1: this is a selector"),
        ({"drop": ["div > .share"]}, '"drop": ".share" is not a valid step'),
        ({"keep": ["div.a, div.b"]}, '"keep": "div.a, div.b" is not a valid step'),
        ({"known": ["div#a1 > *"]}, "names with a number"),
        ({"drop": ["ol", "ul", "ol"]}, '"drop": "ol" is listed twice'),
        ({"drop": ["ul"], "known": ["ul"]}, 'is in both "drop" and "known"'),
        ({"drop": ["ul"], "known": ["ul > li"]}, 'is inside "ul", which is dropped'),
        ({"drop": ["> ul.a"], "known": ["ul.a > li"]}, 'is inside "> ul.a", which is dropped'),
        ({"drop": ["> ul.a > .b"]}, '"drop": ".b" is not a valid step'),
    ],
)
def test_check_reports_a_problem_in_a_rule(
    mainblock: Mainblock, kept: Path, parts: dict[str, Any], said: str
) -> None:
    edit(kept, **parts)
    result = mainblock("rules", "check", "--rules", kept)
    name = clusters(kept)[0]["cluster"]
    first, last = result.out.splitlines()
    assert result.code == 1
    assert first.startswith(f"news.example: cluster {name}: ")
    assert said in first
    assert last == "1 rules of 1 sites: 1 problem"


def test_check_reports_rules_that_shadow_each_other(mainblock: Mainblock, kept: Path) -> None:
    (learnt,) = clusters(kept)
    pins = [{"cluster": name, "pinned": True, "rule": {"id": "x"}} for name in ("site", "other")]
    twin = {**learnt, "cluster": "twin"}
    document = {"format": 2, "site": "news.example", "clusters": [*pins, learnt, learnt, twin]}
    (kept / "news.example.json").write_text(json.dumps(document))
    lines = mainblock("rules", "check", "--rules", kept).out.splitlines()
    assert "news.example: cluster other: never used: site is also pinned for all pages" in lines
    name = learnt["cluster"]
    assert f"news.example: cluster {name} is listed 2 times: only the first is used" in lines
    assert (
        f"news.example: cluster twin: never used: cluster {name}, tried before it, takes its pages"
        in lines
    )


def test_check_reports_file_and_line_for_the_whole_directory(
    mainblock: Mainblock, kept: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (kept / "a.example.json").write_text('{"format": 2,\n"site": 5, "clusters": []}')
    (kept / "moved.example.json").write_bytes((kept / "news.example.json").read_bytes())
    (kept / "news.example.json").unlink()
    for name in ("www.daily.com", "daily.com"):
        mainblock("rules", "pin", name, "--id", "x", "--rules", kept)
    result = mainblock("rules", "check", "--rules", kept)
    assert result.code == 1
    assert f"{kept}/a.example.json: line 2" in caplog.text
    assert "news.example: never used: the document is stored under a different name" in result.out
    assert (
        "www.daily.com: the rules of daily.com (1 pinned) do not apply to its pages" in result.out
    )
    assert result.out.splitlines()[-1] == "3 rules of 3 sites: 2 problems"


@pytest.mark.parametrize("action", ["list", "check", "export"])
def test_an_unreadable_document_exits_with_1(mainblock: Mainblock, kept: Path, action: str) -> None:
    (kept / "a.example.json").write_text("{")
    assert mainblock("rules", action, "--rules", kept).code == 1
