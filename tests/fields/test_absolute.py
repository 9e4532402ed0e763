"""Absolute URLs: the shortcut for common cases gives the same result as `urllib.parse.urljoin`."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pages import outline

from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.values.addresses import Base, is_plain_address, is_plain_path

PLAIN_ADDRESS = re.compile(r"https?://[\w.-]+(?:/[\w./~%+,;:=&?#@!-]*)?", re.ASCII)
PLAIN_PATH = re.compile(
    r"/(?!/)(?:[\w/~%+,:=&@!-]|\.(?!\.?(?:[/?]|$)))+(?:\?[\w./~%+,;:=&@!-]+)?", re.ASCII
)
LETTERS = st.text("ab./?:;#=%-_é\n ", max_size=9)


def sources(base: str) -> PageSources:
    return PageSources(outline("<p>a", base), b"\1", -1)


@pytest.mark.parametrize(
    "base", ["http://news.example/a/b?c", "https://news.example:81", "http://news.example?a/b"]
)
@given(st.text("ab/.?:;=&%-_", max_size=9).map("/".__add__))
@example("/a/../b")
@example("/a/..?b")
@example("/a;b?c")
@example("/a?")
@example("//b/c")
def test_path_is_joined_to_the_host_as_by_urljoin(base: str, path: str) -> None:
    joined = urljoin(base, path)
    if joined.startswith("http"):
        assert sources(base).absolute(path) == joined


@settings(max_examples=1000)
@given(st.sampled_from(["", "/", "//", "http:/", "http://", "https://a", "HTTP://a"]), LETTERS)
def test_plain_addresses_and_paths_are_those_of_the_expressions(begin: str, text: str) -> None:
    address = begin + text
    assert is_plain_address(address) == bool(PLAIN_ADDRESS.fullmatch(address))
    assert is_plain_path(address) == bool(PLAIN_PATH.fullmatch(address))


@settings(max_examples=1000)
@given(
    st.sampled_from(["", "http://", "https://", "HTTP://", "http:/"]),
    st.text("a_.-:0123/?#é пįż中У", max_size=12),
)
@example("http://", "www.пример.рф/")  # its first letter ends with the byte of a question mark
@example("http://", "www.įx/")
def test_origin_is_that_of_the_expression(begin: str, text: str) -> None:
    found = re.match(r"https?://[\w.-]+(?::\d{1,5})?(?=[/?#]|\Z)", begin + text, re.ASCII)
    assert Base(begin + text).origin == (found[0] if found else "")
