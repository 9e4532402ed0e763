"""What is found out of a source before it is parsed is what Python finds out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import islice

import demo_site
import hostile_pages
import pytest
from growth import assert_linear
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.core import bounds, page
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.page import Page

source = compiled("source")
pytestmark = pytest.mark.skipif(source is None, reason="core/native/source is not compiled")

PIECES = (
    *("<p a=1 b='2' c>", "</p >", "<b ", '="', "='", '"', "'", "=", " ", "\n", "/", ">", "<", "a "),
    *("b=c ", "<!--", "-->", "--!>", "<!", "<?x", "</", "<script a b c d e>", "</script>"),
    *("<title>", "</TITLE x>", '<a="b>c">', "\u00a0", "\x1c", "\x0b", "é", "北", "\U0001f600"),
    *("ſ", "<ſcript>", "text"),
)


def has_long_tag(text: str, longest: int, most: int) -> bool:
    """As it is meant: each tag, and its attributes."""
    return any(
        tag.name
        and tag.end - tag.start > longest
        and next(islice(bounds._ATTRIBUTE.finditer(text, tag.inside, tag.end), most, None), None)
        for tag in bounds._tags(text)
    )


@given(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join),
    st.integers(0, 12),
    st.integers(0, 4),
)
def test_a_tag_is_long_as_it_is_in_python(text: str, longest: int, most: int) -> None:
    assert source is not None
    expected = has_long_tag(text, longest, most)
    assert source.has_long_tag(text, longest, most) == expected
    if len(text) == len(text.encode()):
        assert source.has_long_tag(text.encode(), longest, most) == expected
    if not longest:  # which an octet is as well as a character
        assert source.has_long_tag(text.encode(), 0, most) == expected


def some_pages() -> dict[str, str]:
    made = {one.path: one.html for one in demo_site.build(seed="source", padding_kb=20).pages}
    for name, grow in hostile_pages.GROWING.items():
        html = grow(bounds.LONG_PAGE // 2)
        made[name] = html if isinstance(html, str) else page.decode(html)
    return made


PAGES = some_pages()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_a_long_tag_or_none(name: str) -> None:
    assert source is not None
    text = PAGES[name]
    expected = has_long_tag(text, bounds.LONG_TAG, bounds.MOST_ATTRIBUTES)
    assert bounds._has_long_tag_in_python(text) == expected
    for more in "", "\u2603", "\U0001f600":
        found = source.has_long_tag(text + more, bounds.LONG_TAG, bounds.MOST_ATTRIBUTES)
        assert found == expected


@given(
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.integers(480, 520),
    st.sampled_from(["x", "x=1", "x='>'", 'x="<b c>"', "x = \n y", 'x="\'"']),
)
def test_python_passes_over_no_long_tag(text: str, number: int, attribute: str) -> None:
    whole = f"{text}<p {' '.join([attribute] * number)}>{text}"
    expected = has_long_tag(whole, bounds.LONG_TAG, bounds.MOST_ATTRIBUTES)
    assert bounds._has_long_tag_in_python(whole) == expected


@pytest.mark.parametrize(
    "piece", ['<p a="', "<p a='", "<p ", "<script", "</script", "<!--", "= ", "a=b ", '"><b c="']
)
def test_hostile_source_takes_linear_time(piece: str) -> None:
    def work(times: int) -> Callable[[], object]:
        assert source is not None
        return partial(source.has_long_tag, f"<p {piece * times}", 1000, 10**9)

    assert_linear(work, 100_000, times=8)


def read_in_python(body: bytes) -> tuple[int, bool] | None:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return len(text), "\x00" not in text and page._has_markup(text)


def looks(body: bytes) -> tuple[bool, int, bool] | None:
    assert source is not None
    return source.looks(body, page._HEAD, page._LEAST_HEAD, page._MOST_CONTROLS)


def assert_looks_so(body: bytes) -> None:
    found, expected = looks(body), read_in_python(body)
    assert (None if found is None else found[1:]) == expected
    if found is not None and not found[0]:
        assert page._declared(body)[1]


UTF8 = st.sampled_from(
    [*"az<!/\x00\x01\x08\x0b\x0d\x0e\x1f\x7fé\ufffd\U0010ffff\u07ff\u0800\uffff", "x" * 8]
).map(str.encode)


@given(
    st.lists(
        UTF8
        | st.binary(max_size=3)
        | st.sampled_from([b"\xed\xa0\x80", b"\xf4\x90", b"\xe0\x9f", b"\xc1\xbf", b"\xf0\x8f"]),
        max_size=200,
    ).map(b"".join),
    st.integers(1, 40),
)
def test_octets_look_as_python_reads_them(body: bytes, times: int) -> None:
    assert_looks_so(body * times)


@pytest.mark.parametrize("name", [*hostile_pages.GROWING, *hostile_pages.FIXED])
def test_hostile_pages_look_as_python_reads_them(name: str) -> None:
    grow = hostile_pages.GROWING.get(name)
    html = grow(20_000) if grow else hostile_pages.FIXED[name]
    assert_looks_so(html if isinstance(html, bytes) else html.encode("utf-8", "replace"))


@given(
    st.lists(
        st.sampled_from(
            [
                *("<meta ", "charset", "CharSet", "=", " = ", '"', "'", "utf-8", "UTF8", "utf-80"),
                *("gbk", "utf-16", ">", "/>", "content=", "http-equiv=content-type ", "<?xml "),
                *("encoding=", "?>", "<!--", "-->", "<body>", ";", " ", "text/html", "utf", "8"),
                "\ufeff",
            ]
        ),
        max_size=25,
    ).map("".join)
)
def test_no_declaration_of_another_encoding_is_passed_over(head: str) -> None:
    assert_looks_so(head.encode())


@pytest.mark.parametrize(
    "declared",
    [
        "<meta charset=utf-8>",
        '<meta charset="UTF-8"/>',
        '<meta http-equiv="Content-Type" content="text/html; charset=utf-8" />',
        '<?xml version="1.0" encoding="utf-8"?>',
        "<meta charset = 'utf8' >",
    ],
)
def test_what_pages_declare_mostly_is_known_at_once(declared: str) -> None:
    found = looks(declared.encode())
    assert found is not None
    assert found[0] is False


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_the_same_however_it_was_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    body = PAGES[name].encode("utf-8", "replace")
    native = Page.of(body)
    text = None if native.root is None else "".join(native.root.itertext())
    monkeypatch.setattr(page, "_NATIVE", None)
    monkeypatch.setattr(bounds, "_NATIVE", None)
    pure = Page.of(body)
    assert (None if pure.root is None else "".join(pure.root.itertext())) == text
    assert (pure.source, pure.cut) == (native.source, native.cut)
