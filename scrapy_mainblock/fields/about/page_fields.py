"""All fields beside the body: each by its name, worked out only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from scrapy_mainblock.fields.about.authors import Authors
from scrapy_mainblock.fields.about.dates import Dates
from scrapy_mainblock.fields.about.images import Pictures
from scrapy_mainblock.fields.about.language import language
from scrapy_mainblock.fields.about.texts import breadcrumbs, canonical_url, description
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.judge.claims import NOTHING, Choice
from scrapy_mainblock.page.swallowed import swallow


class PageFields:
    """A page's fields; what learning asks for too is worked out once."""

    def __init__(self, sources: PageSources) -> None:
        self.sources, self.pictures = sources, Pictures(sources)
        self.dates, self.authors = Dates(sources), Authors(sources)


READERS: Mapping[str, Callable[[PageFields], Choice]] = {
    "canonicalUrl": lambda fields: canonical_url(fields.sources),
    "datePublished": lambda fields: fields.dates.published,
    "dateModified": lambda fields: fields.dates.modified(lambda: fields.dates.published),
    "authors": lambda fields: fields.authors.chosen,
    "mainImage": lambda fields: fields.pictures.main,
    "images": lambda fields: fields.pictures.all,
    "inLanguage": lambda fields: language(fields.sources),
    "description": lambda fields: description(fields.sources),
    "breadcrumbs": lambda fields: breadcrumbs(fields.sources),
}
EXPLAINED: Mapping[str, Callable[[PageFields], Choice]] = {
    "datePublished": lambda fields: fields.dates.published_explained,
    "authors": lambda fields: fields.authors.explained,
}
"""Fields of which more is read to explain them than to fill them."""
RAW = {"datePublishedRaw": "datePublished", "dateModifiedRaw": "dateModified"}
"""Fields that hold another as it stands in the page."""
NAMES = frozenset({*READERS, *RAW})


def asked_for(wanted: Collection[str]) -> set[str]:
    """The fields that fill those that are wanted."""
    return {RAW.get(name, name) for name in wanted} & READERS.keys()


def claim_of(
    fields: PageFields, name: str, read: Callable[[PageFields], Choice] | None = None
) -> Choice:
    """What fills one field, by the page itself; `read` is another way to read it."""
    try:
        return (read or READERS[name])(fields)
    except Exception as error:  # a page never raises
        swallow(error, f"the field {name} could not be read")
        return NOTHING
