"""What others make of a page: those that are installed (`pip install -e ".[benchmarks]"`)."""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

Extractor = Callable[[str], object]


def _trafilatura(module: Any) -> Extractor:
    extract: Extractor = module.extract
    return extract


def _trafilatura_fast(module: Any) -> Extractor:
    return lambda html: module.extract(html, fast=True)


def _readability(module: Any) -> Extractor:
    return lambda html: module.Document(html).summary()


def _resiliparse(module: Any) -> Extractor:
    return lambda html: module.extract_plain_text(html, main_content=True)


def _newspaper(module: Any) -> Extractor:
    def extract(html: str) -> object:
        article = module.Article("https://site.example/story.html", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        return article.text

    return extract


_PEERS: tuple[tuple[str, str, str, Callable[[Any], Extractor]], ...] = (
    ("trafilatura", "trafilatura", "trafilatura", _trafilatura),
    ("trafilatura fast", "trafilatura", "trafilatura", _trafilatura_fast),
    ("readability-lxml", "readability-lxml", "readability", _readability),
    ("resiliparse", "resiliparse", "resiliparse.extract.html2text", _resiliparse),
    ("newspaper4k", "newspaper4k", "newspaper", _newspaper),
)


def installed() -> dict[str, Extractor]:
    """The extractors that can be imported, by name."""
    logging.getLogger("readability").setLevel(logging.ERROR)
    found = {}
    for name, _, module, make in _PEERS:
        with warnings.catch_warnings(), contextlib.suppress(ImportError):
            warnings.simplefilter("ignore")  # of what they would have for other uses
            found[name] = make(import_module(module))
    return found


def versions() -> dict[str, str]:
    """The versions of those that are installed."""
    found = {}
    for _, distribution, *_ in _PEERS:
        with contextlib.suppress(PackageNotFoundError):
            found[distribution] = version(distribution)
    return found
