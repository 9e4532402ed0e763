"""A rule never makes a page worse than reading it alone, whatever trap the site has planted."""

from __future__ import annotations

from functools import cache
from statistics import median
from typing import Any, NamedTuple

import pytest
from planted_traps import TAUGHT, TRAPS, Planted

from scrapy_mainblock import extract, learn
from scrapy_mainblock.cli.scoring.measures import WRONG
from scrapy_mainblock.page.tokens import score, tokens

MUCH = 0.3
LEAST_TWICE = 0.9
"""F1 of a page that has its text twice: with both copies it is at most .67."""


class Read(NamedTuple):
    """A page that has a text, with its site's rules and alone."""

    page: Planted
    metadata: dict[str, Any]
    learnt: float
    alone: float


@cache
def read(trap: str, *, by_first: bool) -> tuple[Read, ...]:
    """The pages of a site, by rules learnt from its first pages or from all."""
    pages = list(TRAPS[trap]())
    rules = learn((one.html, one.url) for one in (pages[:TAUGHT] if by_first else pages))
    assert rules.sites, "no rule was learnt"
    found = []
    for page in pages:
        if page.gold is not None:
            gold = tokens(page.gold)
            learnt, alone = extract(page.html, page.url, rules), extract(page.html, page.url)
            f1, alone_f1 = (
                score(tokens(one.articleBody or ""), gold).f1 for one in (learnt, alone)
            )
            found.append(Read(page, learnt.metadata, f1, alone_f1))
    return tuple(found)


def both(trap: str) -> list[Read]:
    return [*read(trap, by_first=True), *read(trap, by_first=False)]


@pytest.mark.parametrize("trap", TRAPS)
def test_no_page_loses_by_learning(trap: str) -> None:
    worse = [one for one in both(trap) if one.alone - one.learnt > MUCH]
    assert [(one.page.url, one.learnt, one.alone, one.metadata) for one in worse] == []


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("by_first", [True, False], ids=["by the first pages", "by all pages"])
def test_learning_pays(trap: str, *, by_first: bool) -> None:
    found = read(trap, by_first=by_first)
    assert sum(one.learnt for one in found) > sum(one.alone for one in found)
    # A rule that is hardly used cannot lose anything.
    by_rule = sum(one.metadata["method"] == "rule" for one in found)
    assert by_rule >= len(found) / 2


@pytest.mark.parametrize("trap", TRAPS)
def test_a_page_that_its_rule_does_not_serve_says_why(trap: str) -> None:
    assert all(
        one.metadata["reason"]
        for one in both(trap)
        if one.metadata["cluster"] is not None and one.metadata["method"] != "rule"
    )


@pytest.mark.parametrize("trap", TRAPS)
def test_lost_pages_are_the_less_sure_ones(trap: str) -> None:
    found = both(trap)
    lost = [one.metadata["probability"] for one in found if one.learnt < WRONG]
    usual = median(one.metadata["probability"] for one in found if one.learnt >= WRONG)
    assert max(lost, default=0.0) < usual


@pytest.mark.parametrize("trap", ["teaser_and_full", "phone_and_desk", "text_to_print"])
def test_what_is_printed_twice_is_kept_once(trap: str) -> None:
    mean = sum(one.learnt for one in both(trap)) / len(both(trap))
    assert mean >= LEAST_TWICE


def test_the_traps_catch_a_reading_alone() -> None:
    """They are no easy pages: or nothing that a rule does wrong would show."""
    alone = {trap: [one.alone for one in both(trap) if one.page.is_trap] for trap in TRAPS}
    assert all(alone.values())
    assert min(min(values) for values in alone.values()) < WRONG
