"""Arrays of numbers as typed memory views, which compiled loops and Python index alike."""

from __future__ import annotations

from typing import Any

from scrapy_mainblock.outline.buffers import array

INTS, HASHES, DOUBLES, OCTETS = (array.array(kind) for kind in "iQdB")


def ints(count: int) -> memoryview[int]:
    """Return an uninitialized array of 32-bit integers."""
    found: memoryview[int] = array.clone(INTS, count, False)
    return found


def filled(count: int, value: int) -> memoryview[int]:
    """Return an array of integers that all have the same value."""
    found = ints(count)
    for place in range(count):
        found[place] = value
    return found


def longer(numbers: memoryview[int], count: int) -> memoryview[int]:
    """Return a copy of some integers in a larger array."""
    room = ints(count)
    room[: len(numbers)] = numbers
    return room


def hashes(count: int) -> memoryview[int]:
    """Return an uninitialized array of 64-bit hashes."""
    found: memoryview[int] = array.clone(HASHES, count, False)
    return found


def zeros(count: int) -> memoryview[int]:
    """Return an array of 64-bit integers that are all 0."""
    found: memoryview[int] = array.clone(HASHES, count, True)
    return found


def doubles(count: int) -> memoryview[float]:
    """Return an array of floating-point numbers that are all 0."""
    found: memoryview[float] = array.clone(DOUBLES, count, True)
    return found


def octets_of(count: int) -> memoryview[int]:
    """Return an uninitialized array of bytes."""
    found: memoryview[int] = array.clone(OCTETS, count, False)
    return found


def view(array: Any) -> Any:
    """Return a view of the memory of a NumPy array."""
    return memoryview(array)
