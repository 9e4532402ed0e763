"""WPMTE: long paragraphs, and nothing where none is long."""

from __future__ import annotations

from pages import outline

from scrapy_mainblock.papers.zhou09.main_text import extract_lines


def extracted(*paragraphs: str, **thresholds: int) -> list[str]:
    markup = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return [line.text for line in extract_lines(outline(markup), **thresholds)]


def words(number: int) -> str:
    return " ".join(["word"] * number)


def test_paragraphs_longer_than_the_lower_threshold_where_one_reaches_the_upper():
    found = extracted("menu", words(5), words(4), words(9), short=4, long=9)
    assert found == [words(5), words(9)]


def test_nothing_where_none_reaches_the_upper():
    assert extracted(words(5), words(8), short=4, long=9) == []


def test_a_chinese_character_is_a_word():
    assert extracted("北京今天天气晴朗", "北京", short=4, long=8) == ["北京今天天气晴朗"]


def test_the_default_thresholds_tell_a_paragraph_from_a_menu():
    assert extracted("Home", words(60), "Copyright 2014 by the authors") == [words(60)]


def test_an_empty_page():
    assert extracted() == []
