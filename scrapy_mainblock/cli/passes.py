"""The two passes over the inputs: learn from all pages, then extract the article of each."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, TypeVar

from scrapy_mainblock.cli.console import Progress
from scrapy_mainblock.cli.files.formats import FORMATS
from scrapy_mainblock.cli.jobs import ordered_map
from scrapy_mainblock.inputs.pages import InputPage, Inputs, JsonRow, Unread, read
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page import sites
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.papers.bu14.model import DEFAULT_MODEL, FarswModel
from scrapy_mainblock.papers.methods import PAPER_METHODS, PaperMethod, extract_by
from scrapy_mainblock.papers.wang18.rules import ClusterRules, Seen, learn_rules, seen_of
from scrapy_mainblock.recipe.extract import article_of, failed
from scrapy_mainblock.recipe.learn import Learner, evidence_of
from scrapy_mainblock.render.article import ALL_FIELDS, MARKDOWN, Article, without_content
from scrapy_mainblock.render.render import with_markdown
from scrapy_mainblock.stores.rules import Rules, Store, key_in
from scrapy_mainblock.template.learning.evidence import NO_EVIDENCE, PageEvidence
from scrapy_mainblock.template.rules import SiteRules

Result = TypeVar("Result")


Method = Literal["auto"] | PaperMethod
METHODS: tuple[Method, ...] = ("auto", *PAPER_METHODS)
LEARN: tuple[Method, ...] = ("auto", "cluster")
"""Methods that learn from a site's pages; the others read each page alone."""


@dataclass(frozen=True)
class Extractor:
    """A method and what it has learned; sent to each process of --jobs."""

    method: Method = "auto"
    rules: Rules | None = None
    """The learned rules, for the method "auto"."""
    clusters: Mapping[str, ClusterRules] = field(default_factory=dict)
    """The learned clusters by site, for the method "cluster"."""
    model: FarswModel = DEFAULT_MODEL
    """The fuzzy rules, for the method "farsw"."""
    fields: frozenset[str] = ALL_FIELDS
    """The fields to fill, for the method "auto"."""

    def article(self, page: InputPage) -> Article:
        """Return the article of an input page; `reason` says if its status is one of errors."""
        return self.article_of_source(page, source_of(page))

    def article_of_source(self, page: InputPage, source: Page | None) -> Article:
        """Return the same, given the page's source; the HTML of the input page is not needed."""
        article = self._article(page, source)
        if page.error_status is None:
            return article
        reasons = filter(None, (article.metadata["reason"], page.error_status))
        return replace(article, metadata={**article.metadata, "reason": "; ".join(reasons)})

    def _article(self, page: InputPage, source: Page | None) -> Article:
        if source is None:
            return without_content(page.url, f"the page could not be read: {page.trouble}")
        if self.method == "auto":
            return article_of(source, self._rules_for(page), self.fields)
        if source.why_unreadable:
            return without_content(page.url, source.why_unreadable)
        try:
            rules = self.clusters.get(page.site)
            article = extract_by(self.method, Outline(source), rules, self.model)
            return article if MARKDOWN.isdisjoint(self.fields) else with_markdown(article)
        except Exception as error:  # a page must never raise
            return failed(page.url, error)

    def _rules_for(self, page: InputPage) -> SiteRules | None:
        if self.rules is None:
            return None
        found = map(self.rules.of, page.rule_keys())
        return next((rules for rules in found if rules is not None), None)


def source_of(page: InputPage) -> Page | None:
    """Return the source of an input page, or None if it could not be read."""
    return None if page.html is None else Page.of(page.html, page.url)


def learn_auto(inputs: Inputs, jobs: int, store: Store | None = None) -> Rules:
    """Run the first pass: return the rules learned from all pages.

    Rules are filed under the key that the store already uses for these pages, if there is one. A
    crawl keeps its rules by registered domain: learning adds to those, and makes no rules of the
    host, which would hide them.
    """
    learner = Learner()
    keys: dict[tuple[str, str], str] = {}
    for page, found in _over(inputs, _evidence, jobs, "learning"):
        site = page.site, sites.host(page.url)
        if site not in keys:
            keys[site] = key_in(store, page.rule_keys(), page.site) if store else page.site
        learner.add(keys[site], found)
    return learner.rules()


