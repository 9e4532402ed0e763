"""Each method on one page alone."""

from __future__ import annotations

import pytest
from pages import story, told, told_in_html, words

from scrapy_mainblock import METHODS, extract
from scrapy_mainblock.core.methods import Content, from_blocks, from_lines


def by_method(method: str, html: str) -> Content | None:
    """What a method finds on a page alone."""
    article = extract(html, "http://news.example/a/", method=method)  # type: ignore[arg-type]
    if article.articleBody is None or article.articleBodyHtml is None:
        assert article.metadata["method"] == "none"
        return None
    assert article.metadata["method"] == "page"
    return Content(article.articleBody, article.articleBodyHtml, article.metadata["probability"])


def test_the_contracts_methods_are_there() -> None:
    assert {"auto", "cluster", "density", "linkdensity", "farsw", "linkblocks"} <= set(METHODS)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_the_article_of_a_plain_page(method: str) -> None:
    menu = "".join(f'<li><a href="/s{place}">Section {place}</a></li>' for place in range(8))
    html = (
        f"<html><head><title>About it</title></head><body><ul>{menu}</ul><h1>About it</h1>"
        f"<div>{told_in_html(240, 'it')}</div><ul>{menu}</ul></body></html>"
    )
    found = by_method(method, html)
    assert found is not None
    assert told(240, "it") in found.text
    assert "Section 5" not in found.text
    assert told_in_html(240, "it") in found.html
    assert 0 <= found.strength <= 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "inside", ["", "<div></div>", "<div> </div><script>x</script>", "<table><tr><td></table>"]
)
def test_every_method_finds_nothing_where_nothing_is(method: str, inside: str) -> None:
    assert by_method(method, f"<html><body>{inside}</body></html>") is None


@pytest.mark.parametrize("method", METHODS)
def test_every_method_says_what_it_did(method: str) -> None:
    html, url = story()
    article = extract(html, url, method=method)  # type: ignore[arg-type]
    assert article.metadata["method"] == "page"
    assert article.metadata["rule"] is None
    assert article.metadata["reason"] is None
    assert article.headline == "Title of story 0"


def test_the_papers_density_needs_a_div_or_a_table_and_todays_does_not() -> None:
    html = f"<html><body><p>{words(80)}</p></body></html>"
    assert by_method("density", html) is None
    found = by_method("auto", html)
    assert found is not None
    assert found.text == words(80)


def test_lines_become_paragraphs() -> None:
    found = from_lines([" a  < b ", "", " \t", "c & d"], 0.5)
    assert found == Content("a < b\n\nc & d", "<p>a &lt; b</p><p>c &amp; d</p>", 0.5)
    assert from_lines(["", " "], 0.5) is None
    assert from_blocks([], None, 1) is None


def test_links_are_made_absolute_with_the_pages_url() -> None:
    html = f'<html><body><div>{words(80)} <a href="b">link</a></div></body></html>'
    found = by_method("density", html)
    assert found is not None
    assert 'href="http://news.example/a/b"' in found.html
