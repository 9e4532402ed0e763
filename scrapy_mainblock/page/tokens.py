"""The measure of accuracy: precision, recall and F1 of texts as bags of lower-case tokens.

A token is a word, or a single character in scripts such as Chinese, Japanese and Korean.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from scrapy_mainblock.page.scripts import CHARACTER_SCRIPTS


@lru_cache(maxsize=1)
def _token() -> re.Pattern[str]:
    return re.compile(rf"[{CHARACTER_SCRIPTS}]|[^\W_{CHARACTER_SCRIPTS}]+")


class Score(NamedTuple):
    """Precision, recall and F1 of one text against another."""

    precision: float
    recall: float
    f1: float


def tokens(text: str) -> Counter[str]:
    """Return the bag of tokens of a text."""
    return Counter(_token().findall(text.lower()))


def token_list(text: str) -> list[str]:
    """Return the tokens of a text in order."""
    return _token().findall(text.lower())


def score(found: Counter[str], gold: Counter[str]) -> Score:
    """Return precision, recall and F1 of two bags: 1 if both are empty, 0 if only one is."""
    if not found or not gold:
        agree = float(not found and not gold)
        return Score(agree, agree, agree)
    common = (found & gold).total()
    precision, recall = common / found.total(), common / gold.total()
    f1 = 2 * precision * recall / (precision + recall) if common else 0.0
    return Score(precision, recall, f1)


def overlap(a: Counter[str], b: Counter[str]) -> float:
    """Return the F1 of two bags, which is high only if each holds most of the other."""
    return score(a, b).f1


def headline_matches(found: str | None, wanted: str) -> bool:
    """Return whether a headline has the tokens of the wanted title, in the same order.

    Case, spaces, quotes, dashes and other punctuation are ignored, and so are invisible characters
    (soft hyphens, zero-width spaces). Any other difference is a mismatch, such as a site's name
    after the title or a missing word. If the wanted text has several lines, as some labels have (a
    title with its subtitle), its first line alone matches too. An empty headline never matches.
    """
    got = _title_tokens(found or "")
    whole = wanted.strip()
    return bool(got) and got in (_title_tokens(whole), _title_tokens(whole.partition("\n")[0]))


_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def _title_tokens(text: str) -> list[str]:
    return token_list(_UNSEEN.sub("", text))
