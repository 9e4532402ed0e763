"""A page's reading: each value is computed once, and freed with the page."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import demo_site
import pytest
from pages import element, outline, outline_of, site, story

from scrapy_mainblock.fields.headings import shown_text
from scrapy_mainblock.recipe.extract import article_of_reading, extract
from scrapy_mainblock.recipe.learn import evidence_of_reading, learn
from scrapy_mainblock.recipe.reading import Reading

RULES = learn(site(8)).of("news.example")


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def test_reading_is_freed_without_the_garbage_collector(
    no_collector: None,
) -> None:
    reading = Reading(outline_of(*story(99)))
    evidence_of_reading(reading)
    assert article_of_reading(reading, RULES).metadata["method"] == "rule"
    assert article_of_reading(reading, None).metadata["method"] == "page"
    gone, page = ref(reading), ref(reading.page)
    del reading
    assert gone() is None
    assert page() is None


def test_page_is_judged_once() -> None:
    reading = Reading(outline_of(*story(99)))
    evidence_of_reading(reading)
    judged = reading.judgement
    article_of_reading(reading, None)
    assert reading.judgement is judged


def test_page_read_by_rule_is_not_judged() -> None:
    reading = Reading(outline_of(*story(99)))
    assert article_of_reading(reading, RULES).metadata["method"] == "rule"
    assert "judgement" not in vars(reading)


def test_results_do_not_depend_on_earlier_calls() -> None:
    html, url = story(99, body=40, comments=90)
    read = Reading(outline_of(html, url))
    evidence_of_reading(read)
    fresh = Reading(outline_of(html, url))
    assert article_of_reading(read, RULES) == article_of_reading(fresh, RULES)
    assert article_of_reading(read, None) == extract(html, url)
    assert evidence_of_reading(read) == evidence_of_reading(Reading(outline_of(html, url)))


def test_position_of_the_headline() -> None:
    reading = Reading(outline_of(*story(99)))
    texts = reading.page.texts
    assert texts[reading.position_of(reading.headline)] == "Title of story 99"
    place = reading.position_of("Title of story 99")
    assert reading.position_of("Title of story 99", place + 1) == -1
    assert reading.position_of("Title of story 99", 0, place) == -1
    assert reading.position_of("Quite another title") == -1
    assert reading.position_of(None) == reading.position_of("") == -1


def test_content_begins_at_the_headline_or_the_first_kept_segment() -> None:
    reading = Reading(outline_of(*story(99)))
    assert reading.begins == reading.position_of(reading.headline)
    html, url = story(99)
    without = Reading(outline_of(html.replace("<h1>Title of story 99</h1>", ""), url))
    assert without.begins == int(without.kept.argmax())


def test_likelihood_is_equal_at_one_place() -> None:
    reading = Reading(outline_of(*story(99)))
    answers = reading.likely_at_places(range(len(reading.page.texts)))
    chains = [reading.page.chains[block] for block in reading.page.rows.segment_block]
    assert len(set(zip(chains, answers, strict=True))) == len(set(chains))


def test_likelihood_does_not_depend_on_what_was_judged_before() -> None:
    """A page that teaches has been judged when it is decided by its rule; others have not."""
    demo = demo_site.build(seed="same", articles_per_template=8, padding_kb=0)
    compared = 0
    for index in (page for page in demo.pages if page.gold is None):
        page = outline_of(index.html, demo.url(index))
        judged = Reading(page)
        assert len(judged.judgement.probability)
        for asked in range(page.rows.segment_count):
            assert Reading(page).likely_at_places([asked]) == judged.likely_at_places([asked])
            compared += 1
    assert compared > 100


@pytest.mark.parametrize(
    ("html", "place"),
    [
        ("<h2>Rain falls on the hills</h2><h1 id=h>Rain falls on the hills</h1>", 1),
        ("<h2>Dry</h2><h1 id=h><p>News</p><p>Rain falls on the hills</p></h1>", 2),
        ("<h2>Rain falls on the hills</h2><p id=h>Rain falls on the hills</p>", 0),
    ],
    ids=["the heading itself", "one of several lines", "no heading"],
)
def test_headline_is_searched_in_the_given_element(html: str, place: int) -> None:
    page = outline(html)
    reading = Reading(page)
    headline = shown_text(page, element(page, "h"))
    assert reading.position_of(headline, element=element(page, "h")) == place
