"""The items of the spiders, which only set the URL; the add-on fills the other fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Article:
    """A page: its main content and its metadata."""

    url: str
    headline: str | None = None
    articleBody: str | None = None
    articleBodyHtml: str | None = None
    canonicalUrl: str | None = None
    datePublished: str | None = None
    dateModified: str | None = None
    authors: list[dict[str, str]] | None = None
    mainImage: dict[str, str] | None = None
    images: list[dict[str, str]] | None = None
    inLanguage: str | None = None
    description: str | None = None
    breadcrumbs: list[dict[str, str]] | None = None
    metadata: dict[str, Any] | None = None
