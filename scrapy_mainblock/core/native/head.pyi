"""What a page says of its own kind (`core.hints`)."""

from collections.abc import Container

from lxml.html import HtmlElement

def words_of(
    root: HtmlElement, wanted: Container[str], most_metas: int, most_itemtypes: int
) -> tuple[dict[str, str], str, list[str]] | None: ...
