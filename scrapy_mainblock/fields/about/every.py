"""All fields beside the body: each by its name, worked out only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from scrapy_mainblock.fields.about.authors import authors
from scrapy_mainblock.fields.about.dates import Dates
from scrapy_mainblock.fields.about.images import images, main_image
from scrapy_mainblock.fields.about.language import language
from scrapy_mainblock.fields.about.texts import breadcrumbs, canonical_url, description
from scrapy_mainblock.fields.sources.said import Said
from scrapy_mainblock.judge.claims import NOTHING, Choice
from scrapy_mainblock.page.swallowed import swallow

READERS: Mapping[str, Callable[[Said, Dates], Choice]] = {
    "canonicalUrl": lambda said, _: canonical_url(said),
    "datePublished": lambda _, dates: dates.published,
    "dateModified": lambda _, dates: dates.modified,
    "authors": lambda said, _: authors(said),
    "mainImage": lambda said, _: main_image(said),
    "images": lambda said, _: images(said),
    "inLanguage": lambda said, _: language(said),
    "description": lambda said, _: description(said),
    "breadcrumbs": lambda said, _: breadcrumbs(said),
}
RAW = {"datePublishedRaw": "datePublished", "dateModifiedRaw": "dateModified"}
"""Fields that hold another as it stands in the page."""
NAMES = frozenset({*READERS, *RAW})


def claims_of(said: Said, wanted: Collection[str]) -> dict[str, Choice]:
    """What fills each of the fields that are wanted."""
    asked = {RAW.get(name, name) for name in wanted} & READERS.keys()
    dates = Dates(said)
    return {name: _read(name, said, dates) for name in READERS if name in asked}


def _read(name: str, said: Said, dates: Dates) -> Choice:
    try:
        return READERS[name](said, dates)
    except Exception as error:  # a page never raises
        swallow(error, f"the field {name} could not be read")
        return NOTHING
