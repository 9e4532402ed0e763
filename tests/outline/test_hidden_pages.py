"""Pages whose text stands in a normally hidden element because a tag was never closed."""

from __future__ import annotations

import pytest
from pages import outline

PARAGRAPHS = "<p>one</p><p>two</p><p>three</p>"


@pytest.mark.parametrize(
    ("inside", "texts"),
    [
        ("<button>Menu</button><p>a", ["a"]),
        ("<button><p>Menu</p></button><p>a", ["a"]),
        ("<button><svg><path></svg><main><p>a</main></button><p>b", ["a", "b"]),
        ("<button><article><p>a</article></button><p>b", ["a", "b"]),
        (f"<button>{'<p>a</p>' * 9}</button><p>b", ["b"]),
        (f"<button>{'<p>a</p>' * 10}</button><p>b", ["a"] * 10 + ["b"]),
        (f"<button>{'<p>a</p>' * 9}</button><button>{'<p>a</p>' * 9}</button><p>b", ["b"]),
    ],
)
def test_text_of_a_button_around_the_page_is_shown(inside: str, texts: list[str]) -> None:
    assert outline(inside).texts == texts


@pytest.mark.parametrize(
    ("inside", "texts"),
    [
        (f"<noscript>{PARAGRAPHS}</noscript>", ["one", "two", "three"]),
        (f"<script>{'x' * 50}</script><noscript>{PARAGRAPHS}</noscript>", ["one", "two", "three"]),
        ("<noscript>Please switch JavaScript on.</noscript>", []),
        ("<noscript><p>Please</p><p>switch JavaScript on.</p></noscript>", []),
        (f"<p>{'text ' * 9}</p><noscript>{PARAGRAPHS}</noscript>", [("text " * 9).strip()]),
        (f"<p>a</p><noscript>{PARAGRAPHS}</noscript><p>b", ["a", "one", "two", "three", "b"]),
    ],
)
def test_noscript_text_is_shown_if_there_is_little_other_text(
    inside: str, texts: list[str]
) -> None:
    assert outline(inside).texts == texts


def test_page_of_buttons_only_has_no_text() -> None:
    assert outline("<button>" * 1500 + "x").texts == []
