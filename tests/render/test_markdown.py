"""Markdown has the same blocks, words, emphasis, links and images as the HTML, for any page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from growth import assert_linear, most_of
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from pages import outline, rendered
from structure import structure

from scrapy_mainblock.render.markdown import markdown

COMMONMARK = MarkdownIt("commonmark").enable("table")


def to_html(inside: str) -> str:
    return rendered(outline(inside, "http://e.com/d/p")).html


def assert_same(html: str) -> None:
    """Check that the Markdown of `html` renders to the same structure as `html`."""
    written = markdown(html)
    shown = COMMONMARK.render(written)
    assert structure(shown) == structure(html), f"{html}\n---\n{written}\n---\n{shown}"


WRITTEN = {
    "paragraphs": ("<p>one<p>two", "one\n\ntwo"),
    "white space before all": ("<p><time> 1. a</time>", "1\\. a"),
    "a heading": ("<h2>T # t #</h2>text", "## T \\# t \\#\n\ntext"),
    "ends of lines": ("<p>a<br>b", "a\\\nb"),
    "two of them": ("<p>a<br><br>b", "a\n\nb"),
    "marks": ("<p><b>a</b> <i>b</i> <b><i>c</i></b>", "**a** *b* **_c_**"),
    "marks side by side": ("<p><b>a</b><b>b</b><i>c</i>", "**ab**_c_"),
    "white space in marks": ("<p>a<b> b </b>c", "a **b** c"),
    "marks beside marks": ("<p>a<b>«b»</b>c", "&#97;**«b»**&#99;"),
    "a link": ('<p><a href="x?a=1&copy;b=(2)">l</a>', "[l](http://e.com/d/x?a=1©b=\\(2\\))"),
    "a link behind a cry": ("<p>a!<a href=/x>b</a>", "a\\![b](http://e.com/x)"),
    "a picture": ("<p>x<img src=/x.png alt='a [b]'>", "x![a \\[b\\]](http://e.com/x.png)"),
    "code": ("<p><code>a_b`c</code> <code>`</code>", "``a_b`c`` `` ` ``"),
    "a link in code": (
        "<p><code>a <a href=/x><b>b</b></a></code>", "`a` [`b`](http://e.com/x)",
    ),
    "a list": ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "- a\n- b\n  - c\n- d"),
    "a list with paragraphs": ("<ul><li><p>a</p><p>b</p><li>c</ul>", "- a\n\n  b\n\n- c"),
    "two lists": ("<ul><li>a</ul><ul><li>b</ul>", "- a\n+ b"),
    "definitions": ("<dl><dt>t<dd>d<dd>e</dl>", "t\n\n- d\n- e"),
    "a quotation": (
        "<blockquote><p>a<p>b</blockquote><blockquote>c</blockquote>", "> a\n>\n> b\n\n> c",
    ),
    "a table": (
        "<table><tr><th>a<th>b|<tr><td>1<br>2<td><code>x|y</code></table>",
        "| a | b\\| |\n| --- | --- |\n| 1<br>2 | `x\\|y` |",
    ),
    "a table without a head": (
        "<table><tr><td>a<td>b</table>", "| | |\n| --- | --- |\n| a | b |",
    ),
    "cells of nothing but line breaks": ("<table><tr><td>a<td><br></table>", "a"),
    "a table of a layout": ("<table><tr><td><p>a<p>b<tr><td>c</table>", "a\n\nb\n\nc"),
    "a block of code": ("<pre>a\n  ```b</pre>", "````\na\n  ```b\n````"),
    "a rule": ("a<hr>b", "a\n\n***\n\nb"),
    "tags": ("<p>H<sub>2</sub>O <s>a</s>", "H<sub>2</sub>O <del>a</del>"),
}  # fmt: skip


@pytest.mark.parametrize(("inside", "written"), WRITTEN.values(), ids=WRITTEN)
def test_markdown_of_elements(inside: str, written: str) -> None:
    html = to_html(inside)
    assert markdown(html) == written
    assert_same(html)


HARMLESS = [
    "# a", "#", "1. a", "1) a", "12345. a", "- a", "-", "---", "- - -", "+ a", "* a", "***", "___",
    "> a", ">a", "===", "=", "`a`", "```", "~~~", "| a | b |", "|-|", ":-:", ":--", "-:|-",
    "[a](b)", "[a]: /b", "![a](b)", "[a][b]", "<b>a</b>", "<!-- a", "<a@b.c>", "<http://e.com>",
    "<div>", "&amp;", "&copy", "&copy;", "&#65;", "a\\", "\\", "\\*", "*a*", "_a_", "__a__",
    "a_b_c", "a*b*c", "~~a~~", "a!", "http://e.com/a_b_c", "$a$", "[^1]: a", "[ ] a", "\\|", "a\\|",
    ":smile:", "\tcode", "    code", "&nbsp;", "é_é", "«a»", "a  ", "a\\ ", "“", "€", "☃", "。",
]  # fmt: skip
"""Texts that would be markup if they were not escaped."""
AROUND = [
    "{}", "<p>{}", "<p>a {} b", "<p>a<br>{}", "<p>a<br>{}<br>b", "<h3>{}</h3>", "<h3>a {}</h3>",
    "<ul><li>{}<li>{}</ul>", "<ol><li>a<ul><li>{}</ul></ol>", "<blockquote>{}</blockquote>",
    "<table><tr><td>{}<td>b<tr><td>c<td>{}</table>", "<p><a href=/x>{}</a>", "<p>a<b>{}</b>c",
    "<p><b>a</b>{}<i>b</i>", "<p>a<i>{}</i>", "<pre>{}</pre>", "<p><code>{}</code>",
    "<dl><dt>{}<dd>{}</dl>", "<p>x {}<img src=/i alt='{}'>", "<p>x {}<a href=/i>b</a>",
    "<p><sup>{}</sup>", "<p><i>a</i><b>{}</b>c", "<table><tr><td><code>{}</code><td>b</table>",
]  # fmt: skip


@pytest.mark.parametrize("text", HARMLESS)
@pytest.mark.parametrize("around", AROUND)
def test_text_is_never_interpreted_as_markup(text: str, around: str) -> None:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;")
    assert_same(to_html(around.format(*[text] * 2)))


# --- properties of generated pages ----------------------------------------------------------------

texts = st.one_of(
    st.sampled_from(HARMLESS),
    st.text("*_`[]()<>!#&;\\|~-+=.1a é«» \u3000中。€", max_size=6),
    st.sampled_from(["word", " word", "word ", " two words ", ".", "1", " "]),
).map(lambda text: text.replace("&", "&amp;").replace("<", "&lt;"))
BREAKS = ["<br>", "<br><br>", " <br> ", "<img src=/i alt='*a](b'>", "<img src='/i(' alt=''>"]


INLINE = ["b", "i", "em", "strong", "code", "sub", "sup", "s", "a href='/x(&amp;copy;)'", "kbd",
          "abbr", "mark"]  # fmt: skip


def elements(tags: list[str], inside: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda tag, content: f"<{tag}>{content}</{tag.split()[0]}>", st.sampled_from(tags), inside
    )


def some(one: st.SearchStrategy[str], most: int = 4) -> st.SearchStrategy[str]:
    return st.lists(one, max_size=most).map("".join)


line = st.recursive(
    st.one_of(texts, texts, st.sampled_from(BREAKS)),
    lambda inner: elements(INLINE, some(inner, 3)),
    max_leaves=6,
)
lines = some(line)
cells = st.lists(elements(["td", "th", "td colspan=2", "td rowspan=2"], lines), max_size=3)
tables = st.lists(cells.map(lambda row: f"<tr>{''.join(row)}</tr>"), max_size=3).map(
    lambda rows: f"<table>{''.join(rows)}</table>"
)
blocks = st.recursive(
    st.one_of(
        elements(["p", "h1", "h4", "div", "figcaption"], lines),
        lines,
        elements(["pre", "pre><code"], texts).map(lambda pre: pre.replace("</pre>", "\n x</pre>")),
        st.just("<hr>"),
        tables,
    ),
    lambda inner: st.one_of(
        elements(["blockquote", "figure", "section"], some(inner, 3)),
        elements(["ul", "ol", "ol start=7"], st.lists(some(inner, 3), max_size=3).map(
            lambda items: "".join(f"<li>{item}</li>" for item in items))),
        elements(["dl"], st.lists(some(inner, 2), max_size=2).map(
            lambda items: "".join(f"<dt>t{item}</dt><dd>{item}</dd>" for item in items))),
        elements(["table><tr><td"], some(inner, 2)),
    ),
    max_leaves=8,
)  # fmt: skip


@given(some(blocks, 4))
@example("<p><i><b># a</b><i>1. a</i></i></p>")  # the inner <i> is not written
def test_markdown_has_the_structure_of_the_html(inside: str) -> None:
    assert_same(to_html(inside))


def test_deeply_nested_lists_keep_their_structure() -> None:
    inside = "".join(f"<ul><li>a{depth}" for depth in range(30))
    assert_same(to_html(inside))


@pytest.mark.parametrize(
    "inside",
    ["<ul><li>a", "<blockquote>a", "<b>a<i>", "<p>a<b>«</b>", "`", "<code>`</code>a",
                   "<table><tr><td>a<td>", "&amp;", "<ol start=7><li>a", "<pre>`",
                   "<table><tr><td>a<td>b<table>", "!<a href=x>a</a>"],
)  # fmt: skip
def test_time_and_size_grow_linearly(inside: str) -> None:
    sizes = [len(markdown(to_html(inside * count))) for count in (500, 2000)]
    assert sizes[1] < 6 * sizes[0] + 1000

    def work(count: int) -> Callable[[], object]:
        html = to_html(inside * count)
        return lambda: markdown(html)

    assert_linear(work, 1000, most_of(inside))
