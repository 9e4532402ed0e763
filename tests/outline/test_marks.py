"""Marks beside headings are no text; links with words of the page are."""

from __future__ import annotations

import pytest
from pages import tree

from scrapy_mainblock.core.permalinks import is_mark
from scrapy_mainblock.core.segments import segment
from scrapy_mainblock.core.text import to_html, to_text

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


@pytest.mark.parametrize("mark", MARKS.values(), ids=MARKS)
def test_a_mark_beside_a_heading_is_no_text(mark: str) -> None:
    body = tree(f"<h2>Usage {mark}</h2><p>Told</p><h2>{mark} More</h2>").find("body")
    assert to_text([body]) == "Usage\n\nTold\n\nMore"
    assert to_html([body]).replace(" </h2>", "</h2>") == "<h2>Usage</h2><p>Told</p><h2>More</h2>"
    page = segment(body)
    assert page.texts == ["Usage", "Told", "More"]
    assert (page.links, page.link_chars) == ([0, 0, 0], [0, 0, 0])


@pytest.mark.parametrize("inside", TEXTS.values(), ids=TEXTS)
def test_what_has_words_or_leads_elsewhere_is_text(inside: str) -> None:
    body = tree(f"<h2>Usage {inside}</h2>").find("body")
    shown = body.text_content()
    assert to_text([body]) == shown
    assert segment(body).texts == [shown]


def test_a_link_that_was_never_closed_is_read_no_further_than_a_mark_goes() -> None:
    (link,) = tree(f'<a href="#x">{"<i>#</i>" * 1000}</a>').iter("a")
    assert not is_mark(link)
    (link,) = tree(f'<a href="#x">{"#" * 1000}</a>').iter("a")
    assert not is_mark(link)
