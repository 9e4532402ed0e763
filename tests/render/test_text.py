"""Blocks rendered as text and as clean HTML: both have the same words, and the HTML is safe."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from growth import assert_linear, most_of
from hypothesis import given
from hypothesis import strategies as st
from pages import element, outline, rendered

from scrapy_mainblock.render.addresses import safe_url, without_controls
from scrapy_mainblock.render.render import Rendered, from_lines, from_segments

TAGS = (
    "div p span b i a ul ol li dl dt dd table tr td th tbody thead caption pre br hr h1 h2"
    " blockquote img script style button form section figure figcaption code abbr q custom-x font"
    " center nav body em sup textarea select option video"
).split()
words = st.from_regex(r"[a-z]{1,3}[0-9]", fullmatch=True)
piece = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.builds("{}{}{}".format, st.sampled_from(["", " ", "\n"]), words, st.sampled_from(["", " "])),
    st.sampled_from([" ", "\n", "<!-- c -->", "&lt;b&gt;", "&amp;amp;", '<a href="/x">', "<?p?>"]),
)
soup = st.lists(piece, max_size=40).map("".join)


def to_text(inside: str) -> str:
    return rendered(outline(inside)).text


def to_html(inside: str, base: str | None = None) -> str:
    return rendered(outline(inside, base)).html


def words_of(text: str) -> list[str]:
    """Return the words of a text without the bars between cells."""
    return text.replace("|", " ").split()


# --- text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("one<div>two</div>three", "one\n\ntwo\n\nthree"),
        ("<p>a <b>bold</b>,  <i>i</i>talic\n word</p>", "a bold, italic word"),
        ("<p>S<b>o</b>me</p>", "Some"),
        ("<ul><li>one</li><li>two</li></ul>", "one\ntwo"),
        ("<p>a</p><ol><li>one<ul><li>in</li></ul></li></ol>b", "a\n\none\n\nin\n\nb"),
        ("<dl><dt>term</dt><dd>what</dd></dl>", "term\nwhat"),
        ("<table><tr><td>1</td><td>2</td></tr><tr><th>3<th>4</table>", "1 | 2\n3 | 4"),
        ("<table><tr><td></td><td>2</td></tr></table>", "2"),
        ("line<br>next", "line\nnext"),
        ("par<br><br>next", "par\n\nnext"),
        ("par<br/> \n <br/>next", "par\n\nnext"),
        ("<pre>  a\n    b\n\n  c</pre>", "a\n    b\n\n  c"),
        ("<p>x</p><pre>a\r\nb</pre>", "x\n\na\nb"),
        ("<p>a</p><script>no()</script><style>no{}</style><p>b</p>", "a\n\nb"),
        ("a<!-- no -->b<?no?>c", "abc"),
        ("a <button>no</button><select><option>no</select><textarea>no</textarea>b", "a b"),
        ("x\xa0y &lt;b&gt; &amp;amp;", "x y <b> &amp;"),
        ("a\x01\x7fb&#1;", "ab"),
        ("  \n ", ""),
        ("", ""),
        ("<p></p><div> </div><br>", ""),
    ],
)
def test_text_has_paragraphs_lines_and_cells(inside: str, text: str) -> None:
    assert to_text(inside) == text


def rendered_part(inside: str, identifier: str, kept: str = "", muted: str = "") -> Rendered:
    """Render the kept segments of an element, without a muted element."""
    page = outline(inside)
    flags = bytes(one != "n" for one in kept or "y" * page.rows.segment_count)
    without = [element(page, muted)] if muted else []
    return from_segments(page, flags, element(page, identifier), without)


@pytest.mark.parametrize(
    ("inside", "text", "html"),
    [
        ("<p>a <b id=x>bold</b> tail</p>", "bold", "<p><b>bold</b></p>"),
        ("<p>a</p><div id=x>b<p>c</div>d", "b\n\nc", "<p>b</p><p>c</p>"),
        ("<ul><li>a<li id=x>b</ul>", "b", "<p>b</p>"),
        ("<table><tr id=x><td>a<td>b</table>", "a | b", "<p>a</p><p>b</p>"),
        ("<p>a<br id=x>b", "", ""),
        ("<div id=x></div>", "", ""),
    ],
)
def test_only_the_given_element_is_rendered(inside: str, text: str, html: str) -> None:
    assert rendered_part(inside, "x") == Rendered(text, html)


PARTS = {
    "an item": (
        "<ul id=x><li>a<li>b<li>c</ul>", "yny", "", "a\nc", "<ul><li>a</li><li>c</li></ul>",
    ),
    "a line": ("<p id=x>a<br>b<br>c", "yny", "", "a\n\nc", "<p>a<br><br>c</p>"),
    "a cell": (
        "<table id=x><tr><td>a<td>b<tr><td>c</table>", "yny", "", "a\nc",
        "<tr><td>a</td><td></td></tr><tr><td>c</td></tr>",
    ),
    "a paragraph": ("<div id=x><p>a<p>b<p>c</div>", "yny", "", "a\n\nc", "<p>a</p><p>c</p>"),
    "all": ("<div id=x><p>a<p>b</div>", "nn", "", "", ""),
    "what is muted": (
        "<div id=x>a <b id=y>no <i>nor</i></b>tail<p>no</p></div>", "yn", "y", "a tail",
        "<p>a tail</p>",
    ),
    "not what is muted and holds a block": (
        "<div id=x>a <b id=y>b<section>c</section></b></div>", "yy", "y", "a b\n\nc",
        "<p>a b</p><p>c</p>",
    ),
    "a link without anything else in it": (
        "<p id=x>a<br><a href=/y> <b>c</b></a></p>", "yn", "", "a", "<p>a<br></p>",
    ),
    "but a picture beside what is kept": (
        "<div id=x><p>a</p><p><img src=/i></p><p>b</div>", "yn", "", "a",
        '<p>a</p><p><img src="/i" alt=""></p>',
    ),
    "a picture with it": (
        "<div id=x><p>a</p><p><img src=/i>b</p></div>", "yn", "", "a", "<p>a</p>",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("inside", "kept", "muted", "text", "html"), PARTS.values(), ids=PARTS)
def test_dropped_segments_and_muted_elements_are_not_rendered(
    inside: str, kept: str, muted: str, text: str, html: str
) -> None:
    found = rendered_part(inside, "x", kept, muted)
    assert (found.text, re.sub("</?table>", "", found.html)) == (text, html)


def test_words_around_a_dropped_block_are_not_joined() -> None:
    found = rendered_part("<div id=x>a<p>b</p>c</div>", "x", "yny")
    assert (found.text, found.html) == ("a c", "<p>a c</p>")


def test_lines_become_paragraphs() -> None:
    found = from_lines([" a  < b ", "", " \t", "c & \x01d"])
    assert found == Rendered("a < b\n\nc & d", "<p>a &lt; b</p><p>c &amp; d</p>")
    assert from_lines(["", " "]) == Rendered("", "")


@given(st.text(max_size=60))
def test_only_control_characters_are_removed(text: str) -> None:
    found = without_controls(text)
    assert found == without_controls(found)
    assert [one for one in text if one.isprintable() or one in "\n\t\r"] == [
        one for one in found if one.isprintable() or one in "\n\t\r"
    ]


@given(soup, st.randoms(use_true_random=False))
def test_text_and_html_of_some_segments_have_the_same_words(inside: str, dice: Any) -> None:
    page = outline(inside)
    kept = bytes(dice.random() < 0.5 for _ in page.texts)
    found = from_segments(page, kept, page.rows.body)
    assert words_of(to_text(found.html)) == words_of(found.text)
    shown = "".join(text for text, keep in zip(page.texts, kept, strict=True) if keep)
    assert "".join(words_of(found.text)) == "".join(shown.split())


@given(soup)
def test_text_and_html_have_the_same_words(inside: str) -> None:
    found = rendered(outline(inside))
    assert words_of(to_text(found.html)) == words_of(found.text)


@given(soup)
def test_text_has_no_superfluous_whitespace(inside: str) -> None:
    text = to_text(re.sub(r"</?(pre|textarea)>", "", inside))
    assert text == text.strip()
    assert "\n\n\n" not in text
    assert all(line == line.strip() for line in text.split("\n"))


# --- HTML -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "html"),
    [
        ("<div><div>one</div>two</div>", "<p>one</p><p>two</p>"),
        ('<p class="x" onclick="y()">one</p>', "<p>one</p>"),
        ("<h2>T</h2>text", "<h2>T</h2><p>text</p>"),
        ("<p>S<b>o</b>me <i> more</i></p>", "<p>S<b>o</b>me <i> more</i></p>"),
        ("<ul><li>one<li>two</ul>", "<ul><li>one</li><li>two</li></ul>"),
        ("<ul>loose<li>one</ul>", "<ul><li>loose</li><li>one</li></ul>"),
        ("<li>alone</li>", "<p>alone</p>"),
        ("<ul><li>a<div>b</div>c</li></ul>", "<ul><li>a<br>b<br>c</li></ul>"),
        ("<ul><li><b>a</b><div>b</div></li></ul>", "<ul><li><b>a</b><br>b</li></ul>"),
        ("<ul><li>a<p>b</p>c</li></ul>", "<ul><li>a<p>b</p>c</li></ul>"),
        (
            "<table><tr><td>1<div>2</div></td></tr></table>",
            "<table><tbody><tr><td>1<br>2</td></tr></tbody></table>",
        ),
        ("<pre>a\n  <b>b</b><div>c</div></pre>", "<pre>a\n  <b>b</b>\nc</pre>"),
        ("a<br>b", "<p>a<br>b</p>"),
        ("<br>", ""),
        ("<p></p><ul><li></li></ul>", ""),
        ("a<hr>b", "<p>a</p><hr><p>b</p>"),
        ("<hr>", ""),
        ("1 &lt; 2 &amp;&quot;", '<p>1 &lt; 2 &amp;"</p>'),
        ('<a href="/x">t</a>', '<p><a href="/x">t</a></p>'),
        ('<a href="/x?a=1&b=2">t</a>', '<p><a href="/x?a=1&amp;b=2">t</a></p>'),
        ("<a>t</a>", "<p>t</p>"),
        ('<a href="javascript:x()">t</a>', "<p>t</p>"),
        ('<img src="/x.png" alt="a &quot;b&quot;">', None),
        ("<img>", ""),
        ("<script>alert(1)</script><iframe src=x></iframe><object></object>", ""),
    ],
)
def test_html_is_minimal(inside: str, html: str | None) -> None:
    if html is None:
        html = '<p><img src="/x.png" alt="a &quot;b&quot;"></p>'
    assert to_html(inside).replace("<tbody>", "").replace("</tbody>", "") == html.replace(
        "<tbody>", ""
    ).replace("</tbody>", "")


DIRECTION = {"dir", "lang"}
VALUES = {
    "class": r"language-[\w+#.-]+", "dir": "ltr|rtl|auto", "lang": r"[\w-]+", "start": r"\d+",
    "colspan": r"\d+", "rowspan": r"\d+", "alt": r"(?s:.*)", "src": r"(?s:.*)",
    "href": r"(?s:.*)",
}  # fmt: skip
LISTED = {
    "a": {"href", *DIRECTION},
    "img": {"src", "alt"},
    "ol": {"start", *DIRECTION},
    "td": {"colspan", "rowspan", *DIRECTION},
    "th": {"colspan", "rowspan", *DIRECTION},
    "code": {"class", *DIRECTION},
    **dict.fromkeys(
        "abbr b blockquote br caption cite dd del dl dt em figcaption figure h1 h2 h3 h4"
        " h5 h6 hr i ins kbd li mark p pre q s samp small strong sub sup table tbody"
        " tfoot thead time tr u ul var".split(),
        DIRECTION,
    ),
}
VOID = {"br", "hr", "img"}


class Strict(HTMLParser):
    """A parser that raises an error for HTML that is not allowed, not balanced or not safe."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.urls: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= LISTED[tag]
        assert len(dict(attrs)) == len(attrs)
        for name, value in attrs:
            assert re.fullmatch(VALUES[name], value or ""), (name, value)
            if name in ("href", "src"):
                self.urls.append(value or "")
                scheme = re.match(
                    r"([a-z][a-z0-9+.-]*):", re.sub(r"[\x00-\x20]", "", value or ""), re.I
                )
                bare = scheme[1].lower() if scheme else "http"
                image = tag == "img" and re.match(r"data:image/(png|gif|jpeg);base64,", value or "")
                assert image or bare in ("http", "https", "mailto"), value
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)


