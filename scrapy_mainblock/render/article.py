"""The Article: what comes out, its fields named as in zyte-common-items."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

from scrapy_mainblock.judge.decision import Decision, Method


class Metadata(TypedDict):
    """How an article was found, and how surely. Every key is always there."""

    method: Method
    probability: float
    """How likely the body is right: that its F1 is at least 0.9."""
    rule: dict[str, str] | None
    """The selector that found the main block, by its kind: id, class or path."""
    ruleVersion: int | None
    cluster: str | None
    pageType: str | None
    reason: str | None
    """Why there is no content, or why the page was read alone although there is a rule."""


@dataclass(frozen=True)
class Article:
    """The main content of one page. `metadata` says how it was found, and how surely."""

    url: str | None = None
    headline: str | None = None
    articleBody: str | None = None  # noqa: N815 - the field's public name
    articleBodyHtml: str | None = None  # noqa: N815
    articleBodyMarkdown: str | None = None  # noqa: N815 - only where it was asked for
    metadata: Metadata = field(default_factory=lambda: metadata_of(Decision("none")))

    def to_dict(self) -> dict[str, Any]:
        """The article as a plain dict, fit for JSON."""
        return {
            "url": self.url,
            "headline": self.headline,
            "articleBody": self.articleBody,
            "articleBodyHtml": self.articleBodyHtml,
            "articleBodyMarkdown": self.articleBodyMarkdown,
            "metadata": dict(self.metadata),
        }


def metadata_of(decision: Decision, cut: str | None = None) -> Metadata:
    """What an article says of how it was found; `cut` is what of its page was not read."""
    reasons = [reason for reason in (decision.reason, cut) if reason]
    return {
        "method": decision.method,
        "probability": round(min(max(decision.probability, 0.0), 1.0), 4),
        "rule": dict(decision.rule) if decision.rule else None,
        "ruleVersion": decision.rule_version,
        "cluster": decision.cluster,
        "pageType": decision.page_type,
        "reason": "; ".join(reasons) or None,
    }


def without_content(url: str | None, reason: str) -> Article:
    """An article of a page in which nothing was found."""
    return Article(url, metadata=metadata_of(Decision("none", reason=reason)))


def with_reason(article: Article, reason: str) -> Article:
    """An article with one more reason."""
    said = article.metadata["reason"]
    metadata: Metadata = {**article.metadata, "reason": f"{said}; {reason}" if said else reason}
    return replace(article, metadata=metadata)
