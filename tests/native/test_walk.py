"""What is compiled of the walk of a page says the same as what it was made from."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import hostile_pages
import lxml.html
import pytest
from growth import assert_linear
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from lxml.html import HtmlElement
from test_same_output import pages

from scrapy_mainblock.core import paths, places, recognition, rules, segments
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.places import Places
from scrapy_mainblock.core.reading import Reading
from scrapy_mainblock.core.rules import ClusterRule, Rule
from scrapy_mainblock.core.segments import Segments, segment, segment_in_python
from scrapy_mainblock.core.text import show

walk, chains, shown, search = map(compiled, ("walk", "chains", "shown", "search"))
pytestmark = pytest.mark.skipif(
    None in {walk, chains, shown, search}, reason="the walk in core/native is not compiled"
)

BASES = (
    *(None, "http://news.example/a/b.html?x", "https://news.example:81", "http://news.example?a/b"),
    *(
        "news",
        "http://[",
        "HTTP://News.example",
        "http://a@news.example/",
        "http://news.example\n/",
    ),
)
RULES = (
    Places(drop=("div.share", "ul", "p > text()"), lines=("word 7",)),
    Places(keep=("p", "div > p", "section", "div[1]"), known=("p", "div[1] > p")),
    Places(drop=("div.c1", "text()"), known=("div.content > p",)),
)


def numbers(page: Segments) -> list[Any]:
    blocks = [(b.tag, b.parent, b.first, b.end, b.images) for b in page.blocks]
    return [blocks, page.texts, page.block_of, page.link_chars, page.links]


def assert_same(body: HtmlElement, dice: random.Random, **elements: Any) -> None:
    """Read a tree by both."""
    known, found = segment_in_python(body, **elements), segment(body, **elements)
    assert found.recording is not None
    assert numbers(found) == numbers(known)
    assert (found.length(), found.linked()) == (known.length(), known.linked())
    some = dice.sample(range(len(known.blocks)), min(3, len(known.blocks)))
    assert segments.elements_at(found, some) == [known.blocks[at].element for at in some]
    assert [b.element for b in found.blocks] == [b.element for b in known.blocks]
    assert [(b.identifier, b.css_class) for b in found.blocks] == [
        (b.identifier, b.css_class) for b in known.blocks
    ]
    chain_of = places.chains_in_python(known)
    assert places.chains(found) == chain_of
    held = {chain_of[at] for at, block in enumerate(known.blocks) if block.end > block.first}
    for above in (places.ROOT, "div#main", "div#main > p"):
        hashes = chains.hashes_with_text(found.recording, above)
        assert sorted(hashes) == sorted(places.hashed(places.joined(above, one)) for one in held)
    for share in (1.0, 0.7, 0.1):
        kept = None if share == 1 else [dice.random() < share for _ in known.texts]
        assert found.lengths(kept) == known.lengths(kept)
        for base in dice.sample(BASES, 3):
            assert show([(found, kept)], base) == show([(known, kept)], base)
    judged = [dice.random() < 0.5 for _ in known.texts]

    def judge(asked: Sequence[int]) -> list[bool]:
        return [judged[one] for one in asked]

    for rule in RULES:
        assert rule.kept(found, judge) == rule.kept(known, judge)
    for block in known.blocks:
        assert found.place_of(block.element) == known.place_of(block.element)


def assert_finds_the_same(root: HtmlElement, body: HtmlElement, dice: random.Random) -> None:
    """Look for blocks by both."""
    named = [one for one in root.iter() if isinstance(one.tag, str) and one.attrib]
    few = dice.sample(named, min(3, len(named)))
    asked = [
        Rule(one.get("id", ""), tuple(one.get("class", "").split()), paths.path_of(one))
        for one in few
    ]
    assert rules.first_hits(asked, root) == in_python(rules.first_hits, asked, root)
    for element in few:
        for rule in (
            Rule(element.get("id", "")),
            Rule(classes=tuple(element.get("class", "").split())),
        ):
            assert rules.apply_rule(rule, root) == in_python(rules.apply_rule, rule, root)
        path = paths.path_of(element)
        for one in (path, f"{path}/b1", path.replace("1", "2"), f"{path}/div"):
            assert paths.find_path(root, one) is paths.find_path_in_python(root, one)
        reading = Reading(Page.parsed("", root, None), root)
        for one in (element, element.getparent()):
            if one is not None:
                found = around(reading, one, body)
                assert found == in_python(around, reading, one, body)
                there = [place for places, _ in found[1] for place in places]
                for known in (
                    frozenset(there),
                    frozenset(there[::3]),
                    frozenset(reading.structure),
                ):
                    assert is_of(reading, one, known) == in_python(is_of, reading, one, known)


def in_python(work: Callable[..., Any], *given: Any) -> Any:
    with pytest.MonkeyPatch.context() as patched:
        for module in (rules, recognition):
            patched.setattr(module, "_native", None)
        patched.setattr(paths, "_searching", None)
        return work(*given)


def around(reading: Reading, block: HtmlElement, body: HtmlElement) -> Any:
    if recognition._native is not None:
        found = recognition._native.around(body, block, recognition.MOST_BESIDE)
        if found is None:
            return [None, []]
        chain, beside = found
        return [chain, [([one, *([other] if other else [])], text) for one, other, text in beside]]
    looked = recognition._PlacesAround(reading, body)
    looked._beside = []
    chain = looked._look_around(block, body)
    return [chain, looked._beside if chain is not None else []]


def is_of(reading: Reading, block: HtmlElement, paths: frozenset[int]) -> bool:
    cluster = ClusterRule("c", Rule(), paths)
    return recognition._PlacesAround(reading, block).are_of(cluster)


def trees(source: str | bytes) -> Iterator[HtmlElement]:
    """A page as it is parsed here, and as others parse it, with its comments."""
    page = Page.of(source)
    if page.root is not None:
        yield page.root
        try:
            yield lxml.html.document_fromstring(source)
        except (etree.LxmlError, ValueError, AssertionError):
            return


def assert_same_page(source: str | bytes, dice: random.Random) -> None:
    for root in trees(source):
        body = root.find("body")
        body = root if body is None else body
        assert_same(body, dice)
        assert_finds_the_same(root, body, dice)
        inside = [one for one in body.iter() if one is not body]
        if inside:
            few = dice.sample(inside, min(4, len(inside)))
            assert_same(body, dice, without=few)
            assert_same(body, dice, muted=few)
            assert_same(few[0], dice)


def test_generated_pages() -> None:
    dice = random.Random(1)
    for source, _ in pages():
        assert_same_page(source, dice)


@pytest.mark.parametrize("name", [*hostile_pages.GROWING, *hostile_pages.FIXED])
def test_hostile_pages(name: str) -> None:
    made = hostile_pages.GROWING.get(name)
    assert_same_page(made(2_000) if made else hostile_pages.FIXED[name], random.Random(2))


TAGS = "div p span b a img ul li table tr td h2 pre br svg button noscript textarea x:y".split()
TEXTS = (
    *(" ", "\n ", "text", "\u00a0", "\u2003x", "\x85", "\x1c", "中文，", "e\u0301", "\u200b", "¶"),
    *("#", "<b", "&amp;", "&lt;p&gt;", "\x07", "\u0085\u0086", "'\""),
    *("<!-- x -->", "<?y z?>", "<![CDATA[q]]>"),
)
ATTRIBUTES = (
    *("", " class='c1 x'", " id=main", " id='a7' class='n1 share'", " class", " href"),
    *(" href='#x'", " href='#x' class=hash-link", " class='Perma\u212aink' href='#'"),
    *(" class=mw-editsection", " class=linenos", " HREF=//h/x", " href='/a/../b?c#'", " href='/s'"),
    *(" href='HTTP://x.example/ä'", " href='javascript:x'", " href=' /a b'", " href=/a?#b"),
    *(" src='/i.png' alt='a \"b\" \x01'", " src='data:image/png;base64,QQ=='"),
)
BEGINS = st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES))
ENDS = st.builds("</{}>".format, st.sampled_from(TAGS))


@settings(max_examples=400, deadline=None)
@given(st.lists(BEGINS | ENDS | st.sampled_from(TEXTS), max_size=60).map("".join), st.integers())
def test_any_markup(markup: str, seed: int) -> None:
    assert_same_page(f"<body>{markup}", random.Random(seed))


XHTML = b"""<!DOCTYPE html [<!ENTITY who "you &amp; me">]>
<html xmlns:h="urn:h"><body>a<![CDATA[ <b> ]]>c &who; d
<p class="x &who;">e<!-- f -->g<?h i?>j</p><h:p id="k">l<script>m</script></h:p>
<P>n</P><div h:id="o" id="p"> <i/> </div><x.y>q</x.y></body></html>"""


def test_a_tree_that_is_no_html() -> None:
    for resolves in (True, False):
        parser = etree.XMLParser(resolve_entities=resolves, strip_cdata=False)
        root = etree.fromstring(XHTML, parser)
        assert_same(root.find("body"), random.Random(3))
        assert_finds_the_same(root, root.find("body"), random.Random(3))


def test_text_in_pieces() -> None:
    root = lxml.html.document_fromstring(
        "<p> <!-- --> a<!-- -->b <!-- --> </p> <!-- --> <p><a href=/x> <!-- -->c</a><!-- -->\n</p>"
    )
    etree.strip_tags(root, etree.Comment)
    assert_same(root.find("body"), random.Random(4))


def test_an_element_that_is_hidden_or_a_comment_has_no_segments() -> None:
    root = lxml.html.document_fromstring("<body><script>x</script><!-- y --><button>z</button>")
    for element in root.find("body"):
        assert_same(element, random.Random(5))
        assert len(segment(element)) == 0


def test_a_tree_may_be_changed_once_it_is_read() -> None:
    root = lxml.html.document_fromstring("<div class=a><p>one<p id=b>two</div><p>three")
    body = root.find("body")
    page = segment(body)
    before = show([(page, None)])
    for element in list(body):
        body.remove(element)
    assert show([(page, None)]) == before
    assert [block.element.tag for block in page.blocks] == ["body", "div", "p", "p", "p"]
    assert page.blocks[1].element.get("class") == page.blocks[1].css_class == "a"
    assert chains.of_blocks(page.recording)[2:4] == ["div.a > p", "div.a > p#b"]


def test_as_many_segments_as_there_are_must_be_kept_or_not() -> None:
    page = segment(lxml.html.document_fromstring("<p>one<p>two").find("body"))
    with pytest.raises(ValueError, match="as many"):
        show([(page, [True])])


def test_what_is_no_element_is_refused() -> None:
    assert walk is not None
    for wrong in (None, "body", etree.ElementTree()):
        with pytest.raises(TypeError):
            walk.segment(wrong)


def test_depth_and_length_are_no_trouble() -> None:
    def work(size: int) -> Callable[[], object]:
        root = top = etree.Element("div")
        for _ in range(size):
            top = etree.SubElement(top, "div")
            top.text = "x"

        def read() -> None:
            page = segments.segment(root)
            chains.of_blocks(page.recording)
            show([(page, None)])
            assert page.blocks[size].element is top

        return read

    assert_linear(work, 2_000)


def named_blocks(page: int, count: int) -> HtmlElement:
    """A body of so many blocks, each with a name that no other page has."""
    name = "abcdefghij"[page % 10] * (page // 10 + 1)
    blocks = "".join(f"<div id={name}{'x' * one}>t</div>" for one in range(count))
    return lxml.html.document_fromstring(f"<body>{blocks}").find("body")


def test_what_is_remembered_of_places_is_bounded() -> None:
    assert chains is not None
    pages = [segment(named_blocks(number, 100)) for number in range(150)]
    found = []
    for page in pages:
        found.append(set(chains.hashes_with_text(page.recording, "")))
        chains.hashes_with_text(page.recording, "div#under")
        assert chains.remembered() < 25_000
    assert len(set().union(*found)) == 150 * 100 + 1  # the body's is on all of them
    for page, hashes in zip(pages, found, strict=True):  # those that were forgotten since, too
        assert hashes == set(map(places.hashed, places.chains_in_python(page)))
        assert places.chains(page) == places.chains_in_python(page)


def test_pages_may_be_read_in_several_threads() -> None:
    assert chains is not None
    bodies = [named_blocks(number, 60) for number in range(40)]

    def read(number: int) -> bool:
        page = segment(bodies[number % len(bodies)])
        above = f"div#{'abc'[number % 3]}"
        hashes = chains.hashes_with_text(page.recording, above)
        return sorted(hashes) == sorted(
            places.hashed(places.joined(above, one)) for one in places.chains_in_python(page)
        )

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(read, range(400)))
    finally:
        sys.setswitchinterval(before)