def learn_clusters(inputs: Inputs, jobs: int) -> dict[str, ClusterRules]:
    """Run the first pass of the method "cluster"."""
    by_site: dict[str, list[Seen]] = {}
    for site, seen in _over(inputs, _seen, jobs, "learning"):
        by_site.setdefault(site, []).append(seen)
    return {site: learn_rules(pages) for site, pages in by_site.items()}


def learned_extractor(
    inputs: Inputs,
    method: Method,
    jobs: int,
    model: FarswModel | None,
    store: Store | None = None,
) -> Extractor:
    """Return a method with what it learned from the inputs."""
    return Extractor(
        method,
        learn_auto(inputs, jobs, store) if method == "auto" else None,
        learn_clusters(inputs, jobs) if method == "cluster" else {},
        model or DEFAULT_MODEL,
    )


Work = Callable[[InputPage, Page | None], Result]
"""What is done with an input page, without its HTML, and its source."""


def _over(inputs: Inputs, work: Work[Result], jobs: int, label: str) -> Iterator[Result]:
    """Yield the result of `work` for every page, in order; workers parse the rows themselves."""
    with Progress(label, inputs) as progress:
        on_the_way: deque[Unread] = deque()
        rows = _noted(progress.over(inputs.unread(elsewhere=jobs > 1)), on_the_way)
        for trouble, result in ordered_map(partial(_read_and, work=work), rows, jobs):
            inputs.report_row(on_the_way.popleft(), trouble)
            yield result


def _noted(rows: Iterable[Unread], on_the_way: deque[Unread]) -> Iterator[Unread]:
    """Yield the rows, and note where each came from until its result arrives, without its bytes."""
    for row in rows:
        on_the_way.append(JsonRow(b"", row.where) if isinstance(row, JsonRow) else row)
        yield row


def _read_and(unread: Unread, work: Work[Result]) -> tuple[str | None, Result]:
    # The page of a row is held once while it is worked on: not also as the string in its row.
    page = read(unread)
    source = source_of(page)
    page = replace(page, html=None)
    return page.trouble, work(page, source)


def _evidence(page: InputPage, source: Page | None) -> tuple[InputPage, PageEvidence]:
    if source is None or page.error_status:
        return page, NO_EVIDENCE
    return page, evidence_of(source)


def _seen(page: InputPage, source: Page | None) -> tuple[str, Seen]:
    if source is None or source.why_unreadable or page.error_status:
        return page.site, Seen(frozenset())
    try:
        return page.site, seen_of(Outline(source))
    except Exception as error:  # a page must never raise
        swallow(error, "a page could not be learned from")
        return page.site, Seen(frozenset())


@dataclass(frozen=True)
class Extracted:
    """An input page, without its HTML, and its article."""

    page: InputPage
    article: Article

    def row(self) -> dict[str, Any]:
        """Return the output row: `id`, `url`, `site`, and the fields of the item."""
        return {
            "id": self.page.id,
            "url": self.page.url,
            "site": self.page.site,
            **{key: value for key, value in self.article.to_dict().items() if key != "url"},
        }


def extract_pages(inputs: Inputs, extractor: Extractor, jobs: int = 1) -> Iterator[Extracted]:
    """Run the second pass: yield every page, in order, none left out."""
    return _over(inputs, partial(_extract, extractor=extractor), jobs, "extracting")


def extract_lines(
    inputs: Inputs, extractor: Extractor, jobs: int = 1, form: str = "jsonl"
) -> Iterator[bytes]:
    """Run the second pass, and yield encoded output in one of the `FORMATS`.

    With `jobs`, the worker processes also do the encoding.
    """
    parts = FORMATS[form]
    pages = _over(inputs, partial(_written, extractor=extractor, form=form), jobs, "extracting")
    for number, page in enumerate(pages):
        yield (parts.between if number else parts.before).encode() + page
    if inputs.pages:
        yield parts.after.encode()


def _written(page: InputPage, source: Page | None, extractor: Extractor, form: str) -> bytes:
    found = _extract(page, source, extractor)
    text = FORMATS[form].page(found.row(), found.article)
    # A lone surrogate, which JSON may carry in an id, is written as it came: \\udXXX.
    return text.encode("utf-8", "backslashreplace")


def _extract(page: InputPage, source: Page | None, extractor: Extractor) -> Extracted:
    return Extracted(page, extractor.article_of_source(page, source))
