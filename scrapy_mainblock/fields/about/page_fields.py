"""The fields besides headline and body, by name, each computed only on request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from scrapy_mainblock.fields.about.authors import Authors
from scrapy_mainblock.fields.about.choice import first_explained, first_of
from scrapy_mainblock.fields.about.dates import Dates
from scrapy_mainblock.fields.about.images import Pictures
from scrapy_mainblock.fields.about.language import language
from scrapy_mainblock.fields.about.texts import breadcrumbs, canonical_url, description
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.judge.claims import NOTHING, Choice
from scrapy_mainblock.page.swallowed import swallow


class PageFields:
    """The fields of a page. Values that learning also needs are computed only once."""

    def __init__(self, sources: PageSources) -> None:
        self.sources, self.pictures = sources, Pictures(sources)
        self.dates, self.authors = Dates(sources), Authors(sources)


READERS: Mapping[str, Callable[[PageFields], Choice]] = {
    "canonicalUrl": lambda fields: first_of(canonical_url(fields.sources, True)),
    "datePublished": lambda fields: fields.dates.published,
    "dateModified": lambda fields: fields.dates.modified(lambda: fields.dates.published),
    "authors": lambda fields: fields.authors.chosen,
    "mainImage": lambda fields: fields.pictures.main,
    "images": lambda fields: fields.pictures.all,
    "inLanguage": lambda fields: first_of(language(fields.sources, True)),
    "description": lambda fields: first_of(description(fields.sources, True)),
    "breadcrumbs": lambda fields: first_of(breadcrumbs(fields.sources)),
}
EXPLAINED: Mapping[str, Callable[[PageFields], Choice]] = {
    "canonicalUrl": lambda fields: first_explained(canonical_url(fields.sources, False)),
    "datePublished": lambda fields: fields.dates.published_explained,
    "authors": lambda fields: fields.authors.explained,
    "mainImage": lambda fields: fields.pictures.main_explained,
    "inLanguage": lambda fields: first_explained(language(fields.sources, False)),
    "description": lambda fields: first_explained(description(fields.sources, False)),
}
"""Fields whose explanation reads more of the page than their value needs."""
RAW = {"datePublishedRaw": "datePublished", "dateModifiedRaw": "dateModified"}
"""Fields that hold the value of another field as it is written in the page."""
_RAW_OF = {name: raw for raw, name in RAW.items()}
NAMES = frozenset({*READERS, *RAW})
_ALL = tuple(READERS)


def asked_for(wanted: Collection[str]) -> Sequence[str]:
    """Return the names of the fields to read for the wanted ones, in the order of `READERS`."""
    if NAMES.issubset(wanted):
        return _ALL
    return [name for name in READERS if name in wanted or _RAW_OF.get(name) in wanted]


def claim_of(
    fields: PageFields, name: str, read: Callable[[PageFields], Choice] | None = None
) -> Choice:
    """Return the choice for one field by the page alone; `read` replaces the default reader."""
    try:
        return (read or READERS[name])(fields)
    except Exception as error:  # a page must never raise
        swallow(error, f"reading the field {name} failed")
        return NOTHING
