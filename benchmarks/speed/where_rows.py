"""Where the time goes: the share of each module in the work on pages, as the profiler sees it."""

from __future__ import annotations

import cProfile
import pstats
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from scrapy_mainblock.core.linkblocks import link_blocks
from scrapy_mainblock.core.mainblock import page_features
from scrapy_mainblock.core.page import decode

from scrapy_mainblock import Rules, extract

from .page_rows import Measured

LEAST_SHARE = 0.02


def shares(pages: Iterable[Measured], rules: Rules) -> dict[str, dict[str, float]]:
    """For each kind of work: its modules by their share, the largest first.

    The profiler makes Python's own calls look longer than what is done in C; it says where to look,
    not how long anything takes.
    """
    kinds: dict[str, Callable[[Measured], object]] = {
        "rule applied": lambda page: extract(page.body, page.url, rules, site=page.site),
        "page alone": lambda page: extract(page.body, page.url),
        "learning": lambda page: page_features(page.body, url=page.url),
        "link-block scan": lambda page: link_blocks(decode(page.body)),
    }
    return {kind: _by_module(work, list(pages)) for kind, work in kinds.items()}


def _by_module(work: Callable[[Measured], object], pages: list[Measured]) -> dict[str, float]:
    for page in pages[:3]:  # what is made once is not counted
        work(page)
    profile = cProfile.Profile(time.process_time)
    profile.enable()
    for page in pages:
        work(page)
    profile.disable()
    spent: Counter[str] = Counter()
    for (file, _, name), (_, _, own, _, callers) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        if file != "~":
            spent[_module(file)] += own
        elif "lxml" in name or not callers:
            spent["lxml"] += own
        else:  # what is built in counts for who calls it
            for (caller, _, _), (*_, own_there, _) in callers.items():
                spent[_module(caller)] += own_there
    total = spent.total()
    return {
        module: round(seconds / total, 3)
        for module, seconds in spent.most_common()
        if seconds >= LEAST_SHARE * total
    }


def _module(file: str) -> str:
    path = Path(file)
    if "scrapy_mainblock" in path.parts:
        return path.stem
    return next((name for name in ("lxml", "numpy") if name in path.parts), "others")
