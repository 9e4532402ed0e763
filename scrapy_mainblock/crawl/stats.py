"""What a crawl reports: stats, a log line per new rule and per kind of trouble, and a table.

Names of sites, ids and classes are untrusted text: they are logged escaped and truncated, so that
none of them can forge a line of the log.
"""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING

from scrapy_mainblock.recipe.site_learner import News
from scrapy_mainblock.template.field_rules import FieldRule
from scrapy_mainblock.template.rules import Template

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger("scrapy_mainblock")

MOST_ROWS = 20
"""Limit on the sites in the table at the end; the others share one row."""
MEANINGS = {
    "pages": "HTML pages that were processed",
    "by_rule": "items filled by the rule of their page's template",
    "by_page": "items filled from their page alone",
    "empty": "items whose page has no content that could be found",
    "held": "items that waited for a rule",
    "released": "items that were released after waiting",
    "waiting": "pages whose items wait now",
    "opted_out": 'responses with `meta={"mainblock": False}`',
    "not_ours": "items that MAINBLOCK_ITEMS excludes, or that have no empty field to fill",
    "without_page": "items without a response, as in `scrapy parse`",
    "provided": "articles given to callbacks and page objects of scrapy-poet",
    "resumed": "pages of a killed run that were processed again",
    "mean_probability": "the mean of `metadata.probability`",
    "share_by_rule": "the share of the items that were filled by a rule",
    "rules/loaded": "rules of earlier crawls",
    "rules/learnt": "rules that this crawl learned",
    "rules/relearnt": "rules that were relearned, from more pages or after a redesign",
    "rules/lost_fields": "places of fields that were missing, or had the same value, on most of the"
    " latest pages",
    "rules/failed": "rules that dropped content on most pages they were checked on; not used",
    "rules/missed": "pages on which their template's rule found nothing",
    "rules/refreshed": "sites whose rules were changed by others during the crawl",
    "rules/pages_of_others": "pages received from other workers to learn from",
    "sites/SITE/...": "`pages`, `rules` (learned or relearned by this crawl), `by_rule`, `by_page`,"
    " `empty` and `share_by_rule` of the largest sites",
    "errors/KIND": "errors that did not stop the crawl; see below",
    "errors/swallowed/...": "exceptions that a page caused, by their kind",
}
"""Each stat, without its prefix ``mainblock/``; used for docs/reference/statistics.md."""
_COLUMNS = ("pages", "rules", "by_rule", "by_page", "empty")
_TITLES = {"rules": "learned"}
"""The titles of columns in the log, where they are not the name: known rules are not counted."""
_ITEMS = ("by_rule", "by_page", "empty")
_LONGEST_WORD = 80
_KINDS = {"learnt": "learned", "relearnt": "relearned"}
"""The kinds of news as they are logged; in the names of the stats they keep their spelling."""


def is_written(level: int) -> bool:
    """Return whether any handler accepts a line of this level.

    Scrapy's root logger passes every line, and its handlers drop those below LOG_LEVEL: without
    this check, a line would be formatted for each page and then dropped.
    """
    one: logging.Logger | None = logger if logger.isEnabledFor(level) else None
    while one is not None:
        if any(handler.level <= level for handler in one.handlers):
            return True
        one = one.parent if one.propagate else None
    return False


def _add_nothing(_name: str, _number: int) -> None:
    """Count nothing: the crawler has no stats yet."""


