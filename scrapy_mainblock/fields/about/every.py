"""All fields beside the body: each by its name, worked out only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from scrapy_mainblock.fields.about.authors import Authors
from scrapy_mainblock.fields.about.dates import Dates
from scrapy_mainblock.fields.about.images import Pictures
from scrapy_mainblock.fields.about.language import language
from scrapy_mainblock.fields.about.texts import breadcrumbs, canonical_url, description
from scrapy_mainblock.fields.sources.said import Said
from scrapy_mainblock.judge.claims import NOTHING, Choice
from scrapy_mainblock.page.swallowed import swallow


class About:
    """A page's fields; what learning asks for too is worked out once."""

    def __init__(self, said: Said) -> None:
        self.said, self.pictures = said, Pictures(said)
        self.dates, self.authors = Dates(said), Authors(said)


READERS: Mapping[str, Callable[[About], Choice]] = {
    "canonicalUrl": lambda about: canonical_url(about.said),
    "datePublished": lambda about: about.dates.published,
    "dateModified": lambda about: about.dates.modified(lambda: about.dates.published),
    "authors": lambda about: about.authors.chosen,
    "mainImage": lambda about: about.pictures.main,
    "images": lambda about: about.pictures.all,
    "inLanguage": lambda about: language(about.said),
    "description": lambda about: description(about.said),
    "breadcrumbs": lambda about: breadcrumbs(about.said),
}
EXPLAINED: Mapping[str, Callable[[About], Choice]] = {
    "datePublished": lambda about: about.dates.published_explained,
    "authors": lambda about: about.authors.explained,
}
"""Fields of which more is read to explain them than to fill them."""
RAW = {"datePublishedRaw": "datePublished", "dateModifiedRaw": "dateModified"}
"""Fields that hold another as it stands in the page."""
NAMES = frozenset({*READERS, *RAW})


def asked_for(wanted: Collection[str]) -> set[str]:
    """The fields that fill those that are wanted."""
    return {RAW.get(name, name) for name in wanted} & READERS.keys()


def claim_of(about: About, name: str, read: Callable[[About], Choice] | None = None) -> Choice:
    """What fills one field, by the page itself; `read` is another way to read it."""
    try:
        return (read or READERS[name])(about)
    except Exception as error:  # a page never raises
        swallow(error, f"the field {name} could not be read")
        return NOTHING
