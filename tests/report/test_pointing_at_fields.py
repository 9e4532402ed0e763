"""Clicks on a page's headline, date or author: what is pinned, and which values that changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from accessibility import violations
from browser import Tab
from editing import click_part, open_page, ours, point, preview, save, serving_editor
from pages import ARTICLE, outline_of, story

from scrapy_mainblock import Rules, extract, learn
from scrapy_mainblock.cli.look.edit import EditServer
from scrapy_mainblock.report.edit import EditError
from scrapy_mainblock.report.edit_fields import EMPTY, FieldChange, field_change_at
from scrapy_mainblock.report.inspected import Inspected, inspect_page
from scrapy_mainblock.template.rules import SITE_CLUSTER, SiteRules

SITE = "news.example"
COUNT = 12
WITHOUT = 5
"""The page without a line above its headline."""
BARE = 7
"""The page without metadata."""


def page(number: int, more: str = "") -> tuple[str, str]:
    """Return a page whose metadata has one date and author, and whose visible line others."""
    line = (
        f'<div class="line"><i class="set">Set {number + 1} April 2023 at {number + 1:02}:30</i>'
        f' <span class="hands">{more}<a class="hand" href="/a">Ann Lee{chr(97 + number)}</a>,'
        ' <a class="hand" href="/b">Bo Ray</a></span></div>'
    )
    html, url = story(number, above="" if number == WITHOUT else line)
    said = (
        f'<meta property="article:published_time" content="2024-05-{number + 1:02}">'
        '<meta name="author" content="Cy Moss">'
    )
    return (html if number == BARE else html.replace(ARTICLE, ARTICLE + said)), url


PAGES = [page(number) for number in range(COUNT)]


@pytest.fixture(scope="module")
def learnt() -> SiteRules:
    return learn(PAGES).sites[SITE]


def look(rules: SiteRules | None, number: int = 0, more: str = "") -> Inspected:
    return inspect_page(outline_of(*page(number, more)), rules)


def _change_by_click(inspected: Inspected, spoken: str, text: str) -> FieldChange:
    """Return the change made by a click at a text node of a segment."""
    rows = inspected.page.rows
    texts = [one for one in range(len(rows.text_start)) if text in rows.text(one)]
    segment = rows.text_segment[texts[0]]
    own = [
        one
        for one in range(len(rows.text_start))
        if rows.text_segment[one] == segment and rows.text_chars[one]
    ]
    place = inspected.page.chains[rows.segment_block[segment]]
    return field_change_at(inspected, spoken, segment, place, own.index(texts[0]))


# --- the place that a click selects -------------------------------------------------------------


@pytest.mark.parametrize(
    ("spoken", "text", "place"),
    [
        ("date", "Set 1 April", "div.line > i.set"),
        ("author", "Ann Leea", "div.line > span.hands > a.hand"),
        ("author", "Bo Ray", "div.line > span.hands > a.hand"),  # both of two adjacent names
    ],
)
def test_the_place_uses_only_names_shared_by_other_pages(
    learnt: SiteRules, spoken: str, text: str, place: str
) -> None:
    change = _change_by_click(look(learnt), spoken, text)
    assert (change.cluster, change.spoken) == (learnt.templates[0].cluster, spoken)
    assert change.place == place


def test_an_element_after_one_of_the_same_name_is_numbered(learnt: SiteRules) -> None:
    more = '<b class="by">9 May 2001</b> <b class="by">8 May 2001</b> '
    change = _change_by_click(look(learnt, more=more), "date", "8 May")
    assert change.place == "div.line > span.hands > b.by:nth-of-type(2)"


def test_an_element_without_a_value_selects_an_ancestor(learnt: SiteRules) -> None:
    more = '<em class="day">3 June <b>2002</b></em> '
    change = _change_by_click(look(learnt, more=more), "date", "2002")
    assert change.place == "div.line > span.hands > em.day"


def test_a_click_on_a_segment_selects_its_first_element_with_a_value(learnt: SiteRules) -> None:
    inspected = look(learnt)
    rows = inspected.page.rows
    segment = next(n for n, one in enumerate(inspected.page.texts) if one.startswith("Set 1"))
    place = inspected.page.chains[rows.segment_block[segment]]
    assert field_change_at(inspected, "date", segment, place).place == "div.line > i.set"
    assert field_change_at(inspected, "author", segment, place).place.endswith("a.hand")


@pytest.mark.parametrize(("segment", "place"), [(0, "div.line"), (9999, ""), (-1, "")])
def test_a_place_outside_the_segment_is_refused(
    learnt: SiteRules, segment: int, place: str
) -> None:
    with pytest.raises(EditError, match=r"(place|part)"):
        field_change_at(look(learnt), "date", segment, place)


def test_a_text_without_a_date_is_refused(learnt: SiteRules) -> None:
    with pytest.raises(EditError, match="no date found at this place"):
        _change_by_click(look(learnt), "date", "Section 3")


@pytest.mark.parametrize(
    ("inside", "text", "place"),
    [
        ("{}", "Title of story 0", "h1"),
        ("<em>Title</em> of story 0", "Title", "h1"),  # a single word is not a headline
        ("<b class=topic>News</b> <b class=name>Title of story 0</b>", "Title", "h1 > b.name"),
    ],
    ids=["a line", "a word of it", "a part with a name"],
)
def test_a_headline_is_a_line_or_a_part_with_a_name(inside: str, text: str, place: str) -> None:
    html, url = page(0)
    html = html.replace(
        "<h1>Title of story 0</h1>", f"<h1>{inside.format('Title of story 0')}</h1>"
    )
    inspected = inspect_page(outline_of(html, url), None)
    change = _change_by_click(inspected, "headline", text)
    assert change.place.endswith(place)
    after = inspect_page(inspected.page, change.changed(None, SITE))
    assert after.headline == "Title of story 0"


# --- the effects of a change --------------------------------------------------------------------


def test_a_change_lists_values_before_and_after(learnt: SiteRules) -> None:
    change = _change_by_click(look(learnt), "date", "Set 1 April")
    after = change.changed(learnt, SITE)
    changes = [change.difference(look(learnt, number), after) for number in range(COUNT)]
    assert changes[0].lines == [("-", "2024-05-01T00:00:00Z"), ("+", "2023-04-01T01:30:00Z")]
    assert changes[WITHOUT] == ([], True)  # read without the rule, as before
    assert changes[BARE] == ([], False)  # had the same value without the rule
    assert sum(bool(one.lines) for one in changes) == COUNT - 2
    assert [number for number, one in enumerate(changes) if one.is_missed] == [WITHOUT]


def test_the_segment_of_the_new_headline_leaves_the_body() -> None:
    own = "Rain falls on the hills of the north, and has not stopped for days, say they."
    html, url = page(0)
    html = html.replace('<div id="content">', f'<div id="content"><p class="own">{own}</p>')
    inspected = inspect_page(outline_of(html, url), None)
    change = _change_by_click(inspected, "headline", "Rain falls")
    lines = change.difference(inspected, change.changed(None, SITE)).lines
    assert lines == [("-", "Title of story 0"), ("+", own), ("-", own)]


def test_a_missing_value_is_shown_as_empty(learnt: SiteRules) -> None:
    change = _change_by_click(look(learnt), "author", "Ann Lee")
    (was, will_be) = change.difference(look(learnt, BARE), change.changed(learnt, SITE)).lines
    assert was == ("-", EMPTY)
    assert will_be == ("+", "Ann Leeh, Bo Ray")


def test_a_page_without_a_rule_pins_the_field_for_its_site() -> None:
    change = _change_by_click(look(None), "date", "Set 1 April")
    assert change.cluster == SITE_CLUSTER
    after = change.changed(None, SITE, "a note")
    assert [(one.place, one.note) for one in after.fields] == [("div.line > i.set", "a note")]
    assert change.difference(look(None, 3), after).lines[1] == ("+", "2023-04-04T04:30:00Z")
    assert change.restored(None, after, SITE) == SiteRules(SITE)


def test_undoing_restores_only_the_field(learnt: SiteRules) -> None:
    change = _change_by_click(look(learnt), "date", "Set 1 April")
    other = _change_by_click(look(learnt), "author", "Ann Lee")
    after = change.changed(learnt, SITE)
    assert after != learnt
    assert change.restored(learnt, after, SITE) == learnt
    both = other.changed(after, SITE)
    assert change.restored(learnt, both, SITE) == other.changed(learnt, SITE)


def test_a_removed_template_is_reported(learnt: SiteRules) -> None:
    change = _change_by_click(look(learnt), "date", "Set 1 April")
    with pytest.raises(EditError, match="no longer exists"):
        change.changed(None, SITE)
    with pytest.raises(EditError, match="no longer exists"):
        change.restored(learnt, None, SITE)


# --- in the editor ------------------------------------------------------------------------------


@pytest.fixture
def rules(tmp_path: Path, learnt: SiteRules) -> Path:
    Rules({SITE: learnt}).save(tmp_path / "rules")
    return tmp_path / "rules"


@pytest.fixture
def server(rules: Path) -> Iterator[EditServer]:
    with serving_editor(PAGES, rules) as one:
        yield one


def pins(rules: Path) -> dict[str, Any]:
    fields = json.loads((rules / f"{SITE}.json").read_text())["clusters"][0]["fields"]
    return {name: one for name, one in fields.items() if one.get("pinned")}


def before_and_after(tab: Tab) -> Any:
    """Return the deleted and inserted texts of the open differences."""
    return tab.run(
        "[...document.querySelectorAll('#result details[open] :is(del, ins)')]"
        ".map((one) => [one.tagName, one.textContent])"
    )


def test_a_click_pins_the_date_and_can_be_undone(tab: Tab, server: EditServer, rules: Path) -> None:
    before = (rules / f"{SITE}.json").read_bytes()
    open_page(tab, server, 3)
    point(tab, "i.set mb-s", "date")
    assert tab.run("document.getElementById('changes').innerText") == "10 of 12 pages change."
    assert tab.run("document.getElementById('missed').innerText").startswith("1 of 12 pages has no")
    assert before_and_after(tab) == [
        ["DEL", "2024-05-04T00:00:00Z"],
        ["INS", "2023-04-04T04:30:00Z"],
    ]
    assert tab.run("document.querySelectorAll('#result details').length") == 10
    assert (rules / f"{SITE}.json").read_bytes() == before  # nothing is saved yet
    tab.run("const box = document.getElementById('note'); box.value = 'for readers';"
            "box.dispatchEvent(new Event('input'))")  # fmt: skip
    save(tab)
    place = {"place": "div.line > i.set", "pinned": True, "note": "for readers"}
    assert pins(rules) == {"datePublished": place}
    article = extract(*PAGES[9], Rules.load(rules))
    assert article.datePublished == "2023-04-10T10:30:00Z"
    tab.run("document.getElementById('undo').click()")
    tab.wait("!document.getElementById('undo')")
    assert json.loads((rules / f"{SITE}.json").read_bytes()) == json.loads(before)
    ours(tab, server)


def test_a_click_pins_the_headline_and_can_be_undone(
    tab: Tab, server: EditServer, rules: Path
) -> None:
    before = (rules / f"{SITE}.json").read_bytes()
    open_page(tab, server, 3)
    point(tab, "i.set mb-s", "headline")
    words = tab.run("document.querySelector('#result h2').innerText")
    assert words == "the headline is at div.line > i.set"
    assert tab.run("document.getElementById('changes').innerText") == "11 of 12 pages change."
    assert tab.run("document.getElementById('missed').innerText").startswith("1 of 12 pages has no")
    assert before_and_after(tab) == [
        ["DEL", "Title of story 3"],
        ["INS", "Set 4 April 2023 at 04:30"],
    ]
    assert (rules / f"{SITE}.json").read_bytes() == before  # nothing is saved yet
    save(tab)
    assert pins(rules) == {"headline": {"place": "div.line > i.set", "pinned": True}}
    assert extract(*PAGES[9], Rules.load(rules)).headline == "Set 10 April 2023 at 10:30"
    tab.run("document.getElementById('undo').click()")
    tab.wait("!document.getElementById('undo')")
    assert json.loads((rules / f"{SITE}.json").read_bytes()) == json.loads(before)
    ours(tab, server)


@pytest.mark.parametrize("spoken", ["date", "headline"])
def test_axe_finds_no_violation_during_a_field_change(
    tab: Tab, axe: str, server: EditServer, spoken: str
) -> None:
    open_page(tab, server, 3)
    point(tab, "i.set mb-s", spoken)
    ours(tab, server)
    assert violations(tab, axe) == []


def test_after_saving_the_same_text_stays_selected(
    tab: Tab, server: EditServer, rules: Path
) -> None:
    open_page(tab, server, 0)
    point(tab, ".hand:nth-of-type(2) mb-s", "author")
    assert tab.run("document.getElementById('changes').innerText") == "11 of 12 pages change."
    save(tab)
    preview(tab, "author")
    assert tab.run("document.getElementById('changes').innerText") == "None of 12 pages changes."
    click_part(tab, "i.set mb-s")
    preview(tab, "date")
    save(tab)
    preview(tab, "author")  # the names are elsewhere in the line
    words = tab.run("document.querySelector('#result h2').innerText")
    assert words == "the author is at div.line > i.set"
    assert pins(rules)["authors"]["place"] == "div.line > span.hands > a.hand"
    assert "note" not in pins(rules)["authors"]
    ours(tab, server)


def test_a_part_without_a_date_is_refused_with_a_message(tab: Tab, server: EditServer) -> None:
    open_page(tab, server, 0)
    click_part(tab, ".menu mb-s")
    preview(tab, "date")
    alert = tab.run("document.querySelector('#result [role=alert]').innerText")
    assert alert == "no date found at this place"
    tab.run("1")
    tab.errors[:] = [one for one in tab.errors if "422" not in one]  # logged by the browser itself
    ours(tab, server)
