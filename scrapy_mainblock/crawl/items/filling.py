"""What goes into an item: an article, and the page that it came from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from itemadapter import ItemAdapter

from scrapy_mainblock.crawl.items.item_types import fitted
from scrapy_mainblock.render.article import Article, ItemMetadata

FIRST_ERROR_STATUS = 400


class JsonDict(dict[str, Any]):
    """A dict that is JSON where it is written as text, as into a cell of CSV."""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)


class JsonList(list[Any]):
    """The same for a list."""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)


def status_in_words(status: int) -> str | None:
    """What is wrong with a page by its status: it may be an error page, and teaches nothing."""
    return f"its status is {status}" if status >= FIRST_ERROR_STATUS else None


def found_in(article: Article, source_url: str | None, status: int) -> dict[str, Any]:
    """What an item may take of an article that was found in a page."""
    metadata = article.metadata
    reasons = [reason for reason in (metadata["reason"], status_in_words(status)) if reason]
    own: ItemMetadata = {
        **metadata,
        "reason": "; ".join(reasons) or None,
        "sourceUrl": source_url,
        "status": status,
    }
    return {**article.to_dict(), "metadata": own}


def fill(
    item: Any, found: Mapping[str, Any], fields: Mapping[str, str], room: Iterable[str]
) -> dict[str, Exception]:
    """Put the results into an item that it has `room` for.

    Returns the fields that the item refused: of a frozen class, or one that checks its values.
    """
    refused: dict[str, Exception] = {}
    # Into a dict as it is: for each field an adapter costs as much as all else here.
    into = item if isinstance(item, dict) else ItemAdapter(item)
    room = frozenset(room)
    for name, field in fields.items():  # in their order, that columns of CSV are the same each time
        if name not in room:
            continue
        try:
            value = found.get(name)
            if value is not None and type(value) is not str:  # most are one of these
                value = _for_an_item(fitted(value, type(item), field))
            into[field] = value
        except Exception as error:  # whatever the class raises
            refused[field] = error
    return refused


def _for_an_item(value: Any) -> Any:
    if type(value) is dict:
        return JsonDict(value)
    is_plain = type(value) is list and all(isinstance(one, (str, dict)) for one in value)
    return JsonList(value) if is_plain else value
