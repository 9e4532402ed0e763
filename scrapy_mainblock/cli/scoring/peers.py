"""Other extractors, run on the same pages and scored with the same measure.

Each works in a process of its own, which is killed if a page takes too long or crashes it: the page
then counts as failed, and the next one gets a new process. The package needs none of them;
`pip install "scrapy-mainblock[benchmarks]"` installs those that a package index has. Each runs with
the settings that serve it best here: the main text without comments, and its own title.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeAlias

from scrapy_mainblock.cli.console import UsageError, complain
from scrapy_mainblock.cli.scoring.measures import Answer, whole_text
from scrapy_mainblock.inputs.pages import InputPage
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page

MOST_SECONDS = 30.0
"""Maximum seconds for one page; the slowest of the peers takes under two for nearly all."""
SECONDS_TO_START = 120.0
INSTALL = 'pip install "scrapy-mainblock[benchmarks]"'

Url: TypeAlias = "str | None"
TitleAndText: TypeAlias = "tuple[str | None, str | None]"
Run = Callable[[str, Url], TitleAndText]
"""A function from a page's HTML and URL to its title and its text."""


class Peer(NamedTuple):
    """An extractor that may be installed."""

    module: str
    distribution: str
    load: Callable[[], Run]
    """A function that imports it and returns it, ready to run."""
    install: str = INSTALL


def _trafilatura(**settings: Any) -> Run:
    from trafilatura import bare_extraction  # noqa: PLC0415 - optional, as all below

    def run(html: str, url: Url) -> TitleAndText:
        found = bare_extraction(
            html, url=url, with_metadata=True, include_comments=False, **settings
        )
        return (found.title, found.text) if found else (None, None)

    return run


def _readability() -> Run:
    from readability import Document  # noqa: PLC0415

    def run(html: str, url: Url) -> TitleAndText:
        page = Document(html, url=url)
        return page.short_title(), whole_text(page.summary())

    return run


def _resiliparse() -> Run:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415
    from resiliparse.parse.html import HTMLTree  # noqa: PLC0415

    def run(html: str, _url: Url) -> TitleAndText:
        tree = HTMLTree.parse(html)
        settings: dict[str, Any] = {
            "main_content": True,
            "comments": False,
            "alt_texts": False,
            "links": False,
        }
        return tree.title, extract_plain_text(tree, **settings)

    return run


def _turbohtml() -> Run:
    from turbohtml import parse  # noqa: PLC0415

    def run(html: str, _url: Url) -> TitleAndText:
        found = parse(html).article()
        return found.title, found.text

    return run


