"""The tag of a page: it behaves like any dict and is computed only when first read."""

from __future__ import annotations

import copy
import ctypes
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse

from crawl.server import TEMPLATES
from scrapy_mainblock.crawl.durable import items
from scrapy_mainblock.crawl.pages import tag as tags
from scrapy_mainblock.crawl.pages.responses import META_KEY, own_tag, pack, tag_of, unpack
from scrapy_mainblock.crawl.pages.tag import Tag
from scrapy_mainblock.crawl.pages.visits import Visit, look_at_response
from scrapy_mainblock.outline import outline
from scrapy_mainblock.page import swallowed
from scrapy_mainblock.template.rules import SiteRules

URL = "https://a.example/"
HTML = TEMPLATES["plain"](1)


def _tagged(body: bytes = HTML.encode(), charset: str = "utf-8") -> HtmlResponse:
    headers = {"Content-Type": f"text/html; charset={charset}"}
    response = HtmlResponse(URL, body=body, headers=headers, request=Request(URL))
    response.meta[META_KEY] = tag_of(response)
    return response


def _plain() -> dict[str, Any]:
    return dict(tag_of(_tagged()).items())


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The sources that have been scanned so far."""
    found: list[bytes] = []
    scan = outline.rows_of

    def counted(source: bytes) -> Any:
        found.append(source)
        return scan(source)

    monkeypatch.setattr(outline, "rows_of", counted)
    return found


@pytest.mark.parametrize(
    "as_plain",
    [
        dict,
        lambda tag: {**tag},
        lambda tag: tag | {},
        lambda tag: {} | tag,
        lambda tag: tag.copy(),
        copy.copy,
        copy.deepcopy,
        lambda tag: pickle.loads(pickle.dumps(tag)),
        lambda tag: json.loads(json.dumps(tag)),
        lambda tag: items.loads(items.dumps(tag)),
        lambda tag: items.loads(items.dumps({"of": [tag]}))["of"][0],
        lambda tag: dict(zip(tag, tag.values(), strict=True)),
        lambda tag: {name: tag.get(name) for name in reversed(tag)},
        lambda tag: {name: tag.pop(name) for name in list(tag)},
    ],
)
def test_every_copy_of_an_unread_tag_is_a_plain_dict_with_the_results(
    as_plain: Callable[[Tag], dict[str, Any]],
) -> None:
    found = as_plain(tag_of(_tagged()))
    assert type(found) is dict
    assert found["link_blocks"]
    assert found == _plain()


def test_tags_of_one_page_are_equal_and_their_repr_shows_the_values() -> None:
    assert tag_of(_tagged()) == tag_of(_tagged()) == _plain()
    assert tag_of(_tagged()) != {**_plain(), "lcr": 2.0}
    assert repr(tag_of(_tagged())) == repr(_plain())


def test_a_change_by_a_callback_is_kept() -> None:
    tag = tag_of(_tagged())
    tag["lcr"] = 2.0
    assert tag == {**_plain(), "lcr": 2.0}


def test_a_page_with_an_unread_tag_is_scanned_once_for_extraction_only(
    scans: list[bytes],
) -> None:
    response = _tagged()
    assert not scans
    look_at_response(_visit(), response, SiteRules("a.example"))
    assert len(scans) == 1
    assert not response.meta[META_KEY].is_read


@pytest.mark.parametrize("charset", ["utf-8", "latin-1"])
def test_extraction_reuses_the_scan_of_a_tag_that_was_read(
    scans: list[bytes], charset: str
) -> None:
    response = _tagged(HTML.replace("Menu 1", "Menü").encode(charset), charset)
    assert response.meta[META_KEY]["link_blocks"]
    look_at_response(_visit(), response, SiteRules("a.example"))
    assert len(scans) == 1


@pytest.mark.parametrize(
    "change", [{"body": HTML.encode() + b" "}, {"url": URL + "x"}, {"encoding": "latin-1"}]
)
def test_a_replaced_response_does_not_use_the_old_tag(change: dict[str, Any]) -> None:
    response = _tagged()
    assert own_tag(response) is response.meta[META_KEY]
    replaced = response.replace(**change)
    assert replaced.meta[META_KEY] is response.meta[META_KEY]
    assert own_tag(replaced) is None


def test_an_unread_tag_is_still_unread_after_unpacking() -> None:
    response = _tagged()
    back, is_whole = unpack(*pack(response, None), None)
    assert is_whole
    assert not response.meta[META_KEY].is_read
    assert not back.meta[META_KEY].is_read
    assert back.meta[META_KEY] == _plain()


def test_a_tag_that_was_read_is_packed_with_its_values() -> None:
    response = _tagged()
    response.meta[META_KEY]["lcr"] = 2.0
    back, _ = unpack(*pack(response, None), None)
    assert type(back.meta[META_KEY]) is dict
    assert back.meta[META_KEY]["lcr"] == 2.0


def test_a_page_without_a_tag_is_unpacked_without_one() -> None:
    response = HtmlResponse(URL, body=HTML.encode(), request=Request(URL))
    back, _ = unpack(*pack(response, None), None)
    assert META_KEY not in back.meta


def test_a_tag_whose_computation_fails_is_empty_and_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(page: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(tags, "link_blocks", fails)
    counted: list[str] = []
    swallowed.listen(counted.append)
    try:
        assert tag_of(_tagged()) == {"link_blocks": [], "lcr": 0.0, "ccr": 0.0}
    finally:
        swallowed.forget(counted.append)
    assert counted == ["ZeroDivisionError"]


def _visit() -> Visit:
    crawl: Any = None
    return Visit(crawl, "a.example")


def test_iteration_in_c_over_an_unread_tag_yields_hints_and_not_zeros() -> None:
    tag = tag_of(_tagged())
    values: list[object] = []
    next_of = ctypes.pythonapi.PyDict_Next
    place, key, value = ctypes.c_ssize_t(), ctypes.py_object(), ctypes.py_object()
    pointers = (ctypes.byref(place), ctypes.byref(key), ctypes.byref(value))
    while next_of(ctypes.py_object(tag), *pointers):  # as orjson does
        values.append(value.value)
    assert len(values) == 3
    assert all("dict(tag)" in repr(one) for one in values)
    assert list(dict(tag).values()) == list(_plain().values())
