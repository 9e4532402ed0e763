"""Decoding of pages as browsers do it, for any input."""

from __future__ import annotations

import codecs
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.source.decode import decode, to_utf8
from scrapy_mainblock.page.source.utf8 import is_utf8

MARK = "<p>Käse, 北京 ☃</p>"


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        (MARK, None, MARK),
        (MARK.encode(), None, MARK),
        (bytearray(MARK.encode()), None, MARK),
        (memoryview(MARK.encode()), None, MARK),
        (codecs.BOM_UTF8 + MARK.encode(), None, MARK),
        (MARK.encode("utf-16"), None, MARK),
        (codecs.BOM_UTF16_BE + MARK.encode("utf-16-be"), None, MARK),
        (MARK.encode("utf-16-le"), None, MARK),
        (MARK.encode("utf-16-be"), None, MARK),
        ("<p>Käse".encode("cp1252"), None, "<p>Käse"),
        (b"<p>\x93quoted\x94", None, "<p>“quoted”"),
        ("<p>北京".encode("gbk"), "text/html; charset=gb2312", "<p>北京"),
        ("<meta charset=gb2312><p>北京".encode("gbk"), None, "<meta charset=gb2312><p>北京"),
        ("<p>北京".encode(), "text/html; charset=no-such", "<p>北京"),
        # the header wins over the meta element, a byte-order mark over both
        ("<meta charset=gbk><p>é".encode(), "x; charset=utf-8", "<meta charset=gbk><p>é"),
        (
            codecs.BOM_UTF8 + "<meta charset=gbk>é".encode(),
            "x; charset=big5",
            "<meta charset=gbk>é",
        ),
        # also valid UTF-8, with every other byte NUL
        ("<p>rain".encode("utf-16-le"), None, "<p>rain"),
        ("<p>rain".encode("utf-16-be"), None, "<p>rain"),
        ("\x00北\x00".encode(), None, "\u00e5\u8c97\ufffd"),
        # a page whose meta element can be read as ASCII is not UTF-16
        ("<meta charset=utf-16><p>é".encode(), None, "<meta charset=utf-16><p>é"),
        # cut off inside a character
        ("<p>Käse ☃".encode()[:-1], None, "<p>Käse \ufffd"),
        (b"", None, ""),
        (b"\xff\xfe", None, ""),
    ],
)
def test_page_is_decoded_as_in_a_browser(
    body: bytes | str, content_type: str | None, text: str
) -> None:
    assert decode(body, content_type) == text
    if content_type is None:
        assert to_utf8(body) in (text.encode(), codecs.BOM_UTF8 + text.encode())


@pytest.mark.parametrize(
    "encoding",
    ["hex", "base64", "rot13", "zlib", "uu", "idna", "undefined", "punycode", "unicode_escape", ""],
)
def test_python_only_codecs_are_not_used_for_pages(encoding: str) -> None:
    for page in (
        f"<meta charset={encoding}><p>a\\x3cb>é</p>",
        f'<?xml version="1.0" encoding="{encoding}"?><p>a\\x3cb>é</p>',
    ):
        assert decode(page.encode()) == page
        assert decode(page.encode(), f"text/html; charset={encoding}") == page


def test_punycode_is_not_decoded() -> None:
    before = time.monotonic()
    decode(b"<meta charset=punycode>" + b"ab-" * 100_000 + b"kva" * 100_000)
    assert time.monotonic() - before < 2


@given(st.binary(max_size=200), st.one_of(st.none(), st.text(max_size=30)))
def test_any_bytes_are_decoded(body: bytes, content_type: str | None) -> None:
    assert isinstance(decode(body, content_type), str)
    to_utf8(body).decode()


@given(st.text(max_size=100))
def test_any_text_is_encoded(text: str) -> None:
    to_utf8(text).decode()


UTF8 = st.sampled_from(
    [
        *"az<!/\x00\x01\x08\x0b\x0d\x0e\x1f\x7fé\ufffd\U0010ffff\u07ff\u0800\uffff",
        *("x" * 8, "δ", "ж", "中文", "한", "ไทย", "\ud7ff", "\ue000"),
    ]
).map(str.encode)
WRONG = st.sampled_from(
    [
        *(b"\xed\xa0\x80", b"\xf4\x90", b"\xe0\x9f", b"\xc1\xbf", b"\xf0\x8f"),
        *(b"\x80", b"\xbf\xbf", b"\xc3", b"\xe4\xb8", b"\xf0\x9f\x98"),
    ]
)


@given(st.lists(UTF8 | st.binary(max_size=3) | WRONG, max_size=60).map(b"".join), st.integers(1, 9))
def test_is_utf8_agrees_with_python(body: bytes, times: int) -> None:
    try:
        (body * times).decode("utf-8")
    except UnicodeDecodeError:
        assert not is_utf8(body * times)
    else:
        assert is_utf8(body * times)


@pytest.mark.parametrize("before", range(9))
def test_is_utf8_knows_each_first_byte_wherever_it_stands_in_a_word(before: int) -> None:
    edges = (0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF)
    for first in range(0x80, 0x100):
        for second in edges:
            for behind in (b"", b"\x80", b"\xbf\x80", b"\x80\x80\x80", b"aaaaaaaa"):
                body = b"a" * before + bytes([first, second]) + behind
                try:
                    body.decode("utf-8")
                except UnicodeDecodeError:
                    assert not is_utf8(body), body
                else:
                    assert is_utf8(body), body


# Parts of encoding declarations, in any order.
DECLARATIONS = st.lists(
    st.sampled_from(
        [
            *("<meta ", "charset", "CharSet", "=", " = ", '"', "'", "utf-8", "UTF8", "utf-80"),
            *("gbk", "utf-16", ">", "/>", "content=", "http-equiv=content-type ", "<?xml "),
            *("encoding=", "?>", "<!--", "-->", "<body>", ";", " ", "text/html", "utf", "8"),
            *("\ufeff", "\x00", "é", "北"),
        ]
    ),
    max_size=25,
).map("".join)


@given(DECLARATIONS)
@example("\x00北\x00")  # UTF-16 for both functions
def test_to_utf8_agrees_with_decode(head: str) -> None:
    body = head.encode()
    assert to_utf8(body).decode().removeprefix("\ufeff") == decode(body).removeprefix("\ufeff")


@pytest.mark.parametrize("wrong", [None, 5, 10**12, ["<p>x</p>"], object()])
def test_source_of_another_type_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError):
        decode(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Page.of(wrong)
