"""Permalink marks beside headings are not text; links with words of the page are."""

from __future__ import annotations

import pytest
from pages import outline

from scrapy_mainblock.outline.outline import Outline

MARKS = {
    "Sphinx": '<a class="headerlink" href="#usage" title="Link to this heading">¶</a>',
    "Sphinx, with an icon": '<a class="headerlink" href="#usage">\uf0c1</a>',
    "MkDocs": '<a class="headerlink" href="#usage" title="Permanent link">&para;</a>',
    "rustdoc": '<a class="doc-anchor" href="#usage">§</a>',
    "Docusaurus": '<a class="hash-link" href="/docs/a#usage" title="Direct link">&#8203;</a>',
    "words": '<a class="hash-link" href="#usage">Direct link to Usage</a>',
    "Doxygen": '<span class="permalink"><a href="#a1">&#9670;&#160;</a></span>',
    "GitHub": '<a class="anchor" href="#usage"><svg><path d="M0"/></svg>#</a>',
    "an emoji": '<a href="#usage">\U0001f517\ufe0f</a>',
    "a span": '<a href="#usage"><span>#</span></a>',
    "MediaWiki": '<span class="mw-editsection"><span>[</span><a href="/e?s=1">edit</a>]</span>',
}
TEXTS = {
    "the heading in its own link": '<a class="anchor" href="#usage">more</a>',
    "a heading that looks like a mark": '<a href="#usage">Link</a>',
    "another page": '<a href="/other">#</a>',
    "a footnote": '<a href="#fn1">*</a>',
    "a footnote's number": '<a class="footnote" href="#fn1">[1]</a>',
    "a comment's number": '<a class="permalink" href="#c12">#12</a>',
    "a permalink of the page": '<a class="permalink" href="/2026/a">Permalink</a>',
    "no link": '<a class="headerlink" name="usage">¶</a>',
    "a span of any class": '<span class="permalink">#</span>',
}


def links(page: Outline) -> list[tuple[int, int]]:
    """Return for each segment the number of its links and of the characters in them."""
    return list(zip(page.rows.segment_links, page.rows.segment_link_chars, strict=True))


@pytest.mark.parametrize("mark", MARKS.values(), ids=MARKS)
def test_mark_beside_a_heading_is_not_text(mark: str) -> None:
    page = outline(f"<h2>Usage {mark}</h2><p>Told</p><h2>{mark} More</h2>")
    assert page.texts == ["Usage", "Told", "More"]
    assert links(page) == [(0, 0)] * 3


@pytest.mark.parametrize("inside", TEXTS.values(), ids=TEXTS)
def test_link_with_words_or_to_another_page_is_text(inside: str) -> None:
    (text,) = outline(f"<h2>Usage {inside}</h2>").texts
    (alone,) = outline(inside).texts
    assert text == f"Usage {alone}"


@pytest.mark.parametrize(
    ("inside", "texts"),
    [
        ("<td class=linenos><pre>1\n2</pre><td>a", ["a"]),
        ("<td class='code-gutter'>1.<td>a", ["a"]),
        ("<td class=gutter>No. 1<td>a", ["No. 1", "a"]),
        ("<td class=a-line-numbers-b>1<td>a", ["a"]),
        ("<td class=lines>1<td>a", ["1", "a"]),
    ],
)
def test_line_numbers_of_code_are_not_text(inside: str, texts: list[str]) -> None:
    assert outline(f"<table><tr>{inside}</table>").texts == texts


@pytest.mark.parametrize("inside", ["<i>#</i>" * 1000, "#" * 1000])
def test_link_longer_than_a_mark_is_text(inside: str) -> None:
    page = outline(f'<a class=anchor href="#x">{inside}</a>')
    assert page.texts == ["#" * 1000]
