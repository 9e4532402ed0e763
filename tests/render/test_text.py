"""Blocks as text and as clean HTML: the same words in both, and nothing unsafe in the second."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import tree

from scrapy_mainblock.core.addresses import safe_url
from scrapy_mainblock.core.text import to_html, to_text

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


def body(inside: str) -> list:
    return [tree(inside).find("body")]


def read(text: str) -> list[str]:
    """The words of a text; a bar only parts cells."""
    return text.replace("|", " ").split()


# --- text ---------------------------------------------------------------------------------------


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
def test_a_text_has_its_paragraphs_lines_and_cells(inside: str, text: str) -> None:
    assert to_text(body(inside)) == text


def test_several_blocks_are_several_paragraphs() -> None:
    root = tree("<span>one</span><span>two</span>")
    assert to_text(root.iter("span")) == "one\n\ntwo"
    assert to_html(root.iter("span")) == "<p>one</p><p>two</p>"


def test_a_blocks_tail_is_not_the_blocks() -> None:
    (bold,) = tree("<p>a <b>bold</b> tail</p>").iter("b")
    assert to_text([bold]) == "bold"
    assert to_html([bold]) == "<p><b>bold</b></p>"


def test_dropped_elements_leave_their_tails() -> None:
    root = tree("<div>a <b>no <i>nor</i></b>tail<p>no</p></div>")
    dropped = [*root.iter("b"), *root.iter("p")]
    assert to_text([root], dropped) == "a tail"
    assert to_html([root], dropped) == "<p>a tail</p>"


@given(soup)
def test_text_and_html_hold_the_same_words(inside: str) -> None:
    blocks = body(inside)
    again = to_text([tree(to_html(blocks))])
    assert read(again) == read(to_text(blocks))


@given(soup)
def test_a_text_has_no_loose_white_space(inside: str) -> None:
    text = to_text(body(re.sub(r"</?(pre|textarea)>", "", inside)))
    assert text == text.strip()
    assert "\n\n\n" not in text
    assert all(line == line.strip() for line in text.split("\n"))


# --- HTML ---------------------------------------------------------------------------------------


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
        ("<hr>", "<hr>"),
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
def test_the_html_is_minimal(inside: str, html: str | None) -> None:
    if html is None:
        html = '<p><img src="/x.png" alt="a &quot;b&quot;"></p>'
    assert to_html(body(inside)).replace("<tbody>", "").replace("</tbody>", "") == html.replace(
        "<tbody>", ""
    ).replace("</tbody>", "")


LISTED = {
    "a": {"href"},
    "img": {"src", "alt"},
    **{
        tag: set()
        for tag in (
            "abbr b blockquote br caption cite code dd del dl dt em figcaption figure h1 h2 h3 h4"
            " h5 h6 hr i ins kbd li mark ol p pre q s samp small strong sub sup table tbody td"
            " tfoot th thead time tr u ul var"
        ).split()
    },
}
VOID = {"br", "hr", "img"}


class Strict(HTMLParser):
    """Reads HTML and complains about whatever is not listed, not balanced or not safe."""

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
    """A dangerous URL as those write it who want it to be overlooked."""
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
def test_no_obfuscation_gets_a_dangerous_url_through(
    url: str, attribute: str, base: str | None
) -> None:
    tag = {"href": "a", "src": "img"}[attribute]
    html = to_html(body(f'{"before " * 99}<{tag} {attribute}="{url}">text</{tag}>'), base=base)
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
# More control characters than letters would make it no page but a binary file.
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
def test_only_listed_tags_attributes_and_safe_urls_come_out_and_all_is_balanced(
    inside: str, base: str | None
) -> None:
    Strict(to_html(body(inside), base=base))


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
def test_a_url_is_made_absolute_or_refused(value: str, base: str | None, url: str | None) -> None:
    assert safe_url(value, base) == url


@pytest.mark.parametrize(
    "source",
    [
        "<div>" + "<b>" * 1500 + "x<i>y</i>" * 20_000,
        "<div><b>" * 1000 + "x<br>" * 20_000,
        "<table>" + "<tr><td>x<td>y" * 10_000,
        "<ul><li>x" * 20_000,
        "<pre>" * 1500 + "x<b>y</b>" * 20_000,
    ],
)
def test_the_time_is_linear_in_what_is_open(source: str) -> None:
    blocks = body(source)
    assert len(to_html(blocks)) >= len(to_text(blocks)) > 1000
