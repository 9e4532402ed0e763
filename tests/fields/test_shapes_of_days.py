"""Only the part of a text around its digits is searched for days, and none of them is missed."""

from __future__ import annotations

from collections.abc import Iterator
from re import Match

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scrapy_mainblock.fields.values import dates

PIECES = (
    *("12", "3", "2014", "14", "20140312", "2563", "T10", "-", "/", ".", ",", ":", "$", "x"),
    *(
        " ",
        "  ",
        "   \t ",
        "\n",
        "of",
        "de",
        "th",
        "th.",
        "年",
        "月",
        "Mon",
        "মার্চ",
        "ก.ค.",
        "มกราคม",
    ),
    *("March", "September.", "ABCDEFGHIJKLMNOPQ", "Sep 3 10:11:12 2013", "Mar" + 30 * " "),
)

LETTERS = ("März", "марта", "Μαρτίου", "février", "am", "года", "日", "مارس", "ª", "½", "_", "ß")


def _everywhere(text: str) -> Iterator[Match[str]]:
    at = 0
    for _ in range(20 * dates.MOST):
        shape = dates._SHAPES.search(text, at)
        if shape is None:
            return
        yield shape
        at = shape.end() if dates._read(shape) else shape.start() + 1


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_the_shapes_are_those_of_the_whole_text(text: str) -> None:
    found = [(shape.span(), shape.lastgroup) for shape in dates._shapes(text)]
    assert found == [(shape.span(), shape.lastgroup) for shape in _everywhere(text)]


def test_a_long_word_and_much_space_before_a_day() -> None:
    for text in (
        "มกรา.มกราคมมกราค. 12, 2014",
        "x ABCDEFGHIJKLMNO. 12, 2014",
        f"Sep{40 * ' '}3 10:11:12 2013",
    ):
        shapes = [shape.span() for shape in dates._shapes(text)]
        assert shapes
        assert shapes == [shape.span() for shape in _everywhere(text)]


def test_what_follows_the_last_digit_still_counts() -> None:
    assert not dates.days_in("am 3. März 14x")
    assert dates.days_in("am 3. März 14")
    assert dates.days_in("am 3. März 14, abends")


@settings(max_examples=500)
@given(st.lists(st.sampled_from((*PIECES, *LETTERS)), max_size=14).map("".join))
def test_by_letters_the_shapes_that_are_days_are_those_of_the_whole_text(text: str) -> None:
    assume(not dates._MARKED.search(text))
    found = [shape.span() for shape in dates._shapes_of_letters(text) if dates._read(shape)]
    assert found == [shape.span() for shape in _everywhere(text) if dates._read(shape)]


def test_in_ascii_a_day_begins_in_a_word_and_behind_much_space() -> None:
    for text in ("PostedMarch 5, 2014 by", f"Sep{40 * ' '}3 10:11:12 2013", "on Sept. 3, 2014"):
        assert [one.day[5:7] for one in dates.days_in(text)] in (["03"], ["09"]), text
