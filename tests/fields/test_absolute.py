"""Absolute URLs: the shortcut for common cases gives the same result as `urllib.parse.urljoin`."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pages import outline

from scrapy_mainblock.fields.sources.page_sources import PageSources


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
