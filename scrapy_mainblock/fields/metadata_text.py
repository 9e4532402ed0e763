"""What a page says of itself for machines, where it shows nothing to readers.

The body of a page that is a program is empty until it runs. Its text may still stand in its head,
for search engines: as linked data (an article's body, a product's description), or shortened, as
the description that is shown with links to it.

A product's page that does show it, among prices, sizes and terms of delivery, says with it which of
its text is about the product (`only_told`).
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from itertools import compress
from typing import Any

from scrapy_mainblock.outline.head import Head
from scrapy_mainblock.page.tokens import token_list

LEAST = 100
"""Characters of a description that is worth more than nothing."""
MOST_TOLD, LEAST_TOLD = 0.9, 0.3
"""A product's description is its content where so much of it is kept, and where it is so much of
what is kept."""
RUN, SAME_ORDER, SAME_WORDS = 3, 0.7, 0.8
_KEYS = frozenset({"articleBody", "description", "text", "reviewBody"})
_MOST_DATA, _DEEPEST, _MOST_VALUES = 200_000, 10, 1000

_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"<(?:p|br|li|div|h[1-6])\b[^<>]*>", re.IGNORECASE)
_LINES = re.compile(r"[\r\n]+")


def metadata_text(head: Head) -> list[str]:
    """The paragraphs of the longest text that the page has for machines; none of a short one."""
    metas = (head.metas.get(name) for name in ("og:description", "description"))
    found = [*_linked_texts(head), *filter(None, metas)]
    paragraphs = [
        " ".join(line.split()) for line in _LINES.split(_plain(max(found, key=len, default="")))
    ]
    paragraphs = [paragraph for paragraph in paragraphs if paragraph]
    return paragraphs if sum(map(len, paragraphs)) >= LEAST else []


def only_told(texts: Sequence[str], kept: Sequence[bool], description: Sequence[str]) -> list[bool]:
    """What to keep of a product's page that shows its own description: the description.

    Where not nearly all of that is kept, or there is much more than that, all that is kept stays.
    """
    words = token_list("\n".join(description))
    bag = Counter(words)
    shown = Counter(word for text in compress(texts, kept) for word in token_list(text))
    common = (shown & bag).total()
    if common < max(MOST_TOLD * len(words), LEAST_TOLD * shown.total(), 1):
        return list(kept)
    runs = set(_runs(words))
    found = []
    for text, is_kept in zip(texts, kept, strict=True):
        part = token_list(text) if is_kept else []
        is_told = _is_run_of(part, runs) and _is_in(part, bag)
        if is_told:
            bag -= Counter(part)  # what is matched, so that repeated text is matched once
        found.append(is_told)
    return found if any(found) else list(kept)


def _runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)]


def _is_run_of(part: Sequence[str], runs: Set[tuple[str, ...]]) -> bool:
    """Whether the words stand there in this order; few words could stand anywhere."""
    own = _runs(part)
    return len(own) > 0 and sum(run in runs for run in own) >= SAME_ORDER * len(own)


def _is_in(part: Sequence[str], bag: Counter[str]) -> bool:
    return (Counter(part) & bag).total() >= SAME_WORDS * len(part)


def _plain(text: str) -> str:
    text = html.unescape(text) if "<" not in text else text
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", text)))


def _linked_texts(head: Head) -> Iterator[str]:
    for source in head.linked_data:
        if len(source) > _MOST_DATA:
            continue
        try:
            data = json.loads(source, strict=False)
        except (ValueError, RecursionError):
            continue
        yield from _texts_of(data)


def _texts_of(data: Any) -> Iterator[str]:
    level = [data]
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for value in level[:_MOST_VALUES]:
            if isinstance(value, list):
                below += value
            elif isinstance(value, dict):
                yield from (
                    text for key, text in value.items() if key in _KEYS and isinstance(text, str)
                )
                below += value.values()
        level = [value for value in below if isinstance(value, (dict, list))]
