"""What comes out: an article, its fields named as in zyte-common-items' Article."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Method = Literal["rule", "page", "none"]


@dataclass(frozen=True)
class Article:
    """The main content of one page. `metadata` says how it was found, and how surely."""

    url: str | None = None
    headline: str | None = None
    articleBody: str | None = None  # noqa: N815 - the field's public name
    articleBodyHtml: str | None = None  # noqa: N815
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The article as a plain dict, fit for JSON."""
        return {
            "url": self.url,
            "headline": self.headline,
            "articleBody": self.articleBody,
            "articleBodyHtml": self.articleBodyHtml,
            "metadata": dict(self.metadata),
        }


def metadata(  # noqa: PLR0913 - these are the fields
    method: Method,
    *,
    probability: float = 0.0,
    rule: Mapping[str, str] | None = None,
    rule_version: int | None = None,
    cluster: str | None = None,
    page_type: str | None = None,
    reason: str | None = None,
) -> dict[str, Any]:
    """The metadata of an article: every key always there, in one order."""
    return {
        "method": method,
        "probability": round(min(max(probability, 0.0), 1.0), 4),
        "rule": dict(rule) if rule else None,
        "ruleVersion": rule_version,
        "cluster": cluster,
        "pageType": page_type,
        "reason": reason,
    }
