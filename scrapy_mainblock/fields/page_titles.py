"""The titles that a page gives itself, and what tells the site's name from an article's."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator

from scrapy_mainblock.fields.titles import Key, Name, folded, key_of, letters_of, site_test
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.page.remembered import remembered
from scrapy_mainblock.page.sites import host

LONGEST = 400
"""Characters of a title; what is longer is none."""
_LINKED_HEADLINE = re.compile(r'"headline"\s*:\s*("(?:[^"\\]|\\.){1,400}")')


class PageTitles:
    """The titles of a page by its own words; each is looked for when it is first asked for."""

    def __init__(self, page: Outline, names: Collection[str] = ()) -> None:
        self.page = page
        self.names_of_site = title_keys(tuple(names))
        """What is known to be a name, and no headline."""

    @cached
    def open_graph(self) -> Name | None:
        """OpenGraph's title."""
        return named(self.page.head.metas.get("og:title", ""))

    @cached
    def title(self) -> Name | None:
        """What the ``<title>`` holds."""
        return named(self.page.head.title)

    @cached
    def linked_headline(self) -> str:
        """The headline in the page's linked data, empty where there is none."""
        return _linked_headline(self.page.head.linked_data)

    @cached
    def linked(self) -> Key:
        """The same as a key."""
        return key_of(self.linked_headline)

    @cached
    def address(self) -> str:
        """The page's URL, by its own words where nobody else gives one."""
        head = self.page.head
        return self.page.url or head.link("canonical") or head.metas.get("og:url", "")

    @cached
    def is_site(self) -> Callable[[Key], bool]:
        """Whether a part of a title is the site's name."""
        metas = self.page.head.metas
        name = metas.get("og:site_name") or metas.get("application-name") or ""
        return site_test(host(self.address), folded(name), self.names_of_site)

    @property
    def named(self) -> Iterator[tuple[str, Name]]:
        """The titles that there are, by what they are called among the features."""
        if self.title:
            yield "title", self.title
        if self.open_graph:
            yield "og", self.open_graph

    @cached
    def longest_part(self) -> int:
        """The tokens of the longest part of a title that is not the site's name."""
        parts = (part for _, name in self.named for part in name.parts)
        return max((len(part) for part in parts if part and not self.is_site(part)), default=0)


@remembered(most=256, longest=5000, measure=letters_of)
def title_keys(names: tuple[str, ...]) -> frozenset[Key]:
    """The keys of some names."""
    return frozenset(map(key_of, names)) - {()}


def named(text: str) -> Name | None:
    """A title, None of a text that is none."""
    text = folded(text)
    if len(text) > LONGEST:  # a title that is never closed goes on into the page's source
        text = text.partition("<")[0][:LONGEST].strip()
    name = Name(text) if text else None
    return name if name and name.key else None


def _linked_headline(linked: Iterable[str]) -> str:
    for data in linked:
        found = _LINKED_HEADLINE.search(data)
        if found:
            try:
                return folded(html.unescape(json.loads(found[1], strict=False)))
            except ValueError:
                pass
    return ""
