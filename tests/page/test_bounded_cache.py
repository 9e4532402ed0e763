"""Caches of texts are bounded in bytes, however long the names on hostile pages are."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import tracemalloc
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from inspect import signature
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import scrapy_mainblock
from scrapy_mainblock import extract
from scrapy_mainblock.fields.titles import key_of, letters_of, letters_of_site, site_test
from scrapy_mainblock.judge.page_type import named
from scrapy_mainblock.outline.html.doctype import is_quirks
from scrapy_mainblock.outline.marks import names_link, names_margin
from scrapy_mainblock.outline.selectors import steps_of
from scrapy_mainblock.page.bounded_cache import BoundedCache, bounded_cache
from scrapy_mainblock.page.sites import registered_domain

MEGABYTE = 1_000_000
MOST_CHARACTERS = 12_000_000
"""Limit of the characters in all caches together, if every entry had the maximum length."""
OF_NO_STRANGER = {"names", "_opened", "_parts_of", "_reader"}
"""Caches keyed by our own types, a file, or the operator's item classes, and not by page text."""


def modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(scrapy_mainblock.__path__, "scrapy_mainblock."):
        try:
            yield importlib.import_module(found.name)
        except ImportError as error:  # belongs to an extra that is not installed
            if " an extra: pip install" not in str(error):
                raise


def test_cache_limits_its_entries_and_skips_long_texts() -> None:
    asked: list[str] = []

    @bounded_cache(most=3, longest=5)
    def shout(text: str) -> str:
        asked.append(text)
        return text.upper()

    for text in ("a", "a", "bb", "longer", "longer", "a"):
        assert shout(text) == text.upper()
    assert asked == ["a", "bb", "longer", "longer"]
    for number in range(9):
        shout(str(number))
    assert len(shout) == 2  # one that was just used, and one from before
    assert shout.most_characters == 15


@given(st.integers(2, 7), st.lists(st.sampled_from("abcdefghij"), max_size=60))
def test_cache_keeps_the_latest_half_and_never_more_than_its_limit(
    most: int, texts: list[str]
) -> None:
    asked: list[str] = []

    @bounded_cache(most=most, longest=5)
    def shout(text: str) -> str:
        asked.append(text)
        return text.upper()

    for number, text in enumerate(texts):
        latest = list(dict.fromkeys(reversed(texts[:number])))[: most // 2]
        asked.clear()
        assert shout(text) == text.upper()
        assert not (asked and text in latest)
        assert len(shout) <= most


def test_length_of_a_key_is_that_of_all_its_texts() -> None:
    assert letters_of(()) == 0
    assert letters_of(("a", "bc")) == 5
    assert letters_of_site("host", "name") == 8
    assert letters_of_site("host", "name", frozenset({("ab", "c"), ("d",)})) == 8 + 7


def test_every_cache_of_texts_is_bounded() -> None:
    found: dict[int, BoundedCache] = {}
    for module in modules():
        for name, value in vars(module).items():
            if isinstance(value, BoundedCache):
                found[id(value)] = value
            elif (
                isinstance(value, _lru_cache_wrapper)
                and value.__module__ == module.__name__
                and name not in OF_NO_STRANGER
            ):
                assert not signature(value).parameters, f"{module.__name__}.{name}"
    assert len(found) >= 10
    assert sum(one.most_characters for one in found.values()) < MOST_CHARACTERS


def call_cached_functions(text: str) -> None:
    """Look the text up in each cached function."""
    octets = text.encode()
    names_link(text), names_margin(text), is_quirks(octets)
    steps_of(text), steps_of(f"body1/{text}1"), key_of(text), named(text)
    registered_domain(f"http://{text}.example/")
    site_test(text[:90], text)((text,))
    site_test("news.example", text, frozenset({(text,)}))((text, "b"))


def memory_after(texts: Iterator[str]) -> int:
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for text in texts:
        call_cached_functions(text)
    del text
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return after - before


def test_names_of_a_megabyte_are_not_cached() -> None:
    call_cached_functions("warm 1")
    assert memory_after(f"a{number}{'x' * MEGABYTE}" for number in range(8)) < MEGABYTE


def test_pages_with_names_of_a_megabyte_leak_no_memory() -> None:
    def page(number: int) -> str:
        name = f"n{number}{'x' * MEGABYTE}"
        return (
            f"<!doctype html {name}><title>{name}</title><h1>{name}</h1><div id='{name}'>"
            f"<a class='{name}' href='/{name}/../x'>a</a><p class='{name}'>text</p>"
            f"<{name}>b</{name}>"
        )

    for number in range(2):
        extract(page(number), f"http://{number}.example/")
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for number in range(2, 6):
        extract(page(number), f"http://{number}.example/")
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert after - before < MEGABYTE
