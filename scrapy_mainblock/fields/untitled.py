"""Describes the headline candidates of a page whose titles do not name it.

Pages from 2005 have the same title on the whole site, and their headline in a table cell, set in
bold or marked only by a class. On such a page a title, or a first-level heading, is mostly the name
of the site or of a section. The headline stands right above the first paragraph of the article. So
once it is known where the content begins, the candidates get new features. Their names have a
prefix of their own (`NAMED`), because the weights of a heading or a title part on other pages do
not apply to them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import log1p
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.fields.candidates import SENTENCE_ENDS, Candidate, Features
from scrapy_mainblock.fields.headings import Headings
from scrapy_mainblock.fields.line_position import LEAST_PROSE
from scrapy_mainblock.fields.page_titles import LONGEST
from scrapy_mainblock.fields.titles import Key, key_of
from scrapy_mainblock.outline.rows import Rows

MOST_ABOVE = 100
"""How many segments above the first paragraph of the content are examined."""
NAMED = "unnamed_"
"""Prefix of the feature names."""
_CLOSE, _FALLS, _LINKED = 8, 3.0, 0.5
_CANDIDATES = 4
"""How many segments right above the first paragraph are candidates, whatever they look like."""
_MOST_TOKENS, _MOST_CHARACTERS = 25, 200
_AHEAD, _LEAST_AHEAD = 40, 0.3
_DATED_OR_SIGNED = re.compile(
    r"^(?:by |posted|print|e-?mail|share|comments?\b|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )"
    r"|\d{1,2}:\d\d|\b(?:19|20)\d\d\b.{0,25}$",
    re.IGNORECASE,
)
_STORY = re.compile(r"story|article|post|entry|news", re.IGNORECASE)
_HEAD = re.compile(r"head", re.IGNORECASE)


def first_paragraph(lengths: npt.ArrayLike, kept: npt.ArrayLike) -> int:
    """Return the index of the first paragraph of the content, or -1 if there is none.

    `lengths` are the lengths of the segments, `kept` marks the content. A teaser at the top may be
    kept as well, so the paragraph counts only if enough of the kept prose follows soon.
    """
    all_lengths = np.asarray(lengths)
    prose = np.flatnonzero(np.asarray(kept, np.bool_) & (all_lengths >= LEAST_PROSE))
    found: dict[int, int] = dict(zip(prose.tolist(), all_lengths[prose].tolist(), strict=True))
    least = _LEAST_AHEAD * sum(found.values())
    for i in found:
        if sum(found.get(j, 0) for j in range(i, i + _AHEAD)) >= least:
            return i
    return -1


class Line(NamedTuple):
    """The text of a segment, and whether most of it is inside links."""

    text: str
    is_linked: bool


def lines_above(first: int, texts: Sequence[str], in_links: Sequence[int]) -> list[Line]:
    """Return the segments above `first`, then `first` itself, as lines.

    `in_links` holds the number of characters inside links for each segment.
    """
    near = range(max(first - MOST_ABOVE, 0), first + 1)
    return [Line(texts[i], in_links[i] > _LINKED * len(texts[i])) for i in near]


def untitled_candidates(
    found: Sequence[Candidate],
    shown: Headings,
    above: Sequence[Line],
    is_site: Callable[[Key], bool],
) -> list[Candidate]:
    """Return the candidates of such a page with new features.

    `above` holds the lines down to the first paragraph of the content.
    """
    keys = [key_of(line.text) if len(line.text) < LONGEST else () for line in above]
    behind = {key: len(keys) - 1 - place for place, key in enumerate(keys)}
    headings = {heading.key: heading.element for heading in reversed(shown.found)}
    known = {key_of(one.text): one for one in found}
    has_title = any(name.startswith("title_") for one in found for name in one.features)
    for line, key in list(zip(above, keys, strict=True))[-2 : -_CANDIDATES - 2 : -1]:
        is_long = len(key) > _MOST_TOKENS or len(line.text) > _MOST_CHARACTERS
        if key and not is_long and not line.is_linked and not is_site(key):
            known.setdefault(key, Candidate(line.text, _line(line.text, key, has_title=has_title)))
    described = []
    for key, one in known.items():
        about = {**one.features, **_standing(behind.get(key))}
        if _DATED_OR_SIGNED.search(one.text):
            about["dated"] = 1.0
        if key in headings:
            about |= _called(shown.page.rows, headings[key])
        described.append(Candidate(one.text, {NAMED + name: about[name] for name in about}))
    return described


def _line(text: str, key: Key, *, has_title: bool) -> Features:
    """Return the features of a line that is neither a heading nor a part of a title."""
    about = {"above": 1.0, "size": min(log1p(len(key)), 3.0), "text_follows": 1.0}
    if text.endswith(SENTENCE_ENDS):
        about["sentence"] = 1.0
    if has_title:
        about["title_not"] = 1.0
    return about


def _standing(behind: int | None) -> Features:
    """Return the features of a text's position.

    `behind` is the distance in segments from the text to the first paragraph of the content, or
    None if the text does not stand above it.
    """
    if behind is None:
        return {"not_above": 1.0}
    about = {"near": 1 / (1 + behind / _FALLS)}
    if behind <= _CLOSE:
        about["close"] = 1.0
    return about


def _called(rows: Rows, element: int) -> Features:
    """Return the features from the class and id names of an element and of its parent."""
    about: Features = {}
    own, above = _names(rows, element), rows.parent[element]
    if _STORY.search(own):
        about["called_story"] = 1.0
    if _HEAD.search(own):
        about["called_head"] = 1.0
    if above >= 0 and _STORY.search(_names(rows, above)):
        about["in_story"] = 1.0
    return about


def _names(rows: Rows, element: int) -> str:
    return f"{rows.classes(element)} {rows.identifier(element)}"
