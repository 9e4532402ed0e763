"""WPMTE: long paragraphs are extracted, and nothing if none is long enough."""

from __future__ import annotations

from pages import outline

from scrapy_mainblock.papers.zhou09.main_text import extract_lines


def extracted(*paragraphs: str, **thresholds: int) -> list[str]:
    markup = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return [line.text for line in extract_lines(outline(markup), **thresholds)]


def words(number: int) -> str:
    return " ".join(["word"] * number)


def test_lines_above_the_lower_threshold_if_one_reaches_the_upper():
    found = extracted("menu", words(5), words(4), words(9), short=4, long=9)
    assert found == [words(5), words(9)]


def test_nothing_if_no_line_reaches_the_upper_threshold():
    assert extracted(words(5), words(8), short=4, long=9) == []


def test_a_chinese_character_counts_as_a_word():
    assert extracted("北京今天天气晴朗", "北京", short=4, long=8) == ["北京今天天气晴朗"]


def test_the_default_thresholds_separate_a_paragraph_from_a_menu():
    assert extracted("Home", words(60), "Copyright 2014 by the authors") == [words(60)]


def test_an_empty_page_has_no_lines():
    assert extracted() == []
