"""The language of a page: the declared one, unless the text is clearly in another language."""

from __future__ import annotations

import re

from scrapy_mainblock.fields.about.choice import claim
from scrapy_mainblock.fields.sources.linked_data import text_of
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.values.languages import MOST_READ, are_alike, language_of
from scrapy_mainblock.judge.claims import Claim
from scrapy_mainblock.outline.folding import beginning
from scrapy_mainblock.page.bounded_cache import bounded_cache

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


def language(sources: PageSources, only_first: bool) -> list[Claim]:
    """Return the primary subtags that the page's language may have, the best one first."""
    declared = _declared(sources, only_first)
    if not declared:
        found, sure = language_of(_text(sources, MOST_READ))
        return [claim(found, "text", sure)] if found else []
    found, _ = language_of(_text(sources, _FIRST_LOOK))
    if found and are_alike(declared[0].value, found):
        return declared
    return _weighed(sources, _declared(sources, False), found)


def _weighed(sources: PageSources, declared: list[Claim], found: str) -> list[Claim]:
    """Return the language of the text and the declared ones; `found` is that of the first look."""
    sure = 0.0
    agreeing = _alike(declared, found)
    if agreeing is None:
        found, sure = language_of(_text(sources, MOST_READ))
        agreeing = _alike(declared, found)
    if agreeing is not None:
        return [agreeing, *[one for one in declared if one is not agreeing]]
    if not found:
        return declared
    if sure >= _SURE:
        overruled = [one._replace(probability=_OVERRULED) for one in declared]
        return [claim(found, "text", sure), *overruled]
    doubted = declared[0]._replace(probability=_DOUBTED)
    return [doubted, *declared[1:], claim(found, "text", sure)]


def _alike(declared: list[Claim], found: str) -> Claim | None:
    """Return the first declared language that the text confirms."""
    for one in declared:
        if found and are_alike(one.value, found):
            return one
    return None


def _declared(sources: PageSources, only_first: bool) -> list[Claim]:
    """Return the languages that the page declares, or only the first one."""
    found: list[Claim] = []
    for source in _SOURCES:
        raw = _raw(sources, source)
        code = _code(raw) if raw else ""
        if code:
            found.append(claim(code, source, _UNSAID, raw[:40]))
            if only_first:
                break
    return found


_SOURCES = ("html:lang", "meta:content-language", "json-ld:inLanguage", "meta:og:locale")
_OF_TAG, _OF_META, _OF_DATA, _ = _SOURCES


def _raw(sources: PageSources, source: str) -> str:
    """Return the language that a source declares, as it is written."""
    if source == _OF_TAG:
        return sources.tag_of_language
    if source == _OF_META:
        return sources.meta("content-language", "language", "dc.language")
    if source == _OF_DATA:
        linked = sources.linked
        return text_of(linked.main.get("inLanguage")) if linked.nodes else ""
    return sources.meta("og:locale")


@bounded_cache(most=256, longest=60)
def _code(raw: str) -> str:
    """Return the primary subtag of a declared language, or an empty string."""
    found = _CODE.match(raw.strip().lower().partition(",")[0])
    code = found[1] if found else ""
    code = _OLD.get(code, code)
    return code if len(code) == 2 or code in {"ckb", "fil", "haw", "ast"} else ""


def _text(sources: PageSources, most: int) -> str:
    """Return at most `most` bytes of the content, or of all lines if the page has no content."""
    rows = sources.rows
    lines = sources.lines
    if lines.first >= 0:
        return beginning(rows, lines.kept, lines.first, lines.last + 1, most)
    return beginning(rows, b"\x01" * rows.segment_count, 0, rows.segment_count, most)
