"""What a process has loaded when its first crawl begins is set apart from its garbage.

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
    """Once in a process: what is set apart is never freed as part of a cycle.

    At every crawl's beginning it would be the crawls that have ended, in a process of many.
    """
    registered_domain("http://www.example.com/")  # the public suffixes: twenty thousand objects
    if hasattr(gc, "freeze"):  # CPython
        gc.collect()
        gc.freeze()