def _newspaper() -> Run:
    import newspaper  # noqa: PLC0415

    def run(html: str, url: Url) -> TitleAndText:
        article = newspaper.Article(url or "http://page.invalid/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        return article.title, article.text

    return run


def _boilerpy() -> Run:
    from boilerpy3.extractors import ArticleExtractor  # noqa: PLC0415

    extractor = ArticleExtractor(raise_on_failure=False)

    def run(html: str, _url: Url) -> TitleAndText:
        page = extractor.get_doc(html)
        return page.title, page.content

    return run


def _goose() -> Run:
    from goose3 import Goose  # noqa: PLC0415

    goose = Goose({"enable_image_fetching": False})

    def run(html: str, _url: Url) -> TitleAndText:
        article = goose.extract(raw_html=html)
        return article.title, article.cleaned_text

    return run


def _justext() -> Run:
    import justext  # noqa: PLC0415

    by_code = {"de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fr": "French",
               "it": "Italian", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese",
               "ru": "Russian"}  # fmt: skip
    no_words = {"stoplist": frozenset(), "stopwords_low": 0, "stopwords_high": 0}

    def run(html: str, _url: Url) -> TitleAndText:
        code = (Outline(Page.of(html)).rows.attribute(0, b"lang") or "en")[:2].lower()
        language = by_code.get(code)
        words = {"stoplist": justext.get_stoplist(language)} if language else no_words
        paragraphs = justext.justext(html.encode("utf-8", "replace"), encoding="utf-8", **words)
        return None, "\n".join(each.text for each in paragraphs if not each.is_boilerplate)

    return run


def _gne() -> Run:
    from gne import GeneralNewsExtractor  # noqa: PLC0415

    def run(html: str, url: Url) -> TitleAndText:
        found = GeneralNewsExtractor().extract(html, host=url or "")
        return found["title"], found["content"]

    return run


def _magic_html() -> Run:
    from magic_html import GeneralExtractor  # noqa: PLC0415

    extractor = GeneralExtractor()

    def run(html: str, url: Url) -> TitleAndText:
        found = extractor.extract(html, base_url=url or "")
        return found.get("title"), whole_text(found["html"])

    return run


PEERS: Mapping[str, Peer] = {
    "trafilatura": Peer("trafilatura", "trafilatura", _trafilatura),
    "trafilatura-fast": Peer("trafilatura", "trafilatura", partial(_trafilatura, fast=True)),
    "trafilatura-recall": Peer(
        "trafilatura", "trafilatura", partial(_trafilatura, favor_recall=True)
    ),
    "readability": Peer("readability", "readability-lxml", _readability),
    "resiliparse": Peer("resiliparse", "Resiliparse", _resiliparse),
    "turbohtml": Peer("turbohtml", "turbohtml", _turbohtml),
    "newspaper4k": Peer("newspaper", "newspaper4k", _newspaper),
    "boilerpy3": Peer("boilerpy3", "boilerpy3", _boilerpy),
    "goose3": Peer("goose3", "goose3", _goose),
    "justext": Peer("justext", "jusText", _justext),
    "gne": Peer("gne", "gne", _gne),
    "magic_html": Peer(
        "magic_html", "magic-html", _magic_html, "it is not on PyPI, see opendatalab/magic-html"
    ),
}


def title_of(name: str) -> str:
    """Return the peer's name with its version."""
    try:
        return f"{name} {version(PEERS[name].distribution)}"
    except PackageNotFoundError:
        return name


def chosen(names: str) -> list[str]:
    """Return the peers in a comma-separated list, or all that are installed, best known first.

    A named peer that is not installed is a usage error; with "all" it is reported and left out.
    """
    if names == "all":
        found = [name for name in PEERS if _is_installed(name)]
        missing = [name for name in PEERS if name not in found]
        if missing:
            complain(f"peers not installed: {', '.join(missing)} ({INSTALL})")
        if not found:
            raise UsageError(f"no peer is installed: {INSTALL}")
        return found
    asked = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    for name in asked:
        if name not in PEERS:
            raise UsageError(f"unknown peer {name!r}: use all, or any of {', '.join(PEERS)}")
        if not _is_installed(name):
            raise UsageError(f"the peer {name} is not installed: {PEERS[name].install}")
    return asked


def _is_installed(name: str) -> bool:
    return find_spec(PEERS[name].module) is not None


# --- processes -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Started:
    process: Any
    pipe: Connection


class Guarded:
    """A peer in a process of its own; `answer` always returns an answer, possibly a failed one."""

    def __init__(self, load: Callable[[], Run], seconds: float = MOST_SECONDS) -> None:
        self._load = load
        self._seconds = seconds
        self._started: _Started | None = None

    def start(self) -> str | None:
        """Import the peer in a new process; return the error that prevented it, or None."""
        context = multiprocessing.get_context("spawn")  # called in threads, where fork is unsafe
        pipe, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(self._load, theirs), daemon=True)
        process.start()
        theirs.close()
        self._started = _Started(process, pipe)
        trouble = self._receive(SECONDS_TO_START)
        if trouble is None:
            return "its process ended or took too long"
        if trouble:
            self.stop()
        return str(trouble) or None

    def answer(self, page: InputPage) -> Answer:
        """Return the peer's answer for a page."""
        if self._started is None and self.start() is not None:
            return Answer(failed=True)
        assert self._started is not None
        with contextlib.suppress(OSError):  # the process has ended: nothing will come back
            self._started.pipe.send((page.html or "", page.url))
        found = self._receive(self._seconds)
        if not isinstance(found, tuple):
            return Answer(failed=True)
        title, text = found
        return Answer(body=text, headline=title)

    def stop(self) -> None:
        """Kill the process."""
        if self._started is not None:
            self._started.process.kill()
            self._started.process.join()
            self._started.pipe.close()
            self._started = None

    def _receive(self, seconds: float) -> Any:
        """Return the next message; if none arrives in time, kill the process and return None."""
        assert self._started is not None
        try:
            if self._started.pipe.poll(seconds):
                return self._started.pipe.recv()
        except (EOFError, OSError):
            pass
        self.stop()
        return None


def _serve(load: Callable[[], Run], pipe: Connection) -> None:
    """Run a peer in its process: send an empty string when it is ready, then an answer a page."""
    _be_quiet()
    try:
        run = load()
    except Exception as error:  # a foreign package may raise anything
        pipe.send(f"{type(error).__name__}: {error}".split("\n", 1)[0])
        return
    pipe.send("")
    with contextlib.suppress(EOFError, KeyboardInterrupt):
        while True:
            html, url = pipe.recv()
            try:
                title, text = run(html, url)
                pipe.send((title or "", text or ""))
            except Exception as error:
                pipe.send(repr(error))


def _be_quiet() -> None:
    """Silence all that a peer prints, warns of or logs, even from C: it is not our output."""
    logging.disable()
    warnings.simplefilter("ignore")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


@contextlib.contextmanager
def running(names: Sequence[str], jobs: int) -> Iterator[Callable[[InputPage], list[Answer]]]:
    """Yield a function that returns all peers' answers to a page, working on `jobs` at once."""
    guarded = [Guarded(PEERS[name].load) for name in names]
    try:
        with ThreadPoolExecutor(jobs) as pool:
            for name, trouble in zip(names, pool.map(Guarded.start, guarded), strict=True):
                if trouble:
                    raise UsageError(f"the peer {name} does not start ({trouble})")
            yield lambda page: list(pool.map(lambda one: one.answer(page), guarded))
    finally:
        for one in guarded:
            one.stop()
