r"""The length of a text, by the five counting rules of [Wang14], definition 2.

1. A word of letters is 1 (Latin, Cyrillic, Greek, Arabic, Devanagari ...).
2. A Chinese "or other" character is 1. This covers every script that is written without spaces
   between words, or in syllable blocks: Han, Kana, Bopomofo, Hangul, Thai, Lao, Khmer, Burmese.
   (Korean does use spaces; its blocks are counted as the characters that they are printed as, which
   is how bags of tokens in this field count them.)
3. A complete number is 1: ``2008``, ``1,234.5``, ``12:30``.
4. A complete date is 1: ``2014 年 3 月 8 日``, ``March 8th, 2014``, ``2014-03-08``.
5. A punctuation mark or symbol is 1, and a run of the *same* mark is 1: ``!!!`` is 1, ``!?`` is 2.

Not specified by the paper: a hyphen or an apostrophe between letters belongs to the word, and so do
digits next to letters (``covid19``, ``5G``); spaces, invisible and combining characters are 0.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from scrapy_mainblock.page.scripts import CHARACTER_SCRIPTS

# Signs on, under or inside other letters, and invisible characters: never units of their own.
# Python's \w does not match combining signs, so they must be listed here.
COMBINING = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    "\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u09d7"
    "\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b4d"
    "\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0ccd\u0d00-\u0d03"
    "\u0d3e-\u0d4d\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u17b4-\u17d3\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\u20d0-\u20f0\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f\ufeff"
)

_LETTER = rf"[^\W\d_{CHARACTER_SCRIPTS}]"
_WORD = (
    rf"[^\W_{CHARACTER_SCRIPTS}]"
    rf"(?:[^\W_{CHARACTER_SCRIPTS}]|[{COMBINING}]"
    rf"|['’ʼ‐‑-](?={_LETTER})|(?<=\d)[.,:](?=\d))*"
)

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
    r"|JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|JULY?|AUG(?:UST)?"
    r"|SEPT?(?:EMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?)\b\.?"
)
_WEEKDAY = (
    r"(?:(?:Mon|Tue|Tues|Wed|Wednes|Thu|Thur|Thurs|Fri|Sat|Satur|Sun)(?:day)?\b\.?,?\s{1,3})?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?\b"
_HAN_DIGIT = "〇零○一二三四五六七八九十"
_DATES = (
    # 2014年3月8日, 2014 年 3 月, 2014년 3월 8일, 3月8日; a weekday may follow
    r"\d{2,4}\s?[年년]\s?\d{1,2}\s?[月월](?:\s?\d{1,2}\s?[日号號일])?(?:\s?(?:星期|周|週)[一二三四五六日天])?",
    r"\d{1,2}\s?[月월]\s?\d{1,2}\s?[日号號일](?:\s?(?:星期|周|週)[一二三四五六日天])?",
    # 二〇一四年三月八日
    rf"[{_HAN_DIGIT}]{{2,4}}年[{_HAN_DIGIT}]{{1,2}}月(?:[{_HAN_DIGIT}廿卅]{{1,3}}[日号號])?",
    # 2014-03-08, 2014/3/8, 2014.03.08; 8/3/2014, 08.03.14
    r"\b\d{4}([-/.])\d{1,2}\1\d{1,2}(?!\d)",
    r"\b\d{1,2}([-/.])\d{1,2}\2(?:\d{4}|\d{2})(?!\d)",
    # March 8th, 2014; Saturday, March 8; 8 March 2014; 8th of March; March 2014
    rf"\b{_WEEKDAY}{_MONTH}\s{{1,3}}{_DAY}(?:\s?,?\s{{1,3}}\d{{4}}\b)?",
    rf"\b{_WEEKDAY}{_DAY}(?:\s{{1,3}}of)?\s{{1,3}}{_MONTH}(?:,?\s{{1,3}}\d{{4}}\b)?",
    rf"\b{_MONTH},?\s{{1,3}}\d{{4}}\b",
)


# Compiled on first use, since compiling takes as long as importing any three core modules.
@lru_cache(maxsize=1)
def _date() -> re.Pattern[str]:
    return re.compile("|".join(_DATES))


@lru_cache(maxsize=1)
def _unit() -> re.Pattern[str]:
    return re.compile(rf"{_WORD}|[{CHARACTER_SCRIPTS}]|([^\w\s{COMBINING}]|_)\1*")


# The same units for ASCII text, several times as fast.
_ASCII_UNIT = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9]|['-](?=[A-Za-z])|(?<=[0-9])[.,:](?=[0-9]))*"
    r"|([^A-Za-z0-9\s\x1c-\x1f])\1*",
    re.ASCII,
)
# Every date contains a digit, or is written with Han digits around 年 and 月.
_MAY_HOLD_DATE = re.compile(r"\d|年[〇零○一二三四五六七八九十]")
_SIGN_OF_DATE = re.compile(
    r"[年년月월]|\d[-/.]\d"
    r"|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
    r"|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC"
)
"""Every date contains one of these, so a text without any of them is not searched for dates."""

# A date becomes one word that cannot merge with its neighbors.
_DATE_AS_ONE_UNIT = " 0 "


def text_length(text: str, limit: int | None = None) -> int:
    """Return the length of `text` in units, at most `limit` (where only "far" matters)."""
    if _MAY_HOLD_DATE.search(text) and _SIGN_OF_DATE.search(text):
        text = _date().sub(_DATE_AS_ONE_UNIT, text)
    return _count(text, limit)


def _count(text: str, limit: int | None = None) -> int:
    unit = _ASCII_UNIT if text.isascii() else _unit()
    if limit is None:
        return len(unit.findall(text))
    return sum(1 for _ in islice(unit.finditer(text), limit))
