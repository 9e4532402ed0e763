"""Reads the text of a page from its metadata, for pages that do not show it to readers.

The body of a page that is rendered by a script is empty until the script runs. The text may still
be in the page's head, for search engines: as linked data (the body of an article, the description
of a product), or shortened, as the description that is shown with links to the page.

A product page may also show its description, among prices, sizes and terms of delivery. Its
metadata then shows which of the visible text describes the product (`only_description`).
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
"""Minimum length of such a text in characters; a shorter one is worth nothing."""
LEAST_SHOWN_SHARE, LEAST_DESCRIPTION_SHARE = 0.9, 0.3
"""A product's description becomes the content if at least the first share of it is kept, and if it
makes up at least the second share of the kept text."""
RUN, SAME_ORDER, SAME_WORDS = 3, 0.7, 0.8
_KEYS = frozenset({"articleBody", "description", "text", "reviewBody"})
_MOST_DATA, _DEEPEST, _MOST_VALUES = 200_000, 10, 1000

_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"<(?:p|br|li|div|h[1-6])\b[^<>]*>", re.IGNORECASE)
_LINES = re.compile(r"[\r\n]+")


def metadata_text(head: Head) -> list[str]:
    """Return the paragraphs of the longest text in the metadata; none if that text is short."""
    metas = (head.metas.get(name) for name in ("og:description", "description"))
    found = [*_linked_texts(head), *filter(None, metas)]
    paragraphs = [
        " ".join(line.split()) for line in _LINES.split(_plain(max(found, key=len, default="")))
    ]
    paragraphs = [paragraph for paragraph in paragraphs if paragraph]
    return paragraphs if sum(map(len, paragraphs)) >= LEAST else []


def only_description(
    texts: Sequence[str], kept: Sequence[bool], description: Sequence[str]
) -> list[bool]:
    """Return which segments to keep of a product page that shows its own description.

    These are the segments of the description. `kept` stays as it is if the page shows too little of
    the description, or if the description is too small a part of what is kept.
    """
    words = token_list("\n".join(description))
    bag = Counter(words)
    shown = Counter(word for text in compress(texts, kept) for word in token_list(text))
    common = (shown & bag).total()
    if common < max(LEAST_SHOWN_SHARE * len(words), LEAST_DESCRIPTION_SHARE * shown.total(), 1):
        return list(kept)
    runs = set(_runs(words))
    found = []
    for text, is_kept in zip(texts, kept, strict=True):
        part = token_list(text) if is_kept else []
        is_described = _is_run_of(part, runs) and _is_in(part, bag)
        if is_described:
            bag -= Counter(part)  # so that repeated text is matched only once
        found.append(is_described)
    return found if any(found) else list(kept)


def _runs(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)]


def _is_run_of(part: Sequence[str], runs: Set[tuple[str, ...]]) -> bool:
    """Return whether the words have the same order; fewer than `RUN` words could be anywhere."""
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
