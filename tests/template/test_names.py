"""Site names in the titles and headings of most pages of a template."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import outline_of

from scrapy_mainblock import extract, learn
from scrapy_mainblock.fields.page_titles import PageTitles
from scrapy_mainblock.fields.site_names import possible_names
from scrapy_mainblock.stores.documents import site_from_text, site_to_text
from scrapy_mainblock.template.learning.names import LONGEST_NAME, MOST_PAGES, MOST_TEXTS, NameTally


def names_in(source: str) -> frozenset[str]:
    return possible_names(PageTitles(outline_of(source)))


def test_title_ends_and_first_headings_may_be_names() -> None:
    source = "<title>Rain in May - Weather - The Planet</title><h1>Wire</h1><h1></h1><h2>x</h2>"
    assert names_in(source) == {"Rain in May", "The Planet", "Wire"}
    assert names_in("<title>The Planet</title><p>x") == {"The Planet"}
    assert names_in(f"<title>{'x' * (LONGEST_NAME + 1)}</title><p>x") == frozenset()


@pytest.mark.parametrize(
    ("titles", "names"),
    [
        (["Rain - The Planet", "Snow - The Planet", "Hail - The Planet"], ("The Planet",)),
        (["Planet: Rain", "Planet: Snow", "Planet: Hail"], ("Planet",)),
        (["Rain - A", "Snow - B", "Hail - C"], ()),
        (["Rain - The Planet", "Snow - The Planet"], ()),
        (["Rain - A", "Snow - A", "Hail - A", "Sun", "Fog", "Ice"], ()),
        ([], ()),
    ],
)
def test_text_that_most_pages_share_is_a_name(titles: list[str], names: tuple[str, ...]) -> None:
    tally = NameTally()
    for number, title in enumerate(titles):
        tally.add(names_in(f"<title>{title}</title><p>x"), number)
    assert tally.names() == names


def test_repeated_page_does_not_make_its_headline_a_name() -> None:
    tally = NameTally()
    for _ in range(10):
        tally.add(frozenset({"Rain in May"}), 7)
    assert tally.names() == ()


@given(st.lists(st.frozensets(st.integers(0, 500).map(str), max_size=5), max_size=300))
def test_tally_is_bounded_and_keeps_names_of_all_pages(pages: list[frozenset[str]]) -> None:
    tally = NameTally()
    for number, page in enumerate(pages):
        tally.add(page | {"The Planet"}, number)
    assert len(tally) <= MOST_TEXTS + len(pages)
    assert ("The Planet" in tally.names()) == (len(pages) > 2)


def test_number_of_pages_is_limited() -> None:
    tally = NameTally()
    for number in range(MOST_PAGES + 10):
        tally.add(frozenset({"The Planet"}), number)
    assert len(tally) == MOST_PAGES + 1
    assert tally.names() == ("The Planet",)


def wire(number: int) -> tuple[str, str]:
    words = " ".join(f"word{number}w{one}, which is said here." for one in range(40 + number))
    source = f"""<html><head><title>Sports Wire of Today</title></head><body>
    <div id="top"><a href="/">Home</a> <a href="/sport">Sport</a></div>
    <h1>Sports Wire of Today</h1>
    <div id="story"><h2>Team number {number} wins the match of the week</h2>
    <p>{words}</p><p>{words} And more.</p></div>
    <div id="end"><a href="/about">About us</a></div></body></html>"""
    return source, f"http://sport.example/{number}"


def test_recurring_heading_is_not_the_headline_once_it_is_learnt() -> None:
    html, url = wire(99)
    assert extract(html, url).headline == "Sports Wire of Today"
    rules = learn(wire(number) for number in range(8))
    (template,) = rules.sites["sport.example"].templates
    assert template.names == ("Sports Wire of Today",)
    article = extract(html, url, rules)
    assert article.headline == "Team number 99 wins the match of the week"
    assert "Team number" not in (article.articleBody or "")


def test_names_and_types_survive_serialization() -> None:
    of_site = learn(wire(number) for number in range(8)).sites["sport.example"]
    (template,) = of_site.templates
    assert template.judged is not None
    assert 0 <= template.judged.confidence <= 1
    assert sum(share for _, share in template.judged.types) == pytest.approx(1, abs=0.01)
    assert site_from_text(site_to_text(of_site)) == of_site
