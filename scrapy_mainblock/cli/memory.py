"""Makes glibc give the memory of large pages back to the system.

glibc raises the size from which blocks are given back at once (`M_MMAP_THRESHOLD`) whenever such a
block is freed, up to 32 MB, and keeps twice as much at the end of the heap. After one page of some
megabytes, the memory of each later one stays with the process, between smaller blocks: 20,000 real
pages took 153 MB and more, and 124 MB with fixed limits. (glibc's own first limit, 128 KB, would
save some 15 MB more, but many pages are larger: four times as much time in the kernel.)
"""

from __future__ import annotations

import sys

LARGE = 1024 * 1024
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""The numbers of glibc's parameters, in malloc.h."""


def give_back_large_blocks() -> None:
    """Fix the limits of this process at `LARGE`, if its C library is glibc."""
    if sys.platform != "linux":
        return
    try:
        import ctypes  # noqa: PLC0415 - some Pythons are built without it

        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, ImportError, OSError):  # or this is another C library
        return
    for parameter in (M_MMAP_THRESHOLD, M_TRIM_THRESHOLD):
        mallopt(parameter, LARGE)
