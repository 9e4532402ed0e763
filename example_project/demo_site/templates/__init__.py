"""The site's templates, one module each."""

from __future__ import annotations

from . import bulletin, docs, forum, magazine, newsroom, portal, redesign, shop, specials, zh_news
from .base import Template

ALL: tuple[Template, ...] = (
    newsroom.TEMPLATE,
    redesign.TEMPLATE,
    magazine.TEMPLATE,
    bulletin.TEMPLATE,
    portal.TEMPLATE,
    docs.TEMPLATE,
    forum.TEMPLATE,
    shop.TEMPLATE,
    zh_news.TEMPLATE,
    specials.TEMPLATE,
)

__all__ = ["ALL", "Template"]