junk = st.text(st.characters(max_codepoint=0x20, exclude_categories=()), max_size=2)


@st.composite
def obfuscated(draw: st.DrawFn) -> str:
    """Draw a dangerous URL that is disguised as attackers do it."""
    written = []
    for character in draw(st.sampled_from(["javascript:", "vbscript:", "data:text/html,"])):
        own = draw(st.sampled_from([character, character.upper()]))
        as_entity = draw(st.sampled_from(["{}", "&#{1};", "&#x{1:x};", "&#0000{1};"]))
        written.append(as_entity.format(own, ord(own)))
        written.append(
            draw(st.sampled_from(["", "", "", "\t", "\n", "&Tab;", "&NewLine;", "\x01"]))
        )
    return draw(junk) + "".join(written) + "alert(1)"


@given(obfuscated(), st.sampled_from(["href", "src"]), st.sampled_from([None, "http://e.com/d/"]))
def test_obfuscated_dangerous_urls_are_removed(url: str, attribute: str, base: str | None) -> None:
    tag = {"href": "a", "src": "img"}[attribute]
    html = to_html(f'{"before " * 99}<{tag} {attribute}="{url}">text</{tag}>', base)
    assert not any("alert" in found for found in Strict(html).urls)


attributes = st.sampled_from(
    [
        'onclick="x()"',
        'style="a:url(javascript:x)"',
        'href="&#106;avascript:x()"',
        'href="x:y"',
        'href="//e.com/&quot;onclick=&quot;x"',
        "href='a\"b>c'",
        'src="data:text/html;base64,PHNjcmlwdD4="',
        'src="data:image/svg+xml;base64,PHN2Zz4="',
        'src="data:image/png;base64,iVBORw0="',
        'src="x" alt="&quot;&gt;&lt;script&gt;"',
        "id=x",
        "/",
        '"',
    ]
)
# With more control characters than letters, the page would count as a binary file.
readable = st.characters(exclude_categories=("Cc", "Cs"), include_characters="\t\n\x85")
tags_with_attributes = st.builds(
    "<{} {}>".format,
    st.sampled_from([*TAGS, "a", "img", "svg", "math", "base", "template", "noscript"]),
    attributes,
)


