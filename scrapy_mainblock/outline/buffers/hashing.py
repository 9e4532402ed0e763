"""Hashes of octets, and tables of hashes."""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import filled, hashes
from scrapy_mainblock.outline.layout import EVERYTHING, FACTOR, START

MIX = 0x9E3779B97F4A7C15


def hash_of(octets: bytes) -> int:
    """The hash of some octets."""
    return extended(START, octets, 0, len(octets))


def extended(found: int, octets: bytes, start: int, end: int) -> int:
    """The hash of what `found` is the hash of, with a part of some octets behind it."""
    for at in range(start, end):
        found = ((found ^ octets[at]) * FACTOR) & EVERYTHING
    return found


def of_words(octets: bytes, start: int, end: int) -> int:
    """A hash of a part of some octets, eight of them at a time: another one than `hash_of`."""
    found = START ^ (end - start)
    at = start
    while at + 8 <= end:
        word = 0
        for place in range(at, at + 8):
            word = word << 8 | octets[place]
        found = mixed(found ^ word)
        at += 8
    return extended(found, octets, at, end)


def mixed(key: int) -> int:
    """A hash of a number."""
    key = (key ^ key >> 32) * MIX & EVERYTHING
    return (key ^ key >> 29) * MIX & EVERYTHING


class Numbers:
    """A hash table that gives each new key the next number."""

    def __init__(self, most: int) -> None:
        """`most` is how many different keys there may be."""
        room = 16
        while room < 2 * most:
            room *= 2
        self.mask = room - 1
        self.keys = hashes(room)
        self.numbers = filled(room, -1)
        self.count = 0

    def number(self, key: int) -> int:
        """The number of a key, the next one where it is new."""
        at = mixed(key) & self.mask
        while self.numbers[at] >= 0:
            if self.keys[at] == key:
                return self.numbers[at]
            at = (at + 1) & self.mask
        self.keys[at] = key
        self.numbers[at] = self.count
        self.count += 1
        return self.count - 1

    def put(self, key: int, number: int) -> None:
        """Give a key a number of its own; the first one counts."""
        at = mixed(key) & self.mask
        while self.numbers[at] >= 0:
            if self.keys[at] == key:
                return
            at = (at + 1) & self.mask
        self.keys[at] = key
        self.numbers[at] = number

    def find(self, key: int) -> int:
        """The number of a key, -1 where it has none."""
        at = mixed(key) & self.mask
        while self.numbers[at] >= 0:
            if self.keys[at] == key:
                return self.numbers[at]
            at = (at + 1) & self.mask
        return -1
