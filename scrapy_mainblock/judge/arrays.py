"""Room for the numbers of a page's segments and blocks."""

from __future__ import annotations

from typing import Any

import numpy as np


def doubles(count: int) -> memoryview:
    """Room for so many numbers."""
    return memoryview(np.zeros(count))


def matrix(rows: int, columns: int) -> Any:
    """Room for a row of single-precision numbers for each feature, a column for each segment."""
    return np.zeros((rows, columns), np.float32)
