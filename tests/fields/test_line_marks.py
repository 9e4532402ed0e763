"""Marks of lines: a line without the mark cannot be a date, a byline or a name.

The regular expressions, which are slower, find nothing in a line without the mark.
"""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_mainblock.fields.about.authors import _is_like_name
from scrapy_mainblock.fields.sources.line_marks import marks
from scrapy_mainblock.fields.sources.marks import BYLINE, DAY, NAME
from scrapy_mainblock.fields.values import names
from scrapy_mainblock.fields.values.dates import days_in
from scrapy_mainblock.fields.values.months import MONTHS

CHARACTERS = [chr(code) for code in range(0x80, sys.maxunicode) if not 0xD800 <= code < 0xE000]
PIECES = st.sampled_from(
    [
        *("3", "03", "12", "31", "2014", "1999", "14", "20140312", "2563", "10:30", "٢٠١٤", "३"),
        *(
            " ",
            ", ",
            ". ",
            "-",
            "/",
            ".",
            "–",
            " de ",
            " of ",
            "th ",
            "er ",
            "年",
            "月",
            "日",
            "년 ",
        ),
        *("년 ", "Posted ", "x", "発", "Mar", "Sept. ", "ก.ค. ", "10:11:12 GMT "),
        *MONTHS,
    ]
)
BYLINES = """written by|Posted by|Published by|REPORTED BY|words by|Story:|article by|text:
Report by|Redaktion:
reviewed by|contributed by|submitted by|created by|By|by:|author|Authors/editors:
Guest post by|From our correspondent|erstellt von|gespeichert von|Escribe:|von
Ein Bericht von|eine Reportage von|Autorin|verfasst von|geschrieben von|Foto und Text:|par
Auteur :|Écrit par|écrit par|publié par|rédigé par|por|escrito por|publicado por|De: |di
A cura di|scritto da|pubblicato da|Autore:|door|geschreven door|av|skrevet av|skriven av|af
Tekst:|Автор:|автор|ТЕКСТ:|Του|της|από την|Autorzy:|napisała|yazar|Yazan|kirjoittanut|Írta:
Einen Bericht von|Einer Serie von|文／|文:|文：
作者：|记者|記者|文/|撰文|編輯:|著者|interview with|eingestellt von|veröffentlicht von
Pressemitteilung von|words:|presented by|curated by|compiled by|edited by|執筆者|글:|기자:|بقلم
الكاتب|كتبت|लेखक""".replace("\n", "|").split("|")


def marks_of(text: str) -> int:
    octets = f"<{text}>".encode()
    return marks(octets, 1, len(octets) - 1)


@settings(max_examples=1000)
@given(st.lists(PIECES, max_size=9).map("".join))
def test_line_with_a_date_is_marked(text: str) -> None:
    line = " ".join(text.split())
    assert marks_of(line) & DAY or not days_in(line)


@pytest.mark.parametrize(
    "line",
    [
        "10 most read",
        "10:30",
        "12 of 14 votes, 3 comments",
        "In 1992 it cost 35 billion",
        "10月持有美国国债量名列第二的还是日本，由9月的9568亿美元",
        "Call 0800 1234567",
    ],
)
def test_lines_with_other_numbers_are_not_marked(line: str) -> None:
    assert not days_in(line)
    assert not marks_of(line) & DAY


def test_digits_of_all_scripts_are_marked() -> None:
    digits = [one for one in CHARACTERS if one.isdecimal()]
    assert len(digits) > 500
    assert [one for one in digits if not marks_of(f"{one} x") & DAY] == []


@pytest.mark.parametrize("word", BYLINES)
def test_line_that_begins_like_a_byline_is_marked(word: str) -> None:
    for line in (f"{word} Anna Berg", f"» {word} Anna Berg", f'("{word}  Anna Berg'):
        assert names.begins_like_byline(line), line
        assert marks_of(line) & BYLINE, line


def test_each_byline_beginning_is_covered_by_the_tests() -> None:
    beginnings = (names.OTHER_BEGINNINGS, names.WHOLE_WORDS, names.WORDS_BEFORE_BY)
    words = [word.lower().replace("：", ":") for word in BYLINES]
    uncovered = [
        one
        for one in ",".join(beginnings).replace("：", ":").split(",")
        if not any(word.startswith(one.rstrip()) for word in words)
    ]
    assert uncovered == []


