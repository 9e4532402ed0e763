"""The loops over a page that is learned from, against slow ones."""

from __future__ import annotations

from array import array
from collections import Counter

import pytest
from pages import outline, site, story

from scrapy_mainblock.template.learning.page_blocks import blocks_around, is_alone
from scrapy_mainblock.template.learning.place_stats import LONGEST_LINE, places_seen

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
    likely = [(segment % 7) / 7 for segment in range(count)]
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
