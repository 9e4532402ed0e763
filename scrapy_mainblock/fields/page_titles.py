"""The titles in a page's metadata, and the test for the site's name among their parts."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator

from scrapy_mainblock.fields.titles import Key, Name, folded, key_of, letters_of, site_test
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.bounded_cache import bounded_cache
from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.page.sites import host

LONGEST = 400
"""Maximum length of a title in characters; a longer text is not a title."""
_LINKED_HEADLINE = re.compile(r'"headline"\s*:\s*("(?:[^"\\]|\\.){1,400}")')


class PageTitles:
    """The titles in a page's metadata. Each is computed on first access."""

    def __init__(self, page: Outline, names: Collection[str] = ()) -> None:
        self.page = page
        self.names_of_site = title_keys(tuple(names))
        """Titles that are known to be names of the site or its sections, not headlines."""

    @cached
    def open_graph(self) -> Name | None:
        """The Open Graph title."""
        return named(self.page.head.metas.get("og:title", ""))

    @cached
    def title(self) -> Name | None:
        """The title in the ``<title>`` element."""
        return named(self.page.head.title)

    @cached
    def linked_headline(self) -> str:
        """The headline in the page's linked data, or an empty string."""
        return _linked_headline(self.page.head.linked_data)

    @cached
    def linked(self) -> Key:
        """The key of `linked_headline`."""
        return key_of(self.linked_headline)

    @cached
    def address(self) -> str:
        """The URL of the page, or the one in its metadata if the caller did not give any."""
        head = self.page.head
        return self.page.url or head.link("canonical") or head.metas.get("og:url", "")

    @cached
    def is_site(self) -> Callable[[Key], bool]:
        """The function that tests whether a part of a title is the site's name."""
        metas = self.page.head.metas
        name = metas.get("og:site_name") or metas.get("application-name") or ""
        return site_test(host(self.address), folded(name), self.names_of_site)

    @property
    def named(self) -> Iterator[tuple[str, Name]]:
        """The titles that the page has, each with its prefix in the feature names."""
        if self.title:
            yield "title", self.title
        if self.open_graph:
            yield "og", self.open_graph

    @cached
    def longest_part(self) -> int:
        """The number of tokens in the longest part of a title that is not the site's name."""
        parts = (part for _, name in self.named for part in name.parts)
        return max((len(part) for part in parts if part and not self.is_site(part)), default=0)


@bounded_cache(most=256, longest=5000, measure=letters_of)
def title_keys(names: tuple[str, ...]) -> frozenset[Key]:
    """Return the keys of some names."""
    return frozenset(map(key_of, names)) - {()}


@bounded_cache(most=8, longest=1000)
def named(text: str) -> Name | None:
    """Return the title in a text, or None if the text contains no word.

    Cached, since learning reads each of a page's two titles once for each part that a rule may cut
    off.
    """
    text = folded(text)
    if len(text) > LONGEST:  # an unclosed title continues into the page's source
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
