"""A rule never makes a page worse than reading it alone, whatever traps the site contains."""

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
"""The least F1 on pages that have their text twice: with both copies it is at most .67."""


class Read(NamedTuple):
    """The results for a page with text, by its site's rules and alone."""

    page: Planted
    metadata: dict[str, Any]
    learnt: float
    alone: float


@cache
def results_of(trap: str, *, by_first: bool) -> tuple[Read, ...]:
    """Return the results for a site, by rules learnt from its first pages or from all."""
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


def results_of_both(trap: str) -> list[Read]:
    return [*results_of(trap, by_first=True), *results_of(trap, by_first=False)]


@pytest.mark.parametrize("trap", TRAPS)
def test_no_page_is_much_worse_by_rule(trap: str) -> None:
    worse = [one for one in results_of_both(trap) if one.alone - one.learnt > MUCH]
    assert [(one.page.url, one.learnt, one.alone, one.metadata) for one in worse] == []


@pytest.mark.parametrize("trap", TRAPS)
@pytest.mark.parametrize("by_first", [True, False], ids=["by the first pages", "by all pages"])
def test_rules_improve_the_sum_of_f1(trap: str, *, by_first: bool) -> None:
    found = results_of(trap, by_first=by_first)
    assert sum(one.learnt for one in found) > sum(one.alone for one in found)
    # A rule that is hardly ever used cannot lose anything.
    by_rule = sum(one.metadata["method"] == "rule" for one in found)
    assert by_rule >= len(found) / 2


@pytest.mark.parametrize("trap", TRAPS)
def test_page_not_read_by_its_rule_has_a_reason(trap: str) -> None:
    assert all(
        one.metadata["reason"]
        for one in results_of_both(trap)
        if one.metadata["cluster"] is not None and one.metadata["method"] != "rule"
    )


@pytest.mark.parametrize("trap", TRAPS)
def test_wrong_pages_have_a_lower_probability(trap: str) -> None:
    found = results_of_both(trap)
    lost = [one.metadata["probability"] for one in found if one.learnt < WRONG]
    usual = median(one.metadata["probability"] for one in found if one.learnt >= WRONG)
    assert max(lost, default=0.0) < usual


@pytest.mark.parametrize("trap", ["teaser_and_full", "phone_and_desk", "text_to_print"])
def test_duplicated_text_is_kept_once(trap: str) -> None:
    mean = sum(one.learnt for one in results_of_both(trap)) / len(results_of_both(trap))
    assert mean >= LEAST_TWICE


def test_traps_defeat_reading_a_page_alone() -> None:
    """Otherwise the pages would be too easy to show the errors of a rule."""
    alone = {
        trap: [one.alone for one in results_of_both(trap) if one.page.is_trap] for trap in TRAPS
    }
    assert all(alone.values())
    assert min(min(values) for values in alone.values()) < WRONG
