from collections.abc import Sequence

from lxml.html import HtmlElement

def with_words(
    root: HtmlElement, name: str, words: Sequence[str], all_of_them: bool
) -> list[HtmlElement]: ...
def with_most_text(root: HtmlElement, matches: list[HtmlElement]) -> HtmlElement | None: ...