def test_byline_behind_a_sign_of_any_script_is_marked() -> None:
    signs = [one for one in CHARACTERS if re.match(r"\W", one) and one.isprintable()]
    assert len(signs) > 1000
    assert [one for one in signs if not marks_of(f"{one}By Anna Berg") & BYLINE] == []


@pytest.mark.parametrize(
    "line",
    [
        "Berg by Anna",
        "2 by 4",
        "Comments",
        "Ἄννα",
        "Новости дня",
        "中国",
        "新聞",
        "Article of the week",
    ],
)
def test_most_other_lines_are_not_marked_as_bylines(line: str) -> None:
    assert not names.begins_like_byline(line)
    assert not marks_of(line) & BYLINE


BEGINNINGS = st.sampled_from(
    [
        *("", "» ", "- ", "(", "©", "・", "_", "3 ", "é", "ſ", "İ"),
        *(letters for word in BYLINES for letters in (word, word.upper(), word.title(), word[:-1])),
    ]
)


@settings(max_examples=1000)
@given(st.lists(BEGINNINGS, max_size=2).map("".join), st.sampled_from(["", " ", ":", " : ", "s "]))
def test_line_without_the_mark_does_not_begin_like_a_byline(begin: str, follows: str) -> None:
    line = " ".join(f"{begin}{follows}and photos by Anna Berg".split())
    assert marks_of(line) & BYLINE or not names.begins_like_byline(line)


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(
            ["Anna", "J.", "O’Neill", "De", "berg", "Ødegård", "3", "Mc-Kay", "A&B", ""]
        ),
        max_size=6,
    ).map(" ".join)
)
def test_line_that_is_a_name_is_marked(text: str) -> None:
    line = " ".join(text.split())
    assert marks_of(line) & NAME or not _is_like_name(line)


def test_sentence_is_not_marked_as_a_name() -> None:
    assert not marks_of("Rain in the hills") & NAME
    assert not marks_of("One Two Three Four Five") & NAME
    assert not marks_of("Anna") & NAME


WORDS = st.sampled_from(
    "Anna Berg J. Mary-Ann von Staff Editor Last Says March Sunday Authorson Aboutaleb June And In"
    " For Updated Coauthor Interviews Comments Redakteur May Admin By".split()
)


@settings(max_examples=500)
@given(
    st.sampled_from(["", "| "]),
    st.sampled_from(["", "By ", "by: ", "Von ", "Posted by ", "Written By: ", "Par ", "Por "]),
    st.lists(WORDS, min_size=1, max_size=5).map(" ".join),
    st.sampled_from(["", " ", "|", " |", " | "]),
)
def test_shortcut_for_plain_names_agrees_with_the_expressions(
    before: str, by: str, name: str, behind: str
) -> None:
    text = f"{before}{by}{name}{behind}"
    plain = names._plain_name(text)
    assert not plain or names._names_in(text) == (plain,)


ENDS = st.sampled_from(
    [
        *(
            "Anna Berg",
            "Ben",
            " ",
            "-",
            " - ",
            "–",
            " on ",
            "3",
            " 3 May",
            " in ",
            " for ",
            "(",
            "|",
        ),
        *(
            "http:",
            "@x",
            "Photos:",
            "foto:",
            "images:",
            "imagons:",
            "published",
            "Updated",
            "last ",
        ),
        *("Monday", "Dienstag", "mittwoch", "Jan 3", "sept. 4", "July", "Redakteur", "authors"),
        *("stand", "under ", "Unter ", "hace 3", "am 4", ",", " friday", " december", " May "),
    ]
)


@settings(max_examples=1000)
@given(st.lists(ENDS, max_size=5).map("".join))
def test_end_of_names_is_where_the_expression_matches(text: str) -> None:
    expected = names._LOWER_END.search(text.lower(), 2) if text.isascii() else None
    found = names._end_of_names(text) if text.isascii() else None
    assert (found and found.span()) == (expected and expected.span())
