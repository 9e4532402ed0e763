"""Arrays for code that is not compiled: stands in for Cython's `cpython.array`.

`arrays.pxd` gives Cython's module of this name to the compiler. Its `clone` takes .1 us, where a
NumPy array or a bytearray with a view on it take .2 to .4, and a page needs some forty arrays.
"""

from __future__ import annotations

from array import array
from typing import Any

__all__ = ["array", "clone"]


def clone(template: Any, count: int, is_cleared: bool) -> Any:  # noqa: ARG001 - Cython's signature
    """Return `count` numbers of the template's type; here they are 0 in any case."""
    return memoryview(bytearray(template.itemsize * count)).cast(template.typecode)
