"""The commands that `explain` suggests: each, run unchanged, has the stated effect on the page."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import Mainblock
from pages import row, site, write_rows

EXTRAS = (
    '<div class="box"><p class="ad">An advert of some length, for boots</p><ul><li>one point'
    '<li>two points</ul></div><p class="share">Share this with your friends</p>'
    "<table><tr><td>a cell<td>another cell</table><div>A text of its own <p>and a line</p></div>"
)
PAGES = site(12, attributes=f'id="content">{EXTRAS}<p')
SELECTIONS: dict[str, dict[str, list[str]]] = {
    "as it was learnt": {},
    "a block is dropped": {"drop": ["div.box"]},
    "a block is dropped by a chain": {"drop": ["> div.box"]},
    "a line in a dropped block is dropped too": {"drop": ["div.box > ul > li", "div.box"]},
    "a nested name is dropped": {"drop": ["p.ad", "p.share"]},
    "one name by two selectors": {"drop": ["> p.share", "p.share"]},
    "own text is dropped": {"drop": ["div[1] > text()", "text()"]},
    "paragraphs are dropped": {"drop": ["p"]},
    "some alone is kept": {"keep": ["p"]},
    "some alone is kept, some dropped": {"keep": ["p", "div.box"], "drop": ["div.box > ul"]},
    "little is known": {"known": ["p"]},
    "little is known, some dropped": {"known": ["p"], "drop": ["div.box", "table[1] > tr[1]"]},
    "a line of the template": {"lines": ["share this with your friends"]},
}
OTHERS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "another block": ({"rule": {"class": "comments"}}, ["pin block", "pin"]),
    "another block, unlike what was learnt": ({"rule": {"class": "menu"}}, ["pin block"]),
    "its rule misses": ({"rule": {"id": "gone"}}, ["pin block"]),
    "it is pinned": ({"pinned": True, "rule": {"id": "content", "drop": ["p.ad"]}}, ["keep"]),
}


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("learnt")
    from scrapy_mainblock import learn  # noqa: PLC0415

    learn(PAGES).save(folder / "rules")
    return folder / "rules"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "page.html"
    file.write_text(PAGES[5][0])
    return file


def _suggestions(out: str) -> list[tuple[str, list[str]]]:
    """Return the description and the words of the command of each suggestion."""
    found = re.findall(r"^  (\S.*):\n    (mainblock rules .*)$", out, re.MULTILINE)
    return [(what, shlex.split(command)) for what, command in found]


def decided(mainblock: Mainblock, page: Path, rules: Path) -> dict[str, Any]:
    out = mainblock("explain", page, "--url", PAGES[5][1], "--rules", rules, "--json").out
    found: dict[str, Any] = json.loads(out)
    return found


def kept(decision: dict[str, Any]) -> set[tuple[int, str]]:
    return {(one["start"], one["place"]) for one in decision["kept"]}


def _check_suggestions(mainblock: Mainblock, page: Path, rules: Path, tried: Path) -> list[str]:
    """Run each suggested command on a copy of the rules; return the actions."""
    out = mainblock("explain", page, "--url", PAGES[5][1], "--rules", rules).out
    before = decided(mainblock, page, rules)
    actions = []
    for what, words in _suggestions(out):
        shutil.rmtree(tried, ignore_errors=True)
        if rules.exists():
            shutil.copytree(rules, tried)
        command = [str(tried) if word == str(rules) else word for word in words[1:]]
        result = mainblock(*command)
        assert result.code == 0, result.err
        after = decided(mainblock, page, tried)
        action = f"{words[2]} block" if "main block of" in what else words[2]
        CHANGES[action](before, after)
        actions.append(action)
    return actions


def _check_more_is_kept(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert after["method"] == "rule"
    assert kept(before) < kept(after)


def _check_more_is_dropped(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert after["method"] == "rule"
    assert kept(after) < kept(before)


def _check_rule_has_changed(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert after["method"] == "rule"
    assert after["rule"] != before["rule"]


def _check_nothing_has_changed(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert kept(after) == kept(before)


CHANGES: dict[str, Callable[[dict[str, Any], dict[str, Any]], None]] = {
    "keep": _check_more_is_kept,
    "drop": _check_more_is_dropped,
    "pin block": _check_rule_has_changed,
    "pin": _check_nothing_has_changed,
}


def with_rule(learnt: Path, folder: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    rules = folder / "rules"
    shutil.copytree(learnt, rules)
    document = rules / "news.example.json"
    fields = json.loads(document.read_text())
    change(fields["clusters"][0])
    document.write_text(json.dumps(fields))
    return rules


@pytest.mark.parametrize("selection", SELECTIONS)
def test_each_suggestion_for_a_selection_has_its_stated_effect(
    mainblock: Mainblock, learnt: Path, page: Path, tmp_path: Path, selection: str
) -> None:
    changed = SELECTIONS[selection]

    def change(cluster: dict[str, Any]) -> None:
        cluster["rule"] = {"id": "content", **changed} if changed else cluster["rule"]

    rules = with_rule(learnt, tmp_path, change)
    actions = _check_suggestions(mainblock, page, rules, tmp_path / "tried")
    assert "pin" in actions
    if "drop" in changed:
        assert "keep" in actions


@pytest.mark.parametrize("other", OTHERS)
def test_each_suggestion_for_another_rule_has_its_stated_effect(
    mainblock: Mainblock, learnt: Path, page: Path, tmp_path: Path, other: str
) -> None:
    changed, expected = OTHERS[other]
    rules = with_rule(learnt, tmp_path, lambda cluster: cluster.update(changed))
    assert _check_suggestions(mainblock, page, rules, tmp_path / "tried") == expected


def test_without_rules_the_suggestion_pins_the_block_for_the_site(
    mainblock: Mainblock, page: Path, tmp_path: Path
) -> None:
    (tmp_path / "none").mkdir()
    assert _check_suggestions(mainblock, page, tmp_path / "none", tmp_path / "tried") == [
        "pin block"
    ]


def test_no_command_is_suggested_for_a_part_that_cannot_be_kept(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    rows = [row(html.replace("<h1>", "<h1 class=t>"), url) for html, url in site(12)]
    pages = write_rows(tmp_path / "p.jsonl", rows)
    mainblock("learn", pages, "--rules", tmp_path / "rules")
    page = tmp_path / "page.html"
    page.write_text(str(rows[3]["html"]))
    out = mainblock(
        "explain", page, "--url", "http://news.example/3", "--rules", tmp_path / "rules"
    ).out
    assert [words[2] for _, words in _suggestions(out)] == ["pin"]
