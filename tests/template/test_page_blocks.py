"""The loops over a page that is learned from, against slow ones."""

from __future__ import annotations

import pickle
from array import array
from collections import Counter

import numpy as np
import pytest
from pages import outline, site, story

from scrapy_mainblock.outline.buffers.arrays import view
from scrapy_mainblock.outline.selectors import before_inline, inline_in, path_of
from scrapy_mainblock.template.learning import place_stats
from scrapy_mainblock.template.learning.page_blocks import blocks_around, is_alone, with_a_name
from scrapy_mainblock.template.learning.place_stats import (
    LONGEST_LINE,
    PageCounts,
    PlaceEvidence,
    places_seen,
)
from scrapy_mainblock.template.learning.votes import paths_up

PAGES = [
    story(3)[0],
    site(1)[0][0],
    "<p>a<p>b<div class=x><p>c</div>",
    f"<ul><li>{'long ' * 90}<li><a href=/>b</a></ul><p>a<p>a",
]


@pytest.mark.parametrize("html", PAGES)
def test_block_is_alone_if_no_other_has_its_chain(html: str) -> None:
    page = outline(html)
    counts = Counter(page.chains)
    for block, chain in enumerate(page.chains):
        assert is_alone(page.places, block) == (counts[chain] == 1)


@pytest.mark.parametrize("html", PAGES)
@pytest.mark.parametrize("most", [0, 2, 12])
def test_blocks_around_begin_with_the_smallest_that_holds_enough(html: str, most: int) -> None:
    page = outline(html)
    rows, places = page.rows, page.places
    for start in range(rows.segment_count):
        kept = [float(segment >= start) for segment in range(rows.segment_count)]
        alone = [one for one in range(rows.block_count) if is_alone(places, one)]
        held = [sum(kept[rows.block_first[one] : rows.block_end[one]]) for one in alone]
        enough = [one for one, sums in zip(alone, held, strict=True) if sums >= 0.9 * sum(kept)]
        found = blocks_around(places, memoryview(array("d", kept)), 0.9, most)
        assert found[0] == max(enough, default=0)
        around, block = [], rows.block_parent[found[0]]
        while block >= 0:
            around += [block] if block in alone else []
            block = rows.block_parent[block]
        assert found[1:] == around[:most]
    assert blocks_around(places, memoryview(array("d", [0.0] * rows.segment_count)), 0.9, 9) == []


@pytest.mark.parametrize("html", PAGES)
def test_sums_at_places_are_those_of_their_segments(html: str) -> None:
    page = outline(html)
    count = page.rows.segment_count
    likely = np.arange(count) % 7 / 7
    seen = places_seen(page, likely, headline=1)
    at_place: dict[str, list[int]] = {}
    for segment in range(count):
        at_place.setdefault(page.chains[page.rows.segment_block[segment]], []).append(segment)
    assert list(seen) == list(at_place)
    for chain, segments in at_place.items():
        one = seen[chain]
        texts = [page.texts[segment] for segment in segments]
        assert one.length == sum(map(len, texts))
        weighed = sum(likely[at] * len(page.texts[at]) for at in segments)
        assert one.likely == pytest.approx(weighed / one.length)
        assert one.lines == tuple(dict.fromkeys(text[:LONGEST_LINE] for text in texts))
        mean = sum(at - 1 for at in segments) / len(segments)
        assert one.behind == pytest.approx(mean / count)
        assert one.linked == sum(page.rows.segment_link_chars[at] for at in segments)


@pytest.mark.parametrize("html", [*PAGES, "<p>a <b id=x>b</b> <i>c</i><p><span class=y>d</span>"])
def test_named_inline_elements_are_those_in_likely_segments(html: str) -> None:
    rows = outline(html).rows
    likely = np.arange(rows.segment_count) % 3 / 2
    expected = [
        (segment, element)
        for segment in range(rows.segment_count)
        if likely[segment] >= 0.5
        for element in inline_in(
            rows, before_inline(rows, rows.segment_at[segment]), rows.segment_to[segment]
        )
        if rows.identifier(element) or rows.classes(element)
    ]
    assert with_a_name(rows, view(likely), 0.5) == expected


@pytest.mark.parametrize("html", [*PAGES, "<table><tr><td>a<div><p>b</div></table>"])
def test_paths_of_the_elements_around_are_cut_from_the_innermost(html: str) -> None:
    rows = outline(html).rows
    for element in range(rows.body, rows.element_count):
        assert all(path_of(rows, at) == path for at, path in paths_up(rows, element).items())


@pytest.mark.parametrize("html", PAGES)
def test_page_counts_the_same_by_its_numbers_and_by_plain_values(html: str) -> None:
    page = outline(html)
    seen = places_seen(page, np.arange(page.rows.segment_count) % 7 / 7, headline=1)
    plain = pickle.loads(pickle.dumps(seen))
    assert type(plain) is dict
    assert plain == seen
    direct, read = PlaceEvidence(), PlaceEvidence()
    for _ in range(2):
        direct.add(PageCounts(seen))
        read.add(PageCounts(plain))
    direct.add(PageCounts(plain))
    read.add(PageCounts(seen))
    assert values_of(direct) == values_of(read)
    assert list(direct.places) == list(seen)
    assert direct.lines.keys.tolist() == read.lines.keys.tolist()


def values_of(evidence: PlaceEvidence) -> list[tuple[object, ...]]:
    return [
        (chain, one.pages, one.odds, one.length, one.lines, one.behind, one.linked)
        for chain, one in evidence.places.items()
    ]


def test_forgotten_places_are_counted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place_stats, "MOST_PLACES", 1)
    page = outline("<p>a<div class=x>b</div><h1>c</h1>")
    evidence = PlaceEvidence()
    for _ in range(3):
        evidence.add(PageCounts(places_seen(page, np.full(3, 0.5))))
    assert {one.chain for one in evidence.by_hash.values()} == set(evidence.places)
    assert all(evidence.places[one.chain] is one for one in evidence.by_hash.values())
