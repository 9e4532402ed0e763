"""The compiled features, contexts and weights are those that numpy makes."""

from __future__ import annotations

import lxml.etree
import lxml.html
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_pages import readings, sources

from scrapy_mainblock.core import confidence, content, context, features, pagetype
from scrapy_mainblock.core.hints import Hints, find_hints
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.reading import Reading
from scrapy_mainblock.core.segments import Block, Segments, segment, segment_in_python

rows = compiled("rows")
pytestmark = pytest.mark.skipif(rows is None, reason="core/native/rows is not compiled")

READINGS = dict(readings()) if rows else {}


def assert_close(found: np.ndarray, expected: np.ndarray, names: tuple[str, ...]) -> None:
    """The same, but for the last bit of a single number, which another libm may round otherwise."""
    assert found.shape == expected.shape
    close = np.isclose(found, expected, rtol=3e-7, atol=1e-12, equal_nan=True)
    wrong = sorted({names[column] for *_, column in np.argwhere(~close)})
    assert not wrong


def assert_same(page: Segments, hints: Hints) -> None:
    frame = features.frame_of(page)
    own = features.matrix_by_numpy(page, hints)
    assert_close(features.matrix(page, hints, frame), own, features.names())
    tags = [page.blocks[block].tag for block in page.block_of]
    headline = features.likeness_to_title(page.texts, tags, hints.title)[1]
    assert features.headline_place(page, hints.title) == headline
    sizes = np.array([len(text) for text in page.texts], dtype=float)
    first = content.first_model().probability(own)
    expected = content.expected_f1(first, sizes)
    described = pagetype.describe_by_numpy(page, hints, own, first, expected)
    found = pagetype.describe(page, hints, own, first, expected, frame)
    np.testing.assert_allclose(found, described, rtol=1e-9, atol=1e-12)
    types = pagetype.shares(described)
    around = context.matrix_by_numpy(page, own, sizes, first, expected, types)
    again = context.matrix(page, own, sizes, first, expected, types, frame)
    assert_close(again, around, context.names(pagetype.TYPES))
    second = content.second_model().probability(around)
    # Sharper than the models are, so that there is something to weigh.
    for probability in (second, np.where(sizes > np.median(sizes), 0.9, 0.3)):
        weighed = content.weighed_by_loops(page, probability)
        np.testing.assert_allclose(content.weighed(page, probability, frame), weighed, rtol=1e-12)
        judgement = content.Judgement(weighed, types)
        for kept in (weighed >= 0.5, np.arange(len(sizes)) % 3 > 0, sizes < 0):
            best = content.expected_f1(weighed, sizes)
            np.testing.assert_allclose(
                confidence.describe(judgement, sizes, kept),
                confidence.describe_by_numpy(judgement, sizes, kept, best),
                rtol=1e-9,
                atol=1e-12,
            )


@pytest.mark.parametrize("name", sources())
def test_a_page_has_the_same_rows(name: str) -> None:
    reading: Reading | None = READINGS.get(name)
    if reading is not None and len(reading.segments):
        hints = find_hints(reading.root, reading.page.url, reading.headline)
        assert_same(reading.segments, hints)
        assert_same(segment_in_python(reading.body), hints)


def of_texts(texts: list[str], tags: str = "p h1 li td div") -> Segments:
    """Each text in a block of its own."""
    body = lxml.html.fromstring("<body></body>")
    blocks = [Block(body, "body", -1, 0, len(texts))]
    for place in range(len(texts)):
        tag = tags.split()[place % len(tags.split())]
        blocks.append(Block(lxml.etree.SubElement(body, tag), tag, 0, place, place + 1))
    places = range(len(texts))
    return Segments(
        blocks=blocks,
        texts=texts,
        block_of=[place + 1 for place in places],
        link_chars=[place % 4 * 5 for place in places],
        links=[place % 3 for place in places],
    )


