"""Rendering of images, tables, lists, code, formulas, media players, directions and languages."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from pages import outline, rendered
from structure import structure

from scrapy_mainblock.fields.sources.pictures import is_placeholder, largest_of
from scrapy_mainblock.render.attributes import language_of
from scrapy_mainblock.render.markdown import markdown

COMMONMARK = MarkdownIt("commonmark").enable("table")
GIF = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def to_html(inside: str) -> str:
    return rendered(outline(inside, "http://e.com/d/p")).html


# --- images ---------------------------------------------------------------------------------------

PICTURES = {
    "its own": ("<img src=/a.jpg>", "/a.jpg"),
    "one that is loaded later": (f"<img src='{GIF}' data-src=/a.jpg>", "/a.jpg"),
    "without a placeholder": ("<img data-original=/a.jpg>", "/a.jpg"),
    "beside a picture of the same": ("<img src=/small.jpg data-src=/a.jpg>", "/a.jpg"),
    "a set that is loaded later": (
        f"<img src='{GIF}' data-srcset='/s.jpg 100w, /a.jpg 900w, /m.jpg 300w'>", "/a.jpg",
    ),
    "a set": ("<img srcset='/a.jpg 2x, /s.jpg'>", "/a.jpg"),
    "its own rather than a set": ("<img src=/a.jpg srcset='/b.jpg 900w'>", "/a.jpg"),
    "commas in a set": ("<img srcset='/w_1,h_2/a.jpg 2x, /w_1,h_1/s.jpg 1x'>", "/w_1,h_2/a.jpg"),
    "a source of a picture": (
        "<picture><source srcset='/s.webp 1w, /a.webp 9w'><img src=/blank.gif></picture>",
        "/a.webp",
    ),
    "a copy for readers without scripts": (
        f"<img class=lazy src='{GIF}'><noscript><img src=/a.jpg></noscript>", "/a.jpg",
    ),
    "what is no address": ("<img src=/a.jpg data-src='{\"x\": 1}' data-image=42>", "/a.jpg"),
    "a name that begins like a placeholder's": ("<img src=/pixel-art-of-a-cat.png>",
                                                "/pixel-art-of-a-cat.png"),
}  # fmt: skip


@pytest.mark.parametrize(("inside", "source"), PICTURES.values(), ids=PICTURES)
def test_rendered_image_is_the_one_that_readers_see(inside: str, source: str) -> None:
    assert to_html(f"<p>x {inside}") == f'<p>x <img src="http://e.com{source}" alt=""></p>'


@pytest.mark.parametrize(
    "inside",
    [f"<img src='{GIF}'>", "<img src=/img/placeholder.png>", "<img src=/lazyload-1x1.gif>",
     "<img src=about:blank>", "<img src=/spacer.gif?x=1>", "<img src='' alt=x>",
     "<img src=/blank.gif><noscript><img src=/blank.gif></noscript>"],
)  # fmt: skip
def test_placeholder_images_are_dropped(inside: str) -> None:
    assert to_html(f"<p>x {inside} y") == "<p>x y</p>"


def test_image_keeps_its_caption() -> None:
    html = to_html("<p>x</p><figure><img src=/a alt=b><figcaption>C</figcaption></figure><p>y")
    assert '<figure><p><img src="http://e.com/a" alt="b"></p><figcaption>C</figcaption>' in html


@pytest.mark.parametrize("name", ["blank.gif", "transparent_1x1.png", "img-placeholder-300x200.jpg",
                                  "loading.gif", "1x1.gif"])  # fmt: skip
def test_placeholders_are_recognized_by_name(name: str) -> None:
    assert is_placeholder(f"http://e.com/x/{name}")


def test_first_image_of_a_srcset_without_sizes_is_taken() -> None:
    assert largest_of("/a.jpg, /b.jpg") == "/a.jpg"
    assert largest_of(" , ") is None


# --- other elements -------------------------------------------------------------------------------

SAME = {
    "cells that span others": (
        "<table><tr><td colspan=2>a<td rowspan=3 colspan=0>b<tr><td colspan=x>c<td>d</table>",
        ('<table><tr><td colspan="2">a</td><td rowspan="3">b</td></tr>'
        "<tr><td>c</td><td>d</td></tr></table>"),
    ),
    "headers and a caption": (
        "<table><caption>C</caption><thead><tr><th>a<th><tbody><tr><td><td>1</table>",
        ("<table><caption>C</caption><thead><tr><th>a</th><th></th></tr></thead>"
        "<tbody><tr><td></td><td>1</td></tr></tbody></table>"),
    ),
    "no row of empty cells": ("<table><tr><td><td><tr><td>a<td></table>",
                              "<table><tr><td>a</td><td></td></tr></table>"),
    "no table of empty cells": ("<p>x</p><table><tr><td></td></tr></table>", "<p>x</p>"),
    "a list that begins later": ("<ol start=4><li>a</ol>", '<ol start="4"><li>a</li></ol>'),
    "a list that begins nowhere": ("<ol start=-4><li>a</ol>", "<ol><li>a</li></ol>"),
    "code with its language": (
        "<pre><code class='hljs language-js'>a\n  b</code></pre>",
        '<pre><code class="language-js">a\n  b</code></pre>',
    ),
    "a language around code": (
        "<div class='highlight-python3 notranslate'><div><pre>a</pre></div></div>",
        '<pre><code class="language-python3">a</code></pre>',
    ),
    "code without one": ("<pre><code>a</code></pre>", "<pre><code>a</code></pre>"),
    "a formula of KaTeX": (
        ("<p>if <span class=katex><span class=katex-mathml><math><semantics><mi>x</mi><annotation"
        " encoding='application/x-tex'>x&lt;\\frac{1}{2}</annotation></semantics></math></span>"
        "<span class=katex-html aria-hidden=true>x<b>&lt;1/2</b></span></span> and"),
        '<p>if <code class="language-math">x&lt;\\frac{1}{2}</code> and</p>',
    ),
    "a formula of MathJax": (
        ("<p>a <span class=MathJax_Preview>[x]</span><script type='math/tex; mode=display'>x_1"
        "</script> b"), '<p>a <code class="language-math">x_1</code> b</p>',
    ),
    "a formula of MediaWiki": (
        ("<p>a <math alttext='{x}'><mi>x</mi></math><img src=/x.svg"
        " class=mwe-math-fallback-image-inline> b"),
        '<p>a <code class="language-math">{x}</code> b</p>',
    ),
    "a formula in MathML": (
        ("<p>a <math><msup><mi>x</mi><mn>2</mn></msup><mo>=</mo><mfrac><mi>a</mi><msqrt><mn>2</mn>"
        "</msqrt></mfrac><!-- c --></math>"),
        '<p>a <code class="language-math">x^{2}=\\frac{a}{\\sqrt{2}}</code></p>',
    ),
    "indices and powers": ("<p>H<sub>2</sub> x<sup>2</sup>", "<p>H<sub>2</sub> x<sup>2</sup></p>"),
    "a video": (
        "<p>a</p><div><iframe src=//www.youtube.com/embed/x title='A &lt;b&gt;'></iframe></div>b",
        '<p>a</p><p><a href="http://www.youtube.com/embed/x">A &lt;b&gt;</a></p><p>b</p>',
    ),
    "no decoration": ("<p>a</p><video src=/a.mp4 autoplay></video>b", "<p>a</p><p>b</p>"),
    "a video that is loaded later": (
        "<p>a</p><iframe src=about:blank data-src=https://player.vimeo.com/video/1></iframe>b",
        '<p>a</p><p><a href="https://player.vimeo.com/video/1">player.vimeo.com</a></p><p>b</p>',
    ),
    "a sound": (
        "<p>a</p><audio aria-label=Song><source src=/a.mp3></audio>b",
        '<p>a</p><p><a href="http://e.com/a.mp3">Song</a></p><p>b</p>',
    ),
    "no advertisement": ("<p>a</p><iframe src=//ads.example/x></iframe>b", "<p>a</p><p>b</p>"),
    "no video of a script": ("<p>a</p><video src=javascript:x></video>b", "<p>a</p><p>b</p>"),
    "a quoted post": (
        ("<blockquote class=twitter-tweet><p lang=en dir=ltr>It is.</p>&mdash; A (@a) <a"
        " href=https://twitter.com/a/status/1>May 1</a></blockquote>"),
        ('<blockquote><p dir="ltr" lang="en">It is.</p><p>— A (@a) '
        '<a href="https://twitter.com/a/status/1">May 1</a></p></blockquote>'),
    ),
    "right to left": (
        "<div dir=rtl><p>a<ul><li>b</ul>c</div><p>d",
        '<p dir="rtl">a</p><ul dir="rtl"><li>b</li></ul><p dir="rtl">c</p><p>d</p>',
    ),
    "a language": ("<p lang=de>a<p lang='\"x'>b", '<p lang="de">a</p><p>b</p>'),
}  # fmt: skip


@pytest.mark.parametrize(("inside", "html"), SAME.values(), ids=SAME)
def test_html_of_elements(inside: str, html: str) -> None:
    found = to_html(inside).replace("<tbody>", "").replace("</tbody>", "")
    assert found == html.replace("<tbody>", "").replace("</tbody>", "")


@pytest.mark.parametrize(("inside", "html"), SAME.values(), ids=SAME)
def test_rendered_html_renders_to_the_same_structure(inside: str, html: str) -> None:
    if "<math" not in inside:
        assert structure(to_html(to_html(inside))) == structure(to_html(inside))


def test_empty_cells_keep_their_position() -> None:
    html = to_html("<table><tr><td>a<td><script>x</script><td>c</table>")
    assert "<td>a</td><td></td><td>c</td>" in html


@pytest.mark.parametrize(
    ("classes", "language"),
    [("lang-c++", "c++"), ("brush: java; toolbar", "java"), ("highlight-source-shell", "shell"),
     ("language-none", ""), ("highlight-default notranslate", ""), ("slang-x", ""),
     ("sourceCode haskell", "haskell"), ("", "")],
)  # fmt: skip
def test_language_of_code_is_read_from_its_class(classes: str, language: str) -> None:
    assert language_of(classes) == language


# --- properties of any page -----------------------------------------------------------------------

embedded = st.sampled_from(
    [
        "<iframe src=//youtube.com/embed/x title='film 1'></iframe>",
        "<iframe src=//youtube.com/embed/x></iframe>",
        "<audio controls src=/a.mp3></audio>",
        "<math><mi>m</mi><mo>+</mo></math>",
        "<math><annotation encoding='application/x-tex'>a &lt; b|c</annotation></math>",
        "<script type='math/tex'>x</script>",
        "<span class=katex-html>k</span>",
        f"<img src='{GIF}' data-src=/a><noscript><img src=/a></noscript>",
        "<td></td>",
        "<ol start=3><li>",
        "<pre class=lang-x>",
    ]
)
tag = st.sampled_from("p div ul li table tr td th pre h2 b a blockquote caption dl dd".split())
soup = st.lists(
    st.one_of(
        embedded,
        tag.map(lambda name: f"<{name}>"),
        tag.map(lambda name: f"</{name}>"),
        st.from_regex(r" ?[a-z]{1,3}[0-9] ?", fullmatch=True),
    ),
    max_size=30,
).map("".join)


@example("<pre>a<ol><li><pre>b<ol><li>c")
@given(soup)
def test_text_html_and_markdown_have_the_same_words(inside: str) -> None:
    page = outline(f"<p>w</p>{inside}", "http://e.com/")
    found = rendered(page)
    again = rendered(outline(found.html))
    assert again.text.replace("|", " ").split() == found.text.replace("|", " ").split()
    assert structure(COMMONMARK.render(markdown(found.html))) == structure(found.html)