@given(
    st.lists(
        st.one_of(piece, tags_with_attributes, st.text(readable, max_size=8)), max_size=40
    ).map("".join),
    st.sampled_from([None, "http://e.com/d/", "javascript:x", "data:,x", "http://[bad"]),
)
def test_html_is_balanced_with_allowed_tags_attributes_and_urls(
    inside: str, base: str | None
) -> None:
    Strict(to_html(inside, base))


@pytest.mark.parametrize(
    ("value", "base", "url"),
    [
        ("/a", "http://e.com/d/x", "http://e.com/a"),
        ("b c.pdf", "http://e.com/d/x", "http://e.com/d/b%20c.pdf"),
        (" /a\n", None, "/a"),
        ("//cdn.e.com/a", "https://e.com/", "https://cdn.e.com/a"),
        ("#top", "http://e.com/d", "http://e.com/d#top"),
        ("mailto:a@e.com", "http://e.com/", "mailto:a@e.com"),
        ("HTTPS://E.com/", None, "HTTPS://E.com/"),
        ("/a:b", None, "/a:b"),
        ("?q=javascript:x", None, "?q=javascript:x"),
        ("javascript:x", None, None),
        ("java\nscript:x", None, None),
        ("java script:x", None, None),
        ("\x00javascript:x", None, None),
        ("file:///etc/passwd", None, None),
        ("", None, None),
        (" ", "http://e.com/", "http://e.com/"),
        ("http://[bad", "http://e.com/", "http://[bad"),
        ("//[bad", "http://e.com/", None),
        ("a", "javascript:x", "a"),
    ],
)
def test_url_is_made_absolute_or_refused(value: str, base: str | None, url: str | None) -> None:
    assert safe_url(value, base) == url


