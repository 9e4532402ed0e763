"""Compiled passes over bytes and letters find what slower, plain statements of the same find."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pages import outline

from scrapy_mainblock.fields.about.images import _WIDTH
from scrapy_mainblock.fields.sources.lines import Lines
from scrapy_mainblock.fields.sources.marks import DAY, NAMED_CHANGE, SAYS_CHANGE
from scrapy_mainblock.fields.sources.page_sources import _LANG, PageSources
from scrapy_mainblock.fields.sources.scripts import first_value
from scrapy_mainblock.fields.values.dates import days_in, days_on, first_day, first_day_on
from scrapy_mainblock.fields.values.languages import _KNOWN, _SMALL_WORDS
from scrapy_mainblock.fields.values.letters import ascii_in
from scrapy_mainblock.fields.values.pictures import _NO_MARK, marks_of, may_tell_width, plain
from scrapy_mainblock.fields.values.words import OF_CHANGE
from scrapy_mainblock.outline.parts import Parts

KEYS = (b"ublished", b"ublish", b"pubDate", b"pub_date", b"createdAt", b"created_at")
VALUE = re.compile(rb"[A-Za-z_]{0,12}[\"']?\s{0,3}[:=,]\s{0,3}[\"']([0-9][^\"']{7,40})[\"']")
PIECES_OF_SCRIPTS = st.sampled_from(
    [*KEYS, b"P", b'": "2014-05-03"', b' = "2013-01-01"', b'":"20', b"s", b" ", b"ublis", b"creat"]
)


def first_value_by_key(source: bytes) -> bytes | None:
    for key in KEYS:
        places = [at for at in range(len(source)) if source.startswith(key, at)]
        for at in places[:30]:
            if found := VALUE.match(source, at + len(key)):
                return found[1]
    return None


@given(st.lists(PIECES_OF_SCRIPTS, max_size=9).map(b"".join))
@example(b"published " * 30 + b'published: "2014-05-03"')
@example(b"publish " * 29 + b'publish: "2014-05-03"')
def test_one_pass_finds_the_value_of_the_best_key(source: bytes) -> None:
    assert first_value(source) == first_value_by_key(source)


@given(
    st.lists(st.binary(min_size=3, max_size=7).map(lambda one: bytes(97 + x % 3 for x in one)),
             min_size=1, max_size=5),
    st.binary(max_size=40).map(lambda one: bytes(97 + x % 3 for x in one)),
    st.integers(0, 5),
)  # fmt: skip
def test_each_place_of_a_part_is_found(parts: list[bytes], octets: bytes, start: int) -> None:
    found, searched = [], Parts(*parts)
    at = searched.find(octets, start, len(octets))
    while at >= 0:
        found.append(at)
        at = searched.find(octets, at + 1, len(octets))
    places = range(start, len(octets))
    expected = {at for at in places if any(octets.startswith(part, at) for part in parts)}
    assert set(found) <= expected
    assert bool(found) == bool(expected)
    if len(parts) == 1:
        assert found == sorted(expected)


URLS = st.text("aZé09-_/.?&%w=imdth", max_size=40) | st.text(max_size=20)


@given(URLS)
@example("/a-b--c-20140503-abcdefghijkl/img_1234567.jpg")
def test_marks_are_those_of_the_expression(url: str) -> None:
    found = re.findall(r"[^\W_]+(?:-[^\W_]+)*", plain(url))
    assert marks_of(url) == {
        one
        for one in found
        if len(one) >= 12
        or (len(one) >= 6 and re.search(r"\d", one) and not _NO_MARK.fullmatch(one))
    }


@given(URLS)
@example("https://a.example/b?width=120")
@example("/imw90/")
@example("/w٣٤")
def test_a_url_with_a_width_may_have_one(url: str) -> None:
    assert may_tell_width(url) or not _WIDTH.findall(url)


@given(st.lists(st.sampled_from([*" aZé中Ω", "the", "und", "les"]), max_size=30).map("".join))
@example("the of and der die und le les des")
def test_best_language_is_that_of_the_scores(text: str) -> None:
    scores = _KNOWN.scores(text)
    which, first, second = _KNOWN.best(text)
    assert [second, first] == sorted(scores)[-2:]
    assert which == scores.index(first)
    assert ascii_in(text) == len(text.encode("ascii", "ignore"))


def test_every_language_wins_by_its_own_words() -> None:
    for number, words in enumerate(_SMALL_WORDS.values()):
        assert _KNOWN.best(words)[1] == max(_KNOWN.scores(words)) == _KNOWN.scores(words)[number]


class Country:
    def __init__(self, is_month_first: bool) -> None:
        self.known, self.asked = is_month_first, False

    @property
    def is_month_first(self) -> bool:
        self.asked = True
        return self.known


@pytest.mark.parametrize("is_month_first", [True, False])
@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("2014-05-03T10:11:12Z", False),
        ("3 May 2014", False),
        ("13/8/2014", False),
        ("3/8/2014", True),
        ("3 May 2014 and 3/8/2014", True),
        ("1399114800", False),
        ("2014-13-01", False),
        ("no day", False),
    ],
)
def test_only_unsure_days_ask_for_the_country(text: str, asks: bool, is_month_first: bool) -> None:
    page = Country(is_month_first)
    assert days_on(text, page) == days_in(text, month_first=is_month_first)
    assert page.asked is asks
    assert first_day_on(text, page) == first_day(text, month_first=is_month_first)


LINES = (
    "<h1>Rain</h1><p class=byline>By Anna Berg</p><p>Updated 3 May 2014</p>"
    "<p id=article-Modified>4 May 2014</p><p>5 May 2014</p><p class='upd&#97;ted'>6 May 2014"
    f"<p>{'long ' * 90}</p><p>Geändert: 7.5.2014<p>modified</p>" + "<p>a</p>" * 60 + "<p>8 May 2014"
)


def lines_of(is_folded: bool) -> list[tuple[str, int, int, bool, bool]]:
    page = outline(LINES)
    kept = bytes([1] * page.rows.segment_count)
    if is_folded:
        assert page.folded
    found = Lines(page, kept, 0)
    assert ("folded" in vars(page)) is is_folded
    return [(one.text, one.marks, one.place, one.is_kept, one.is_behind) for one in found.marked]


def test_lines_are_the_same_whether_the_page_is_folded_or_only_they_are() -> None:
    assert lines_of(True) == lines_of(False)
    of_change = SAYS_CHANGE | NAMED_CHANGE
    assert [(text, marks & of_change) for text, marks, *_ in lines_of(False) if marks & DAY] == [
        ("Updated 3 May 2014", SAYS_CHANGE),
        ("4 May 2014", NAMED_CHANGE),
        ("5 May 2014", 0),
        ("6 May 2014", NAMED_CHANGE),  # a reference may hide anything
        ("Geändert: 7.5.2014", SAYS_CHANGE),
        ("8 May 2014", 0),
    ]


@given(st.sampled_from(["updated", "MAJ", "màj", "stand:", "majority", "Fact", "更新"]), st.text())
def test_words_of_change_mark_a_line(word: str, text: str) -> None:
    line = " ".join(f"{word} 3 May 2014 {text}".split())[:200]
    found = Lines(outline(f"<p>{line.replace('&', '').replace('<', '')}"), b"\1", 0).marked
    for one in found:
        if one.marks & DAY and OF_CHANGE.are_in(one.text):
            assert one.marks & SAYS_CHANGE


@pytest.mark.parametrize(
    "source",
    [
        '<html lang="de-DE"><p>a',
        "<!DOCTYPE html><HTML class=a LANG=en_us dir=ltr><p>a",
        '<!--[if IE]><html class="ie"><![endif]--><html lang="fr"><p>a',
        "<html><p>a lang=it",
        "<html data-lang=es><p>a",
        '<html xml:lang="pt" lang="nl"><p>a',
        "<html lang=sv",
        "<p>no root",
    ],
)
def test_language_is_that_of_the_first_root_with_one(source: str) -> None:
    found = _LANG.search(source.encode().lower())
    page = outline(source)
    assert PageSources(page, b"\1", -1).tag_of_language == (found[1].decode() if found else "")
