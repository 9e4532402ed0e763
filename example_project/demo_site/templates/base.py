"""What the builder has to know of a template."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from demo_site.model import IndexContent, Language, PageType, Ref, Rendered, Story, Surroundings
from demo_site.stories import Recipe


@dataclass(frozen=True)
class Template:
    """A kind of page: what it says, where it lies, how it looks."""

    name: str
    section: str
    """The path of the list of its pages."""
    title: str
    page_type: PageType
    recipe: Recipe
    path: Callable[[Ref, str], str]
    render: Callable[[Story, Surroundings], Rendered]
    render_index: Callable[[IndexContent, Surroundings], Rendered]
    index_path: Callable[[int], str]
    """The path of the n-th page of the list, from 1."""
    per_index: int = 10
    language: Language = "en"
    encoding: str = "utf-8"
    unsigned: tuple[str, ...] = ()
    """Who wrote the pages that name nobody, by what they say for machines."""
    most: int | None = None
    """At most so many pages, however large the site."""


def query_pages(section: str) -> Callable[[int], str]:
    """Pagination as /section/?page=2."""
    return lambda page: section if page == 1 else f"{section}?page={page}"


def folder_pages(section: str) -> Callable[[int], str]:
    """Pagination as /section/page/2/."""
    return lambda page: section if page == 1 else f"{section}page/{page}/"
