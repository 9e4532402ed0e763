"""A page's reading: made once, and gone with the page."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from weakref import ref

import pytest
from pages import site, story

from scrapy_mainblock.core.mainblock import extract_page, features_of, learn
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.reading import reading_of

RULES = learn(site(8))


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def test_a_page_that_was_learnt_from_and_extracted_goes_without_the_collector(
    no_collector: None,
) -> None:
    html, url = story(99)
    page = Page.of(html, url)
    features_of(page)
    assert extract_page(page, RULES).metadata["method"] == "rule"
    assert extract_page(page).metadata["method"] == "page"
    assert page.root is not None
    kept = reading_of(page, page.root)
    gone = ref(page)
    del page
    assert gone() is None
    with pytest.raises(ReferenceError, match="the page is gone"):
        _ = kept.page


def test_a_page_is_read_once() -> None:
    html, url = story(99)
    page = Page.of(html, url)
    assert page.root is not None
    assert reading_of(page, page.root) is reading_of(page, page.root)
    assert reading_of(page, page.root).page is page
