"""Sums over segments, compared with the same sums computed by NumPy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pages import outline

from scrapy_mainblock.outline.buffers.hashing import Numbers
from scrapy_mainblock.outline.folding import beginning
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.sums import (
    kept_texts,
    length_of_kept,
    lengths,
    may_be_equal,
    plain_by,
)

KINDS = 16
"""Equal to `sums.KINDS`, which is not importable from the compiled module."""
LINES = (
    "<p>one line</p>",
    '<p class="a">one <a href="/x">link</a> more</p>',
    '<div class="b"><a href="/y">a link alone</a></div>',
    "<li>item</li>",
)


@given(st.lists(st.sampled_from(LINES), max_size=12), st.data())
def test_sums_equal_those_of_numpy(lines: list[str], data: st.DataObject) -> None:
    page = outline("".join(lines) or "<p></p>")
    rows, count = page.rows, page.rows.segment_count
    kinds = np.array(
        data.draw(st.lists(st.integers(0, KINDS - 1), min_size=count, max_size=count)), np.uint8
    )
    first = data.draw(st.integers(0, count))
    end = data.draw(st.integers(first, count))
    length, links = np.asarray(rows.segment_length), np.asarray(rows.segment_link_chars)
    part = slice(first, end)
    chars = np.asarray(rows.segment_chars)
    assert lengths(rows, first, end) == (chars[part].sum(), links[part].sum())
    kept = (kinds % 2).tobytes()
    assert length_of_kept(rows, kept, first, end) == (
        length[part].sum(),
        length[part][kinds[part] % 2 == 1].sum(),
    )
    hashes = np.asarray(page.places.hashes)[np.asarray(rows.segment_block)]
    known = Numbers(1)
    if count:
        known.put(int(hashes[0]), 1)
    plain = np.maximum(length - links, 0)
    for places, is_counted in ((None, hashes >= 0), (page.places, hashes != hashes[:1])):
        assert list(plain_by(rows, kinds.tobytes(), places, known)) == [
            plain[(kinds == kind) & is_counted].sum() for kind in range(KINDS)
        ]


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=12), st.data())
def test_element_has_kept_texts_if_one_of_its_segments_is_kept(
    lines: list[str], data: st.DataObject
) -> None:
    rows = outline("".join(lines)).rows
    count = rows.segment_count
    kept = bytes(data.draw(st.lists(st.integers(0, 1), min_size=count, max_size=count)))
    before = kept_texts(rows, kept)
    for block in range(rows.block_count):
        element = rows.block_element[block]
        texts = before[rows.tape_end[element]] - before[rows.tape_at[element]]
        assert (texts > 0) == (1 in kept[rows.block_first[block] : rows.block_end[block]])


WORDS = ("a", "word", "Wort", "слово", "&amp;", "&nbsp;", "<b>bold</b>", "字", "\u00ad", "x&shy;y")
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


def page_of(lines: list[str], data: st.DataObject) -> tuple[Outline, list[bool]]:
    """Return a page with these lines, and a choice of them."""
    page = outline("".join(f"<p>{line}</p>" for line in lines) or "<p></p>")
    count = len(page.texts)
    return page, data.draw(st.lists(st.booleans(), min_size=count, max_size=count))


@given(st.lists(sentences, max_size=8), st.data(), st.integers(0, 12))
def test_texts_that_are_equal_may_be_equal(
    lines: list[str], data: st.DataObject, least: int
) -> None:
    page, kept = page_of(lines, data)
    long = [text for text, one in zip(page.texts, kept, strict=True) if one and len(text) >= least]
    alike = [(len(text), text.count(" ")) for text in long]
    assert may_be_equal(page.rows, bytes(kept), least) == (len(set(alike)) < len(alike))


@given(st.lists(sentences, max_size=8), st.data(), st.integers(1, 40))
def test_beginning_of_kept_texts_is_that_of_the_texts_joined(
    lines: list[str], data: st.DataObject, most: int
) -> None:
    page, kept = page_of(lines, data)
    first = data.draw(st.integers(0, len(kept)))
    chosen = [text for at, text in enumerate(page.texts) if kept[at] and at >= first]
    wanted = " ".join(chosen).encode()[:most].decode("utf-8", "ignore")
    assert beginning(page.rows, bytes(kept), first, len(kept), most) == wanted
