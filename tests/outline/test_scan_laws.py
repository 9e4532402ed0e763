"""Properties that hold for the outline of any source."""

from __future__ import annotations

import html
from itertools import pairwise

import made_pages
import pytest
from hostile_laws import scanner_holds
from hypothesis import example, given
from hypothesis import strategies as st
from pages import outline, outline_of

from scrapy_mainblock.outline.folding import Folded
from scrapy_mainblock.outline.html.characters import NAMED
from scrapy_mainblock.outline.html.references import decoded, reference
from scrapy_mainblock.outline.html.scan import scan

TAGS = (
    "a abbr article aside b base blockquote body br button caption center code col colgroup dd"
    " details div dl dt em fieldset figure font form frame frameset h1 h2 head hr html i iframe img"
    " input li link listing main marquee math meta mi nobr noscript object ol optgroup option p"
    " plaintext pre ruby rb rp rt rtc script section select span style svg foreignObject desc table"
    " tbody td template textarea tfoot th thead title tr ul xmp x-y o:p"
).split()
ATTRIBUTES = (
    *("", " id=main", " class='c1 x'", " href", " href='/x?a=1&amp;b'", " class", " x='>'", " /"),
    *(" href='#x' class=hash-link", " class=linenos", " type=hidden", " color=red", " id='", " ="),
)
BEGINS = st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES))
ENDS = st.builds("</{}>".format, st.sampled_from(TAGS))
TEXTS = st.sampled_from(
    [
        *(" ", "\n ", "text", " some words ", "\u00a0", "\u2003x", "\x85", "\x1c", "中文，"),
        *("e\u0301", "\u200b", "¶", "#", "<", "<b", "&amp;", "&lt;p&gt;", "&nbsp", "&#", "&#32"),
        *("&notit;", "&NotEqualTilde;", "'", '"', ">", "--", "<!-- x -->", "<!--", "-->"),
        *("<?y z?>", "<![CDATA[q]]>", "]]>", "<!doctype html>", "<!", "</", "<3", "<p x='"),
        *("\ufeff", "\U0001f600"),
    ]
)  # fmt: skip
CONTROLS = ("\x00", "\x01", "\x1f", "\x7f", "\x80", "\x9f", "&#0;", "&#1;", "&#x7f;", "&#x81;")
soup = st.lists(BEGINS | ENDS | TEXTS, max_size=50).map("".join)
no_controls = st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters="\n\t"))


@given(soup | no_controls)
@example("<table><b><p></b><td>")
@example("<select><table><td></select>x")
def test_events_of_a_scan_are_ordered_and_nested(source: str) -> None:
    scanner_holds(source)


@given(st.text(max_size=200) | st.binary(max_size=200) | soup)
def test_any_source_has_an_outline(source: str | bytes) -> None:
    page = outline_of(source)
    assert len(page.texts) == len(list(page.rows.segment_block)) == page.rows.segment_count
    assert len(page.chains) == page.rows.block_count


@given(st.binary(max_size=200) | soup.map(str.encode), st.booleans(), st.booleans())
@example(b"x\xc2", False, False)
@example(b"x\xc2<p>y", False, False)
def test_scan_accepts_any_bytes_and_is_deterministic(
    source: bytes, buttons: bool, noscript: bool
) -> None:
    one, other = (scan(source, buttons=buttons, noscript=noscript) for _ in range(2))
    for name in ("tag", "parent", "start", "end", "tape", "text_start", "text_end", "text_flags"):
        assert list(getattr(one, name)) == list(getattr(other, name))


@given(soup | no_controls)
def test_segment_texts_match_the_counts(source: str) -> None:
    counts_hold(source)


@pytest.mark.parametrize("control", CONTROLS, ids=ascii)
def test_control_characters_are_not_counted(control: str) -> None:
    for source in ("<p>{}", "<p>a{}b", "<p>a {} b", "<p>a<b>{}</b>b", "<pre>{}a"):
        counts_hold(source.format(control))


def counts_hold(source: str) -> None:
    """Check that the segments' texts join to the folded text and have the counted lengths."""
    page = outline_of(source)
    rows, folded = page.rows, page.folded
    assert folded.octets == "".join(page.texts).encode()
    starts = list(folded.starts)
    assert (starts[0], starts[-1]) == (0, len(folded.octets))
    assert [b - a for a, b in pairwise(starts)] == [len(text.encode()) for text in page.texts]
    assert all(page.texts)
    assert list(rows.segment_length) == [len(text) for text in page.texts]
    assert list(rows.segment_chars) == [len(text.replace(" ", "")) for text in page.texts]


