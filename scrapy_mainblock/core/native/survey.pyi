from collections.abc import Sequence

from lxml.html import HtmlElement

from scrapy_mainblock.core.survey import Question

class Questions:
    asked: tuple[Question, ...]
    def __init__(self, asked: Sequence[Question]) -> None: ...
    def __len__(self) -> int: ...

class Survey:
    questions: Questions | None  # that were asked
    may_hide: bool  # whether there may be a hidden page (`repair`)
    found: list[list[HtmlElement]]  # the answers to the questions
    headings: list[HtmlElement]  # the first of the first level
    linked: list[str]  # the page's linked data, from where it may name a headline
    has_body: bool
    open_graph: str | None  # OpenGraph's title
    site_name: str | None
    address: str | None  # the page's own word for its URL
    title: str | None  # what the `<title>` holds
    base: str | None  # the address of the `<base>`

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
