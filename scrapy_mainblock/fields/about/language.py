"""The language of a page: the declared one, unless the text is clearly in another language."""

from __future__ import annotations

import re

from scrapy_mainblock.fields.sources.linked_data import text_of
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.values.languages import MOST_READ, are_alike, language_of
from scrapy_mainblock.judge.claims import Choice, Claim
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
_UNSAID = 0.97


def language(sources: PageSources) -> Choice:
    """Return the choice of the primary subtag of the page's language."""
    declared = [
        Claim(code, source, _UNSAID, raw) for code, source, raw in _declared(sources) if code
    ]
    found, sure = "", 0.0
    for characters in (_FIRST_LOOK, MOST_READ) if declared else (MOST_READ,):
        found, sure = language_of(_text(sources, characters))
        agreeing = [one for one in declared if found and are_alike(one.value, found)]
        if agreeing:
            rest = tuple(one for one in declared if one is not agreeing[0])
            return Choice(agreeing[0], rest)
    if not found:
        return Choice(declared[0], tuple(declared[1:])) if declared else Choice(None)
    by_text = Claim(found, "text", sure)
    if sure >= _SURE or not declared:
        return Choice(by_text, tuple(one._replace(probability=0.1) for one in declared))
    return Choice(declared[0]._replace(probability=0.7), (*declared[1:], by_text))


def _declared(sources: PageSources) -> list[tuple[str, str, str]]:
    raws = [
        ("html:lang", sources.tag_of_language),
        ("meta:content-language", sources.meta("content-language", "language", "dc.language")),
        ("json-ld:inLanguage", text_of(sources.main.get("inLanguage"))),
        ("meta:og:locale", sources.meta("og:locale")),
    ]
    return [(_code(raw), source, raw[:40]) for source, raw in raws if raw]


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
