"""What the spiders yield. They set the url; the add-on fills the other fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Article:
    """A page and its main content."""

    url: str
    headline: str | None = None
    articleBody: str | None = None
    articleBodyHtml: str | None = None
    metadata: dict[str, Any] | None = None