PIECES = (
    *"1 2 19 20 1999 2014 12 3 : . , ; ! ? … a g gh o x _ - ’ ” ) » › → $ £ ¥ €".split(),
    *"？ ， ： １ ٣ 中 年 月".split(),
    *("hour", "hours ago", "minute ago", "days ago", "day", " ", "  ", " ago", "copy", "right"),
    *(
        "COPYRIGHT",
        "(c)",
        "(C",
        "©",
        "all rights",
        "All Righ",
        "版权",
        "版",
        "权",
        "copyrıght",
        "İ",
    ),
    *(
        "Σ",
        "ς",
        "ß",
        "µ",
        "²",
        "é",
        "É",
        "ſ",
        "\u212a",
        "\ud800",
        "\U0001f600",
        "\x85",
        "about trees",
    ),
)
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join)


@given(st.lists(texts, min_size=1, max_size=12), texts)
def test_any_text_is_counted_the_same(lines: list[str], title: str) -> None:
    assert_same(of_texts(lines), Hints(title))


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5), st.text(), st.booleans())
def test_any_characters_are_counted_the_same(lines: list[str], title: str, is_in: bool) -> None:
    assert_same(of_texts(lines), Hints(f"{title} {lines[0]}" if is_in else title))


@pytest.mark.parametrize("length", [254, 255, 256, 299, 300, 301, 510, 511, 2000])
@pytest.mark.parametrize("piece", ["1", " g", "5 hours ago", "© ", "中", "3:", "？"])
def test_long_texts_are_counted_the_same(piece: str, length: int) -> None:
    text = (piece * length)[:length]
    assert_same(of_texts([text, text + "2014", "x" + text, "(c) " + text]), Hints(text[:40]))


NAMES = ("", "post-1", "nav main", "comment reply", "Signature", "side", "ads", "北京", "a" * 400)
_TAGS = "div ul li table tr td p h1 h2 blockquote article section dl dd unknown".split()
trees = st.recursive(
    st.sampled_from(["text", "A longer text, with a stop.", "<a href=/>link</a>", "<img src=a>"]),
    lambda inner: st.builds(
        lambda tag, css_class, identifier, inside: (
            f'<{tag} class="{css_class}" id="{identifier}">{"".join(inside)}</{tag}>'
        ),
        st.sampled_from(_TAGS),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.lists(inner, max_size=4),
    ),
    max_leaves=30,
)


@given(trees)
def test_any_blocks_are_described_the_same(source: str) -> None:
    body = lxml.html.document_fromstring(f"<body>{source}</body>").find("body")
    page = segment(body)
    if len(page):
        assert_same(page, Hints("text", article=True))


def test_a_tree_that_no_html_parser_made() -> None:
    """Entities in an attribute, names in a namespace, an element of somebody's own making."""
    source = (
        '<!DOCTYPE html [<!ENTITY main "main">]><html xmlns:x="urn:x"><body>'
        '<div class="&main; text" id="&main;"><p x:class="nav">One line.</p></div>'
        '<x:div class="side"><p class="">Another line.</p></x:div></body></html>'
    )
    parser = lxml.etree.XMLParser(resolve_entities=False)
    parser.set_element_class_lookup(lxml.html.HtmlElementClassLookup())
    root = lxml.etree.fromstring(source, parser)
    page = segment(root.find("body"))
    assert page.texts == ["One line.", "Another line."]
    assert_same(page, Hints("One line"))


def test_more_names_than_are_remembered() -> None:
    names = list(features.NAME_GROUPS)
    for turn in (0, 1, 0):
        source = "".join(
            f'<div class="{names[place % len(names)]} n{place}" id="{place % 5 or ""}x">text</div>'
            for place in range(6000 * turn, 6000 * turn + 6000)
        )
        body = lxml.html.document_fromstring(f"<body>{source}</body>").find("body")
        own = features.matrix_by_numpy(segment(body), Hints())
        assert_close(features.matrix(segment(body), Hints()), own, features.names())


def test_segments_that_do_not_fit_are_no_frame() -> None:
    page = of_texts(["one", "two"])
    page.block_of = [1, 3]
    with pytest.raises(ValueError, match="in no block"):
        features.frame_of(page)
    page.block_of = [1]
    with pytest.raises(ValueError, match="different lengths"):
        features.frame_of(page)