class Stats:
    """The stats and log lines of one crawl."""

    def __init__(self, crawler: Crawler, most_sites: int) -> None:
        self._crawler = crawler
        self._logged: set[str] = set()
        self._most_sites = most_sites
        self._by_site: dict[str, Counter[str]] = {}
        self._sum, self._articles = 0.0, 0
        self._collector: StatsCollector | None = None
        self._add: Callable[[str, int], object] = _add_nothing

    def count(self, name: str, number: int = 1) -> None:
        """Add `number` to a stat."""
        collector = self._crawler.stats
        if collector is not self._collector:
            # Looking up its method once saves a third: it is wrapped at each lookup.
            self._collector = collector
            self._add = _add_nothing if collector is None else collector.inc_value
        self._add(f"mainblock/{name}", number)

    def count_of_site(self, site: str, name: str) -> None:
        """Add one to a stat and to the site's row of the table."""
        self.count(name)
        self.row(site, name)

    def row(self, site: str, name: str) -> None:
        """Add one to the site's row of the table only."""
        counts = self._by_site.get(site)
        if counts is None:
            of = site if len(self._by_site) < self._most_sites else ""
            counts = self._by_site.setdefault(of, Counter())
        counts[name] += 1

    def now(self, waiting: int) -> None:
        """Set the stats of the waiting pages and of the mean probability of the articles."""
        self._set("mainblock/waiting", waiting)
        if self._articles:
            self._set("mainblock/mean_probability", round(self._sum / self._articles, 4))

    def shares(self) -> None:
        """Set the share of items filled by a rule: of all sites, and of each of the largest."""
        total: Counter[str] = Counter()
        for counts in self._by_site.values():
            total.update({name: counts[name] for name in _ITEMS})
        rows = sorted(self._by_site.items(), key=lambda one: -one[1]["pages"])[:MOST_ROWS]
        named = [(f"mainblock/sites/{word(site)}", counts) for site, counts in rows if site]
        for name, counts in (("mainblock", total), *named):
            items = sum(counts[one] for one in _ITEMS)
            if items:
                self._set(f"{name}/share_by_rule", round(counts["by_rule"] / items, 4))
        for name, counts in named:
            for key in _COLUMNS:
                self._set(f"{name}/{key}", counts[key])

    def _set(self, name: str, value: float) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.set_value(name, value)

    def trouble(
        self, kind: str, message: str, *details: object, level: int = logging.WARNING
    ) -> None:
        """Count an error, and log the first one of its kind."""
        self.count(f"errors/{kind}")
        if kind not in self._logged:
            self._logged.add(kind)
            logger.log(
                level,
                f"mainblock: {message} (logged once; counted in the stat mainblock/errors/{kind})",
                *(word(detail) for detail in details),
                extra={"spider": self._crawler.spider},
            )

    def swallowed(self, kind: str) -> None:
        """Count an exception that a page caused and that was swallowed."""
        self.count(f"errors/swallowed/{kind}")

    def probability(self, probability: float) -> None:
        """Add an article's probability to the mean of the crawl."""
        self._sum += probability
        self._articles += 1

    def news(self, site: str, news: News) -> None:
        """Count and log a rule that was learned or has failed."""
        template = news.template
        self.count(f"rules/{news.kind}")
        if news.kind == "failed":
            logger.warning(
                "mainblock: the rule for %s, cluster %s, is not used until it is learned again:"
                " it dropped much of the likely content on most of the pages it was checked on",
                word(site),
                template.cluster,
                extra={"spider": self._crawler.spider},
            )
            return
        self.row(site, "rules")
        logger.info(
            "mainblock: %s a rule for %s, cluster %s of %d pages: %s, agreement %.2f%s",
            _KINDS[news.kind],
            word(site),
            template.cluster,
            template.pages,
            rule_in_words(template),
            template.agreement,
            f", version {template.version}" if template.version > 1 else "",
            extra={"spider": self._crawler.spider},
        )

    def lost_field(self, site: str, cluster: str | None, rule: FieldRule) -> None:
        """Count and log a field whose learned place no longer fits."""
        self.count("rules/lost_fields")
        logger.info(
            "mainblock: the place %s no longer gives %s on most of the latest pages of %s, cluster"
            " %s (it is missing, or its value never changes): until another place is learned, the"
            " field is read from each page alone",
            word(rule.place),
            rule.field,
            word(site),
            cluster,
            extra={"spider": self._crawler.spider},
        )

    def table(self) -> None:
        """Write the table of sites to the stats and to the log."""
        self.now(waiting=0)
        self.shares()
        if not self._by_site:
            return
        rest = self._by_site.pop("", Counter())
        sites = sorted(self._by_site.items(), key=lambda one: -one[1]["pages"])
        rows = [(word(site), counts) for site, counts in sites[:MOST_ROWS]]
        for _, counts in sites[MOST_ROWS:]:
            rest.update(counts)
        if rest:
            rows.append(("others", rest))
        width = max(len("site"), *(len(name) for name, _ in rows))
        head = "".join(f"{_TITLES.get(column, column.replace('_', ' ')):>9}" for column in _COLUMNS)
        lines = [f"{'site':<{width}}{head}"]
        for name, counts in rows:
            cells = "".join(f"{counts[column]:>9}" for column in _COLUMNS)
            lines.append(f"{name:<{width}}{cells}")
        logger.info(
            "mainblock: items by site\n%s", "\n".join(lines), extra={"spider": self._crawler.spider}
        )


def word(text: object) -> str:
    """Return untrusted text for a line of the log, escaped and truncated."""
    shown = ascii(str(text))[1:-1]
    return shown if len(shown) <= _LONGEST_WORD else f"{shown[: _LONGEST_WORD - 3]}..."


def rule_in_words(template: Template) -> str:
    """Return the rule's selectors, such as ``id=content class=entry path=body1/div2``."""
    return " ".join(f"{kind}={word(value)}" for kind, value in template.rule.selectors)
