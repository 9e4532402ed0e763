"""A page's machine-readable metadata: title, ``<meta>``, JSON-LD, microdata types, URLs."""

from __future__ import annotations

from scrapy_mainblock.outline.html.references import decoded
from scrapy_mainblock.outline.html.tags import CODES, NAMES
from scrapy_mainblock.outline.parts import Parts
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import tag_has_part, with_tags
from scrapy_mainblock.page import urls
from scrapy_mainblock.page.lazy import cached

MOST_METAS = 200
MOST_ITEM_TYPES = 50
MOST_TITLES = 20
LINKED_DATA = "application/ld+json"
_LEAST_TAG = len(f"<script type={LINKED_DATA}")
_BASE, _LINK, _META, _SCRIPT, _TITLE = (
    CODES[name] for name in ("base", "link", "meta", "script", "title")
)

RELATIONS = ("canonical", "image_src")
_READ = Parts(
    *(relation.encode() for relation in RELATIONS),
    *(b"&#" + sign for sign in b"0 1 2 3 4 5 6 7 8 9 x".split()),
    ignores_case=True,
)
"""A ``<link>`` without the name of a relation, and without a reference that may stand for one of
its letters, is not read: most of them are style sheets."""
_TAGS = bytes(code in {_BASE, _LINK, _META, _SCRIPT, _TITLE} for code in range(len(NAMES)))


class Head:
    """The metadata of a page, read on first access."""

    def __init__(self, page: Rows) -> None:
        self._page = page

    @cached
    def _elements(self) -> dict[int, list[int]]:
        """The elements that hold metadata, by the codes of their tags."""
        return with_tags(self._page, _TAGS)

    @cached
    def all_metas(self) -> dict[str, list[str]]:
        """The contents of the ``<meta>`` elements by property or name, in lower case.

        Those in the head come first. Others count too: a stray tag may end the head too early.
        """
        return contents_by_name(self._page, self._elements.get(_META, [])[:MOST_METAS])

    @cached
    def metas(self) -> dict[str, str]:
        """The first content of each property or name."""
        return {name: contents[0] for name, contents in self.all_metas.items()}

    @cached
    def title(self) -> str:
        """The text of the ``<title>``; empty if the page has none."""
        page = self._page
        titles = self._elements.get(_TITLE, [])[:MOST_TITLES]
        found = next((one for one in titles if page.parent[one] == page.head), None)
        if found is None:
            found = next(iter(titles), None)
        return "" if found is None else decoded(page.content(found))

    @cached
    def linked_data(self) -> list[str]:
        """The sources of the page's JSON-LD."""
        return sources_of_linked_data(self._page, self._elements.get(_SCRIPT, []))

    @cached
    def item_types(self) -> list[str]:
        """The types of the page's microdata items."""
        rows = self._page
        return [rows.value(start, end) for start, end in rows.item_types[:MOST_ITEM_TYPES]]

    @cached
    def _links(self) -> dict[str, int]:
        """The first ``<link>`` of each of `RELATIONS`."""
        return first_by_relation(self._page, self._elements.get(_LINK, []))

    def link(self, relation: str) -> str:
        """Return the URL of the first ``<link>`` with one of `RELATIONS`; empty if none has it."""
        element = self._links.get(relation)
        return "" if element is None else self._page.address(element) or ""

    def base(self, url: str | None) -> str | None:
        """Return the base of relative URLs: ``<base>`` if that is an HTTP URL, else `url`."""
        page = self._page
        for element in self._elements.get(_BASE, ()):
            said = page.address(element)
            if said is not None:
                return _joined(said.strip(), url)
        return url


def contents_by_name(page: Rows, elements: list[int]) -> dict[str, list[str]]:
    """Return the contents of some ``<meta>`` elements by name, those in the head first."""
    inside: dict[str, list[str]] = {}
    outside: dict[str, list[str]] = {}
    for element in elements:
        name = page.attribute(element, b"property") or page.attribute(element, b"name")
        if name:
            content = page.attribute(element, b"content") or ""
            found = inside if page.parent[element] == page.head else outside
            found.setdefault(name.strip().lower(), []).append(content)
    for name, contents in outside.items():
        inside.setdefault(name, []).extend(contents)
    return inside


def sources_of_linked_data(page: Rows, elements: list[int]) -> list[str]:
    """Return the contents of those of some ``<script>`` elements that are JSON-LD."""
    found: list[str] = []
    for element in elements:
        if page.inner[element] - page.start[element] > _LEAST_TAG:
            kind = page.attribute(element, b"type")
            if kind and kind.strip().lower() == LINKED_DATA:
                found.append(page.content(element).decode("utf-8", "replace"))
    return found


def first_by_relation(page: Rows, elements: list[int]) -> dict[str, int]:
    """Return the first of some ``<link>`` elements with each of `RELATIONS`."""
    found: dict[str, int] = {}
    for element in elements:
        said = page.attribute(element, b"rel") if tag_has_part(page, element, _READ) else None
        if said:
            for relation in said.lower().split():
                found.setdefault(relation, element)
    return found


def _joined(said: str, url: str | None) -> str | None:
    try:
        base = urls.joined(url or "", said)
    except ValueError:
        return url
    is_of_the_web = base.lower().startswith(("http://", "https://"))
    return base if is_of_the_web and base.isprintable() and " " not in base else url
