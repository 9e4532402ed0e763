"""Pages to measure, each with rules that were learned from other pages of its site.

A page is never measured by a rule that it taught. The pages of each site are split into two halves,
every other page in each, and each half is measured with the rules learned from the other. A site
with fewer than `LEAST` pages has too few in a half for a rule; its pages are read alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from scrapy_mainblock import Rules
from scrapy_mainblock.inputs.pages import InputPage, Inputs
from scrapy_mainblock.page.page import Page as OurPage
from scrapy_mainblock.recipe.learn import Learner, evidence_of
from scrapy_mainblock.template.similarity import MORE_PAGES_THAN

from . import made_pages

LEAST = 2 * (MORE_PAGES_THAN + 1)


@dataclass(frozen=True)
class Page:
    """A page to measure: its row with the labels, its bytes, and rules learned without it."""

    row: InputPage
    body: bytes
    rules: Rules

    @property
    def url(self) -> str | None:
        """The URL of the page, if known."""
        return self.row.url


class Lesson(NamedTuple):
    """Half the pages of a site."""

    site: str
    pages: Sequence[tuple[bytes, str | None]]

    def learn(self) -> Rules:
        """Return the rules learned, filed under the site's name whatever hosts its pages have."""
        learner = Learner()
        for body, url in self.pages:
            learner.add(self.site, evidence_of(OurPage.of(body, url)))
        return learner.rules()


@dataclass
class Pages:
    """A named set of pages."""

    name: str
    measured: list[Page] = field(default_factory=list)
    lessons: list[Lesson] = field(default_factory=list)


def from_file(name: str, most: int | None = None) -> Pages:
    """Return the pages of a JSON lines file with `html`, `url`, `site`, and `gold` where known."""
    rows = (row for row in Inputs([name], _complain) if row.html is not None)
    return held_out(name.rpartition("/")[2], islice(rows, most))


def made(articles_per_template: int = 40) -> Pages:
    """Return the pages of the bundled demo site; see `made_pages`."""
    site = made_pages.site(articles_per_template=articles_per_template)
    rows = (
        InputPage(page.path, site.url(page), site.host, page.body, gold=page.gold)
        for page in made_pages.pages(site)
    )
    return held_out("made pages (demo site)", rows)


def held_out(name: str, rows: Iterable[InputPage]) -> Pages:
    """Return the pages, each with the rules learned from the other half of its site."""
    found = Pages(name)
    by_site: dict[str, list[InputPage]] = {}
    for row in rows:
        by_site.setdefault(row.site, []).append(row)
    for site, of_site in by_site.items():
        bodies = [_octets(row) for row in of_site]
        halves = [Rules(), Rules()]
        if len(of_site) >= LEAST:
            taught = [(body, row.url) for body, row in zip(bodies, of_site, strict=True)]
            lessons = [Lesson(site, taught[half::2]) for half in (0, 1)]
            halves = [lesson.learn() for lesson in lessons]
            found.lessons.extend(lessons)
        found.measured.extend(
            Page(row, body, halves[1 - number % 2])
            for number, (row, body) in enumerate(zip(of_site, bodies, strict=True))
        )
    return found


def _octets(row: InputPage) -> bytes:
    html = row.html or ""
    return html if isinstance(html, bytes) else html.encode("utf-8", "replace")


def _complain(trouble: str) -> None:
    print(trouble, file=sys.stderr)
