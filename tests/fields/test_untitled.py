"""The headline of a page whose titles do not contain it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import outline_of

from scrapy_mainblock import extract, learn
from scrapy_mainblock.fields.headline import headline_by_titles
from scrapy_mainblock.fields.untitled import MOST_ABOVE, first_paragraph, lines_above
from scrapy_mainblock.papers.methods import extract_by
from scrapy_mainblock.recipe.reading import Reading

RAIN = "Rain in May falls on Rome"
SECTION = "Local Wire"
URL = "https://www.dailyplanet.com/2008/4711.html"
PROSE = (
    "It rained on all seven hills of the city, said the mayor, who had come without an umbrella,"
    " and he said that it would rain again tomorrow, if nobody did anything about it. "
)
MENU = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("Home", "World", "Sports"))


def old_page(line: str, number: int = 1) -> str:
    paragraphs = "".join(f"<p>{number}-{i}: {PROSE}</p>" for i in range(5))
    return (
        f"<html><head><title>dailyplanet.com - {SECTION}</title></head><body>"
        f'<h1 class="section">{SECTION}</h1><ul>{MENU}</ul>'
        f'<div class="story">{line}<div>Mon, 7 Jan {2000 + number}</div>{paragraphs}</div>'
        "<div>Contact us</div></body></html>"
    )


H2 = f"<h2>{RAIN}</h2>"
LINES = {
    "a lower heading": H2,
    "a heading of the fourth level": f"<h4>{RAIN}</h4>",
    "in bold": f"<p><b>{RAIN}</b></p>",
    "called so": f'<div class="storyhead">{RAIN}</div>',
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_headline_is_the_line_above_the_content(line: str) -> None:
    source = old_page(line).replace(f" - {SECTION}", "").replace(SECTION, "")
    found = extract(source, URL)
    assert found.headline == RAIN
    assert found.articleBody is not None
    assert RAIN not in found.articleBody


def test_section_name_in_the_title_is_not_the_headline() -> None:
    assert extract(old_page(H2), URL).headline == RAIN


def test_short_title_without_a_better_line_stays() -> None:
    source = old_page("").replace(SECTION, "Rainy days")
    assert extract(source, URL).headline == "Rainy days"


def test_method_without_models_uses_titles_only() -> None:
    assert extract_by("density", outline_of(old_page(H2), URL)).headline == SECTION


def test_with_a_rule_the_headline_is_above_the_content_of_the_block() -> None:
    sources = [old_page(f"<h2>{RAIN} {number}</h2>", number) for number in range(8)]
    rules = learn((source, URL) for source in sources)
    for number, source in enumerate(sources):
        found = extract(source, URL, rules)
        assert (found.metadata["method"], found.headline) == ("rule", f"{RAIN} {number}")
        assert found.articleBody is not None
        assert f"{number}-4: It rained" in found.articleBody


def test_headline_depends_on_where_the_content_begins() -> None:
    reading = Reading(outline_of(old_page(H2), URL))
    assert reading.titles.text == SECTION
    assert reading.headline == RAIN
    texts = reading.page.texts
    story, menu = texts.index(RAIN), texts.index("Home")
    assert reading.headline_below(reading.titles, (story, len(texts))) == RAIN
    assert reading.headline_below(reading.titles, (menu, menu + 3)) == SECTION
    known = headline_by_titles(reading.page, (RAIN,))
    assert reading.headline_below(known, (story, len(texts))) != RAIN


def lengths(texts: list[str]) -> list[int]:
    return [len(text) for text in texts]


def test_first_paragraph_is_followed_by_much_of_the_content() -> None:
    texts = ["Menu", PROSE, "x", *["x"] * 50, "Title", PROSE, PROSE, PROSE]
    assert first_paragraph(lengths(texts), [True] * len(texts)) == len(texts) - 3
    assert first_paragraph(lengths(texts[:3]), [True] * 3) == 1
    assert first_paragraph(lengths(["a", PROSE]), [False, True]) == 1
    assert first_paragraph(lengths(["a", PROSE]), [True, False]) == -1
    assert lines_above(-1, ["a"], [0]) == []


@given(st.lists(st.tuples(st.sampled_from(["", "Menu", PROSE]), st.booleans()), max_size=250))
def test_lines_above_end_with_the_first_paragraph(page: list[tuple[str, bool]]) -> None:
    texts, kept = [text for text, _ in page], [is_kept for _, is_kept in page]
    first = first_paragraph(lengths(texts), kept)
    assert first == -1 or kept[first]
    above = lines_above(first, texts, [0] * len(texts))
    assert len(above) == min(first + 1, MOST_ABOVE + 1)
    assert not above or above[-1].text == texts[first]
