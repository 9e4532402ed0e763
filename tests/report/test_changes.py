"""Changes of a rule, without a server: drop, keep, select another block, and undo."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pages import outline_of, site

from scrapy_mainblock import learn
from scrapy_mainblock.report.advice import Target, advice_of
from scrapy_mainblock.report.edit import (
    Change,
    EditError,
    change_at,
    changed_rules,
    kept_otherwise,
    restored_rules,
)
from scrapy_mainblock.report.inspected import Inspected, inspect_page
from scrapy_mainblock.template.rules import SITE_CLUSTER, Rule, SiteRules, Template
from scrapy_mainblock.template.selection import Selection

PAGES = site(
    12, attributes='id="content"><p class="share">Share this story</p><ul class="u"><li>x</ul><p'
)


@pytest.fixture(scope="module")
def known() -> SiteRules:
    return learn(PAGES).sites["news.example"]


def look(rules: SiteRules | None, number: int = 0) -> Inspected:
    return inspect_page(outline_of(*PAGES[number]), rules)


def segment_with(inspected: Inspected, text: str) -> int:
    return next(n for n, one in enumerate(inspected.page.texts) if one.startswith(text))


def place_of(inspected: Inspected, segment: int) -> str:
    return inspected.page.chains[inspected.page.rows.segment_block[segment]]


def _change_at_text(rules: SiteRules, action: str, text: str, up: int = 0) -> Change:
    inspected = look(rules)
    segment = segment_with(inspected, text)
    place = place_of(inspected, segment)
    for _ in range(up):
        place = place.rpartition(" > ")[0]
    return change_at(inspected, action, segment, place)  # type: ignore[arg-type]


def test_a_named_place_is_dropped_at_any_position(known: SiteRules) -> None:
    dropped = _change_at_text(known, "drop", "Share")
    assert dropped.selector == "p.share"
    after = changed_rules(known, known.site, dropped)
    assert after.templates[0].pinned
    assert after.templates[0].version == known.templates[0].version + 1
    assert kept_otherwise(look(known), look(after).decision) == [("-", "Share this story")]


def test_a_place_without_a_name_is_dropped_by_its_chain(known: SiteRules) -> None:
    assert _change_at_text(known, "drop", "x").selector == "ul.u > li"
    assert _change_at_text(known, "drop", "x", up=1).selector == "ul.u"


def test_keeping_undoes_a_drop_by_any_selector(known: SiteRules) -> None:
    for selector in ("ul.u", "ul.u > li"):
        template = known.templates[0]
        rule = replace(template.rule, selection=replace(template.rule.selection, drop=(selector,)))
        dropping = SiteRules(known.site, (replace(template, rule=rule),))
        assert look(dropping).decision.kept != look(known).decision.kept
        after = changed_rules(dropping, known.site, _change_at_text(dropping, "keep", "x"))
        assert kept_otherwise(look(dropping), look(after).decision) == [("+", "x")]


def test_keeping_adds_to_a_keep_list(known: SiteRules) -> None:
    template = known.templates[0]
    rule = replace(template.rule, selection=Selection(keep=("p",)))
    keeping = SiteRules(known.site, (replace(template, rule=rule),))
    after = changed_rules(keeping, known.site, _change_at_text(keeping, "keep", "x"))
    assert ("+", "x") in kept_otherwise(look(keeping), look(after).decision)


def test_a_new_main_block_starts_with_all_of_its_content(known: SiteRules) -> None:
    after = changed_rules(known, known.site, _change_at_text(known, "main", "comment0", up=1))
    assert after.templates[0].rule == Rule(classes=("comments",))
    assert after.templates[0].looks is None  # statistics of the previous block
    assert look(after).decision.rule == {"class": "comments"}


def test_a_page_without_a_rule_gets_one_for_its_site() -> None:
    inspected = look(None)
    segment = segment_with(inspected, "story0w0")
    made = change_at(inspected, "main", segment, "div.main > div#content")
    after = changed_rules(None, "news.example", made)
    assert after.templates == (
        Template(SITE_CLUSTER, Rule(id="content"), frozenset(), pinned=True),
    )


@pytest.mark.parametrize(
    ("action", "text", "place"),
    [
        ("drop", "comment0", "div.comments > p"),  # outside
        ("drop", "story0w0", "div.main > div#content"),  # the block itself
        ("keep", "story0w0", "div.main"),  # around it
        ("drop", "story0w0", "div.menu"),  # elsewhere
        ("main", "story0w0", ""),  # the body
    ],
)
def test_an_inapplicable_change_is_refused(
    known: SiteRules, action: str, text: str, place: str
) -> None:
    inspected = look(known)
    with pytest.raises(EditError):
        change_at(inspected, action, segment_with(inspected, text), place)  # type: ignore[arg-type]


def test_undoing_restores_the_previous_rule(known: SiteRules) -> None:
    before = known.templates[0]
    after = changed_rules(known, known.site, _change_at_text(known, "drop", "Share"))
    back = restored_rules(after, known.site, before.cluster, before)
    assert back.templates[0] == replace(before, version=after.templates[0].version + 1)
    assert restored_rules(after, known.site, before.cluster, None).templates == ()


def test_a_removed_template_cannot_be_changed(known: SiteRules) -> None:
    dropped = _change_at_text(known, "drop", "Share")
    with pytest.raises(EditError):
        changed_rules(None, known.site, dropped)


def test_advice_for_a_page_with_a_wrong_block_pins_another(known: SiteRules) -> None:
    template = replace(known.templates[0], rule=Rule(classes=("footer",)), looks=None)
    inspected = look(SiteRules(known.site, (template,)))
    first = advice_of(inspected, Target("news.example", "my rules"))[0]
    assert first.command == (
        f"mainblock rules pin news.example --id content --cluster {template.cluster}"
        " --rules 'my rules'"
    )


def test_advice_names_the_longest_dropped_part(known: SiteRules) -> None:
    template = known.templates[0]
    rule = replace(template.rule, selection=replace(template.rule.selection, drop=("ul.u",)))
    inspected = look(SiteRules(known.site, (replace(template, rule=rule),)))
    commands = [one.command for one in advice_of(inspected, Target("news.example", "r"))]
    assert (  # not 'ul.u > li', which stays dropped while ul.u is
        f"mainblock rules keep news.example ul.u --cluster {template.cluster} --rules r" in commands
    )
