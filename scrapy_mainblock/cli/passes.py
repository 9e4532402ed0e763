"""The two passes over the inputs: learn from all pages, then extract from each."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from scrapy_mainblock.cli.console import Progress
from scrapy_mainblock.cli.jobs import ordered_map
from scrapy_mainblock.core import mainblock
from scrapy_mainblock.core.article import Article, metadata
from scrapy_mainblock.core.evidence import PageFeatures, SiteEvidence
from scrapy_mainblock.core.farsw import FarswModel
from scrapy_mainblock.core.methods import Method
from scrapy_mainblock.core.rules import LearnedBy, Rules
from scrapy_mainblock.inputs import InputPage, Inputs, JsonRow, Unread, read

Result = TypeVar("Result")


def learn_rules(inputs: Inputs, method: Method, jobs: int) -> Rules:
    """The first pass: what each page's site teaches."""
    learned_by = mainblock.LEARNERS[method]
    by_site: dict[str, SiteEvidence] = {}
    for site, found in _over(inputs, partial(_features, learned_by=learned_by), jobs, "learning"):
        by_site.setdefault(site, SiteEvidence(site, learned_by)).add(found)
    return mainblock.rules_of(by_site.values())


def _over(
    inputs: Inputs, work: Callable[[InputPage], Result], jobs: int, label: str
) -> Iterator[Result]:
    """Work on every page, in order; rows are read where they are worked on."""
    with Progress(label, inputs) as progress:
        on_the_way: deque[Unread] = deque()
        rows = _noted(progress.over(inputs.unread(elsewhere=jobs > 1)), on_the_way)
        for trouble, result in ordered_map(partial(_read_and, work=work), rows, jobs):
            inputs.report_row(on_the_way.popleft(), trouble)
            yield result


def _noted(rows: Iterable[Unread], on_the_way: deque[Unread]) -> Iterator[Unread]:
    """Remember where each row came from until its result is there, but not the row itself."""
    for row in rows:
        on_the_way.append(JsonRow(b"", row.where) if isinstance(row, JsonRow) else row)
        yield row


def _read_and(unread: Unread, work: Callable[[InputPage], Result]) -> tuple[str | None, Result]:
    page = read(unread)
    return page.trouble, work(page)


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
    work = partial(_extract, rules=rules, method=method, model=model)
    return _over(inputs, work, jobs, "extracting")


def extract_lines(
    inputs: Inputs,
    rules: Rules | None,
    method: Method,
    *,
    jobs: int = 1,
    model: FarswModel | None = None,
) -> Iterator[bytes]:
    """The same as lines of the output: with `jobs`, they are written where the work is done."""
    work = partial(_line, rules=rules, method=method, model=model)
    return _over(inputs, work, jobs, "extracting")


def _line(page: InputPage, rules: Rules | None, method: Method, model: FarswModel | None) -> bytes:
    row = _extract(page, rules, method, model).row()
    # A lone surrogate, as JSON may carry it in an id, goes out as it came: \\udXXX.
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


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
