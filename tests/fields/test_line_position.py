"""Where a text stands among the texts of a page, and lines that are headlines by their type."""

from __future__ import annotations

import time

import pytest

from scrapy_mainblock.core.candidates import shown_text
from scrapy_mainblock.core.emphasis import emphasized_lines
from scrapy_mainblock.core.page import parse
from scrapy_mainblock.core.standing import Standing

PROSE = "A sentence of an article, which is longer than the name of any section of a site. " * 3


def standing(body: str) -> Standing:
    root = parse(f"<html><body>{body}</body></html>")
    assert root is not None
    return Standing(root)


def test_a_text_between_two_tags_stands_there() -> None:
    page = standing("<div> Rain in May </div><p>No Sun in May today</p>")
    assert page.stands("Rain in May")
    assert not page.stands("Sun in May")
    assert not page.stands("Snow in May")


def test_the_article_follows_its_headline_and_stands_before_what_is_beside_it() -> None:
    page = standing(f"<b>Rain in May</b><p>{PROSE}</p><p>{PROSE}</p><b>More news</b><p>x</p>")
    headline, other = page.around("Rain in May"), page.around("More news")
    assert headline is not None
    assert other is not None
    assert headline.follows > 0.8
    assert headline.before == 0
    assert other.follows == 0
    assert other.before == 1


def test_of_several_places_the_one_before_most_prose_counts() -> None:
    page = standing(f"<li>Rain in May</li>{'<i>x</i>' * 60}<b>Rain in May</b><p>{PROSE}</p>")
    around = page.around("Rain in May")
    assert around is not None
    assert around.follows > 0.5


def test_a_script_is_no_prose() -> None:
    page = standing(f"<b>Rain in May</b><script>{PROSE}</script><style>{PROSE}</style>")
    around = page.around("Rain in May")
    assert around is not None
    assert around.follows == 0


def test_what_is_not_on_the_page_stands_nowhere() -> None:
    assert standing("<p>x</p>").around("Rain in May") is None


def lines(body: str) -> list[str]:
    root = parse(f"<html><body>{body}</body></html>")
    assert root is not None
    return [shown_text(element) for element in emphasized_lines(root)]


@pytest.mark.parametrize(
    "body",
    [
        "<p><b>Rain in May</b></p>",
        "<td><font size=4><b>Rain in May</b></font></td>",
        "<div>x<br><b>Rain in May</b><br>y</div>",
        "<div><b>Rain in May</b><p>y</p></div>",
        "<h4><a href=x>Rain in May</a></h4>",
        "<div><script>x</script><strong>Rain in May</strong></div>",
    ],
)
def test_a_line_set_in_bold_is_found(body: str) -> None:
    assert "Rain in May" in lines(body)


@pytest.mark.parametrize(
    "body",
    [
        "<p>Now <b>Rain in May</b></p>",
        "<p><b>Rain in May</b> and June</p>",
        "<p><i>Now</i> <b>Rain in May</b></p>",
        "<p><b>Rain in May</b><a href=x>more</a></p>",
        "<p>Rain in May</p>",
        "<p>Now <font><b>Rain in May</b></font></p>",
    ],
)
def test_words_in_bold_within_a_sentence_are_not(body: str) -> None:
    assert lines(body) == []


@pytest.mark.parametrize(
    "body", ["<b>" * 100_000, "<b>x</b><br>" * 100_000, "<font>" * 500 + "<b>x" * 20_000]
)
def test_the_time_does_not_depend_on_how_many_there_are(body: str) -> None:
    root = parse(f"<html><body>{body}")
    assert root is not None
    before = time.process_time()
    assert len(list(emphasized_lines(root))) <= 60
    page = Standing(root)
    page.stands("x")
    page.around("x")
    assert time.process_time() - before < 1
