"""The yardstick: a text as a bag of tokens, lower case, one CJK character or one word a token."""

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
    """The bag of tokens of a text."""
    return Counter(_token().findall(text.lower()))


def token_list(text: str) -> list[str]:
    """The tokens of a text in order."""
    return _token().findall(text.lower())


def score(found: Counter[str], gold: Counter[str]) -> Score:
    """Precision, recall and F1 of bags; two empty bags agree, an empty one and another do not."""
    if not found or not gold:
        agree = float(not found and not gold)
        return Score(agree, agree, agree)
    common = (found & gold).total()
    precision, recall = common / found.total(), common / gold.total()
    f1 = 2 * precision * recall / (precision + recall) if common else 0.0
    return Score(precision, recall, f1)


def overlap(a: Counter[str], b: Counter[str]) -> float:
    """How much of the smaller bag is in the other, weighed by how much of the larger it is: F1."""
    return score(a, b).f1


def headline_matches(found: str | None, wanted: str) -> bool:
    """Whether a headline is the title that was wanted: the same tokens in the same order.

    Case, spaces, quotes, dashes and other punctuation do not count, nor what cannot be seen (soft
    hyphens, zero-width spaces). Everything else does: a site's name behind the title, or a word
    less, is no match. Of a wanted text of several lines, which some labels have (a title with its
    subtitle), the first line alone will do as well. Nothing matches no title.
    """
    got = _title_tokens(found or "")
    whole = wanted.strip()
    return bool(got) and got in (_title_tokens(whole), _title_tokens(whole.partition("\n")[0]))


_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")


def _title_tokens(text: str) -> list[str]:
    return token_list(_UNSEEN.sub("", text))
