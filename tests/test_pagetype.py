"""Articles, index pages and empty ones."""

from __future__ import annotations

import pytest
from pages import tree

from scrapy_mainblock.core.pagetype import page_type
from scrapy_mainblock.core.segments import segment


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<p>" + "text " * 50, "article"),
        ('<a href="/x">link</a> ' * 20, "index"),
        ('<a href="/x">123456</a>1234', "article"),
        ('<a href="/x">1234567</a>1234', "index"),
        ("<a name=x>123456</a>", "article"),
        ("", "empty"),
        ("<script>x</script> \n", "empty"),
    ],
)
def test_the_share_of_text_in_links_tells_the_kind_of_page(inside: str, expected: str) -> None:
    assert page_type(segment(tree(inside))) == expected
