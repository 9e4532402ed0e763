from typing import Any

from lxml.html import HtmlElement

from scrapy_mainblock.core.native.walk import Recording

def remembered() -> int: ...
def of_blocks(page: Recording) -> list[str]: ...
def hashes_with_text(page: Recording, around: str) -> list[int]: ...
def kept(
    page: Recording,
    texts: list[str],
    drop: frozenset[str],
    keep: frozenset[str],
    lines: frozenset[str],
    known: frozenset[str],
) -> tuple[list[bool], list[int]]: ...
def around(
    root: HtmlElement, block: HtmlElement, most_beside: int
) -> tuple[str, list[tuple[int, int | None, bool]]] | None: ...

class Around:
    def __init__(self, reading: Any, block: HtmlElement, most_beside: int) -> None: ...
    def are_of(self, paths: frozenset[int], least: int, sure: float) -> bool: ...
