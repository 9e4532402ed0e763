"""The properties of a template that the builder uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from demo_site.model import IndexContent, Language, PageType, Ref, Rendered, Story, Surroundings
from demo_site.stories import Recipe


@dataclass(frozen=True)
class Template:
    """A kind of page: its content, its path and its layout."""

    name: str
    section: str
    """The path of the list of the template's pages."""
    title: str
    page_type: PageType
    recipe: Recipe
    path: Callable[[Ref, str], str]
    render: Callable[[Story, Surroundings], Rendered]
    render_index: Callable[[IndexContent, Surroundings], Rendered]
    index_path: Callable[[int], str]
    """Returns the path of the n-th page of the list, from 1."""
    per_index: int = 10
    language: Language = "en"
    encoding: str = "utf-8"
    unsigned: tuple[str, ...] = ()
    """The authors that machine-readable data names for pages that show no author."""
    most: int | None = None
    """Limit on the number of pages, however large the site is."""


def query_pages(section: str) -> Callable[[int], str]:
    """Return a function that paginates as /section/?page=2."""
    return lambda page: section if page == 1 else f"{section}?page={page}"


def folder_pages(section: str) -> Callable[[int], str]:
    """Return a function that paginates as /section/page/2/."""
    return lambda page: section if page == 1 else f"{section}page/{page}/"
