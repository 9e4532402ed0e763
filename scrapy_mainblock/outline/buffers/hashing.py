"""Hashes of bytes and numbers, and a hash table."""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import zeros
from scrapy_mainblock.outline.layout import EVERYTHING, FACTOR, START

MIX = 0x9E3779B97F4A7C15


def hash_of(octets: bytes) -> int:
    """Return the FNV-1a hash of some bytes."""
    return extended(START, octets, 0, len(octets))


def extended(found: int, octets: bytes, start: int, end: int) -> int:
    """Return the hash `found`, continued with a slice of some bytes."""
    for at in range(start, end):
        found = ((found ^ octets[at]) * FACTOR) & EVERYTHING
    return found


def of_words(octets: bytes, start: int, end: int) -> int:
    """Return a hash of a slice of some bytes, read eight at a time; it differs from `hash_of`."""
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
    """Return a hash of a number."""
    key = (key ^ key >> 32) * MIX & EVERYTHING
    return (key ^ key >> 29) * MIX & EVERYTHING


class Numbers:
    """A hash table that assigns the next number to each new key.

    A slot is a key and, behind it, its number plus one, or 0 if the slot is free: one array, which
    needs no other value than zeros to begin with.
    """

    def __init__(self, most: int) -> None:
        """Make room for at most `most` different keys."""
        room = 16
        while room < 2 * most:
            room *= 2
        self.mask = 2 * room - 1
        self.slots = zeros(2 * room)
        self.count = 0

    def number(self, key: int) -> int:
        """Return the number of a key; a new key gets the next number."""
        at = self._slot(key)
        if not self.slots[at + 1]:
            self.count += 1
            self.slots[at], self.slots[at + 1] = key, self.count
        return self.slots[at + 1] - 1

    def put(self, key: int, number: int) -> None:
        """Assign a given number to a key, unless it already has one."""
        at = self._slot(key)
        if not self.slots[at + 1]:
            self.slots[at], self.slots[at + 1] = key, number + 1

    def find(self, key: int) -> int:
        """Return the number of a key, or -1."""
        return self.slots[self._slot(key) + 1] - 1

    def _slot(self, key: int) -> int:
        """Return the offset of the slot that holds a key, or of the free one that it would get."""
        at = 2 * mixed(key) & self.mask
        while self.slots[at + 1] and self.slots[at] != key:
            at = (at + 2) & self.mask
        return at
