"""The block that is densest in text: what is kept where no model can be read."""

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
def test_it_holds_most_of_the_text_and_few_of_the_links(inside: str) -> None:
    page = outline(inside)
    best = densest_block(page)
    assert page.rows.block_element[best] >= element(page, "best")


@pytest.mark.parametrize("inside", ["", "<div></div>", MENU, "<p><a href=x>link</a>"])
def test_there_is_none_where_no_text_is_outside_of_links(inside: str) -> None:
    assert densest_block(outline(inside)) == -1
