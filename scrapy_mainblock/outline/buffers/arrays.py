"""Arrays of numbers, as typed memory views: compiled loops and Python index them alike."""

from __future__ import annotations

from typing import Any

import numpy as np

FEW = 2048
"""Up to so many numbers an array of octets is quicker to have than one of NumPy's, though it is
filled with zeroes: 0.1 us instead of 0.6."""


def ints(count: int) -> memoryview[int]:
    """Make room for whole numbers of 32 bits. What stands there is undefined."""
    if 0 < count <= FEW:
        return memoryview(bytearray(4 * count)).cast("i")
    found: memoryview[int] = view(np.empty(count, np.int32))
    return found


def filled(count: int, value: int) -> memoryview[int]:
    """Make an array of whole numbers that are all the same."""
    found = ints(count)
    for place in range(count):
        found[place] = value
    return found


def longer(numbers: memoryview[int], count: int) -> memoryview[int]:
    """Copy whole numbers into a larger array."""
    room = ints(count)
    room[: len(numbers)] = numbers
    return room


def hashes(count: int) -> memoryview[int]:
    """Make room for hashes of 64 bits. What stands there is undefined."""
    if 0 < count <= FEW:
        return memoryview(bytearray(8 * count)).cast("Q")
    found: memoryview[int] = view(np.empty(count, np.uint64))
    return found


def doubles(count: int) -> memoryview[float]:
    """Make room for floating-point numbers, all 0."""
    if 0 < count <= FEW:
        return memoryview(bytearray(8 * count)).cast("d")
    found: memoryview[float] = view(np.zeros(count))
    return found


def view(array: Any) -> Any:
    """View the memory of an array of NumPy's."""
    return memoryview(array)
