"""Each method on one page alone: `auto`, and those of the papers."""

from __future__ import annotations

import pytest
from pages import outline_of, site, story, told, told_in_html, words

from scrapy_mainblock import Article, extract
from scrapy_mainblock.papers.methods import PAPER_METHODS, PaperMethod, extract_by
from scrapy_mainblock.papers.wang18.rules import learn_rules, seen_of

METHODS = ("auto", *PAPER_METHODS)
URL = "http://news.example/a/"


def by_method(method: str, html: str, url: str = URL) -> Article:
    """Return what a method extracts from a page alone."""
    if method == "auto":
        return extract(html, url)
    return extract_by(method, outline_of(html, url))  # type: ignore[arg-type]


def test_all_documented_methods_exist() -> None:
    assert set(PAPER_METHODS) == {
        *("cluster", "density", "linkdensity", "farsw", "linkblocks", "wpmte"),
    }


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_the_article_of_a_plain_page(method: str) -> None:
    menu = "".join(f'<li><a href="/s{place}">Section {place}</a></li>' for place in range(8))
    html = (
        f"<html><head><title>About it</title></head><body><ul>{menu}</ul><h1>About it</h1>"
        f"<div>{told_in_html(240, 'it')}</div><ul>{menu}</ul></body></html>"
    )
    found = by_method(method, html)
    assert found.articleBody is not None
    assert told(240, "it") in found.articleBody
    assert "Section 5" not in found.articleBody
    assert told_in_html(240, "it") in (found.articleBodyHtml or "")
    assert 0 <= found.metadata["probability"] <= 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "inside", ["", "<div></div>", "<div> </div><script>x</script>", "<table><tr><td></table>"]
)
def test_every_method_finds_nothing_on_an_empty_page(method: str, inside: str) -> None:
    article = by_method(method, f"<html><body>{inside}</body></html>")
    assert (article.articleBody, article.articleBodyHtml) == (None, None)
    assert article.metadata["method"] == "none"
    assert article.metadata["reason"] == "no main block found"


@pytest.mark.parametrize("method", METHODS)
def test_every_method_fills_the_metadata(method: str) -> None:
    html, url = story()
    article = by_method(method, html, url)
    assert article.metadata["method"] == "page"
    assert article.metadata["rule"] is None
    assert article.metadata["reason"] is None
    assert article.headline == "Title of story 0"
    assert article.url == url


def test_density_needs_a_div_or_table_and_auto_does_not() -> None:
    html = f"<html><body><p>{words(80)}</p></body></html>"
    assert by_method("density", html).articleBody is None
    assert by_method("auto", html).articleBody == words(80)


def test_links_are_made_absolute_by_the_url_of_the_page() -> None:
    html = f'<html><body><div>{words(80)} <a href="b">link</a></div></body></html>'
    found = by_method("density", html)
    assert 'href="http://news.example/a/b"' in (found.articleBodyHtml or "")


def test_a_page_of_a_known_cluster_is_extracted_by_its_rule() -> None:
    rules = learn_rules(seen_of(outline_of(*page)) for page in site(8))
    html, url = story(99, body=20)
    article = extract_by("cluster", outline_of(html, url), rules)
    assert article.articleBody == told(20, "story99w")
    assert article.articleBodyHtml == told_in_html(20, "story99w")
    assert article.metadata["method"] == "rule"
    assert article.metadata["rule"] == {"id": "content"}


@pytest.mark.parametrize("method", [one for one in PAPER_METHODS if one != "cluster"])
def test_single_page_methods_use_no_rules(method: PaperMethod) -> None:
    rules = learn_rules(seen_of(outline_of(*page)) for page in site(8))
    article = extract_by(method, outline_of(*story(99)), rules)
    assert article.metadata["method"] == "page"


def test_a_page_outside_the_known_clusters_is_scored_alone() -> None:
    rules = learn_rules(seen_of(outline_of(*page)) for page in site(8))
    other = f"<html><body><table><tr><td>{words(90)}</td></tr></table></body></html>"
    article = extract_by("cluster", outline_of(other), rules)
    assert (article.metadata["method"], article.articleBody) == ("page", words(90))
    empty = extract_by("cluster", outline_of(story(99, body=0, comments=90)[0]), rules)
    assert empty.metadata["method"] == "page"
