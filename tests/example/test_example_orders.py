"""In whatever order a crawl of the demo site meets its pages, a second one reads them by rule."""

from __future__ import annotations

import random

import demo_site
import pytest

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.decide import decide
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.recipe.site_learner import SiteLearner, look_at

PAGES = demo_site.build().pages
ORDERS = (0, 1, 43, 45, 129, 201)
"""In the last four, of three hundred, bulletins of two paragraphs were taken for odd: what stands
around them is much beside so little. Each page alone takes it for content."""


def reading(page: demo_site.Page) -> Reading:
    """A page as the crawl reads it."""
    return Reading(Outline(Page.of(page.html, f"http://127.0.0.1:1{page.path}")))


@pytest.mark.parametrize("seed", ORDERS)
def test_bulletins_of_the_second_crawl_are_read_by_rule(seed: int) -> None:
    chance, learner = random.Random(seed), SiteLearner("127.0.0.1")
    for page in in_order(chance):
        learner.learn(look_at(reading(page), learner.rules, ()))
    learner.settle()
    again = SiteLearner("127.0.0.1", learner.rules)
    for page in in_order(chance):
        again.learn(look_at(reading(page), again.rules, ()))
        if page.template == "bulletin" and page.gold:
            found = decide(reading(page), again.rules).decision
            assert (found.method, found.reason) == ("rule", None), page.path


def in_order(chance: random.Random) -> list[demo_site.Page]:
    """All pages of the site."""
    pages = list(PAGES)
    chance.shuffle(pages)
    return pages
