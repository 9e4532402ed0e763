"""What others make of a page: those that are installed (`pip install -e ".[benchmarks]"`).

They run as `mainblock eval --peers` runs them, except that readability's HTML is not made into a
text here: that would be time of ours.
"""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from scrapy_mainblock.cli.peers import PEERS

Extractor = Callable[[str], object]

NAMES = ("trafilatura", "trafilatura-fast", "readability", "resiliparse", "newspaper4k")


def _readability() -> Extractor:
    from readability import Document  # noqa: PLC0415 - optional

    def extract(html: str) -> object:
        page = Document(html)
        return page.short_title(), page.summary()

    return extract


def _of_eval(name: str) -> Extractor:
    run = PEERS[name].load()
    return lambda html: run(html, None)


def installed() -> dict[str, Extractor]:
    """The extractors that can be imported, by name."""
    logging.getLogger("readability").setLevel(logging.ERROR)
    found = {}
    for name in NAMES:
        if find_spec(PEERS[name].module) is not None:
            with warnings.catch_warnings(), contextlib.suppress(ImportError):
                warnings.simplefilter("ignore")  # of what they lack for other uses
                found[name] = _readability() if name == "readability" else _of_eval(name)
    return found


def versions() -> dict[str, str]:
    """The versions of those that are installed."""
    found = {}
    for name in NAMES:
        with contextlib.suppress(PackageNotFoundError):
            found[PEERS[name].distribution] = version(PEERS[name].distribution)
    return found
