"""The report of the curves: one self-contained HTML page that escapes its inputs."""

from __future__ import annotations

import re
from itertools import pairwise

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from pages import outline_of
from sample_pages import content_page, index_page

from scrapy_mainblock.papers.wang14.curves import figure, report, sweep


def result(index: int = 2, content: int = 2) -> sweep.Result:
    sums = sweep.Sweep()
    for number in range(index):
        sums.add(outline_of(index_page(sections=4 + number)), "index")
    for number in range(content):
        sums.add(outline_of(content_page(body=4 + number)), "content")
    return sums.result()


def words_of(html: str) -> str:
    return " ".join(" ".join(lxml.html.document_fromstring(html).find("body").itertext()).split())


def test_the_report_has_every_figure_of_the_paper_with_its_plots() -> None:
    tree = lxml.html.document_fromstring(report.render(result()))
    headings = [node.text_content() for node in tree.xpath("//section[@class='figure']/h2")]
    assert [heading.split(":")[0] for heading in headings] == [
        *("Figure 4", "Figure 5", "Figure 6", "Figure 7", "Figure 8"),
        "Section 4.3, 4)",
    ]
    for section in tree.xpath("//section[@class='figure']"):
        assert len(section.xpath(".//*[local-name()='svg']")) == 2
        assert section.xpath(".//table[@class='claims']//td")
        assert section.xpath(".//details//table//td")


def test_the_report_is_self_contained() -> None:
    html = report.render(result())
    assert not re.search(r"<script|<link|<img|<iframe|@import|url\(|https?://|\son\w+=", html)


def test_measured_numbers_are_shown_beside_the_papers_claims() -> None:
    counted = result()
    at_5 = counted.index.at("d_t_text", 5).lcr
    told = words_of(report.render(counted))
    assert f"LCR is over 0.9 at d t t = 5 LCR at d t t = 5: {at_5:.2f}" in told
    assert "2 index pages" in told


def test_a_table_has_a_row_for_each_threshold() -> None:
    tree = lxml.html.document_fromstring(report.render(result()))
    rows = [len(table.xpath("./tbody/tr")) for table in tree.xpath("//details//table")]
    assert rows == [12, 12, 12, 11, 11, 11]


def test_sources_and_title_are_escaped() -> None:
    evil = "<script>alert('x')</script>&\""
    html = report.render(result(), sources=[evil], title=evil)
    assert "<script" not in html
    tree = lxml.html.document_fromstring(html)
    assert tree.findtext(".//title") == evil
    assert tree.find(".//code").text == evil
    assert "<script" not in report.render(result(0, 0), sources=[evil], title=evil)


@pytest.mark.parametrize("pages_without_links", [0, 1])
def test_a_report_without_links_says_that_there_is_nothing_to_plot(
    pages_without_links: int,
) -> None:
    sums = sweep.Sweep()
    for _ in range(pages_without_links):
        sums.add(outline_of("<p>no link</p>"), "content")
    told = words_of(report.render(sums.result()))
    assert "nothing to plot" in told


@pytest.mark.parametrize(
    ("index", "content", "missing"),
    [(2, 0, "No content pages with links."), (0, 2, "No index pages with links.")],
)
def test_one_page_type_is_plotted_without_the_other(index: int, content: int, missing: str) -> None:
    html = report.render(result(index, content))
    assert words_of(html).count(missing) == 2
    assert html.count("<svg") == 8


# Plots.


def test_a_plot_is_well_formed_and_escapes_its_names() -> None:
    drawn = figure.plot("a < b & c", "d_t^t (<x>)", [5, 10], [figure.Series('"<n>"', (0.5, 0.9))])
    root = etree.fromstring(drawn)
    texts = ["".join(node.itertext()) for node in root.iter("text")]
    assert "a < b & c" in texts
    assert "dtt (<x>)" in texts


def test_every_value_has_a_marker_with_a_title() -> None:
    lines = [figure.Series(name, (0.1, 0.2, 0.3)) for name in "abcd"]
    root = etree.fromstring(figure.plot("t", "x", [1, 2, 3], lines, top=1.0))
    told = [node.text for node in root.iter("title")]
    assert told == [f"{n} at {x}: {x / 10:.2f}" for n in "abcd" for x in (1, 2, 3)]


def test_the_axes_have_ticks_and_a_legend() -> None:
    lines = [figure.Series("LCR", (0.1, 0.2)), figure.Series("CCR", (0.1, 0.2))]
    root = etree.fromstring(figure.plot("t", "C_t", [2, 3], lines, top=1.0))
    texts = {"".join(node.itertext()) for node in root.iter("text")}
    assert {"0", "0.2", "0.4", "0.6", "0.8", "1", "2", "3", "LCR", "CCR", "Ct"} <= texts


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_ticks_reach_the_top_and_are_few(top: float) -> None:
    ticks = figure.round_ticks(top)
    assert ticks[0] == 0
    assert 2 <= len(ticks) <= 8


@given(st.floats(1e-3, 1e9))
def test_ticks_are_evenly_spaced(top: float) -> None:
    ticks = figure.round_ticks(top)
    assert ticks[-1] >= top * (1 - 1e-6)
    steps = [behind - before for before, behind in pairwise(ticks)]
    assert max(steps) == pytest.approx(min(steps))
