"""The two passes over the inputs: learn from all pages, then extract from each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from scrapy_mainblock.cli.console import Progress
from scrapy_mainblock.cli.jobs import ordered_map
from scrapy_mainblock.core import mainblock
from scrapy_mainblock.core.article import Article, metadata
from scrapy_mainblock.core.evidence import PageFeatures, SiteEvidence
from scrapy_mainblock.core.farsw import FarswModel
from scrapy_mainblock.core.methods import Method
from scrapy_mainblock.core.rules import LearnedBy, Rules
from scrapy_mainblock.inputs import InputPage, Inputs


def learn_rules(inputs: Inputs, method: Method, jobs: int) -> Rules:
    """The first pass: what each page's site teaches."""
    learned_by = mainblock.LEARNERS[method]
    by_site: dict[str, SiteEvidence] = {}
    with Progress("learning", inputs) as progress:
        pages = progress.over(inputs)
        for site, found in ordered_map(partial(_features, learned_by=learned_by), pages, jobs):
            by_site.setdefault(site, SiteEvidence(site, learned_by)).add(found)
    return mainblock.rules_of(by_site.values())


def _features(page: InputPage, learned_by: LearnedBy) -> tuple[str, PageFeatures]:
    return page.site, mainblock.page_features(page.html or "", learned_by, page.url)


@dataclass(frozen=True)
class Extracted:
    """A page and what came of it."""

    page: InputPage
    article: Article

    def row(self) -> dict[str, Any]:
        """The output row: `id`, `url`, `site`, and the item's fields."""
        return {
            "id": self.page.id,
            "url": self.page.url,
            "site": self.page.site,
            **{key: value for key, value in self.article.to_dict().items() if key != "url"},
        }


def extract_pages(
    inputs: Inputs,
    rules: Rules | None,
    method: Method,
    *,
    jobs: int = 1,
    model: FarswModel | None = None,
) -> Iterator[Extracted]:
    """The second pass: every page, in order, none left out."""
    with Progress("extracting", inputs) as progress:
        work = partial(_extract, rules=rules, method=method, model=model)
        yield from ordered_map(work, progress.over(inputs), jobs)


def _extract(
    page: InputPage, rules: Rules | None, method: Method, model: FarswModel | None
) -> Extracted:
    without_html = InputPage(page.id, page.url, page.site, None, page.trouble, page.gold, page.meta)
    if page.html is None:
        reason = f"the page could not be read: {page.trouble}"
        return Extracted(
            without_html, Article(url=page.url, metadata=metadata("none", reason=reason))
        )
    article = mainblock.extract(
        page.html, page.url, rules, site=page.site, method=method, model=model
    )
    return Extracted(without_html, article)