HREFS = (
    *("", "/", "#x", "//h/x", "/a/../b?c#", "/s", "HTTP://x.example/ä", "javascript:x", " /a b"),
    *("/a?#b", "http://a.example/b", "https://a.example/?a=1&amp;b=2", "http://a.example/'"),
    *("https://a.example/ b", "http://", "https:/x", "http://[", "mailto:a@b.c", "http://a/\x01"),
    *("data:image/png;base64,QQ==", "ftp://a/", "http://a.example/%20", "x:y", "httpx://a/"),
)
BASES = (
    *(None, "http://news.example/a/b.html?x", "https://news.example:81", "http://news.example?a/b"),
    *("news", "http://[", "HTTP://News.example", "http://a@news.example/"),
)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("href", HREFS)
def test_link_has_its_safe_url_or_none(href: str, base: str | None) -> None:
    found = to_html(f'<p>a <a href="{href}">b</a>', base)
    url = safe_url(unescape(href), base)
    assert found == (f'<p>a <a href="{escape(url)}">b</a></p>' if url else "<p>a b</p>")


@given(st.sampled_from(BASES), st.text("/ab.?:;#=&%-_'\"<é ", max_size=9).map("/".__add__))
def test_relative_link_has_its_safe_url_or_none(base: str | None, path: str) -> None:
    test_link_has_its_safe_url_or_none(escape(path), base)


@given(st.text("aé&<>\"'", max_size=5))
def test_attributes_are_escaped(text: str) -> None:
    written = escape(text)
    found = to_html(f'<p>a <img src="/{written}" alt="{written}">', "http://e.example/")
    assert found == f'<p>a <img src="http://e.example/{written}" alt="{written}"></p>'


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        ("<div>" + "<b>" * 1500, "x<i>y</i>"),
        ("<div><b>" * 1000, "x<br>"),
        ("<table>", "<tr><td>x<td>y"),
        ("", "<ul><li>x"),
        ("<pre>" * 1500, "x<b>y</b>"),
        ("", "<b>x"),
        ("", "<div>x"),
        ("", "<table><tr><td>x"),
        ("", "<a href=/x>x<p>"),
        ("<pre>", "x\n"),
        ("<pre>", "x\n\n<b></b>"),
        ("", "<blockquote><p></p>"),
        ("", "<p><img src=/x>"),
    ],
)
def test_rendering_takes_linear_time(head: str, piece: str) -> None:
    def work(times: int) -> Callable[[], object]:
        page = outline(head + piece * times)
        page.rows  # noqa: B018 - the scan is not measured
        return lambda: rendered(page)

    assert_linear(work, 2000, most_of(piece))
