"""Finds a date in the scripts of a page, by the keys before it."""

from __future__ import annotations

import re

from scrapy_mainblock.outline.parts import Parts

KEYS = (b"ublished", b"ublish", b"pubDate", b"pub_date", b"createdAt", b"created_at")
"""Keys of a date, the best one first."""
MOST_LOOKS = 30
"""Maximum number of places of one key that are looked at."""
_PARTS = Parts(b"ublish", b"pubDate", b"pub_date", b"created")
"""Each key begins with one of these."""
_VALUE = re.compile(rb"[A-Za-z_]{0,12}[\"']?\s{0,3}[:=,]\s{0,3}[\"']([0-9][^\"']{7,40})[\"']")


def first_value(source: bytes) -> bytes | None:
    """Return the first value that begins with a digit behind the best key, or None.

    The source is searched once for all keys: most pages that are searched have none of them.
    """
    places: list[list[int]] = [[] for _ in KEYS]
    at = _PARTS.find(source, 0, len(source))
    while at >= 0:
        for number in range(len(KEYS)):
            if source.startswith(KEYS[number], at) and len(places[number]) < MOST_LOOKS:
                places[number].append(at + len(KEYS[number]))
        at = _PARTS.find(source, at + 1, len(source))
    for known in places:
        for at in known:
            found = _VALUE.match(source, at)
            if found is not None:
                value: bytes = found[1]
                return value
    return None
