"""What a page calls itself: its `<title>` and OpenGraph's, and the parts these are made of.

``Rain in May - Weather | The Daily`` is a headline, a section and a site. Any run of neighbouring
parts may be the headline, which may have a dash or a colon of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from itertools import chain, islice

from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.page.remembered import Remembered, remembered
from scrapy_mainblock.page.tokens import token_list

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
    if not (text.isascii() and text.isprintable()):
        text = _INVISIBLE.sub("", text)
    return " ".join(text.split())


@remembered(most=64, longest=1000)
def key_of(text: str) -> Key:
    """The tokens of a title. Most titles of a page are the same text."""
    return tuple(token_list(text))


class Run:
    """Neighbouring parts of a name, from the `first` to the `last`.

    A name has some twenty, and hardly one of them is asked for more than its place.
    """

    __slots__ = ("_name", "first", "last")

    def __init__(self, name: Name, first: int, last: int) -> None:
        self._name, self.first, self.last = name, first, last

    @property
    def text(self) -> str:
        """What the parts and what stands between them say."""
        name = self._name
        return name.text[name.spans[self.first][0] : name.spans[self.last][1]].strip()

    @property
    def cuts(self) -> frozenset[str]:
        """The kinds of separators at its ends."""
        kinds, first, last = self._name.kinds, self.first, self.last
        return frozenset(kinds[max(first - 1, 0) : first] + kinds[last : last + 1])

    @property
    def joins(self) -> frozenset[str]:
        """The kinds of separators between its parts."""
        return frozenset(self._name.kinds[self.first : self.last])


class Name:
    """A title that a page gives itself, and what can be cut out of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.key = key_of(text)

    @cached
    def _separators(self) -> list[re.Match[str]]:
        return list(islice(_SEPARATOR.finditer(self.text), _MOST_PARTS - 1))

    @cached
    def kinds(self) -> list[str]:
        """The kinds of its separators."""
        return [_kind(found.group()) for found in self._separators]

    @cached
    def spans(self) -> list[tuple[int, int]]:
        """Where each part begins and ends."""
        starts = [0, *(found.end() for found in self._separators)]
        ends = [*(found.start() for found in self._separators), len(self.text)]
        return list(zip(starts, ends, strict=True))

    @cached
    def parts(self) -> tuple[Key, ...]:
        """What stands between the separators; () where two are next to each other."""
        if not self._separators:
            return (self.key,)
        return tuple(key_of(self.text[start:end]) for start, end in self.spans)

    @cached
    def runs(self) -> dict[Key, Run]:
        """Every run of neighbouring parts, the whole among them."""
        runs: dict[Key, Run] = {}
        for first in range(len(self.parts)):
            key: Key = ()
            for last in range(first, len(self.parts)):
                key += self.parts[last]
                if key and key not in runs:
                    runs[key] = Run(self, first, last)
        return runs

    @property
    def cuts(self) -> Iterator[tuple[str, str]]:
        """What stands before and behind each of its separators."""
        for found in self._separators:
            yield self.text[: found.start()].strip(), self.text[found.end() :].strip()


def _kind(separator: str) -> str:
    mark = separator.strip()[:1]
    if mark in "|｜»«_＿":
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


def without_end(name: Name, end: str) -> str:
    """A name without some parts at its end, or at its beginning; empty where they are not there."""
    for before, after in name.cuts:
        if after == end:
            return before
        if before == end:
            return after
    return ""


# --- the site's name ----------------------------------------------------------------------------

_NO_LETTER = re.compile(r"[^a-z0-9]")
_LATIN = re.compile(r"[a-z0-9]+")
_SAME_SITE = 0.66  # of the tokens
_MOST_OF_SITE_NAME = 6
"""Tokens; what is longer is no site's name, unless the page says so."""


def likeness(some: Key, others: Key) -> float:
    """How many of the words of two titles are in both, 1 for all."""
    if not some or not others:
        return 0.0
    if some == others:
        return 1.0
    a, b = set(some), set(others)
    return 2 * len(a & b) / (len(a) + len(b))


_MOST_KNOWN, _LONGEST_KNOWN = 300, 100
"""Parts of titles that are remembered of a site, and the characters of such a part."""


def letters_of(key: Key) -> int:
    """The characters of a key, each token with one more."""
    return len(key) + sum(map(len, key))


def letters_of_site(host: str, site_name: str, names: Collection[Key] = frozenset()) -> int:
    """The characters of all that a site's name is known by."""
    return len(host) + len(site_name) + letters_of(tuple(chain.from_iterable(names)))


@remembered(most=64, longest=5000, measure=letters_of_site)
def site_test(
    host: str, site_name: str, names: Collection[Key] = frozenset()
) -> Callable[[Key], bool]:
    """Whether a part of a title is the site's name: it is said to be, or the host is called so.

    `site_name` is what the page says, `names` is what is known. Most pages of a site ask alike.
    """
    site = key_of(site_name)
    labels = [_NO_LETTER.sub("", label) for label in host.removeprefix("www.").split(".")]
    labels = [label for label in labels if len(label) > 2]
    whole = "".join(labels)
    always: dict[Key, bool] = {**dict.fromkeys(names, True), site: True, (): False}

    def is_site(key: Key) -> bool:
        found = always.get(key)
        if found is not None:
            return found
        return len(key) <= _MOST_OF_SITE_NAME and (
            likeness(key, site) >= _SAME_SITE or _names(key, labels, whole)
        )

    return Remembered(is_site, _MOST_KNOWN, _LONGEST_KNOWN, letters_of)


def _names(key: Key, labels: list[str], whole: str) -> bool:
    joined = "".join(key)
    if len(joined) < 3 or not _LATIN.fullmatch(joined):
        return False
    if joined in whole and (len(key) > 1 or joined in labels):
        return len(joined) > 4 or joined in labels
    if len(key) > 2 and "".join([word[0] for word in key]) in labels:
        return True
    return any(_names_label(joined, label, len(key)) for label in labels if len(label) > 3)


def _names_label(joined: str, label: str, words: int) -> bool:
    """Whether a label of the host is most of a part of a title: ``The Daily Star`` of dailystar."""
    if joined.startswith(label):
        return len(label) >= 0.5 * len(joined)
    return words > 1 and label in joined and len(label) >= 0.6 * len(joined)
