"""Extraction: from a page to the lines of its main text."""

from __future__ import annotations

import pytest
from pages import outline

from scrapy_mainblock.papers.bu14 import equations as bu14
from scrapy_mainblock.papers.bu14.extract import extract_lines, line_scores
from scrapy_mainblock.papers.bu14.lines import text_lines
from scrapy_mainblock.papers.bu14.model import DEFAULT_MODEL, PAPER_MODEL, FarswModel

SENTENCE = "Two minutes left to go in New Jersey, and the clock ticked down on the team's time. "
PARAGRAPH = f"<p>{SENTENCE * 3}</p>"
MENU = '<ul class="menu">' + '<li class="item"><a href="/somewhere">Item</a></li>' * 20 + "</ul>"
ARTICLE = "<h1>Two minutes left</h1>" + PARAGRAPH * 6


def _extracted_lines(*parts: str, model: FarswModel = DEFAULT_MODEL) -> list[str]:
    return [line.text for line in extract_lines(outline("".join(parts)), model)]


PARAGRAPHS = [(SENTENCE * 3).strip()] * 6


def test_the_article_is_extracted_with_one_adjacent_line_at_each_edge():
    assert _extracted_lines(MENU, ARTICLE, MENU) == ["Two minutes left", *PARAGRAPHS, "Item"]


def test_the_papers_model_needs_the_article_in_the_middle():
    assert _extracted_lines(MENU, MENU, PARAGRAPH * 6, MENU, MENU, model=PAPER_MODEL) == [
        "Item",
        *PARAGRAPHS,
        "Item",
    ]
    assert _extracted_lines(PARAGRAPH * 6, MENU, MENU, model=PAPER_MODEL) == []


def test_short_lines_inside_the_article_are_kept():
    text = _extracted_lines(MENU, ARTICLE, "<p>Yes.</p><p>No.</p>", ARTICLE, MENU)
    assert "Yes." in text
    assert "No." in text


def test_a_lone_long_line_between_links_scores_too_little():
    advert = '<p><a href="/buy">x</a><br>' + SENTENCE * 2 + '<br><a href="/buy">y</a></p>'
    assert not any("Jersey" in line for line in _extracted_lines(MENU, advert, MENU))


def test_lines_without_text_are_not_extracted():
    assert all(_extracted_lines(MENU, ARTICLE, "<div><img src=x></div>", MENU))


@pytest.mark.parametrize("parts", [(), ("",), (MENU,), ("<p>short</p>",), ("<img>",)])
def test_nothing_is_extracted_from_pages_without_an_article(parts):
    assert _extracted_lines(*parts) == []


def test_a_page_of_one_paragraph_is_extracted():
    assert _extracted_lines(PARAGRAPH) == PARAGRAPHS[:1]


def test_line_scores_are_equation_4_normalized_by_the_page_maximum():
    longest, other = line_scores(text_lines(outline(f"<p>{'x' * 93}</p><p><img></p>")))
    assert longest == pytest.approx(1 + 1 + 0.93)
    assert other == pytest.approx(bu14.normalized(12, 100) - 1)
