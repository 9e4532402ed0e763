"""The block that is densest in text: the fallback if no model can be loaded."""

from __future__ import annotations

import pytest
from pages import element, outline, words

from scrapy_mainblock.judge.densest_block import densest_block

MENU = "<ul>" + "".join(f"<li><a href=/{n}>Section {n}</a></li>" for n in range(9)) + "</ul>"


@pytest.mark.parametrize(
    "inside",
    [
        f"{MENU}<div id=best><p>{words(60)}<p>{words(60)}</div>{MENU}",
        f"<div><p>{words(5)}<div id=best><p>{words(80)}</div>{MENU}</div>",
        f"<div>{MENU}<section id=best><p>{words(60)}</section></div><p>{words(9)}",
    ],
)
def test_densest_block_has_most_text_and_few_links(inside: str) -> None:
    page = outline(inside)
    best = densest_block(page)
    assert page.rows.block_element[best] >= element(page, "best")


@pytest.mark.parametrize("inside", ["", "<div></div>", MENU, "<p><a href=x>link</a>"])
def test_page_with_text_only_in_links_has_no_densest_block(inside: str) -> None:
    assert densest_block(outline(inside)) == -1
