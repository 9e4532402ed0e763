"""The language of a page: the declared one, unless the text is clearly in another language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from scrapy_mainblock.fields.sources.linked_data import text_of
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.values.languages import MOST_READ, are_alike, language_of
from scrapy_mainblock.judge.claims import Claim
from scrapy_mainblock.outline.folding import beginning

_SURE = 0.9
_FIRST_LOOK = 500
"""How many bytes of text are usually enough to confirm a declared language."""
_CODE = re.compile(r"^([a-z]{2,3})(?:[-_].*)?$")
_OLD = {
    "iw": "he", "in": "id", "ji": "yi", "jp": "ja", "cn": "zh", "kr": "ko", "gr": "el", "cz": "cs",
    "dk": "da", "se": "sv", "ua": "uk", "eng": "en", "ger": "de", "deu": "de", "fra": "fr",
    "spa": "es", "jpn": "ja", "rus": "ru", "zho": "zh", "chi": "zh", "ita": "it", "por": "pt",
}  # fmt: skip
"""Codes that are obsolete, have three letters, or stand for a country."""
_UNSAID, _DOUBTED, _OVERRULED = 0.97, 0.7, 0.1
"""Probability of a declared language: if the text does not contradict it, if the text may be in
another one, and if it clearly is."""


def language(sources: PageSources) -> Iterator[Claim]:
    """Yield the primary subtags that the page's language may have, the best one first."""
    declared = _declared(sources)
    first = next(declared, None)
    if first is None:
        found, sure = language_of(_text(sources, MOST_READ))
        if found:
            yield Claim(found, "text", sure)
        return
    found, _ = language_of(_text(sources, _FIRST_LOOK))
    if found and are_alike(first.value, found):
        yield first
        yield from declared
        return
    yield from _weighed(sources, [first, *declared], found)


def _weighed(sources: PageSources, declared: list[Claim], found: str) -> Iterator[Claim]:
    """Yield the language of the text and the declared ones; `found` is that of the first look."""
    sure = 0.0
    agreeing = _alike(declared, found)
    if agreeing is None:
        found, sure = language_of(_text(sources, MOST_READ))
        agreeing = _alike(declared, found)
    if agreeing is not None:
        yield agreeing
        yield from (one for one in declared if one is not agreeing)
    elif not found:
        yield from declared
    elif sure >= _SURE:
        yield Claim(found, "text", sure)
        yield from (one._replace(probability=_OVERRULED) for one in declared)
    else:
        yield declared[0]._replace(probability=_DOUBTED)
        yield from declared[1:]
        yield Claim(found, "text", sure)


def _alike(declared: list[Claim], found: str) -> Claim | None:
    """Return the first declared language that the text confirms."""
    return next((one for one in declared if found and are_alike(one.value, found)), None)


def _declared(sources: PageSources) -> Iterator[Claim]:
    """Yield the languages that the page declares."""
    for source, read in _SOURCES:
        raw = read(sources)
        code = _code(raw) if raw else ""
        if code:
            yield Claim(code, source, _UNSAID, raw[:40])


_SOURCES: tuple[tuple[str, Callable[[PageSources], str]], ...] = (
    ("html:lang", lambda sources: sources.tag_of_language),
    (
        "meta:content-language",
        lambda sources: sources.meta("content-language", "language", "dc.language"),
    ),
    ("json-ld:inLanguage", lambda sources: text_of(sources.main.get("inLanguage"))),
    ("meta:og:locale", lambda sources: sources.meta("og:locale")),
)


def _code(raw: str) -> str:
    found = _CODE.match(raw.strip().lower().partition(",")[0])
    code = found[1] if found else ""
    code = _OLD.get(code, code)
    return code if len(code) == 2 or code in {"ckb", "fil", "haw", "ast"} else ""


def _text(sources: PageSources, most: int) -> str:
    """Return at most `most` bytes of the content, or of all lines if the page has no content."""
    rows = sources.page.rows
    first, last = sources.lines.span
    if first >= 0:
        return beginning(rows, bytes(sources.kept), first, last + 1, most)
    return beginning(rows, b"\x01" * rows.segment_count, 0, rows.segment_count, most)
