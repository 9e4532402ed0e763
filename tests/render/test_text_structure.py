"""Structure that stays readable in the text: headings, lists, tables, code, quotes, definitions.

The table lists HTML that documentation generators and editors write, and its expected text.
"""

from __future__ import annotations

import pytest
from pages import outline, rendered

from scrapy_mainblock.page.tokens import token_list

PYGMENTS = (
    '<div class="highlight-python"><div class="highlight"><pre><span></span>'
    '<span class="k">def</span> <span class="nf">f</span>():\n'
    '    <span class="k">return</span> <span class="mi">1</span>\n\n'
    "\n<span class='c1'># end</span></pre></div></div>"
)
SHIKI = (
    '<pre class="shiki"><code><span class="line">if x:</span>\n'
    '<span class="line">    y()</span></code></pre>'
)
MANPAGE = (
    '<table class="table"><caption>Options</caption>'
    "<thead><tr><th>Name</th><th>Use</th></tr></thead>"
    "<tbody><tr><td><code>-v</code></td><td>more <b>words</b></td></tr>"
    "<tr><td>-q</td><td>fewer</td></tr></tbody></table>"
)

NUMBERED = (
    '<table><tr><td class="linenos"><pre>1\n2</pre></td>'
    '<td class="code"><pre>a\n  b</pre></td></tr></table>'
)

READABLE = {
    "headings": ("<h1>A</h1><h2>B</h2><p>c</p><h3>D</h3>e", "A\n\nB\n\nc\n\nD\n\ne"),
    "a heading in a header": (
        "<header><h1>A</h1><p>by B</p></header><p>c</p>",
        "A\n\nby B\n\nc",
    ),
    "items": ("<p>a:</p><ul>\n<li>one</li>\n<li>two</li>\n</ul><p>b</p>", "a:\n\none\ntwo\n\nb"),
    "items in items": (
        "<ol><li>one<ul><li>in</li></ul></li><li>two</li></ol>",
        "one\n\nin\n\ntwo",
    ),
    "items of paragraphs": ("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "a\n\nb\n\nc"),
    "a table": (MANPAGE, "Options\nName | Use\n-v | more words\n-q | fewer"),
    "rows whose cells hold paragraphs": (
        "<table><tr><td><p>a</p><td><p>b</p><tr><td><p>c</p><td>d</table><table><td><p>e</table>",
        "a | b\nc | d\n\ne",
    ),
    "rows whose cells hold divisions": (
        "<table><tr><th><div>a</div></th><td><div><span>b</span></div></td></tr></table>",
        "a | b",
    ),
    "rows of several lines": (
        "<table><tr><td>a</td><td><p>b</p><p>c</p></td></tr><tr><td>d</td><td>e</td></tr></table>",
        "a\n\nb\n\nc\n\nd | e",
    ),
    "a table in a table": (
        "<table><tr><td>a<td><table><tr><td>b<td>c</tr></table>d</table>",
        "a\n\nb | c\n\nd",
    ),
    "code": (
        f"<p>So:</p>{PYGMENTS}<p>Done</p>",
        "So:\n\ndef f():\n    return 1\n\n\n# end\n\nDone",
    ),
    "code in lines": (SHIKI, "if x:\n    y()"),
    "code in an item": (
        "<ol><li>Run<pre>  a\n    b</pre>then</li></ol>",
        "Run\n\n  a\n    b\n\nthen",
    ),
    "code with tabs": ("<pre>a:\n\tb\n</pre>", "a:\n\tb"),
    "lines of code that are divisions": ("<pre><div>a</div><div>  b</div></pre>", "a\n  b"),
    "code that ends with its line": ("<p>x</p><pre>a\n</pre><p>y</p>", "x\n\na\n\ny"),
    "code that begins with a new line": ("<p>x</p><pre>\n  a</pre>", "x\n\n  a"),
    "numbers of lines beside code": (NUMBERED, "a\n  b"),
    "numbers of lines in code": (
        '<pre><span class="lineno">1 </span>a\n<span class="lineno">2 </span>  b</pre>',
        "a\n  b",
    ),
    "a cell that is only called a gutter": (
        '<table><tr><td class="gutter">No. 1<td>b</table>',
        "No. 1 | b",
    ),
    "code in a sentence": ("<p>call <code>f( x )</code>, <kbd>Ctrl</kbd>+C</p>",
                           "call f( x ), Ctrl+C"),
    "a quote": (
        "<p>said</p><blockquote><p>one</p><p>two</p></blockquote><p>c</p>",
        "said\n\none\n\ntwo\n\nc",
    ),
    "definitions": ("<dl><dt>a</dt><dd>one</dd><dt>b</dt><dd>two</dd></dl>", "a\none\nb\ntwo"),
    "definitions of paragraphs": (
        '<dl class="py function"><dt><code>f(x)</code></dt><dd><p>Does.</p><p>More.</p></dd></dl>',
        "f(x)\n\nDoes.\n\nMore.",
    ),
    "a picture and its caption": (
        '<figure><img src="a.png" alt="A"><figcaption>cap</figcaption></figure><p>b</p>',
        "cap\n\nb",
    ),
    "lines of a poem": ("<p>one<br>two<br><br>three</p>", "one\ntwo\n\nthree"),
    "an admonition": (
        '<div class="note"><p class="title">Note</p><p>Mind.</p></div>',
        "Note\n\nMind.",
    ),
    "a disclosure": ("<details><summary>More</summary>a<p>b</p></details>", "More\n\na\n\nb"),
    "footnotes": ('<p>so<sup><a href="#n1">[1]</a></sup>, x<sub>2</sub></p>', "so[1], x2"),
    "cells that are empty": (
        ("<table><tr><td></td><td>x</td><td>y</td></tr>"
        "<tr><td>a</td><td></td><td>b</td></tr></table>"),
        "| x | y\na | | b",
    ),
    "a single cell": ("<table><tr><td></td><td>x</td></tr></table>", "x"),
}  # fmt: skip


def to_text(inside: str) -> str:
    return rendered(outline(inside)).text


def to_html(inside: str) -> str:
    return rendered(outline(inside)).html


@pytest.mark.parametrize(("inside", "text"), READABLE.values(), ids=READABLE)
def test_text_shows_the_structure(inside: str, text: str) -> None:
    assert to_text(inside) == text


@pytest.mark.parametrize(("inside", "text"), READABLE.values(), ids=READABLE)
def test_rendered_html_renders_to_the_same_text(inside: str, text: str) -> None:
    again = to_html(inside)
    assert to_text(again) == text
    assert to_html(again) == again


def test_cell_separators_and_bullets_are_not_tokens() -> None:
    assert token_list("a | b\n- c\n* d\n• e\n> f ¶ § #") == list("abcdef")
