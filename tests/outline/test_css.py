"""CSS selectors on an Outline match the elements that cssselect matches on a browser's tree."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector

from scrapy_mainblock.outline import css
from scrapy_mainblock.outline.css import SelectorError, Siblings, find_all, selector, selector_of
from scrapy_mainblock.outline.outline import rows_of

PAGE = """<!doctype html><html><head><meta name="author" content="Anna Berg"></head><body>
<div id="main"><article class="post big"><h1>Title</h1>
<p class="meta">By <a rel="author" href="/author/anna">Anna</a> and <a href="/author/ben">Ben</a>
<span>one</span><span class="w-1/2">two</span><time datetime="2014-03-08">8 March</time></p>
<div><div><p>Deep</p></div></div></article></div>
<div class="side"><p class="meta">Other <a lang="en-GB" href="/x.html">x</a></p></div>
<table><tr><td>Cell</td></tr></table></body></html>"""
SELECTORS = [
    "p.meta", "p.meta > a", "#main a", "div#main > article.post.big p.meta a", "a[rel=author]",
    "a[rel]", 'a[href^="/author/"]', "a[href$='.html']", "a[href*=auth]", "a[lang|=en]", "*[rel]",
    "span:nth-of-type(2)", "span:first-of-type", "h1, time", "div > div > p", "div div p",
    "#main > p", "article[class~=big] time",
    "meta[name=author]", "body > div p", r".w-1\/2", "P.meta>A", "td",
    "table > tbody > tr > td", "div > p", "article p, td",
    "body div > p a", "#main article > p > a", "html > body div > div > p", "div > p a[rel]",
    "table tr > td", "div#main p.meta", ".big.post > h1", "div.side > article p",
]  # fmt: skip


@pytest.mark.parametrize("text", SELECTORS)
def test_selectors_match_the_same_elements_as_parsel(text: str) -> None:
    rows = rows_of(PAGE.encode())
    tree = Selector(PAGE.replace("<tr>", "<tbody><tr>").replace("</tr>", "</tr></tbody>"))
    texts = [" ".join(" ".join(one.css("*::text").getall()).split()) for one in tree.css(text)]
    found = find_all(rows, selector(text))
    assert [" ".join(rows.line_of(one, 500).split()).replace(" ", "") for one in found] == [
        one.replace(" ", "") for one in texts
    ]


def test_implied_tbody_may_be_left_out_of_a_selector() -> None:
    rows = rows_of(PAGE.encode())
    assert find_all(rows, selector("table > tr > td")) == find_all(rows, selector("td")) != []


@pytest.mark.parametrize(
    "text",
    ["", ">", "p >", "p + a", "p ~ a", "p:hover", "p[", "p]", "//div", "p..a", "a,", "#",
     "p::before", "p:nth-of-type(0)", "a > " * 20 + "a", "a," * 10 + "a"],
)  # fmt: skip
def test_unsupported_selectors_are_refused(text: str) -> None:
    with pytest.raises(SelectorError):
        selector(text)


def test_attr_and_text_pseudo_elements_set_the_value() -> None:
    assert selector("time::attr(datetime)").value == "datetime"
    assert selector("time ::text").value == selector("time::text").value == "text()"
    assert selector("time").value == ""


@given(st.text(alphabet="ap.#[]='> ,:~*()\\-1é", max_size=20))
def test_any_text_is_parsed_as_a_selector_or_refused(text: str) -> None:
    rows = rows_of(PAGE.encode())
    try:
        wanted = selector(text)
    except SelectorError:
        return
    assert all(0 <= one < rows.element_count for one in find_all(rows, wanted))


def test_generated_selector_matches_its_element() -> None:
    rows = rows_of(PAGE.encode())
    made = {}
    for element in range(rows.body + 1, rows.element_count):
        text = selector_of(Siblings(rows), element)
        made[element] = text
        assert element in find_all(rows, selector(text)), text
    (time,) = find_all(rows, selector("time"))
    assert made[time] == "div#main > article.post > p.meta > time"
    (deep,) = find_all(rows, selector("div > div > p"))
    assert made[deep] == "div#main > article.post > div > div > p"


def test_names_with_numbers_are_left_out_of_generated_selectors() -> None:
    rows = rows_of(b"<body><div id=post-47><p class='c-9 meta'>a<p>b</div></body>")
    assert [
        selector_of(Siblings(rows), one) for one in range(rows.body + 1, rows.element_count)
    ] == [
        "div",
        "div > p.meta",
        "div > p:nth-of-type(2)",
    ]


@pytest.mark.parametrize(
    ("attribute", "text"),
    [
        ("class='x a&amp;b'", r".a\&b"),
        ("class='&#97;b'", ".ab"),
        ("class='ab\n\tabc'", ".ab.abc"),
        ("id=' ab '", "#ab"),
        ("id='a&#98;'", "#ab"),
    ],
)
def test_names_are_matched_as_browsers_read_them(attribute: str, text: str) -> None:
    rows = rows_of(f"<body><p {attribute}>a<p class='abc xab a-b' id=abc>b</body>".encode())
    (found,) = find_all(rows, selector(text))
    assert rows.line_of(found, 9).strip() == "a"


def test_siblings_of_earlier_selectors_may_be_shared() -> None:
    rows = rows_of(f"<body>{'<i>a</i><my-tag>b</my-tag><u>c</u>' * 40}</body>".encode())
    siblings = Siblings(rows)
    for tag in ("i", "my-tag"):
        for number in range(1, 41):
            wanted = selector(f"{tag}:nth-of-type({number})")
            assert find_all(rows, wanted, 2, siblings) == find_all(rows, wanted)
    assert all(map(siblings.has_several, find_all(rows, selector("i, my-tag, u"))))


def test_requested_steps_are_numbered_from_the_innermost() -> None:
    source = (
        b"<body><div></div><div class=a><i class=x>1</i><i class=x>2</i><b id=n>3</b></div></body>"
    )
    rows = rows_of(source)
    first, second = find_all(rows, selector("i"))
    made = [selector_of(Siblings(rows), second, numbered) for numbered in range(3)]
    assert made == [
        "div.a > i.x",
        "div.a > i.x:nth-of-type(2)",
        "div.a:nth-of-type(2) > i.x:nth-of-type(2)",
    ]
    assert [find_all(rows, selector(one))[0] for one in made] == [first, second, second]
    (named,) = find_all(rows, selector("b"))
    assert selector_of(Siblings(rows), named, 2) == "b#n"


@pytest.mark.parametrize("tag", ["h1", "h2", "h3"])
def test_hidden_elements_are_not_matched_by_class(tag: str) -> None:
    """Whichever index finds it fastest: by tag or by class."""
    rows = rows_of(
        f"<template><{tag} class=x>1</{tag}></template><{tag} class=x>2</{tag}>".encode()
    )
    (found,) = find_all(rows, selector(f"{tag}.x"))
    assert rows.line_of(found, 9).strip() == "2"


def test_siblings_are_counted_once_for_all_elements() -> None:
    """Counting siblings one element at a time took 11 s here."""
    rows = rows_of(f"<body>{'<i>a</i>' * 60_000}{'<i class=x>b</i>' * 1000}".encode())
    wanted = selector("i.x:nth-of-type(60003)")
    start = time.process_time()
    assert len(find_all(rows, wanted)) == 1
    assert time.process_time() - start < 2


PIECES = st.sampled_from(
    [
        "div",
        "p.a",
        "#x",
        "a[rel='a > b']",
        "li:nth-of-type(2)",
        "h1::text",
        "b\\",
        "",
        ",",
        ">",
        "p ",
    ]
)


@given(st.lists(PIECES, min_size=1, max_size=22), st.sampled_from([" > ", " ", ">", ", "]))
def test_chain_of_children_is_parsed_as_any_selector(pieces: list[str], gap: str) -> None:
    text = gap.join(pieces).strip()
    assert outcome(selector, text) == outcome(css._of_any, text)


def outcome(parse: Callable[[str], css.Selector], text: str) -> object:
    """Return what a text is parsed to, or why it cannot be."""
    try:
        return as_plain(parse(text))
    except SelectorError as error:
        return str(error)


def as_plain(wanted: css.Selector) -> object:
    groups = [
        [
            (one.tag, one.code, one.is_child, one.id, one.classes, one.attributes, one.number)
            for one in steps
        ]
        for steps in wanted.groups
    ]
    return groups, wanted.value
