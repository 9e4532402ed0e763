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
from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.page.swallowed import swallow


class Shared:
    """What several fields of a page are read from."""

    def __init__(self, said: Said) -> None:
        self.said = said
        self.dates = Dates(said)

    @cached
    def main_image(self) -> Choice:
        """The main picture, which stands before the others as well."""
        return main_image(self.said)


READERS: Mapping[str, Callable[[Said, Shared], Choice]] = {
    "canonicalUrl": lambda said, _: canonical_url(said),
    "datePublished": lambda _, shared: shared.dates.published,
    "dateModified": lambda _, shared: shared.dates.modified,
    "authors": lambda said, _: authors(said),
    "mainImage": lambda _, shared: shared.main_image,
    "images": lambda said, shared: images(said, shared.main_image.chosen),
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
    shared = Shared(said)
    return {name: _read(name, shared) for name in READERS if name in asked}


def _read(name: str, shared: Shared) -> Choice:
    try:
        return READERS[name](shared.said, shared)
    except Exception as error:  # a page never raises
        swallow(error, f"the field {name} could not be read")
        return NOTHING