@pytest.mark.parametrize("name", made_pages.sources())
def test_properties_of_any_source_hold_for_whole_pages(name: str) -> None:
    source = made_pages.sources()[name]
    scanner_holds(source)
    counts_hold(source)


@given(soup, st.integers(0, 9), st.integers(0, 9))
def test_some_segments_fold_to_the_same_text_as_all(source: str, one: int, other: int) -> None:
    page = outline(source)
    count = page.rows.segment_count
    first, end = sorted((min(one, count), min(other, count)))
    assert Folded(page.rows, first, end).texts() == page.texts[first:end]


@given(soup)
def test_every_text_but_whitespace_between_blocks_has_a_segment(source: str) -> None:
    rows = outline(source).rows
    seen = {event >> 2 for event in rows.tape if event & 3 == 2}
    for text in seen:
        assert rows.text_segment[text] >= 0 or rows.text_chars[text] == 0
    counted = [0] * rows.segment_count
    for text in seen:
        if rows.text_segment[text] >= 0:
            counted[rows.text_segment[text]] += rows.text_chars[text]
    assert counted == list(rows.segment_chars)


@given(st.lists(BEGINS | ENDS | TEXTS, max_size=30), st.integers(0, 30))
def test_comment_between_two_pieces_does_not_change_the_text(pieces: list[str], place: int) -> None:
    if any(piece[-1:] in "'<-!&#" or piece in {"&nbsp", "&#1", "<b", "</"} for piece in pieces):
        return  # the comment would become part of the preceding piece
    raw = ("script", "style", "textarea", "title", "xmp", "iframe", "plaintext", "noscript")
    if any(piece.startswith("<") and any(f"<{tag}" in piece for tag in raw) for piece in pieces):
        return
    with_comment = "".join([*pieces[:place], "<!-- a <p> comment -->", *pieces[place:]])
    assert outline(with_comment).texts == outline("".join(pieces)).texts


@given(no_controls.map(lambda text: text.replace("<", "").replace("&", "")))
def test_whitespace_of_plain_text_is_folded(text: str) -> None:
    assert outline(f"<p>{text}</p>").texts == list(filter(None, [" ".join(text.split())]))


@pytest.mark.parametrize(
    "name", ["amp", "amp;", "lt", "notin;", "NotEqualTilde;", "Aacute", "nbsp"]
)
def test_named_references_agree_with_reference(name: str) -> None:
    packed = NAMED[name.encode()]
    assert packed == reference(f"&{name}".encode(), 0, len(name) + 1)


@given(st.text("&#x;1aA=lt0 gampnobr", max_size=30))
def test_references_are_resolved_as_python_resolves_them(text: str) -> None:
    assert decoded(text.encode()) == html.unescape(text)


# --- attributes ---------------------------------------------------------------------------------

NAMES = st.sampled_from("a p div td img i script style title textarea svg meta x-y SCRIPT".split())
VALUES = st.sampled_from(
    ["x", "a b", "", "1/", "/", "=", "é", "a>b", "<p>", "it's", 'say "so"', "-->", "<!--", "&amp;"]
)
QUOTES = st.sampled_from(["'{}'", '"{}"', "{}", "'{}", '{}"', " {}"])
WORDS = st.sampled_from(
    "id class href src ID Class HREF title data-id idx x:id @class -b = / \" ' ( name".split()
)
EQUALS = st.sampled_from(["=", " = ", "= ", " =", "", " "])
SPACES = st.sampled_from([" ", " ", " ", "", "\n", "\t ", "/", " / ", "\f"])
CLOSES = st.sampled_from([">", ">", ">", "/>", " >", " / >", "", "/"])


@st.composite
def tags(draw: st.DrawFn) -> str:
    """Draw a tag, well-formed or not."""
    parts = [f"<{draw(NAMES)}"]
    for _ in range(draw(st.integers(0, 5))):
        value = draw(QUOTES).format(draw(VALUES))
        parts += (draw(SPACES), draw(WORDS), draw(EQUALS), value)
    return "".join((*parts, draw(CLOSES)))


@given(st.lists(tags() | st.sampled_from(["text ", "</p>", "</script>", "<", "'"]), max_size=6))
def test_attributes_recorded_by_the_scan_are_those_of_the_tag(
    pieces: list[str],
) -> None:
    rows = scan("".join(pieces).encode())
    noted = {
        b"id": (rows.id_at, rows.identifier),
        b"class": (rows.class_at, rows.classes),
        b"href": (rows.href_at, rows.address),
    }
    for element in range(rows.element_count):
        if rows.start[element] == rows.inner[element]:
            continue  # it has no tag
        for name, (at, value) in noted.items():
            expected = value(element) if at[element] else None
            assert rows.attribute(element, name) == expected
