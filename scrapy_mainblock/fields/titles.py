"""Splits the titles of a page (`<title>` and Open Graph) into parts, and finds the site's name.

``Rain in May - Weather | The Daily`` is a headline, a section and a site. Any run of neighboring
parts may be the headline, because a headline can contain a dash or a colon itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from itertools import chain, islice

from scrapy_mainblock.page.bounded_cache import BoundedCache, bounded_cache
from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.page.tokens import token_list

Key = tuple[str, ...]
"""A title's tokens: titles with the same key differ only in case, spaces and punctuation."""

_WIDE = "\u2e80-\u9fff\uf900-\uffef"
_SEPARATOR = re.compile(
    r"(?=[ |»«｜＿－：:_-])"  # rejects most positions at once: no separator begins there
    r"(?: [-–—|·•»«:/>~∙⋆]+ | ?[|»«｜] ?|[＿－：]|: | -|- |--+"
    rf"|(?<=[{_WIDE}])[_-]+|[_-]+(?=[{_WIDE}]))"
)
_MOST_PARTS = 6
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)


def folded(text: str) -> str:
    """Return a text with folded whitespace and without invisible characters like soft hyphens."""
    if text.isprintable():  # so it has none of these, and no whitespace but spaces
        return " ".join(text.split()) if "  " in text else text.strip(" ")
    return " ".join(_INVISIBLE.sub("", text).split())


@bounded_cache(most=64, longest=1000)
def key_of(text: str) -> Key:
    """Return the tokens of a title; cached, since most titles of a page are the same text."""
    return tuple(token_list(text))


class Run:
    """Neighboring parts of a name, from the `first` to the `last`.

    A name has about twenty runs, and of most of them only the position is used, so that the rest is
    computed on demand.
    """

    __slots__ = ("_name", "first", "last")

    def __init__(self, name: Name, first: int, last: int) -> None:
        self._name, self.first, self.last = name, first, last

    @property
    def text(self) -> str:
        """The text of the parts, including the separators between them."""
        name = self._name
        return name.text[name.spans[self.first][0] : name.spans[self.last][1]].strip()

    @property
    def cuts(self) -> frozenset[str]:
        """The kinds of the separators at its ends."""
        kinds, first, last = self._name.kinds, self.first, self.last
        return frozenset(kinds[max(first - 1, 0) : first] + kinds[last : last + 1])

    @property
    def joins(self) -> frozenset[str]:
        """The kinds of the separators between its parts."""
        return frozenset(self._name.kinds[self.first : self.last])


class Name:
    """A title of a page, and the parts that it can be split into."""

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
        """The start and the end of each part."""
        starts = [0, *(found.end() for found in self._separators)]
        ends = [*(found.start() for found in self._separators), len(self.text)]
        return list(zip(starts, ends, strict=True))

    @cached
    def parts(self) -> tuple[Key, ...]:
        """The keys of the texts between the separators; () between two adjacent separators."""
        if not self._separators:
            return (self.key,)
        return tuple(key_of(self.text[start:end]) for start, end in self.spans)

    @cached
    def runs(self) -> dict[Key, Run]:
        """Every run of neighboring parts, including the whole title."""
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
        """The texts before and after each separator."""
        for found in self._separators:
            yield self.text[: found.start()].strip(), self.text[found.end() :].strip()


def _kind(separator: str) -> str:
    mark = separator.strip()[:1]
    if mark in "|｜»«_＿":
        return "pipe"
    return "colon" if mark in ":：" else "dash" if mark in "-–—" else "other"


def without(name: Name, is_site: Callable[[Key], bool]) -> Key:
    """Return a name's key without the parts at its ends that are the site's name."""
    first, end = 0, len(name.parts)
    while end - first > 1 and is_site(name.parts[end - 1]):
        end -= 1
    while end - first > 1 and is_site(name.parts[first]):
        first += 1
    return tuple(token for part in name.parts[first:end] for token in part)


def without_end(name: Name, end: str) -> str:
    """Return a name without `end` at its end or beginning, or an empty string if it is absent."""
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
"""Maximum number of tokens of a site's name that the page does not declare."""


def likeness(some: Key, others: Key) -> float:
    """Return the Dice coefficient of the words of two titles: 1 if they share all words."""
    if not some or not others:
        return 0.0
    if some == others:
        return 1.0
    a, b = set(some), set(others)
    return 2 * len(a & b) / (len(a) + len(b))


_MOST_KNOWN, _LONGEST_KNOWN = 300, 100
"""Limits of the cache of a site: the number of title parts, and the characters of each."""


def letters_of(key: Key) -> int:
    """Return the characters of a key, plus one for each token."""
    return len(key) + sum(map(len, key))


def letters_of_site(host: str, site_name: str, names: Collection[Key] = frozenset()) -> int:
    """Return the number of characters in the arguments of `site_test`."""
    return len(host) + len(site_name) + letters_of(tuple(chain.from_iterable(names)))


@bounded_cache(most=64, longest=5000, measure=letters_of_site)
def site_test(
    host: str, site_name: str, names: Collection[Key] = frozenset()
) -> Callable[[Key], bool]:
    """Return a function that tests whether a part of a title is the site's name.

    A part is the site's name if it is one of `names` (known from other pages), or if it resembles
    `site_name` (declared by the page) or the host. The function is cached, since most pages of a
    site pass the same arguments.
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

    return BoundedCache(is_site, _MOST_KNOWN, _LONGEST_KNOWN, letters_of)


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
    """Return whether a label of the host makes up most of a part of a title.

    For example, dailystar makes up most of ``The Daily Star``.
    """
    if joined.startswith(label):
        return len(label) >= 0.5 * len(joined)
    return words > 1 and label in joined and len(label) >= 0.6 * len(joined)
