"""START HERE: `learn` and `extract`, and the walk of a page through the code.

    bytes -> Page (decoded, parsed once) -> Reading (segments, places) -> cluster -> rule -> block
          -> text -> Article

Where no rule is known for the page's cluster, a method looks at the page alone (`methods`).
`extract` never raises on a page, whatever it holds: what cannot be found is None, and
`metadata["reason"]` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from scrapy_mainblock.core import density, pagetype, sites
from scrapy_mainblock.core.article import Article, metadata
from scrapy_mainblock.core.evidence import (
    NO_FEATURES,
    PageFeatures,
    SiteEvidence,
    features,
    features_of_reading,
)
from scrapy_mainblock.core.farsw import FarswModel
from scrapy_mainblock.core.methods import METHODS, Content, Method, by_method, by_rule
from scrapy_mainblock.core.page import Page, is_binary
from scrapy_mainblock.core.papers import wang18
from scrapy_mainblock.core.reading import Reading, reading_of
from scrapy_mainblock.core.recognition import Known, expect, recognize
from scrapy_mainblock.core.rules import ClusterRule, Hit, LearnedBy, Rules, SiteRules, apply_rule
from scrapy_mainblock.core.shipped import ModelError
from scrapy_mainblock.core.text import without_controls

LEARNERS: dict[Method, LearnedBy] = {"auto": "auto", "cluster": "cluster"}
"""The methods that learn rules; the others look at each page alone."""


def learn(pages: Iterable[tuple[bytes | str, str | None]], *, method: Method = "auto") -> Rules:
    """Learn the rules of any number of sites from their pages, given as (html, url).

    Pages are grouped by the host of their URL. They are read once, as a stream; no page is kept.
    """
    by_site: dict[str, SiteEvidence] = {}
    learned_by = _learner(method)
    for html, url in pages:
        site = sites.host(url)
        evidence = by_site.setdefault(site, SiteEvidence(site, learned_by))
        evidence.add(page_features(html, learned_by, url))
    return rules_of(by_site.values())


def rules_of(evidence: Iterable[SiteEvidence]) -> Rules:
    """The rules that follow from what was seen of several sites."""
    learnt = (one.rules() for one in evidence)
    return Rules({rules.site: rules for rules in learnt if rules.clusters})


def page_features(
    html: bytes | str, learned_by: LearnedBy = "auto", url: str | None = None
) -> PageFeatures:
    """What learning keeps of a page; nothing, of a page that cannot be read."""
    return features_of(Page.of(html, url), learned_by)


def features_of(page: Page, learned_by: LearnedBy = "auto") -> PageFeatures:
    """The same of a page that may be parsed already."""
    try:
        root = page.root
        if root is None:
            return NO_FEATURES
        if learned_by == "cluster":
            return features(page.nodes, learned_by)
        return features_of_reading(reading_of(page, root))
    except Exception:  # a page never raises
        return NO_FEATURES


def extract(  # noqa: PLR0913 - public, and all but three by keyword
    html: bytes | str,
    url: str | None = None,
    rules: Rules | None = None,
    *,
    site: str | None = None,
    method: Method = "auto",
    model: FarswModel | None = None,
) -> Article:
    """Extract the main content of a page: by the rule of its cluster, else from the page alone.

    `site` is the name under which the rules were learnt, by default the URL's host; `model` is
    for the method "farsw". A wrong `method` raises ValueError; no page does.
    """
    return extract_page(Page.of(html, url), rules, site=site, method=method, model=model)


def extract_page(
    page: Page,
    rules: Rules | None = None,
    *,
    site: str | None = None,
    method: Method = "auto",
    model: FarswModel | None = None,
) -> Article:
    """`extract` for a page that may be parsed already."""
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}: use one of {', '.join(METHODS)}")
    try:
        return _saying_what_is_cut(_extract(page, rules, site, method, model), page.cut)
    except Exception as error:  # a page never raises
        reason = f"the page could not be processed ({type(error).__name__})"
        return Article(url=page.url, metadata=metadata("none", reason=reason))


def _extract(
    page: Page, rules: Rules | None, site: str | None, method: Method, model: FarswModel | None
) -> Article:
    of_site = _rules_of_site(page, rules, site, method)
    if of_site is not None and method == "auto":
        expect(page, of_site)
    root = page.root
    if root is None:
        return Article(url=page.url, metadata=metadata("none", reason=_why_no_tree(page)))
    reading = reading_of(page, root)
    reason = cluster = None
    for cluster, hit in _known(reading, of_site, method):
        reading.know(cluster.names, hit.block if hit else None)
        content = by_rule(hit, cluster, reading) if hit else None
        if hit and content:
            found = _rule_metadata(cluster, hit, reading, content.strength)
            return _article(reading, content, found, reading.headline)
        reading.know(cluster.names)
        if cluster.paths or cluster.pinned:  # not just the one for any page of the site
            reason = "the rule's block is empty" if hit else "the rule missed"
    try:
        content = by_method(method, reading, model)
        judged = method == "auto"
    except ModelError as error:
        reason = f"{error}: scored by text density"
        content = by_method("density", reading)
        judged = False
    kind = reading.page_type if judged else pagetype.by_links(reading.segments)
    if content is None:
        reason = f"{reason}; no main block found" if reason else "no main block found"
    found = metadata(
        "page" if content else "none",
        probability=content.strength if content else 0.0,
        cluster=cluster.cluster if cluster and reason else None,
        page_type=kind,
        reason=reason,
    )
    return _article(reading, content, found, reading.headline if judged else reading.told.text)


def _article(
    reading: Reading, content: Content | None, found: dict[str, Any], headline: str | None
) -> Article:
    return Article(
        url=reading.page.url,
        headline=without_controls(headline or "").strip() or None,
        articleBody=content.text if content else None,
        articleBodyHtml=content.html if content else None,
        metadata=found,
    )


def _saying_what_is_cut(article: Article, cut: str | None) -> Article:
    if cut is None:
        return article
    reason = article.metadata["reason"]
    said = {**article.metadata, "reason": f"{reason}; {cut}" if reason else cut}
    return replace(article, metadata=said)


def _rule_metadata(
    cluster: ClusterRule, hit: Hit, reading: Reading, probability: float
) -> dict[str, Any]:
    block = reading.under(hit.block)
    return metadata(
        "rule",
        probability=probability,
        rule={hit.selector: hit.value},
        rule_version=cluster.version,
        cluster=cluster.cluster,
        # To judge the page for its type alone would cost more than all else.
        page_type=pagetype.by_cluster(block, cluster.judged.types if cluster.judged else ()),
    )


def _rules_of_site(
    page: Page, rules: Rules | None, site: str | None, method: Method
) -> SiteRules | None:
    if rules is None or method not in LEARNERS:
        return None
    return rules.of(sites.host(page.url) if site is None else site)


def _known(reading: Reading, of_site: SiteRules | None, method: Method) -> Iterator[Known]:
    """The page's cluster; and where that is all of the site, by hand, what it is without that."""
    while of_site is not None and (known := _known_of(reading, of_site, method)) is not None:
        yield known
        cluster = known.cluster
        of_site = of_site.without(cluster) if cluster.pinned and not cluster.paths else None


def _known_of(reading: Reading, of_site: SiteRules, method: Method) -> Known | None:
    if method == "auto":
        return recognize(reading, of_site)
    paths = density.path_set(reading.page.nodes, wang18.PAPER)
    cluster = of_site.cluster_of(paths, "cluster")
    return Known(cluster, apply_rule(cluster.rule, reading.root)) if cluster else None


def _learner(method: Method) -> LearnedBy:
    try:
        return LEARNERS[method]
    except KeyError:
        message = f"method {method!r} does not learn: use one of {', '.join(LEARNERS)}"
        raise ValueError(message) from None


def _why_no_tree(page: Page) -> str:
    if not page.source.strip("\ufeff\x00 \t\r\n"):
        return "the page is empty"
    return "the page is binary" if is_binary(page.source) else "the page holds no markup"
