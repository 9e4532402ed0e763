"""What a page calls itself: its `<title>` and OpenGraph's, and the parts these are made of.

``Rain in May - Weather | The Daily`` is a headline, a section and a site. Any run of neighbouring
parts may be the headline, which may have a dash or a colon of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from scrapy_mainblock.core.tokens import token_list

Key = tuple[str, ...]
"""A title's tokens: two titles with the same key differ in case, spaces and punctuation alone."""

_WIDE = "\u2e80-\u9fff\uf900-\uffef"
_SEPARATOR = re.compile(
    r"(?=[ |»«｜＿－：:_-])"  # where none can begin, which is nearly everywhere
    r"(?: [-–—|·•»«:/>~∙⋆]+ | ?[|»«｜] ?|[＿－：]|: | -|- |--+"
    rf"|(?<=[{_WIDE}])[_-]+|[_-]+(?=[{_WIDE}]))"
)
_MOST_PARTS = 6
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)


def folded(text: str) -> str:
    """A text with its white space folded, and without what cannot be seen, like soft hyphens."""
    return " ".join((text if text.isascii() else _INVISIBLE.sub("", text)).split())


def key_of(text: str) -> Key:
    """The tokens of a title."""
    return tuple(token_list(text))


class Run(NamedTuple):
    """Neighbouring parts of a name.

    `cuts` are the kinds of separators at their ends, `joins` those between them.
    """

    text: str
    first: int
    last: int
    cuts: frozenset[str]
    joins: frozenset[str]


class Name:
    """A title that a page gives itself, and what can be cut out of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        ends = [0]
        self._kinds: list[str] = []
        for found in islice(_SEPARATOR.finditer(text), _MOST_PARTS - 1):
            ends += found.span()
            self._kinds.append(_kind(found.group()))
        ends.append(len(text))
        self._starts, self._ends = ends[::2], ends[1::2]
        spans = zip(self._starts, self._ends, strict=True)
        self.parts = tuple(key_of(text[start:end]) for start, end in spans)
        self.key: Key = tuple(chain.from_iterable(self.parts))  # no separator is a token

    @cached_property
    def runs(self) -> dict[Key, Run]:
        """Every run of neighbouring parts, the whole among them."""
        runs: dict[Key, Run] = {}
        for first in range(len(self.parts)):
            key: Key = ()
            for last in range(first, len(self.parts)):
                key += self.parts[last]
                if key and key not in runs:
                    runs[key] = self._run(first, last)
        return runs

    def _run(self, first: int, last: int) -> Run:
        kinds = self._kinds
        cuts = frozenset(kinds[max(first - 1, 0) : first] + kinds[last : last + 1])
        text = self.text[self._starts[first] : self._ends[last]].strip()
        return Run(text, first, last, cuts, frozenset(kinds[first:last]))


def _kind(separator: str) -> str:
    mark = separator.strip()[:1]
    if mark in "|｜»«":
        return "pipe"
    return "colon" if mark in ":：" else "dash" if mark in "-–—" else "other"


def without(name: Name, is_site: Callable[[Key], bool]) -> Key:
    """A name's key without the parts at its ends that are the site's name."""
    first, end = 0, len(name.parts)
    while end - first > 1 and is_site(name.parts[end - 1]):
        end -= 1
    while end - first > 1 and is_site(name.parts[first]):
        first += 1
    return tuple(token for part in name.parts[first:end] for token in part)


# --- the site's name ----------------------------------------------------------------------------

_NO_LETTER = re.compile(r"[^a-z0-9]")
_LATIN = re.compile(r"[a-z0-9]+")
_SAME_SITE = 0.66  # of the tokens


def likeness(some: Key, others: Key) -> float:
    """How many of the words of two titles are in both, 1 for all."""
    a, b = set(some), set(others)
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0


def site_test(host: str, site_name: str) -> Callable[[Key], bool]:
    """Whether a part of a title is the site's name: it is said to be, or the host is called so."""
    site = key_of(site_name)
    labels = [_NO_LETTER.sub("", label) for label in host.removeprefix("www.").split(".")]
    whole = "".join(labels)
    known: dict[Key, bool] = {}

    def is_site(key: Key) -> bool:
        if key not in known:
            known[key] = bool(key) and (
                key == site or likeness(key, site) >= _SAME_SITE or _names(key, labels, whole)
            )
        return known[key]

    return is_site


def _names(key: Key, labels: list[str], whole: str) -> bool:
    joined = "".join(key)
    if len(joined) < 3 or not _LATIN.fullmatch(joined):
        return False
    if joined == whole or (len(key) > 2 and "".join(word[0] for word in key) in labels):
        return True
    return any(_names_label(joined, label, len(key)) for label in labels)


def _names_label(joined: str, label: str, words: int) -> bool:
    if joined == label:
        return True
    if words > 1 and len(joined) > 4 and joined in label:
        return True
    if len(label) <= 3:
        return False
    if joined.startswith(label) and len(label) >= 0.5 * len(joined):
        return True
    return words > 1 and label in joined and len(label) >= 0.6 * len(joined)


def common_site_name(titles: list[str]) -> str:
    """The part that most of the titles of one site end with, else begin with; "" where none is."""
    for place in (-1, 0):
        texts: dict[Key, str] = {}
        counts: dict[Key, int] = {}
        for title in titles:
            name = Name(folded(title))
            if len(name.parts) > 1 and name.parts[place]:
                part = name.parts[place]
                counts[part] = counts.get(part, 0) + 1
                texts.setdefault(part, name.runs[part].text)
        if counts:
            best = max(counts, key=lambda part: counts[part])
            if counts[best] >= 2 and counts[best] > len(titles) / 2:
                return texts[best]
    return ""
