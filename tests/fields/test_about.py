# ruff: noqa: E501 - pages
"""The fields of a whole page: which source wins, and which fields stay empty."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pages import told_in_html

from scrapy_mainblock import Article, explain, extract
from scrapy_mainblock.render.article import ALL_FIELDS

URL = "https://news.example/story"
BODY = told_in_html(120, "word")


def page(head: str = "", above: str = "", below: str = "", footer: str = "") -> str:
    return (
        f'<html lang="en-GB"><head><title>Rain in the hills today | News</title>{head}</head><body>'
        f"<h1>Rain in the hills today</h1>{above}<article>{BODY}</article>{below}"
        f"<footer><p>{footer}</p></footer></body></html>"
    )


def json_ld(**data: Any) -> str:
    told = {"@context": "https://schema.org", "@type": "NewsArticle", **data}
    return f'<script type="application/ld+json">{json.dumps(told)}</script>'


def found(html: str, **more: Any) -> Article:
    return extract(html, url=URL, **more)


FULL = json_ld(
    headline="Rain in the hills today",
    datePublished="2014-03-08T10:00:00+02:00",
    dateModified="2014-03-09T10:00:00Z",
    author=[{"@type": "Person", "name": "Anna Berg"}, {"@type": "Person", "name": "Ben Falk"}],
    image={"@type": "ImageObject", "url": "/rain-in-hills.jpg"},
    description="It rains in the hills.",
    inLanguage="en-GB",
    mainEntityOfPage=URL,
) + json_ld(
    **{
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": 1, "name": "Home", "item": "https://news.example/"},
            {"@type": "ListItem", "position": 2, "name": "Weather"},
        ],
    }
)


def test_linked_data_fills_all_fields_in_the_documented_formats() -> None:
    article = found(page(FULL + f'<link rel="canonical" href="{URL}/">'))
    assert article.datePublished == "2014-03-08T08:00:00Z"
    assert article.datePublishedRaw == "2014-03-08T10:00:00+02:00"
    assert article.dateModified == "2014-03-09T10:00:00Z"
    assert [one["name"] for one in article.authors or ()] == ["Anna Berg", "Ben Falk"]
    assert article.mainImage == {"url": "https://news.example/rain-in-hills.jpg"}
    assert article.images == [{"url": "https://news.example/rain-in-hills.jpg"}]
    assert article.inLanguage == "en"
    assert article.description == "It rains in the hills."
    assert article.canonicalUrl == f"{URL}/"
    assert article.breadcrumbs == [
        {"name": "Home", "url": "https://news.example/"},
        {"name": "Weather", "url": None},
    ]
    assert json.loads(json.dumps(article.to_dict())) == article.to_dict()


def test_metadata_has_source_and_probability_of_each_filled_field() -> None:
    fields = found(page(FULL)).metadata["fields"]
    assert fields["datePublished"]["source"].startswith("json-ld:datePublished")
    assert all(0 <= one["probability"] <= 1 for one in fields.values())
    assert "canonicalUrl" not in fields


def test_only_requested_fields_are_filled() -> None:
    article = found(page(FULL), fields=["datePublished"])
    assert article.datePublished
    assert article.articleBody is article.authors is article.headline is article.inLanguage is None
    assert list(article.metadata["fields"]) == ["datePublished"]


def test_unknown_field_is_refused() -> None:
    with pytest.raises(ValueError, match="datePublishd"):
        found(page(), fields=["datePublishd"])


@pytest.mark.parametrize(
    "line",
    [
        '<p class="date">8 March 2014</p>',
        "<p>Published: 8 March 2014, 10:15</p>",
        '<time datetime="2014-03-08T10:15:00Z">Saturday</time>',
        '<p class="byline">By Anna Berg | 8 March 2014</p>',
    ],
)
def test_date_is_read_from_a_line_below_the_headline(line: str) -> None:
    assert (found(page(above=line)).datePublished or "")[:10] == "2014-03-08"


def test_date_of_a_comment_is_not_used() -> None:
    comments = '<div class="comments"><div class="comment"><p>Ben</p><time datetime="2016-01-01">1 January 2016</time><p>No.</p></div></div>'
    article = found(page(json_ld(datePublished="2014-03-08"), below=comments))
    assert (article.datePublished or "")[:10] == "2014-03-08"
    assert "2016" not in str(found(page(below=comments)).datePublished)


@pytest.mark.parametrize("name", ["customer-review", "user-reviews", "review-card", "reviews"])
def test_date_and_author_of_a_reader_review_are_not_used(name: str) -> None:
    review = f'<div class="{name}"><p>By Ben Falk</p><p>1 January 2016</p></div>'
    article = found(page(above=review))
    assert article.datePublished is article.authors is None
    assert explain(page(above=review), url=URL).fields["datePublished"].rejected == ()


def test_a_page_that_is_a_review_has_its_own_date() -> None:
    html = page(above='<p class="date">8 March 2014</p>').replace(
        "<body>", '<body class="review hreview">'
    )
    assert (found(html).datePublished or "")[:10] == "2014-03-08"


def test_date_of_a_medical_review_is_the_modification_date() -> None:
    above = '<p class="date">8 March 2014</p><p>Medically reviewed by Ben Falk on 9 May 2015</p>'
    article = found(page(above=above))
    assert (article.datePublished or "")[:10] == "2014-03-08"
    assert (article.dateModified or "")[:10] == "2015-05-09"


def test_update_is_not_the_publication_date() -> None:
    above = '<p class="date">Published 8 March 2014</p><p class="updated">Updated: 9 May 2015</p>'
    assert (found(page(above=above)).datePublished or "")[:10] == "2014-03-08"


def test_name_alone_at_the_end_of_the_content_is_the_author() -> None:
    signed = page().replace(BODY, BODY + "<p>Anna Berg</p>")
    assert [one["name"] for one in found(signed).authors or ()] == ["Anna Berg"]


def test_full_name_in_a_byline_precedes_a_first_name_in_linked_data() -> None:
    html = page(json_ld(author={"@type": "Person", "name": "Anna"}), above="<p>By Anna Berg</p>")
    assert [one["name"] for one in found(html).authors or ()] == ["Anna Berg"]


def test_author_of_a_photo_is_not_the_page_author() -> None:
    above = '<p class="byline">By Anna Berg</p><figure><img src="a.jpg"><figcaption>Photo: Ben Falk</figcaption></figure>'
    assert [one["name"] for one in found(page(above=above)).authors or ()] == ["Anna Berg"]


def test_page_without_sources_has_empty_fields() -> None:
    article = found(page())
    assert article.datePublished is article.dateModified is article.authors is None
    assert article.mainImage is article.images is article.breadcrumbs is None


def test_language_of_the_text_precedes_the_lang_attribute() -> None:
    german = "<p>Der Regen in den Bergen war der erste seit Monaten, und es ist nicht der letzte. Wir haben auf dem Berg gefroren.</p>"
    html = f"<html lang=en><body><h1>Der Regen</h1><article>{german * 6}</article></body></html>"
    assert found(html).inLanguage == "de"


def test_explain_lists_rejected_claims() -> None:
    html = page(json_ld(datePublished="2014-03-08"), above="<p>Updated: 9 May 2015</p>")
    choice = explain(html, url=URL).fields["datePublished"]
    assert choice.chosen is not None
    assert choice.chosen.value[:10] == "2014-03-08"
    assert "2015-05-09" in [one.value[:10] for one in choice.rejected]
    assert json.dumps(explain(html, url=URL).to_dict()["fields"])


BROKEN = [
    '{"@type": "NewsArticle", "datePublished": "2014-03-08",}',
    '<!-- {"@type": "NewsArticle", "datePublished": "2014-03-08"} -->',
    '//<![CDATA[\n{"@type": "NewsArticle", "datePublished": "2014-03-08"}\n//]]>',
    '{"@type": "NewsArticle", "articleBody": "a\nb", "datePublished": "2014-03-08"}',
    '{"@type": "NewsArticle", "name": "say "hello"", "datePublished": "2014-03-08"}',
    '{"@type": "Organization", "name": "News"}\n{"@type": "Article", "datePublished": "2014-03-08"}',
    '[{"@graph": [{"@type": ["Thing", "schema:Article"], "datePublished": "2014-03-08"}]}]',
    "{&quot;@type&quot;: &quot;Article&quot;, &quot;datePublished&quot;: &quot;2014-03-08&quot;}",
]


@pytest.mark.parametrize("source", BROKEN)
def test_broken_linked_data_is_repaired(source: str) -> None:
    html = page(f'<script type="application/ld+json">{source}</script>')
    assert (found(html).datePublished or "")[:10] == "2014-03-08"


def test_references_within_a_graph_are_resolved() -> None:
    graph = [
        {"@type": "Article", "author": {"@id": "#anna"}, "headline": "Rain in the hills today"},
        {"@type": "Person", "@id": "#anna", "name": "Anna Berg"},
        {"@type": "Person", "@id": "#ben", "name": "Ben Falk"},
    ]
    html = page(f'<script type="application/ld+json">{json.dumps({"@graph": graph})}</script>')
    assert [one["name"] for one in found(html).authors or ()] == ["Anna Berg"]


def test_linked_data_of_a_teaser_is_not_used() -> None:
    other = json_ld(
        headline="Snow on the coast", datePublished="2019-01-01", url="https://news.example/snow"
    )
    own = json_ld(headline="Rain in the hills today", datePublished="2014-03-08", url=URL)
    assert (found(page(other + own)).datePublished or "")[:10] == "2014-03-08"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["@type", "@id", "@graph", "author", "name", "image", "url", "item",
                         "datePublished", "itemListElement", "mainEntityOfPage", "inLanguage"])
        | st.text(max_size=5),
        inner,
        max_size=5,
    ),
    max_leaves=30,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(JSON, st.text(max_size=60))
def test_any_linked_data_can_be_processed(data: Any, tail: str) -> None:
    told = json.dumps(data).replace("<", "") + tail.replace("<", "")
    typed = {"@type": "Article", "author": data, "image": data, "datePublished": tail, "url": data}
    html = page(f'<script type="application/ld+json">{told}</script>' + json_ld(**typed))
    article = found(html)
    assert "could not be processed" not in (article.metadata["reason"] or "")
    json.dumps(article.to_dict())


@pytest.mark.parametrize(
    "head",
    [
        '<script type="application/ld+json">' + "[" * 100_000 + "</script>",
        '<script type="application/ld+json">' + '{"a":' * 50_000 + "</script>",
        '<meta name="author" content="' + "Anna Berg, " * 50_000 + '">',
        '<meta name="date" content="' + "2014-" * 100_000 + '">',
        '<meta property="og:image" content="' + "x" * 1_000_000 + '">',
        '<meta name="date" content="9999999999999999999999">',
        '<meta name="date" content="2014-03-08T99:99:99+99:99">',
        "<link rel=canonical href='http://[::1'>",
        "".join(f'<meta itemprop="author" content="A{one}">' for one in range(5000)),
    ],
    ids=lambda head: head[:30],
)
def test_huge_and_odd_values_are_bounded(head: str) -> None:
    article = extract(page(head), url="http://[bad", fields=ALL_FIELDS)
    assert "could not be processed" not in (article.metadata["reason"] or "")
    assert len(json.dumps({**article.to_dict(), "articleBody": "", "articleBodyHtml": ""})) < 40_000
