"""The `Article` that extraction returns, with its fields named as in zyte-common-items."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict

from scrapy_mainblock.judge.claims import Choice, Claim, rounded
from scrapy_mainblock.judge.decision import Decision, Method
from scrapy_mainblock.page.bounded_cache import bounded_cache
from scrapy_mainblock.page.frozen import instance_of
from scrapy_mainblock.render.addresses import without_controls


class FoundAt(TypedDict):
    """Where a field was found."""

    source: str
    """The source in the page; ``rule:`` and the place if a field rule gave the value."""
    probability: float


class FieldSource(FoundAt, total=False):
    """Where a field was found, and why not by its rule."""

    reason: str
    """Why the field was read from the page alone, although its template has a rule for it."""


class Metadata(TypedDict):
    """How an article was found, and how sure that is. Every key is always present."""

    method: Method
    probability: float
    """How likely the body is right (its F1 is at least 0.9); 1.0 by a pinned rule."""
    rule: dict[str, str] | None
    """The selector that found the main block, by its kind: id, class or path."""
    ruleVersion: int | None
    cluster: str | None
    pageType: str | None
    fields: dict[str, FieldSource]
    """For each filled field other than the body, where the page has it, and how likely it is
    right."""
    reason: str | None
    """Why there is no content, why the page was read alone although there is a rule, or what is odd
    about the page although the rule was used."""


class ItemMetadata(Metadata):
    """The metadata of an item of a crawl, with the page that its content is from."""

    sourceUrl: str | None
    """The page's URL: the one in the item's own `url`, else the one that the item was yielded
    from."""
    status: int
    """The page's HTTP status. A page with 400 and up is not learned from, and `reason` says so."""


@dataclass(frozen=True)
class Article:
    """The main content of one page; `metadata` says how it was found, and how sure that is."""

    url: str | None = None
    headline: str | None = None
    articleBody: str | None = None  # noqa: N815
    articleBodyHtml: str | None = None  # noqa: N815
    articleBodyMarkdown: str | None = None  # noqa: N815 - only where it was asked for
    metadata: Metadata = field(default_factory=lambda: metadata_of(Decision("none")))
    canonicalUrl: str | None = None  # noqa: N815 - the fields' public names, all of them
    datePublished: str | None = None  # noqa: N815
    """In the form ``YYYY-MM-DDThh:mm:ssZ``; see docs/fields.md."""
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
        """Return the article as a plain dict that can be written as JSON."""
        return {
            **{name: getattr(self, name) for name in FIELDS},
            "metadata": dict(self.metadata),
        }


FIELDS = tuple(one.name for one in dataclasses.fields(Article))
"""The fields of an article, by their public names."""
_DEFAULTS: dict[str, Any] = dict.fromkeys(FIELDS)
MARKDOWN = frozenset({"articleBodyMarkdown"})
ALL_FIELDS = frozenset(FIELDS) - MARKDOWN
"""The fields that are computed by default; Markdown has to be requested."""
BODY = frozenset({"articleBody", "articleBodyHtml"}) | MARKDOWN
"""The fields that need the content to be rendered."""


def article_with(values: dict[str, Any]) -> Article:
    """Return an article with some fields; the metadata must be among them."""
    return instance_of(Article, _DEFAULTS | values)


def known_fields(names: Collection[str]) -> frozenset[str]:
    """Return field names as a set; raise ValueError for an unknown one.

    A string counts as one name. Anything but strings raises TypeError.
    """
    if names is ALL_FIELDS:
        return ALL_FIELDS
    return _checked((names,) if isinstance(names, str) else tuple(names))


@bounded_cache(most=64, longest=len(FIELDS))  # the same names are asked for on each page
def _checked(names: tuple[str, ...]) -> frozenset[str]:
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"fields must be names, not {type(name).__name__}")
    found = frozenset(names)
    unknown = found - ALL_FIELDS - BODY
    if unknown:
        raise ValueError(
            f"no such field: {', '.join(sorted(unknown))}; use any of {', '.join(FIELDS)}"
        )
    return found


def filled_by(claims: Mapping[str, Choice]) -> dict[str, Any]:
    """Return the article fields that some claims fill, in the forms of zyte-common-items."""
    found: dict[str, Any] = {}
    for name, choice in claims.items():
        if choice.chosen is not None:
            found[name] = _FORMS[name](choice.chosen.value)
            if name in ("datePublished", "dateModified"):
                found[f"{name}Raw"] = without_controls(choice.chosen.raw)
    if "authors" in found:
        claim = claims["authors"].chosen
        raw = without_controls(claim.raw) if claim else ""
        found["authors"] = [{"name": one, "nameRaw": raw or one} for one in found["authors"]]
    return found


def without_controls_in(value: Any) -> Any:
    """Return a value in which no string has control characters."""
    if isinstance(value, str):
        return without_controls(value)
    if isinstance(value, list):
        return [without_controls_in(one) for one in value]
    if isinstance(value, dict):
        return {key: without_controls_in(one) for key, one in value.items()}
    return value


_FORMS: Mapping[str, Callable[[Any], Any]] = {
    **dict.fromkeys(FIELDS, without_controls),
    "authors": without_controls_in,
    "mainImage": lambda url: {"url": url},
    "images": lambda urls: [{"url": url} for url in urls],
    "breadcrumbs": without_controls_in,
}


def metadata_of(
    decision: Decision, cut: str | None = None, claims: Mapping[str, Choice] | None = None
) -> Metadata:
    """Return the metadata of an article; `cut` says what was not read of its page."""
    reason = decision.reason
    if cut:
        reason = f"{reason}; {cut}" if reason else cut
    return {
        "method": decision.method,
        "probability": rounded(min(max(0.0, decision.probability), 1.0)),
        "rule": dict(decision.rule) if decision.rule else None,
        "ruleVersion": decision.rule_version,
        "cluster": decision.cluster,
        "pageType": decision.page_type,
        "fields": {
            name: source_of(choice.chosen, choice.reason)
            for name, choice in (claims or {}).items()
            if choice.chosen is not None
        },
        "reason": reason or None,
    }


def source_of(claim: Claim, reason: str = "") -> FieldSource:
    """Return where a field was found, in the form of the metadata."""
    found: FieldSource = {"source": claim.source, "probability": claim.probability}
    return {**found, "reason": reason} if reason else found


def without_content(url: str | None, reason: str) -> Article:
    """Return the article of a page in which nothing was found."""
    return Article(url, metadata=metadata_of(Decision("none", reason=reason)))


def with_reason(article: Article, reason: str) -> Article:
    """Return an article with one more reason in its metadata."""
    known = article.metadata["reason"]
    metadata: Metadata = {**article.metadata, "reason": f"{known}; {reason}" if known else reason}
    return replace(article, metadata=metadata)
