from collections.abc import Collection, Sequence

from lxml.html import HtmlElement

from scrapy_mainblock.core.segments import Block

class Recording:
    n_blocks: int
    n_segments: int
    body: HtmlElement
    is_muted: bool
    def identifier(self, place: int) -> str: ...
    def css_class(self, place: int) -> str: ...
    def block_at(self, element: HtmlElement) -> int | None: ...
    def elements(self) -> list[HtmlElement]: ...
    def elements_at(self, places: Sequence[int]) -> list[HtmlElement]: ...

def segment(
    body: HtmlElement,
    without: Collection[HtmlElement] = (),
    muted: Collection[HtmlElement] = (),
) -> tuple[Recording, list[Block], list[str], list[int], list[int], list[int]]: ...
