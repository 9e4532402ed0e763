"""A page that the parser cannot take keeps its text, and says what was done to it."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import story, words

from scrapy_mainblock import extract, learn
from scrapy_mainblock.core import bounds
from scrapy_mainblock.core.page import Page

PAGE, URL = story()
TOO_DEEP = "elements nest more than"


def text_of(source: str) -> str:
    root = Page(source).root
    assert root is not None
    return "".join(root.text_content().split())


@pytest.mark.parametrize(
    ("name", "piece"),
    [
        ("unclosed inline", "<b>w{n} "),
        ("unclosed blocks", "<div>w{n} "),
        ("lists", "<ul><li>w{n} "),
        ("tables", "<table><tr><td>w{n} "),
        ("misnested", "<b><div></b>w{n} "),
        ("ends that are ignored", "<div><b>w{n} </i></u>"),
        ("many at a time", "<b><i><u><s>w{n} </s>"),
        ("paragraphs", "<p><font>w{n} "),
    ],
)
def test_every_word_of_a_page_that_nests_too_deep_is_kept(name: str, piece: str) -> None:
    source = "".join(piece.format(n=n) for n in range(5000)) + "<p>The end."
    page = Page(source)
    assert page.root is not None
    found = page.root.text_content()
    assert re.findall(r"w(\d+)\b", found) == [str(n) for n in range(5000)]
    assert found.endswith("The end.")
    if bounds.deepest() < sys.maxsize:
        assert page.cut is not None
        assert TOO_DEEP in page.cut or "too deep" in page.cut


def test_what_follows_what_was_too_deep_is_read_as_ever() -> None:
    article = extract("<div>" * 3000 + words(9) + "</div>" * 3000 + PAGE, URL)
    assert article.articleBody is not None
    assert "story0w50" in article.articleBody
    assert "\n\n" in article.articleBody


def test_blocks_that_are_too_deep_are_lines() -> None:
    deep = "<div>" * 3000 + "<div>one</div><p>t<b>w</b>o</p>" + words(50)
    article = extract(deep, URL, method="density")
    assert article.articleBody == f"one\n\ntwo\n\n{words(50)}".replace("\n\n", "\n")


def test_two_hundred_thousand_unclosed_tags_keep_all_their_text() -> None:
    article = extract("<b>x" * 200_000, URL)
    assert "".join((article.articleBody or "").split()) == "x" * 200_000
    assert "what is more is read as lines" in article.metadata["reason"]


def test_what_is_cut_is_said_by_rule_and_when_nothing_is_found() -> None:
    rules = learn([story(number) for number in range(8)])
    deep = PAGE.replace("</body>", "<i>" * 3000)
    by_rule = extract(deep, URL, rules)
    assert by_rule.metadata["method"] == "rule"
    nothing = extract("<div>" * 5000, URL)
    assert nothing.articleBody is None
    assert nothing.metadata["reason"].startswith("no main block found")
    if bounds.deepest() < sys.maxsize:
        assert TOO_DEEP in by_rule.metadata["reason"]
        assert TOO_DEEP in nothing.metadata["reason"]


def test_more_tags_than_can_be_kept_become_lines_and_no_text_is_lost() -> None:
    number = 2 * bounds.MOST_TAGS
    page = Page("".join(f"<p>w{n}</p>" for n in range(number)))
    assert page.root is not None
    assert page.cut == "it has too many tags: what is more is read as lines"
    assert re.findall(r"w(\d+)", " ".join(page.root.itertext())) == [str(n) for n in range(number)]
    assert sum(1 for _ in page.root.iter()) < bounds.MOST_TAGS + 10


def test_the_rest_does_not_vanish_in_what_is_not_shown() -> None:
    head = "<p>x" * bounds.MOST_TAGS
    for hidden in ("<select>", "<svg>", "<noscript>", "<head><title>t</title>"):
        page = Page(f"{hidden}{head}{hidden}<p>{words(99)}")
        assert page.cut
        assert "word98" in (extract(page.source, URL).articleBody or "")


def test_end_tags_that_end_nothing_do_not_count() -> None:
    page = Page("</div>" * 3 * bounds.MOST_TAGS + PAGE)
    assert page.cut is None
    assert text_of(page.source) == text_of(PAGE)


def _attributes(number: int, value: str = "") -> str:
    return " ".join(f"a{n}{value}" for n in range(number))


@pytest.mark.parametrize("value", ["", "=1", "='>'", '="<p>"', '="></script><b c="', " / "])
@pytest.mark.parametrize("tag", ["p", "script", "title", "img", "x-y"])
def test_of_too_many_attributes_the_first_are_kept(tag: str, value: str) -> None:
    end = f"</{tag}>" if tag in ("script", "title") else ""
    source = f"{PAGE}<{tag} {_attributes(40_000, value)}>{end}<p>{words(9)}</p>"
    page = Page(source)
    made_fit = bounds.within(bounds.without_end(source)).source
    root = lxml.html.document_fromstring(made_fit, parser=bounds.new_parser())
    most = max(len(element.attrib) for element in root.iter())
    assert most == bounds.MOST_ATTRIBUTES
    assert page.cut == "a tag has more than 500 attributes: what is more is read as lines"
    assert text_of(source).endswith("word8")


def test_a_quote_in_a_script_does_not_hide_a_tag() -> None:
    values = " ".join(f'a{n}="></script><b c="' for n in range(40_000))
    page = Page(f'<script>if (x<b && y="</script><p {values}>{words(9)}')
    assert page.cut is not None
    assert "attributes" in page.cut


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>a</p></body></html><p>b</p>", "ab"),
        ("<html><body><p>a</html><html lang=x><body class=y><div>b</div></body></html>", "ab"),
        ("<head></head></HTML\n><body><p>b</p>", "b"),
        ("<p>a</html>" + "<i>" * 3000 + "b", "ab"),
        ("<p>a</p></body><div>b</div>", "ab"),
    ],
)
def test_a_page_goes_on_behind_its_end(source: str, text: str) -> None:
    theirs = lxml.html.document_fromstring(source, parser=bounds.new_parser())
    for page in (Page(source), Page.parsed(source, theirs)):
        assert page.body is not None
        assert page.body.text_content() == text


def test_a_long_attribute_is_no_many() -> None:
    page = Page(f'<p class="{"x " * 500_000}">{words(9)}')
    assert page.cut is None
    assert page.root is not None
    assert len(page.root.find(".//p").get("class")) == 1_000_000


@pytest.mark.parametrize("source", [PAGE, PAGE * 30, "<p>", "<b><i></b></i>", f"<!--{PAGE}"])
def test_an_ordinary_page_is_not_touched(source: str) -> None:
    assert bounds.within(source) == (source, None)
    assert Page(source).cut is None


PIECES = st.sampled_from(
    "<div> </div> <b> </b> <p> <br> <td> <a\thref='x'> </a> <!-- --> <script> </script> w1 w2 < >"
    ' " <select> </select> <b/> <x:> & &amp; <![CDATA[ <? ='.split(" ")
)


@given(st.lists(PIECES, max_size=60).map(" ".join))
def test_a_page_within_bounds_passes_the_walk_unchanged(source: str) -> None:
    assert bounds._made_fit(source, sys.maxsize) == (source, None)


@given(st.lists(PIECES, max_size=60).map(" ".join))
def test_lines_hold_no_tag(source: str) -> None:
    text = bounds.flat(source).source.removeprefix("<pre>").removesuffix("</pre>")
    assert not re.search("<[a-zA-Z/!?]", text)


@given(st.lists(PIECES, max_size=60).map(" ".join), st.integers(0, 3))
def test_a_page_made_shallow_keeps_its_words(source: str, depth: int) -> None:
    shallow = bounds._made_fit(source, depth).source
    assert _words(shallow) == _words(source)


def _words(source: str) -> list[str]:
    return re.findall(r"\bw\d\b", source)


def test_a_tree_that_was_cut_already_is_built_anew() -> None:
    source = "<i>" * 3000 + words(9)
    cut = Page(source).root
    assert cut is not None
    theirs = lxml.html.document_fromstring(source, parser=bounds.new_parser())
    page = Page.parsed(source, theirs, URL)
    assert page.root is not None
    assert page.root.text_content() == words(9)


def test_a_parser_is_kept_for_each_thread() -> None:
    kept = bounds.kept_parser()
    assert bounds.kept_parser() is kept
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(bounds.kept_parser).result() is not kept
