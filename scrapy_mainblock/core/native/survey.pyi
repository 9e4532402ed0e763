from collections.abc import Sequence

from lxml.html import HtmlElement

Question = tuple[str, list[str], Sequence[tuple[bytes, int]] | None]

class Questions:
    asked: tuple[Question, ...]
    def __init__(self, asked: Sequence[Question]) -> None: ...
    def __len__(self) -> int: ...

class Survey:
    questions: Questions | None
    may_hide: bool
    found: list[list[HtmlElement]]
    headings: list[HtmlElement]
    linked: list[str]
    has_body: bool
    open_graph: str | None
    site_name: str | None
    address: str | None
    title: str | None
    base: str | None

def survey(
    root: HtmlElement,
    questions: Questions | None,
    most_hidden: int,
    in_button: int,
    in_noscript: int,
    most_headings: int,
    most_titles: int,
) -> Survey | None: ...
def is_whole(root: HtmlElement, most: int) -> bool: ...
def is_folded(text: str) -> bool: ...
def shown_text(heading: HtmlElement, most_parts: int, longest: int) -> str | None: ...
def texts_of(root: HtmlElement) -> list[str] | None: ...
