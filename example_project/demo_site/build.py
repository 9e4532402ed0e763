"""Builds the whole site from a seed: announces all pages, then writes them, then lists them."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from .bulk import make_bulk
from .dice import Dice
from .model import IndexContent, Page, Ref, Rendered, Story, Surroundings, gold_text
from .navigation import SITE_NAME
from .site import Site
from .stories import FIRST_DAY, Company, announce, write
from .templates import ALL, Template, newsroom, redesign

SEED = 2024
ARTICLES_PER_TEMPLATE = 18
BASE_URL = "https://demo.example/"
MOST_READ = 8
ON_FRONT_PAGE = 3
"""The number of articles of each section on the front page."""

_ANCHOR = re.compile(r"""<[aA]\b[^>]*?\b[hH][rR][eE][fF]=["']?([^"'\s>#]+)""")


class Announced(NamedTuple):
    """A page that other pages can link to, and the template that will render it."""

    template: Template
    ref: Ref


@dataclass(frozen=True)
class Section:
    """The pages in one list, sorted by date."""

    announced: tuple[Announced, ...]
    most_read: tuple[Ref, ...]

    @functools.cached_property
    def refs(self) -> tuple[Ref, ...]:
        """The references by which other pages link to the pages."""
        return tuple(ref for _, ref in self.announced)

    @property
    def template(self) -> Template:
        """The newest template, in which the list is rendered."""
        return self.announced[-1].template


def build(
    *,
    seed: int | str = SEED,
    articles_per_template: int = ARTICLES_PER_TEMPLATE,
    padding_kb: float = 0,
    base_url: str = BASE_URL,
) -> Site:
    """Build the site; the same arguments give the same bytes on any platform.

    `padding_kb` adds about this many kilobytes of template code to every page.
    """
    parts = urlsplit(base_url)
    if not parts.netloc or parts.path not in {"", "/"} or parts.query or parts.fragment:
        raise ValueError(f"base_url must be like https://demo.example/, not {base_url!r}")
    base_url = base_url.rstrip("/") + "/"
    sections = _announce_all(seed, articles_per_template)
    makers = {
        template.name: Surroundings(base_url, make_bulk(padding_kb, seed, template.name))
        for template in ALL
    }
    pages = [
        _front_page(sections, makers[redesign.TEMPLATE.name]),
        *(page for section in sections for page in _lists(section, makers)),
        *(page for section in sections for page in _articles(section, seed, makers)),
    ]
    return Site(base_url, _with_links(pages, base_url))


def _announce_all(seed: int | str, count: int) -> list[Section]:
    by_section: dict[str, list[Announced]] = {}
    for template in ALL:
        before = by_section.setdefault(template.section, [])
        numbers = range(len(before), _last_number(template, count))
        for number in numbers:
            key = (seed, template.section)
            ref = announce(template.recipe, key, number, template.path)
            before.append(Announced(template, ref))
    return [
        Section(
            tuple(announced),
            tuple(Dice(seed, "most read", path).sample([ref for _, ref in announced], MOST_READ)),
        )
        for path, announced in by_section.items()
        if announced
    ]


def _last_number(template: Template, count: int) -> int:
    if template.name == newsroom.TEMPLATE.name:
        return count // 2  # the redesign takes over halfway
    return count if template.most is None else min(count, template.most)


def _articles(section: Section, seed: int | str, makers: dict[str, Surroundings]) -> Iterator[Page]:
    company = Company(section.refs, section.most_read)
    for template, ref in section.announced:
        story = write(template.recipe, (seed, template.section), ref, company)
        rendered = template.render(story, makers[template.name])
        gold = gold_text(story.blocks)
        yield Page(
            path=ref.path,
            html=rendered.html,
            template=template.name,
            page_type=template.page_type,
            language=template.language,
            headline=ref.headline,
            gold=gold,
            not_gold=_not_gold(story, rendered, template, gold),
            links=(),
            date=ref.date,
            encoding=template.encoding,
            published=ref.date if template.recipe.form in ("news", "forum") else None,
            authors=ref.authors or template.unsigned,
        )


def _not_gold(story: Story, rendered: Rendered, template: Template, gold: str) -> tuple[str, ...]:
    snippets = list(rendered.not_gold)
    if story.comments and template.page_type != "forum":
        snippets.append(story.comments[0].paragraphs[0])
    if story.related:
        snippets.append(story.related[0].headline)
    return tuple(snippet for snippet in snippets if snippet not in gold)


def _lists(section: Section, makers: dict[str, Surroundings]) -> Iterator[Page]:
    template = section.template
    newest_first = section.refs[::-1]
    step = template.per_index
    chunks = [newest_first[start : start + step] for start in range(0, len(newest_first), step)]
    paths = tuple(template.index_path(number) for number in range(1, len(chunks) + 1))
    for number, refs in enumerate(chunks, 1):
        content = IndexContent(
            template.title, paths[number - 1], refs, number, paths, section.most_read
        )
        yield _index_page(template, content, makers[template.name])


def _front_page(sections: Sequence[Section], around: Surroundings) -> Page:
    refs = tuple(ref for section in sections for ref in section.refs[::-1][:ON_FRONT_PAGE])
    most_read = tuple(ref for section in sections for ref in section.most_read[:1])
    return _index_page(
        redesign.TEMPLATE, IndexContent(SITE_NAME, "/", refs, most_read=most_read), around
    )


def _index_page(template: Template, content: IndexContent, around: Surroundings) -> Page:
    rendered = template.render_index(content, around)
    return Page(
        path=content.path,
        html=rendered.html,
        template=f"{template.name}-index",
        page_type="index",
        language=template.language,
        headline=content.title,
        gold=None,
        not_gold=rendered.not_gold,
        links=(),
        date=max((ref.date for ref in content.refs), default=FIRST_DAY),
        encoding=template.encoding,
    )


def _with_links(pages: list[Page], base_url: str) -> list[Page]:
    known = {page.path for page in pages}
    return [_with_its_links(page, known, base_url) for page in pages]


def _with_its_links(page: Page, known: set[str], base_url: str) -> Page:
    found: dict[str, None] = {}
    for target in _ANCHOR.findall(page.html):
        path = target
        if not target.startswith("/"):
            url = urljoin(base_url.rstrip("/") + page.path, target)
            path = "/" + url.removeprefix(base_url) if url.startswith(base_url) else ""
        if path in known and path != page.path:
            found[path] = None
    return Page(**{**vars(page), "links": tuple(found)})
