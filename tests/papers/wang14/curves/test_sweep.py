"""The shapes of [Wang14]'s figures 4 to 8 on synthetic pages, and index/content detection."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from pages import outline_of
from sample_pages import content_page, index_page, menu, page, paragraphs

from scrapy_mainblock.papers.wang14 import equations as wang14
from scrapy_mainblock.papers.wang14.curves import sweep
from scrapy_mainblock.papers.wang14.link_blocks import lines_between, link_blocks

INDEX = [index_page(sections=s, between=b) for s in (4, 8, 12) for b in (0, 2, 4)]
CONTENT = [
    content_page(nav=nav, body=body, adverts=adverts, lone_links=lone)
    for nav in (8, 16)
    for body in (4, 12)
    for adverts, lone in ((0, 0), (0, 2))
]


@pytest.fixture(scope="module")
def counted() -> sweep.Result:
    sums = sweep.Sweep()
    for source in INDEX:
        sums.add(outline_of(source), "index")
    for source in CONTENT:
        sums.add(outline_of(source), "content")
    return sums.result()


def values(curves: sweep.Curves, axis: str, quantity: str) -> list[float]:
    return [getattr(point, quantity) for point in curves.points[axis]]


def rises(numbers: list[float]) -> bool:
    return all(before <= behind + 1e-9 for before, behind in pairwise(numbers))


def falls(numbers: list[float]) -> bool:
    return rises(numbers[::-1])


@pytest.mark.parametrize("group", ["index", "content", "all"])
def test_figures_4_and_5_blocks_fall_and_coverage_rises_with_d_t(
    counted: sweep.Result, group: sweep.Group
) -> None:
    curves = counted.of(group)
    blocks = values(curves, "d_t_text", "blocks")
    assert falls(blocks)
    assert blocks[-1] < blocks[0]
    assert rises(values(curves, "d_t_text", "lcr"))
    assert rises(values(curves, "d_t_text", "ccr"))


def test_figure_4_over_nine_tenths_of_index_links_are_covered_at_5(
    counted: sweep.Result,
) -> None:
    assert counted.index.at("d_t_text", 5).lcr > 0.9


def test_figure_5_content_pages_have_two_or_three_blocks_at_40(counted: sweep.Result) -> None:
    assert counted.content.at("d_t_text", 40).two_or_three == 1.0
    assert 2 <= counted.content.at("d_t_text", 40).blocks <= 3


def test_figure_5_the_body_is_between_the_blocks() -> None:
    source = content_page(body=5, length=60)
    outline = outline_of(source)
    text = "\n".join(lines_between(outline, link_blocks(outline)))
    assert all(f"part{number}n0n59." in text for number in range(5))
    assert "Link" not in text


def test_figure_6_code_distance_gives_more_blocks_and_less_coverage() -> None:
    """Related links with a few words between them are one block by text, but none by code."""
    source = page(menu(10), *(menu(4, element="p") + "<div></div>" * 12 for _ in range(5)))
    sums = sweep.Sweep()
    sums.add(outline_of(source), "index")
    index = sums.result().index
    text, code = index.at("d_t_text", 40), index.at("d_t_code", 80)
    assert code.blocks > text.blocks
    assert code.ccr < text.ccr
    assert rises(values(index, "d_t_code", "lcr"))
    assert rises(values(index, "d_t_code", "ccr"))


@pytest.mark.parametrize("axis", ["c_t_text", "c_t_code"])
@pytest.mark.parametrize("group", ["index", "content"])
def test_figures_7_and_8_everything_falls_with_c_t(
    counted: sweep.Result, group: sweep.Group, axis: str
) -> None:
    for quantity in ("blocks", "lcr", "ccr"):
        assert falls(values(counted.of(group), axis, quantity))


def test_figure_8_content_pages_have_less_than_four_blocks(counted: sweep.Result) -> None:
    assert max(values(counted.content, "c_t_text", "blocks")) < 4


def test_figure_8_lcr_of_content_pages_falls_faster(counted: sweep.Result) -> None:
    index, content = (values(c, "c_t_text", "lcr") for c in (counted.index, counted.content))
    assert index[0] - content[0] < index[-1] - content[-1]


def test_ccr_of_content_pages_is_far_below_that_of_index_pages(counted: sweep.Result) -> None:
    assert counted.content.at("d_t_text", 40).ccr < counted.index.at("d_t_text", 40).ccr / 2


# Sums.


def test_a_point_of_a_curve_equals_the_result_of_link_blocks() -> None:
    source = content_page(adverts=2)
    sums = sweep.Sweep()
    sums.add(outline_of(source), "content")
    curves = sums.result().content
    for axis in sweep.AXES:
        for point in curves.points[axis.name]:
            c_t, d_t = axis.setting(point.value)
            found = link_blocks(outline_of(source), measure=axis.measure, c_t=c_t, d_t=d_t)
            assert (point.blocks, point.lcr, point.ccr) == (
                len(found.blocks),
                found.lcr,
                found.ccr,
            )


def test_a_point_is_the_mean_over_pages() -> None:
    one, other, both = sweep.Sweep(), sweep.Sweep(), sweep.Sweep()
    one.add(outline_of(INDEX[0]), "index")
    other.add(outline_of(CONTENT[0]), "content")
    both.add(outline_of(INDEX[0]), "index")
    both.add(outline_of(CONTENT[0]), "content")
    lone = (
        one.result().index.at("d_t_text", 5).blocks,
        other.result().content.at("d_t_text", 5).blocks,
    )
    assert both.result().all.at("d_t_text", 5).blocks == sum(lone) / 2
    assert both.result().index == one.result().index
    assert (both.result().all.pages, both.result().all.links) == (
        2,
        (one.result().index.links + other.result().content.links) / 2,
    )


def test_pages_without_links_are_counted_separately() -> None:
    sums = sweep.Sweep()
    sums.add(outline_of(page(paragraphs(2))), "content")
    result = sums.result()
    assert (result.content.pages, result.content.pages_without_links) == (0, 1)
    assert result.content.points == {}


def test_the_result_is_plain_json(counted: sweep.Result) -> None:
    plain = counted.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["parameters"] == {"c_t": 3, "d_t_text": 40, "d_t_code": 80}
    assert plain["index"]["pages"] == len(INDEX)
    assert [p["value"] for p in plain["content"]["points"]["c_t_code"]] == list(wang14.CURVES_C_T)


def test_memory_does_not_grow_with_the_pages() -> None:
    """However many pages are added, only sums of a fixed shape are kept."""
    sums = sweep.Sweep()
    for _ in range(3):
        sums.add(outline_of(CONTENT[0]), "content")
    kept = sums._sums["content"].by_axis
    assert {name: rows.shape for name, rows in kept.items()} == {
        axis.name: (len(axis.values), 4) for axis in sweep.AXES
    }


# Index or content pages.


@pytest.mark.parametrize("source", INDEX)
def test_an_index_page_is_recognized_by_its_text(source: str) -> None:
    assert sweep.kind_of(outline_of(source)) == "index"


@pytest.mark.parametrize("source", CONTENT)
def test_a_content_page_is_recognized_by_its_text(source: str) -> None:
    assert sweep.kind_of(outline_of(source)) == "content"


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("", "content"),
        (page(paragraphs(3)), "content"),
        (page(menu(2)), "content"),
        (page(menu(3)), "index"),
        (page(*(f'<a href="/{n}"><img></a>' for n in range(9)), title=""), "index"),
        # a short article between long menus, which have most of the text
        (page(menu(120), paragraphs(1, 150), menu(90)), "content"),
        (page(menu(120), paragraphs(1, 50), menu(90)), "index"),
        # scripts and attributes are not text
        (page("<script>" + "x;" * 50_000 + "</script>", menu(30)), "index"),
    ],
)
def test_without_a_label_the_text_decides_the_page_type(source: str, kind: sweep.Kind) -> None:
    assert sweep.page_kind(outline_of(source), None) == kind
    assert sweep.page_kind(outline_of(source), " ") == kind


@pytest.mark.parametrize(
    ("page_type", "kind"),
    [
        ("index", "index"),
        ("Listing", "index"),
        ("collection", "index"),
        (" category ", "index"),
        ("article", "content"),
        ("forum", "content"),
        ("anything", "content"),
    ],
)
def test_a_label_overrides_the_text(page_type: str, kind: sweep.Kind) -> None:
    assert {
        sweep.page_kind(outline_of(source), page_type) for source in (INDEX[0], CONTENT[0])
    } == {kind}
