"""The result of extraction: articles and their metadata."""

from __future__ import annotations

import json
import pickle

import pytest

from scrapy_mainblock import Article, Decision
from scrapy_mainblock.render.article import article_with, metadata_of, without_content

KEYS = ["method", "probability", "rule", "ruleVersion", "cluster", "pageType", "fields", "reason"]


def test_article_filled_at_once_is_that_of_the_constructor() -> None:
    metadata = metadata_of(Decision("page"))
    found = article_with({"headline": "H", "metadata": metadata})
    assert vars(found) == vars(Article(headline="H", metadata=metadata))
    with pytest.raises(AttributeError):
        found.headline = None  # type: ignore[misc]


def test_article_as_dict_has_the_documented_fields() -> None:
    article = Article(
        "http://e.com/", "H", "text", "<p>text</p>", "text", metadata_of(Decision("page"))
    )
    assert list(article.to_dict()) == [
        "url",
        "headline",
        "articleBody",
        "articleBodyHtml",
        "articleBodyMarkdown",
        "metadata",
        "canonicalUrl",
        "datePublished",
        "datePublishedRaw",
        "dateModified",
        "dateModifiedRaw",
        "authors",
        "mainImage",
        "images",
        "inLanguage",
        "description",
        "breadcrumbs",
    ]
    assert list(article.metadata) == KEYS
    assert json.loads(json.dumps(article.to_dict())) == article.to_dict()


def test_article_is_an_immutable_value() -> None:
    one = without_content("u", "empty")
    assert one == Article("u", metadata=metadata_of(Decision("none", reason="empty")))
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(AttributeError):
        one.url = "v"  # type: ignore[misc]


def test_to_dict_returns_a_copy() -> None:
    article = Article(metadata=metadata_of(Decision("rule", rule={"id": "x"})))
    article.to_dict()["metadata"]["method"] = "other"
    assert article.metadata["method"] == "rule"


@pytest.mark.parametrize(("given", "kept"), [(0.123456, 0.1235), (1.5, 1.0), (-1, 0.0)])
def test_probability_is_clipped_to_0_to_1_and_rounded(given: float, kept: float) -> None:
    assert metadata_of(Decision("page", probability=given))["probability"] == kept


def test_empty_rule_is_none() -> None:
    assert metadata_of(Decision("page", rule={}))["rule"] is None


@pytest.mark.parametrize(
    ("reason", "cut", "said"),
    [(None, None, None), ("a", None, "a"), (None, "b", "b"), ("a", "b", "a; b")],
)
def test_reason_includes_what_was_cut(
    reason: str | None, cut: str | None, said: str | None
) -> None:
    assert metadata_of(Decision("page", reason=reason), cut)["reason"] == said
