"""Positions of texts among the texts of a page, and lines emphasized like headlines."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from growth import assert_linear, most_of
from pages import outline

from scrapy_mainblock.fields.headings import Headings, called_headings, emphasized_lines, shown_text
from scrapy_mainblock.fields.line_position import TextPositions

PROSE = "A sentence of an article, which is longer than the name of any section of a site. " * 3


def lines_of(body: str) -> TextPositions:
    return TextPositions(outline(body))


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("Rain in May", True),
        ("Sun in May", False),
        ("Snow in May", False),
        ("Men & women", True),
        ("It’s “so” – here", True),
        ("a < b", True),
        ("雨が降る", True),
        ("May", False),  # shorter than the minimum length
        ("", False),
    ],
)
def test_only_whole_texts_between_tags_are_found(text: str, stands: bool) -> None:
    page = lines_of(
        "<div> Rain in May </div><p>No Sun in May today</p><p>Men &amp; women<b>"
        "It&#8217;s &#8220;so&#8221; &#8211; here</b><i>a < b</i>雨が降る<u>May</u>"
    )
    assert page.has(text) is stands


def test_prose_follows_the_headline_and_precedes_other_lines() -> None:
    page = lines_of(f"<b>Rain in May</b><p>{PROSE}</p><p>{PROSE}</p><b>More news</b><p>x</p>")
    headline, other = page.around("Rain in May"), page.around("More news")
    assert headline is not None
    assert other is not None
    assert headline.follows > 0.8
    assert headline.before == 0
    assert other.follows == 0
    assert other.before == 1


def test_occurrence_followed_by_most_prose_counts() -> None:
    page = lines_of(f"<li>Rain in May</li>{'<i>x</i>' * 60}<b>Rain in May</b><p>{PROSE}</p>")
    around = page.around("Rain in May")
    assert around is not None
    assert around.follows > 0.5


def test_script_is_not_prose() -> None:
    page = lines_of(f"<b>Rain in May</b><script>{PROSE}</script><style>{PROSE}</style>")
    around = page.around("Rain in May")
    assert around is not None
    assert around.follows == 0


def test_text_that_is_not_visible_has_no_position() -> None:
    assert lines_of("<p>x</p>").around("Rain in May") is None
    assert lines_of("<p title='Rain in May'>x<!-- Rain in May -->").around("Rain in May") is None


def emphasized(body: str) -> list[str]:
    page = outline(body)
    return [shown_text(page, element) for element in emphasized_lines(page)]


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
def test_bold_line_is_found(body: str) -> None:
    assert "Rain in May" in emphasized(body)


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
def test_bold_words_within_a_sentence_are_not_found(body: str) -> None:
    assert emphasized(body) == []


@pytest.mark.parametrize("piece", ["<b>", "<b>x</b><br>", "<font><b>x", "<p>x", "<b><img>"])
def test_emphasized_lines_and_positions_take_linear_time(piece: str) -> None:
    def work(times: int) -> Callable[[], object]:
        page = outline(piece * times)

        def look() -> None:
            assert len(list(emphasized_lines(page))) <= 60
            lines = TextPositions(page)
            lines.has("xxxx")
            lines.around("x")

        return look

    assert_linear(work, 2000, most_of(piece))


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("<h1>A <b>story</b></h1>", "A story"),
        ("<h1>Two<br>lines</h1>", "Two lines"),
        ("<h1><span>x</span><div>y</div>&nbsp;z\u00ad</h1>", "x y z"),
        ("<h1>Usage<a class=headerlink href=#u>¶</a></h1>", "Usage"),
        ("<h1>Usage ¶</h1>", "Usage"),
        ("<h1><script>x</script>Text <img alt=y></h1>", "Text"),
        ("<h1>a<!-- x -->b</h1>", "ab"),
        ("<h1> </h1>", ""),
        (f"<h1>{'word ' * 500}</h1>", ""),
        ("<h1><button>x</button>a</h1>", "a"),
    ],
)
def test_shown_text_is_the_visible_text_of_a_heading(heading: str, text: str) -> None:
    page = outline(heading)
    assert shown_text(page, page.rows.body + 1) == text


def test_first_headings_of_each_level_are_read() -> None:
    page = outline("<h2></h2>" + "".join(f"<h2>h{n}</h2>" for n in range(9)) + "<h3>x</h3>")
    headings = Headings(page)
    headings.add_first("h2")
    assert [(one.text, one.place) for one in headings.found] == [(f"h{n}", n) for n in range(4)]
    assert headings.any_of("h2")
    assert not headings.any_of("h3")


@pytest.mark.parametrize(
    ("attributes", "is_called"),
    [
        ("class=headline", True),
        ("class='x storyHeadline'", True),
        ("class=pageTitle", True),
        ("id=headline", False),
        ("class=head", False),
        ("class=HEADLINE", False),
    ],
)
def test_elements_are_called_headings_by_class(attributes: str, is_called: bool) -> None:
    assert bool(list(called_headings(outline(f"<div {attributes}>x</div>")))) is is_called
    assert not list(called_headings(outline(f"<h1 {attributes}>x</h1>")))
