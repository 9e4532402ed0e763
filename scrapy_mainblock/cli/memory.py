"""Makes glibc give the memory of large pages back to the system.

glibc raises the size from which blocks are given back at once (`M_MMAP_THRESHOLD`) whenever such a
block is freed, up to 32 MB, and keeps twice as much at the end of the heap. After one page of some
megabytes, the memory of each later one stays with the process, between smaller blocks: 20,000 real
pages took 153 MB, and 116 MB with fixed limits. (With 128 KB, glibc's own first limit, it is 102
MB, but many pages are larger than that: four times as much time in the kernel.)
"""

from __future__ import annotations

import ctypes
import sys

LARGE = 1024 * 1024
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""The numbers of glibc's parameters, in malloc.h."""


def give_back_large_blocks() -> None:
    """Fix the limits of this process at `LARGE`, if its C library is glibc."""
    if sys.platform != "linux":
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):  # another C library
        return
    for parameter in (M_MMAP_THRESHOLD, M_TRIM_THRESHOLD):
        mallopt(parameter, LARGE)
