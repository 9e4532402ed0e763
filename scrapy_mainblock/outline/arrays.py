"""Arrays of numbers, as typed memory views: compiled loops and Python index them alike."""

from __future__ import annotations

from typing import Any

import numpy as np


def ints(count: int) -> memoryview[int]:
    """Make room for whole numbers of 32 bits. What stands there is undefined."""
    found: memoryview[int] = view(np.empty(count, np.int32))
    return found


def filled(count: int, value: int) -> memoryview[int]:
    """Make an array of whole numbers that are all the same."""
    found: memoryview[int] = view(np.full(count, value, np.int32))
    return found


def longer(numbers: memoryview[int], count: int) -> memoryview[int]:
    """Copy whole numbers into a larger array."""
    room = ints(count)
    room[: len(numbers)] = numbers
    return room


def hashes(count: int) -> memoryview[int]:
    """Make room for hashes of 64 bits. What stands there is undefined."""
    found: memoryview[int] = view(np.empty(count, np.uint64))
    return found


def doubles(count: int) -> memoryview[float]:
    """Make room for floating-point numbers, all 0."""
    found: memoryview[float] = view(np.zeros(count))
    return found


def view(array: Any) -> Any:
    """View the memory of an array of NumPy's."""
    return memoryview(array)
