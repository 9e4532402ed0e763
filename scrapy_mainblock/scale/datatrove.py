"""Steps of a datatrove pipeline: learn the rules of sites in a first pass, extract in a second.

A document's `text` is the page's source and `metadata["url"]` its URL. `metadata["site"]` is the
key of its rules, by default the host. (datatrove's own interface for extractors passes no URL, and
without it no rule is found.)
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from scrapy_mainblock.page import sites
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.extract import extract
from scrapy_mainblock.recipe.learn import evidence_of
from scrapy_mainblock.scale import PAGES_OF_A_SITE
from scrapy_mainblock.stores.rules import RulesSource, Store, save_learnt, store_at
from scrapy_mainblock.template.learning.evidence import SiteEvidence

try:
    from datatrove.pipeline.base import PipelineStep
    from datatrove.utils.typeshelper import StatHints
except ImportError as error:
    message = 'the steps for datatrove need an extra: pip install "scrapy-mainblock[datatrove]"'
    raise ImportError(message) from error

if TYPE_CHECKING:
    from datatrove.data import Document

MOST_SITES = 5000
"""Limit on the sites whose pages are counted at a time, some 30 KB each. The oldest site makes
room: the rules that it has by then are saved."""


class LearnRules(PipelineStep):  # type: ignore[misc] # datatrove has no types
    """A step that learns the rules of each site from its first pages, and saves them in a store.

    Documents pass unchanged. Tasks do not share their counts: give all pages of a site to the same
    task (sort or hash by host), or learn from a sample in one task. Rules that several tasks learn
    are merged in the store.
    """

    name = "mainblock: learn rules"
    type = "EXTRAC"

    def __init__(
        self, rules: str, per_site: int = PAGES_OF_A_SITE, most_sites: int = MOST_SITES
    ) -> None:
        super().__init__()
        self.rules, self.per_site, self.most_sites = rules, per_site, most_sites

    def run(
        self,
        data: Iterator[Document],
        rank: int = 0,  # noqa: ARG002 - datatrove's signature
        world_size: int = 1,  # noqa: ARG002
    ) -> Iterator[Document]:
        """Learn from each document and pass it on; called by datatrove."""
        store = store_at(self.rules)
        counted: OrderedDict[str, tuple[SiteEvidence, list[int]]] = OrderedDict()
        done: set[int] = set()
        for document in data or ():
            self.stat_update(StatHints.total)
            with self.track_time():
                self._count(document, store, counted, done)
            self.stat_update(StatHints.forwarded)
            yield document
        for evidence, _ in counted.values():
            self._save(store, evidence)

    def _count(
        self,
        document: Document,
        store: Store,
        counted: OrderedDict[str, tuple[SiteEvidence, list[int]]],
        done: set[int],
    ) -> None:
        url = _url_of(document)
        site = site_of(document)
        if hash(site) in done:
            return
        if site not in counted:
            counted[site] = (SiteEvidence(site), [0])
            if len(counted) > self.most_sites:
                _, (evidence, _) = counted.popitem(last=False)
                self._save(store, evidence)
        evidence, pages = counted[site]
        evidence.add(evidence_of(Page.of(document.text, url)))
        pages[0] += 1
        if pages[0] >= self.per_site:
            self._save(store, evidence)
            del counted[site]
            done.add(hash(site))

    def _save(self, store: Store, evidence: SiteEvidence) -> None:
        rules = evidence.rules()
        if rules.templates:
            save_learnt(store, rules)
            self.stat_update("rules", value=len(rules.templates))


class ExtractContent(PipelineStep):  # type: ignore[misc]
    """A step that replaces each document's source by the text of its main content.

    The article's metadata goes into ``metadata["mainblock"]``, its headline into
    ``metadata["headline"]``. A page in which nothing is found is dropped, as by datatrove's
    extractors, unless `keep_empty` is set.
    """

    name = "mainblock: extract"
    type = "EXTRAC"

    def __init__(self, rules: RulesSource = None, *, keep_empty: bool = False) -> None:
        super().__init__()
        self.rules, self.keep_empty = rules, keep_empty

    def run(
        self,
        data: Iterator[Document],
        rank: int = 0,  # noqa: ARG002 - datatrove's signature
        world_size: int = 1,  # noqa: ARG002
    ) -> Iterator[Document]:
        """Extract each document and pass it on; called by datatrove."""
        for document in data or ():
            self.stat_update(StatHints.total)
            with self.track_time():
                site = document.metadata.get("site")
                article = extract(document.text, _url_of(document), self.rules, site=site)
            self.stat_update(f"by {article.metadata['method']}")
            document.text = article.articleBody or ""
            document.metadata["headline"] = article.headline
            document.metadata["mainblock"] = dict(article.metadata)
            if not document.text and not self.keep_empty:
                self.stat_update(StatHints.dropped)
                continue
            self.stat_update(StatHints.forwarded)
            self.update_doc_stats(document)
            yield document


def site_of(document: Document) -> str:
    """Return the key of the rules of a document's site."""
    site: Any = document.metadata.get("site")
    return str(site) if site else sites.host(_url_of(document))


def _url_of(document: Document) -> str | None:
    url = document.metadata.get("url")
    return str(url) if url else None
