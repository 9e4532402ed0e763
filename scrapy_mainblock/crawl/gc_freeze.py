"""Call `gc.freeze()` once, when the first crawl starts.

Python's collector looks at every object that lives whenever many new ones have come: in a crawl
that is Scrapy, Twisted and all that they import, some seventy milliseconds each time, a sixth of
the CPU of a crawl. These objects stay to the end of the process anyway.
"""

from __future__ import annotations

import gc
from functools import lru_cache

from scrapy_mainblock.page.sites import registered_domain


@lru_cache(maxsize=1)
def freeze_once() -> None:
    """Freeze what is loaded, once in a process.

    Frozen objects are never collected; freezing at each crawl would keep finished crawls in memory.
    """
    registered_domain("http://www.example.com/")  # the public suffixes: twenty thousand objects
    if hasattr(gc, "freeze"):  # CPython
        gc.collect()
        gc.freeze()
