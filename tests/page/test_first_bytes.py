"""The compiled looks at a source's first bytes, against plain statements of what they find."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_mainblock.page.source.decode import to_utf8
from scrapy_mainblock.page.source.first_bytes import (
    begins_with_markup,
    first_declaration,
    is_surely_text,
)
from scrapy_mainblock.page.source.limits import is_binary, why_unreadable

PIECES = st.sampled_from(
    [b"charset", b"CHARSET", b"Encoding", b"encodin", b"char", b"c", b"E", b"\xe3", b"<meta ", b"="]
)


@given(st.lists(PIECES, max_size=12).map(b"".join), st.integers(0, 60))
@example(b"charset", 6)
@example(b"charset", 7)
@example(b"\x43harset", 20)
@example(b"\x03harset", 20)  # the bit that makes letters small turns others into letters, too
def test_first_declaration_is_found_in_any_case(source: bytes, most: int) -> None:
    end = min(len(source), most)
    found = re.search(rb"charset|encoding", source[:end], re.IGNORECASE)
    assert first_declaration(source, end) == (found.start() if found else -1)


@given(st.binary(max_size=40) | st.text(max_size=20).map(str.encode), st.integers(0, 60))
@example(bytes(range(9, 14)), 9)
@example(b"a\x08", 9)
@example(b"a\x0e", 9)
@example(b"a\x7f", 9)
@example("\N{REPLACEMENT CHARACTER}".encode(), 9)
def test_surely_text_has_no_control_character(source: bytes, most: int) -> None:
    end = min(len(source), most)
    wanted = re.search(rb"[\x00-\x08\x0e-\x1f\x7f\xef]", source[:end]) is None
    assert is_surely_text(source, end) == wanted


MARKS = [
    b"<",
    b"a",
    b"Z",
    b"!",
    b"/",
    b"?",
    b"@",
    b"[",
    b" ",
    b"\t",
    b"\r",
    b"\x00",
    b"\xef\xbb\xbf",
]


@given(st.lists(st.sampled_from(MARKS), max_size=6).map(b"".join))
@example(b"<a")
@example(b"<")
@example(b"\xef\xbb\xbf<!")
@example(b"\xef\xbb\xbf")
@example(b"\xcf\xbb\xbf<a")
@example(b"<`")
@example(b"<{")
def test_page_that_begins_with_markup_is_neither_empty_nor_without_markup(source: bytes) -> None:
    wanted = re.match(rb"(?:\xef\xbb\xbf)?[\t-\r ]*<[a-zA-Z!/?]", source) is not None
    assert begins_with_markup(source) == wanted
    empty = not re.search(rb"[^\xef\xbb\xbf\x00 \t\r\n]", source)
    without = not re.search(rb"<[a-zA-Z!/?]", source)
    found = "the page is empty" if empty else "the page contains no markup" if without else None
    assert why_unreadable(source) == found


def test_characters_like_the_replacement_do_not_make_a_page_binary() -> None:
    wide = ("<p>" + "\N{FULLWIDTH COMMA}" * 200).encode()  # begins with the same byte
    assert not is_surely_text(wide, len(wide))
    assert not is_binary(wide)
    assert is_binary(("<p>" + "\N{REPLACEMENT CHARACTER}" * 200).encode())


def test_usual_declaration_is_read_as_the_others_are() -> None:
    latin = "Käse".encode("latin-1")
    for said in (b"charset=utf-8", b"charset = utf-8", b"CharSet='UTF-8'", b'charset="utf-8"'):
        page = b"<meta " + said + b'"><p>K\xc3\xa4se'
        assert to_utf8(page) == page
    for said in (b"charset=utf-85", b"charset=iso-8859-1", b"encoding=latin1"):
        assert to_utf8(b"<meta " + said + b'"><p>' + latin).endswith("Käse".encode())
