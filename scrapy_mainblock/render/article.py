"""The Article: what comes out, its fields named as in zyte-common-items."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

from scrapy_mainblock.judge.claims import Choice, Claim
from scrapy_mainblock.judge.decision import Decision, Method
from scrapy_mainblock.render.addresses import without_controls


class FoundAt(TypedDict):
    """Where a field was found."""

    source: str
    """Where the page has it; ``rule:`` and the place where the template's rule says so."""
    probability: float


class FieldSource(FoundAt, total=False):
    """Where a field was found, and what there is to say of it."""

    reason: str
    """Why the page was read by itself, although its template has a rule for the field."""


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
    fields: dict[str, FieldSource]
    """Of each field beside the body that is filled, where the page has it, and how surely."""
    reason: str | None
    """Why there is no content, why the page was read alone although there is a rule, or what is odd
    about it although the rule was used."""


class ItemMetadata(Metadata):
    """The same in an item of a crawl, with the page that its content is from."""

    sourceUrl: str | None
    """The page's URL: the one that the item's own `url` names, else the one it was yielded from."""
    status: int
    """The page's status. One of 400 and up teaches nothing, and `reason` says so."""


@dataclass(frozen=True)
class Article:
    """The main content of one page. `metadata` says how it was found, and how surely."""

    url: str | None = None
    headline: str | None = None
    articleBody: str | None = None  # noqa: N815
    articleBodyHtml: str | None = None  # noqa: N815
    articleBodyMarkdown: str | None = None  # noqa: N815 - only where it was asked for
    metadata: Metadata = field(default_factory=lambda: metadata_of(Decision("none")))
    canonicalUrl: str | None = None  # noqa: N815 - the fields' public names, all of them
    datePublished: str | None = None  # noqa: N815
    """As ``YYYY-MM-DDThh:mm:ssZ``; see docs/fields.md."""
    datePublishedRaw: str | None = None  # noqa: N815
    dateModified: str | None = None  # noqa: N815
    dateModifiedRaw: str | None = None  # noqa: N815
    authors: list[dict[str, str]] | None = None
    mainImage: dict[str, str] | None = None  # noqa: N815
    images: list[dict[str, str]] | None = None
    inLanguage: str | None = None  # noqa: N815
    description: str | None = None
    breadcrumbs: list[dict[str, str | None]] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The article as a plain dict, fit for JSON."""
        return {
            **{one.name: getattr(self, one.name) for one in dataclasses.fields(self)},
            "metadata": dict(self.metadata),
        }


FIELDS = tuple(one.name for one in dataclasses.fields(Article))
"""The fields of an article, as the contract names them."""
MARKDOWN = frozenset({"articleBodyMarkdown"})
ALL_FIELDS = frozenset(FIELDS) - MARKDOWN
"""What is worked out where nobody says: Markdown has to be asked for."""
BODY = frozenset({"articleBody", "articleBodyHtml"}) | MARKDOWN
"""Fields for which the content is rendered."""


def known_fields(names: Collection[str]) -> frozenset[str]:
    """Names of fields; a ValueError for any other, and for a text instead of several."""
    if names is ALL_FIELDS:
        return ALL_FIELDS
    found = frozenset([names]) if isinstance(names, str) else frozenset(names)
    for name in found:
        if not isinstance(name, str):
            raise TypeError(f"fields are names, not {type(name).__name__}")
    unknown = found - ALL_FIELDS - BODY
    if unknown:
        raise ValueError(
            f"no such field: {', '.join(sorted(unknown))}; use any of {', '.join(FIELDS)}"
        )
    return found


def filled_by(claims: Mapping[str, Choice]) -> dict[str, Any]:
    """The fields of an article that some claims fill, in the forms of zyte-common-items."""
    found: dict[str, Any] = {}
    for name, choice in claims.items():
        if choice.chosen is not None:
            found[name] = _FORMS.get(name, without_controls_in)(choice.chosen.value)
            if name in ("datePublished", "dateModified"):
                found[f"{name}Raw"] = without_controls(choice.chosen.raw)
    if "authors" in found:
        claim = claims["authors"].chosen
        raw = without_controls(claim.raw) if claim else ""
        found["authors"] = [{"name": one, "nameRaw": raw or one} for one in found["authors"]]
    return found


def without_controls_in(value: Any) -> Any:
    """A value of texts without what is in no text anybody wrote."""
    if isinstance(value, str):
        return without_controls(value)
    if isinstance(value, list):
        return [without_controls_in(one) for one in value]
    if isinstance(value, dict):
        return {key: without_controls_in(one) for key, one in value.items()}
    return value


_FORMS: Mapping[str, Callable[[Any], Any]] = {
    "mainImage": lambda url: {"url": url},
    "images": lambda urls: [{"url": url} for url in urls],
}


def metadata_of(
    decision: Decision, cut: str | None = None, claims: Mapping[str, Choice] | None = None
) -> Metadata:
    """What an article says of how it was found; `cut` is what of its page was not read."""
    reasons = [reason for reason in (decision.reason, cut) if reason]
    return {
        "method": decision.method,
        "probability": round(min(max(decision.probability, 0.0), 1.0), 4),
        "rule": dict(decision.rule) if decision.rule else None,
        "ruleVersion": decision.rule_version,
        "cluster": decision.cluster,
        "pageType": decision.page_type,
        "fields": {
            name: source_of(choice.chosen, choice.reason)
            for name, choice in (claims or {}).items()
            if choice.chosen is not None
        },
        "reason": "; ".join(reasons) or None,
    }


def source_of(claim: Claim, reason: str = "") -> FieldSource:
    """Where a field was found, as the metadata say it."""
    found: FieldSource = {"source": claim.source, "probability": claim.probability}
    return {**found, "reason": reason} if reason else found


def without_content(url: str | None, reason: str) -> Article:
    """An article of a page in which nothing was found."""
    return Article(url, metadata=metadata_of(Decision("none", reason=reason)))


def with_reason(article: Article, reason: str) -> Article:
    """An article with one more reason."""
    said = article.metadata["reason"]
    metadata: Metadata = {**article.metadata, "reason": f"{said}; {reason}" if said else reason}
    return replace(article, metadata=metadata)
