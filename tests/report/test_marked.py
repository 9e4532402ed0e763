"""The copy of a page shown in the report: it has all text, no active content, loads nothing."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hostile.test_clean_html import PAYLOADS
from hostile_pages import FIXED, GROWING
from hypothesis import given
from hypothesis import strategies as st
from made_pages import sources
from pages import element, outline, outline_of

from scrapy_mainblock.report import marked as marked_module
from scrapy_mainblock.report.marked import ATTRIBUTES, SHOWN, marked

OURS = {"mb-s", "mb-i", "br", "hr", "wbr", "style"}


class Checked(HTMLParser):
    """A parser for copies that fails on tags and attributes that are not allowed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: dict[int, str] = {}
        self.segment = -1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in SHOWN | OURS, tag
        for name, value in attrs:
            assert name in ATTRIBUTES | {"data-s", "data-e"}, name
            assert name != "style" or "url" not in (value or "").lower()
        if tag == "mb-s":
            self.segment = int(dict(attrs)["data-s"] or -1)
        if tag not in ("br", "hr", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.segment = -1

    def handle_data(self, data: str) -> None:
        if self.segment >= 0:
            self.texts[self.segment] = self.texts.get(self.segment, "") + data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"a declaration: {data}")


def _checked_copy(source: str | bytes) -> Checked:
    page = outline_of(source)
    copy, _ = marked(page)
    reader = Checked()
    reader.feed(copy)
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize("payload", PAYLOADS)
def test_the_copy_contains_no_payload(payload: str) -> None:
    _checked_copy(f"<html><body><div><p>before</p>{payload}<p>behind</p></div>")


@pytest.mark.parametrize("name", FIXED)
def test_the_copy_of_an_unusual_page_is_well_formed(name: str) -> None:
    _checked_copy(FIXED[name])


@pytest.mark.parametrize("name", GROWING)
def test_the_copy_of_a_large_page_is_well_formed(name: str) -> None:
    _checked_copy(GROWING[name](20_000))


pieces = st.sampled_from([*PAYLOADS, "</p>", "<table>", "<pre>", "'", '"', ">", "<svg>", "-->"])


@given(st.lists(pieces | st.text(max_size=5), max_size=5).map("".join))
def test_the_copy_contains_no_combined_payload(payload: str) -> None:
    _checked_copy(f"<p>before</p>{payload}<p>behind</p>")


@pytest.mark.parametrize("name", sorted(sources()))
def test_the_copy_has_the_text_of_every_segment(name: str) -> None:
    page = outline_of(sources()[name])
    texts = _checked_copy(sources()[name]).texts
    for segment, text in enumerate(page.texts):
        assert "".join(texts[segment].split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("style", "is_kept"),
    [
        ("p { color: red }", True),
        ("p { background: url(http://x.example/a.png) }", False),
        ("p { background: URL (http://x.example/a.png) }", False),
        ("@import 'http://x.example/a.css';", False),
        ("p { background: \\75 rl(http://x.example/a.png) }", False),
        ("p { background: image-set('http://x.example/a.png' 1x) }", False),
        ("p { color: red } <b>", False),
        ("x" * (marked_module.LONGEST_STYLES + 1), False),
    ],
)
def test_styles_are_copied_unless_they_load_something(style: str, is_kept: bool) -> None:
    copy, _ = marked(outline("<p>text", head=f"<style>{style}</style>"))
    assert (f"<style>{style}</style>" in copy) is is_kept
    own, _ = marked(outline(f"<p style='{style.replace(chr(39), '')}'>text"))
    assert ("style=" in own) is (is_kept or len(style) > marked_module.LONGEST_STYLES)


def test_the_main_block_is_marked() -> None:
    page = outline('<div id="a"><p>one</p></div><div id="b"><p>two</p></div>')
    copy, cut = marked(page, {element(page, "b")})
    assert f'<div data-e="{element(page, "b")}" id="b">' in copy
    assert copy.count("data-e") == 1
    assert cut is None


def test_an_image_becomes_a_box_of_its_size() -> None:
    copy, _ = marked(outline('<p>a <img src=x.png alt="a <b>" width=300 height=999999> b'))
    assert '<mb-i style="width:300px">a &lt;b&gt;</mb-i>' in copy.replace(";height:1200px", "")
    assert "x.png" not in copy


def test_a_long_page_is_cut_with_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marked_module, "LONGEST_COPY", 2000)
    copy, cut = marked(outline("<div><p>some words</p></div>" * 500))
    assert cut == "the page is too long to be shown in full"
    assert len(copy) < 2200
    assert copy.endswith("</div>")
