"""What comes out: an article, its fields named as in zyte-common-items' Article."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypedDict

from scrapy_mainblock.judge.decision import Method


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
    """Why there is no content, or why the page was read alone though a rule is known."""


def metadata(  # noqa: PLR0913 - these are the fields
    method: Method,
    *,
    probability: float = 0.0,
    rule: dict[str, str] | None = None,
    rule_version: int | None = None,
    cluster: str | None = None,
    page_type: str | None = None,
    reason: str | None = None,
) -> Metadata:
    """The metadata of an article."""
    return {
        "method": method,
        "probability": round(min(max(probability, 0.0), 1.0), 4),
        "rule": rule,
        "ruleVersion": rule_version,
        "cluster": cluster,
        "pageType": page_type,
        "reason": reason,
    }


@dataclass(frozen=True)
class Article:
    """The main content of one page. `metadata` says how it was found, and how surely."""

    url: str | None = None
    headline: str | None = None
    articleBody: str | None = None  # noqa: N815 - the field's public name
    articleBodyHtml: str | None = None  # noqa: N815
    metadata: Metadata = field(default_factory=lambda: metadata("none"))

    def to_dict(self) -> dict[str, Any]:
        """The article as a plain dict, fit for JSON."""
        return {
            "url": self.url,
            "headline": self.headline,
            "articleBody": self.articleBody,
            "articleBodyHtml": self.articleBodyHtml,
            "metadata": dict(self.metadata),
        }
