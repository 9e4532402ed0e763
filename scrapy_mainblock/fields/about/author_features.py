"""What the places that give authors say of how likely their names are right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations

from scrapy_mainblock.fields.about.choice import Features
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.titles import letters_of
from scrapy_mainblock.fields.values.names import LONGEST_NAME, is_organization, key_of_name
from scrapy_mainblock.page.bounded_cache import bounded_cache

MOST_PLACES = 40
"""Maximum number of places of a page that are scored; pages with comments name many people."""
_USUAL_METAS = ("meta:author", "meta:article:author")
_PREFIXED = re.compile(r"(?i)^(?:mr|mrs|ms|dr|prof)\b\.?")


class Place:
    """A place of a page that gives names of authors."""

    def __init__(
        self,
        source: str,
        names: tuple[str, ...],
        raw: str,
        element: int = -1,
        is_line: bool = False,
    ) -> None:
        self.source, self.names, self.raw = source, names, raw
        self.element = element
        """The element with the names, or the segment if `is_line`; -1 if readers do not see it."""
        self.is_line = is_line


def with_keys(some: list[Place]) -> list[tuple[Place, frozenset[str]]]:
    """Return the places that are scored, each with its names without case and accents."""
    return [(one, keys_of(one.names)) for one in some[:MOST_PLACES]]


@bounded_cache(most=512, longest=2 * LONGEST_NAME, measure=letters_of)
def keys_of(names: tuple[str, ...]) -> frozenset[str]:
    """Return names without case and accents."""
    return frozenset(map(key_of_name, names))


class _Kind:
    """What the source of a place means for the features of its names."""

    def __init__(self, feature: str, first: str, group: str, is_shown: bool) -> None:
        self.feature = feature
        self.first = first
        """The feature of the first place of this kind."""
        self.group = group
        """The kind without the part after a colon; empty if there is none."""
        self.is_shown = is_shown
        """Whether readers see the names near the headline."""


_SHOWN = ("line:close", "class:close", "property:author")


@bounded_cache(most=256, longest=100)
def _kind_of(source: str) -> _Kind:
    """Return what a source means for the features."""
    is_rare = source.startswith("meta:") and source not in _USUAL_METAS
    feature = "meta:other" if is_rare else source
    group, colon, _ = feature.partition(":")
    return _Kind(feature, f"first_{group}", group if colon else "", feature.startswith(_SHOWN))


def describe(
    sources: PageSources, known: list[tuple[Place, frozenset[str]]]
) -> dict[frozenset[str], Features]:
    """Return the features of each set of names; `known` are the places with their `keys_of`."""
    found: dict[frozenset[str], Features] = {}
    names: dict[frozenset[str], tuple[str, ...]] = {}
    groups: dict[frozenset[str], set[str]] = {}
    shown: set[frozenset[str]] = set()
    seen: set[str] = set()
    for place, key in known:
        features = found.get(key)
        if features is None:
            features = found[key] = {}
            names[key], groups[key] = place.names, set()
        kind = _kind_of(place.source)
        features[kind.feature] = 1.0
        if kind.first not in seen:
            seen.add(kind.first)
            features[kind.first] = 1.0
        if kind.group:
            groups[key].add(kind.group)
        if kind.is_shown:
            shown.add(key)
    site = key_of_name(sources.site_name)
    host = key_of_name(sources.host.partition(".")[0])
    count = len(found)
    if count > 1:
        _compare(found, names, shown)
    for key, features in found.items():
        _add_looks(features, names[key], key, site, host)
        features["agreement"] = float(min(len(groups[key]), 5))
        features["many"] = min(count, 8) / 8
        if count == 1:
            features["only"] = 1.0
    return found


def _compare(
    found: dict[frozenset[str], Features],
    names: dict[frozenset[str], tuple[str, ...]],
    shown: set[frozenset[str]],
) -> None:
    """Set the features of each set of names that depend on the other sets."""
    told = {key for key, features in found.items() if "json-ld:author" in features}
    people = {
        key for key in shown if _two_words(names[key]) and not is_organization(" ".join(names[key]))
    }
    singles = [name for key in found if len(key) == 1 for name in key]
    _mark_extensions(found, singles)
    has_several = len(singles) < len(found)
    for key, features in found.items():
        if has_several:
            for other in found:
                if key < other:
                    features["part_of_other"] = 1.0
                    break
            for other in found:
                if key > other:
                    features["holds_other"] = 1.0
                    break
        if told and key not in told:
            features["linked_otherwise"] = 1.0
        if len(shown) > (key in shown):
            features["shown_otherwise"] = 1.0
        if len(people) > (key in people):
            features["person_otherwise"] = 1.0


def _mark_extensions(found: dict[frozenset[str], Features], singles: Sequence[str]) -> None:
    """Mark the names that extend another name, and the extended ones: Anna Berg, Anna."""
    for whole, part in permutations(singles, 2):
        if len(whole) > len(part) and (whole.startswith(part) or whole.endswith(part)):
            found[frozenset({whole})]["completes"] = 1.0
            found[frozenset({part})]["completed"] = 1.0


def _two_words(names: tuple[str, ...]) -> bool:
    for name in names:
        if not 2 <= len(name.split()) <= 4:
            return False
    return True


def _add_looks(
    features: Features, names: tuple[str, ...], key: frozenset[str], site: str, host: str
) -> None:
    """Set the features of names by their looks, and by the names of the site."""
    features["names"] = min(len(names), 5) / 5
    for feature in _looks_of(names):
        features[feature] = 1.0
    if site:
        if site in key:
            features["is_site"] = 1.0
        for one in key:
            if len(one) > 4 and (one in site or site in one):
                features["in_site"] = 1.0
    if len(host) > 3 and host in key:
        features["like_host"] = 1.0


@bounded_cache(most=512, longest=2 * LONGEST_NAME, measure=letters_of)
def _looks_of(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the features of the looks of names.

    The function is cached: a site has few authors, and a page names each of them in several places.
    """
    words = [len(_PREFIXED.sub("", name).split()) for name in names]
    conditions = (
        ("several", len(names) > 1),
        ("one_word", min(words) == 1),
        ("long", max(words) > 4),
        ("two_words", all(count in (2, 3) for count in words)),
        ("capitals", all(map(_is_capitalized, names))),
        ("all_caps", all(name.isupper() and len(name) > 3 for name in names)),
        ("lower", any(map(str.islower, names))),
        ("organization", any(map(is_organization, names))),
        ("digit", any(any(map(str.isdigit, name)) for name in names)),
    )
    return tuple(feature for feature, is_met in conditions if is_met)


def _is_capitalized(name: str) -> bool:
    """Return whether all words of more than three letters begin with a capital."""
    long_words = [word for word in name.split() if len(word) > 3]
    return bool(long_words) and all(
        word[0].isupper() or not word[0].isascii() for word in long_words
    )
