"""Other extractors, each from bytes to its title and text: `pip install ".[benchmarks]"`.

They run as in `mainblock eval --peers`, but from the bytes, so that the parse is included, and each
is told that these are UTF-8. Work that would be ours (to get the text of the HTML that readability
returns) is done off their clock.
"""

# ruff: noqa: PLC0415 - optional, all of them
from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from scrapy_mainblock.cli.scoring.measures import whole_text

TitleAndText = tuple[str | None, str | None]


class Peer(NamedTuple):
    """An installed extractor."""

    extract: Callable[[bytes, str | None], Any]
    answer: Callable[[Any], TitleAndText] = lambda found: found
    """The title and text of what `extract` returns."""
    parse: Callable[[bytes], object] | None = None
    """Its own parser alone, if it has one."""


def _turbohtml() -> Peer:
    from turbohtml import parse

    return Peer(
        lambda body, _url: parse(body, encoding="utf-8").article(),
        lambda found: (found.title, found.text),
        lambda body: parse(body, encoding="utf-8"),
    )


def _resiliparse() -> Peer:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    settings = {"main_content": True, "comments": False, "alt_texts": False, "links": False}

    def run(body: bytes, _url: str | None) -> TitleAndText:
        tree = HTMLTree.parse_from_bytes(body)
        return tree.title, extract_plain_text(tree, **settings)

    return Peer(run, parse=HTMLTree.parse_from_bytes)


def _trafilatura(*, fast: bool) -> Peer:
    from trafilatura import bare_extraction

    settings = {"with_metadata": True, "include_comments": False, "fast": fast}
    return Peer(
        lambda body, url: bare_extraction(_decoded(body), url=url, **settings),
        lambda found: (found.title, found.text) if found else (None, None),
    )


def _readability() -> Peer:
    from readability import Document

    def run(body: bytes, url: str | None) -> tuple[str, str]:
        page = Document(_decoded(body), url=url)
        return page.short_title(), page.summary()

    return Peer(run, lambda found: (found[0], whole_text(found[1])))


def _newspaper() -> Peer:
    import newspaper

    def run(body: bytes, url: str | None) -> TitleAndText:
        article = newspaper.Article(url or "http://page.invalid/", fetch_images=False)
        article.download(input_html=_decoded(body))
        article.parse()
        return article.title, article.text

    return Peer(run)


def _magic_html() -> Peer:
    from magic_html import GeneralExtractor

    extractor = GeneralExtractor()
    return Peer(
        lambda body, url: extractor.extract(_decoded(body), base_url=url or ""),
        lambda found: (found.get("title"), whole_text(found["html"])),
    )


def _decoded(body: bytes) -> str:
    return body.decode("utf-8", "replace")


_PEERS: Mapping[str, tuple[str, Callable[[], Peer]]] = {
    "turbohtml": ("turbohtml", _turbohtml),
    "Resiliparse": ("Resiliparse", _resiliparse),
    "trafilatura fast": ("trafilatura", lambda: _trafilatura(fast=True)),
    "trafilatura": ("trafilatura", lambda: _trafilatura(fast=False)),
    "readability-lxml": ("readability-lxml", _readability),
    "newspaper4k": ("newspaper4k", _newspaper),
    "magic_html": ("magic-html", _magic_html),
}
"""The distribution and the loader of each peer, by name."""
NAMES = tuple(_PEERS)


def installed(names: tuple[str, ...] = NAMES) -> dict[str, Peer]:
    """Return the peers that can be imported, by name and version; the fast ones first."""
    logging.getLogger("readability").setLevel(logging.ERROR)
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    found = {}
    for name in names:
        distribution, load = _PEERS[name]
        with warnings.catch_warnings(), contextlib.suppress(ImportError, PackageNotFoundError):
            warnings.simplefilter("ignore")  # about dependencies that other uses need
            found[f"{name} {version(distribution)}"] = load()
    return found
