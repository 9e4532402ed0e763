"""Filling an item with an article and with data of the page that it came from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from itemadapter import ItemAdapter

from scrapy_mainblock.crawl.items.item_types import filled_copy, fitted, is_frozen
from scrapy_mainblock.page.status import status_in_words
from scrapy_mainblock.render.article import Article, ItemMetadata


class JsonDict(dict[str, Any]):
    """A dict that becomes JSON when it is written as text, such as into a CSV cell."""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)


class JsonList(list[Any]):
    """A list that becomes JSON when it is written as text."""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)


def found_in(article: Article, source_url: str | None, status: int) -> dict[str, Any]:
    """Return everything that an item can take from an article that was found in a page."""
    metadata = article.metadata
    reasons = [reason for reason in (metadata["reason"], status_in_words(status)) if reason]
    own: ItemMetadata = {
        **metadata,
        "reason": "; ".join(reasons) or None,
        "sourceUrl": source_url,
        "status": status,
    }
    found = article.to_dict()
    found["metadata"] = own
    return found


class Filled(NamedTuple):
    """A filled item."""

    item: Any
    """The item itself, or a filled copy if its class is frozen."""
    refused: dict[str, Exception]
    """The fields that the item refused, since its class validates its values."""


def fill(
    item: Any, found: Mapping[str, Any], fields: Mapping[str, str], room: Iterable[str]
) -> Filled:
    """Put the results that an item has `room` for into the item, or into a copy of a frozen one."""
    refused: dict[str, Exception] = {}
    values: dict[str, Any] = {}
    item_class: type = type(item)
    is_copied = is_frozen(item_class)
    # A dict is filled directly: for each field, an adapter costs as much as all the rest here.
    into = values if is_copied else item if isinstance(item, dict) else ItemAdapter(item)
    room = frozenset(room)
    for name, field in fields.items():  # in a fixed order, for the columns of CSV
        if name not in room:
            continue
        try:
            value = found.get(name)
            if value is not None and type(value) is not str:  # most values are one of the two
                value = _for_an_item(fitted(value, item_class, field))
            into[field] = value
        except Exception as error:  # whatever the item class raises
            refused[field] = error
    if not is_copied:
        return Filled(item, refused)
    try:
        return Filled(filled_copy(item, values), refused)
    except Exception as error:  # whatever the item class raises
        return Filled(item, {**refused, **dict.fromkeys(values, error)})


def _for_an_item(value: Any) -> Any:
    if type(value) is dict:
        return JsonDict(value)
    is_plain = type(value) is list and all(isinstance(one, (str, dict)) for one in value)
    return JsonList(value) if is_plain else value
