"""The components in isolation: tags, fields, and unusual input."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import logging
import pickle
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from scrapy import Field as ItemField
from scrapy import Item, Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector

from crawl.server import TEMPLATES
from scrapy_mainblock.crawl.items.filling import JsonDict, fill
from scrapy_mainblock.crawl.middleware import MainblockDownloaderMiddleware
from scrapy_mainblock.crawl.pages.responses import is_html, page_of, tag_of
from scrapy_mainblock.crawl.pages.visits import extract
from scrapy_mainblock.crawl.settings import FIELDS, Options
from scrapy_mainblock.crawl.stats import is_written, logger
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.papers.wang14.link_blocks import link_blocks
from scrapy_mainblock.render.article import Article
from scrapy_mainblock.template.rules import SiteRules

HTML = TEMPLATES["plain"](1)


def _tag(response: Response, meta: dict[str, Any] | None = None) -> dict[str, Any]:
    crawler = Crawler(Spider)
    crawler.stats = MemoryStatsCollector(crawler)
    middleware = MainblockDownloaderMiddleware.from_crawler(crawler)
    request = Request(response.url, meta=meta)
    assert asyncio.run(middleware.process_response(request, response)) is response
    return request.meta


def _html(body: str | bytes = HTML, **headers: str) -> HtmlResponse:
    data = body.encode() if isinstance(body, str) else body
    return HtmlResponse("https://a.example/", body=data, headers=headers)


def test_the_tag_holds_text_offsets_and_two_ratios_and_can_be_pickled() -> None:
    response = _html(HTML.replace("Menu 1", "Menü ü 1"))
    tag = _tag(response)["mainblock"]
    assert tag.keys() == {"link_blocks", "lcr", "ccr"}
    for start, end, links in tag["link_blocks"]:
        assert response.text[start:end].startswith("<a ")
        assert response.text[start:end].endswith("</a>")
        assert response.text[start:end].count("<a ") == links
    page = Outline(page_of(response))
    found = link_blocks(page).in_characters(page.rows.source)
    assert (tag["lcr"], tag["ccr"]) == (round(found.lcr, 4), round(found.ccr, 4))
    assert pickle.loads(pickle.dumps(tag)) == tag


TEXT = HTML.replace("Menu 1", "Men\xfc \xe9 1").replace("<body>", "<body>\xe9t\xe9 ")


@pytest.mark.parametrize(
    ("body", "charset"),
    [
        (TEXT.encode(), "utf-8"),
        (TEXT.encode(), ""),
        (TEXT.encode("utf-8-sig"), "latin-1"),
        (TEXT.encode(), "latin-1"),
        (TEXT.encode("latin-1"), "latin-1"),
        (TEXT.encode("latin-1"), ""),
        (TEXT.encode("latin-1"), "utf-8"),
        (TEXT.encode("utf-16"), ""),
        (TEXT.encode("utf-16-le"), "utf-16-le"),
        (TEXT.replace("\xe9", "\U0001f517").encode("gb18030"), "gb18030"),
        (TEXT.replace("\xe9", "\U0001f517\x00").encode(), "utf-8"),
    ],
)
def test_offsets_refer_to_the_text_that_the_callback_sees(body: bytes, charset: str) -> None:
    kind = f"text/html; charset={charset}" if charset else "text/html"
    response = _html(body, **{"Content-Type": kind})
    blocks = tag_of(response)["link_blocks"]
    assert blocks
    for start, end, links in blocks:
        assert response.text[start:end].startswith("<a ")
        assert response.text[start:end].endswith("</a>")
        assert response.text[start:end].count("<a ") == links


def test_the_number_of_link_blocks_in_a_tag_is_limited() -> None:
    gap = "word " * 50
    html = "".join(f'<a href="{number}">x</a>' * 3 + gap for number in range(1500))
    assert len(tag_of(_html(html))["link_blocks"]) == 1000


@pytest.mark.parametrize(
    "response",
    [Response("https://a.example/"), TextResponse("https://a.example/", body=b"{}")],
)
def test_a_response_that_is_not_html_has_no_tag_not_even_a_copied_one(response: Response) -> None:
    assert _tag(response, {"mainblock": {"link_blocks": []}, "own": 1}) == {"own": 1}


def test_a_copied_tag_is_replaced_and_the_old_one_left_unchanged() -> None:
    old = {"link_blocks": [[1, 2, 3]]}
    meta = _tag(_html(), {"mainblock": old})
    assert meta["mainblock"] is not old
    assert old == {"link_blocks": [[1, 2, 3]]}


def test_an_opt_out_is_not_overwritten_by_a_tag() -> None:
    assert _tag(_html(), {"mainblock": False}) == {"mainblock": False}


@pytest.mark.parametrize(
    "body", [b"\x1f\x8b\x08", b"<" * 40_000, "<a href=x>" * 4_000], ids=["gzip", "<", "links"]
)
@pytest.mark.parametrize("charset", ["utf-8", "nonsense", "utf-16", "hex", "punycode"])
def test_no_page_raises(body: bytes | str, charset: str) -> None:
    response = _html(body, **{"Content-Type": f"text/html; charset={charset}"})
    # The last three charsets give no text for offsets to refer to; the page is still read.
    assert ("mainblock" in _tag(response)) is (charset in ("utf-8", "nonsense"))
    assert page_of(response).source.count(b"<") == response.body.count(b"<")


def test_text_declared_as_html_is_a_page() -> None:
    headers = {"Content-Type": "application/xhtml+xml"}
    assert is_html(TextResponse("https://a.example/", headers=headers))
    assert not is_html(TextResponse("https://a.example/", headers={"Content-Type": "text/plain"}))


def test_extraction_ignores_changes_to_the_callbacks_own_tree() -> None:
    response, untouched = _html(), _html()
    response.css("p").drop()
    assert not response.css("p")
    rules = SiteRules("a.example")
    found = extract(None, response, rules)
    assert found == extract(None, untouched, rules)
    assert found.articleBody is not None
    assert tag_of(response) == tag_of(untouched)


def test_extraction_builds_no_selector_tree() -> None:
    response = _html()
    tag_of(response)
    extract(None, response, SiteRules("a.example"))
    assert response._cached_selector is None


ARTICLE = Article("https://a.example/", "Head", "Body", "<p>Body</p>", metadata={"method": "page"})
ALL = {name: name for name in FIELDS}
FOUND = {name: value for name, value in ARTICLE.to_dict().items() if name != "articleBodyMarkdown"}
"""The fields that an item gets by default, without Markdown."""


def options(**values: Any) -> Options:
    return Options.of(Settings({f"MAINBLOCK_{name}": value for name, value in values.items()}))


class AnItem(Item):
    text = ItemField()


@dataclasses.dataclass
class ADataclass:
    url: str
    articleBody: str = ""
    metadata: dict[str, Any] | None = None


FILLED = [
    ({}, ALL, False, FOUND),
    ({"url": "own", "headline": ""}, ALL, False, {**FOUND, "url": "own"}),
    ({"url": "own"}, ALL, True, FOUND),
    ({}, {"articleBody": "text"}, False, {"text": "Body"}),
    (AnItem(), {"articleBody": "text", "headline": "title"}, False, {"text": "Body"}),
    (AnItem(text="own"), {"articleBody": "text"}, False, {"text": "own"}),
    (ADataclass("own"), ALL, False, ADataclass("own", "Body", {"method": "page"})),
]


@pytest.mark.parametrize(("item", "fields", "overwrite", "expected"), FILLED)
def test_fill_sets_the_mapped_fields_that_an_item_has_room_for(
    item: Any, fields: dict[str, str], overwrite: bool, expected: Any
) -> None:
    room = options(FIELDS=fields, OVERWRITE=overwrite).room_in(item)
    fill(item, ARTICLE.to_dict(), fields, room)
    assert item == expected or dict(item) == expected


class RefusingItem(Item):
    url = ItemField()

    def __setitem__(self, name: str, value: Any) -> None:
        raise ValueError("not now")


def test_a_field_that_an_item_refuses_is_reported() -> None:
    item = RefusingItem()
    filled = fill(item, ARTICLE.to_dict(), ALL, {"url"})
    assert filled.item is item
    assert filled.refused.keys() == {"url"}


@dataclasses.dataclass(frozen=True)
class Frozen:
    url: str | None = None
    own: int = 1

    def __post_init__(self) -> None:
        assert self.url is None, "it is called for the copy, too"


@dataclasses.dataclass(frozen=True, slots=True)
class FrozenSlots:
    url: str | None = None
    own: int = 1


@attrs.frozen
class FrozenAttrs:
    url: str | None = None
    own: int = 1


def _frozen_model() -> type:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model(
        "Model", url=(str | None, None), own=(int, 1), __config__={"frozen": True}
    )
    assert isinstance(model, type)
    return model


@pytest.mark.parametrize(
    "make", [lambda: Frozen, lambda: FrozenSlots, lambda: FrozenAttrs, _frozen_model]
)
def test_a_frozen_item_is_replaced_by_a_filled_copy(make: Callable[[], Any]) -> None:
    item = make()(own=2)
    filled = fill(item, ARTICLE.to_dict(), ALL, {"url"})
    assert not filled.refused
    assert type(filled.item) is type(item)
    assert (filled.item.url, filled.item.own) == (ARTICLE.url, 2)
    assert item.url is None


def test_each_item_gets_its_own_copy_of_the_metadata() -> None:
    first: dict[str, Any] = {}
    second: dict[str, Any] = {}
    fill(first, ARTICLE.to_dict(), ALL, ALL)
    fill(second, ARTICLE.to_dict(), ALL, ALL)
    assert first["metadata"] is not second["metadata"]


class NotOurs(Item):
    file = ItemField()


class OwnUrl(Item):
    url = ItemField()


ROOM = [
    ({}, {}, set(FOUND)),
    ({}, {"MARKDOWN": True}, set(FIELDS)),
    (dict.fromkeys(FIELDS, "own"), {}, set()),
    (dict.fromkeys(FIELDS, "own"), {"OVERWRITE": True}, set(FOUND)),
    (NotOurs(), {}, set()),
    (OwnUrl(), {}, {"url"}),
    (OwnUrl(url="own"), {}, set()),
    (ADataclass("own"), {}, {"articleBody", "metadata"}),
    (ADataclass("own"), {"ITEMS": AnItem}, set()),
    (ADataclass("own"), {"ITEMS": "crawl.test_components.ADataclass"}, {"articleBody", "metadata"}),
    (ADataclass("own"), {"ITEMS": [AnItem, ADataclass]}, {"articleBody", "metadata"}),
    ({"kind": "story"}, {"ITEMS": lambda item: item.get("kind") == "story"}, set(FOUND)),
    ({"kind": "image"}, {"ITEMS": lambda item: item.get("kind") == "story"}, set()),
    ("no item", {}, set()),
]


@pytest.mark.parametrize(("item", "settings", "room"), ROOM)
def test_room_in_an_item(item: Any, settings: Any, room: set[str]) -> None:
    assert options(**settings).room_in(item) == room


@pytest.mark.parametrize("value", [[], "no.such.Class", 3, [AnItem, len]], ids=range(4))
def test_an_invalid_items_setting_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="MAINBLOCK_ITEMS"):
        options(ITEMS=value)


def test_room_in_does_not_change_a_defaultdict() -> None:
    item: dict[str, Any] = defaultdict(str, url="https://a.example/")
    assert "headline" in options().room_in(item)
    assert item == {"url": "https://a.example/"}


@pytest.mark.parametrize(
    ("levels", "propagates", "expected"),
    [
        ((logging.INFO, logging.INFO), True, False),
        ((logging.DEBUG, logging.INFO), True, True),
        ((logging.INFO, logging.DEBUG), True, True),
        ((logging.INFO, logging.DEBUG), False, False),
    ],
)
def test_is_written_is_true_if_a_handler_accepts_the_level(
    levels: tuple[int, int],
    propagates: bool,
    expected: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    handler, root = levels
    monkeypatch.setattr(logger, "handlers", [logging.Handler(handler)])
    monkeypatch.setattr(logger, "propagate", propagates)
    monkeypatch.setattr(logging.root, "handlers", [logging.Handler(root)])
    caplog.set_level(logging.DEBUG, logger.name)
    assert is_written(logging.DEBUG) is expected
    assert is_written(logging.WARNING)
    caplog.set_level(logging.ERROR, logger.name)
    assert not is_written(logging.WARNING)


def test_the_str_of_a_dict_or_list_value_is_json() -> None:
    item: dict[str, Any] = {}
    authors = [{"name": "Ä"}]
    fill(item, {"metadata": {"reason": None}, "headline": authors}, ALL, ("metadata", "headline"))
    assert json.loads(str(item["metadata"])) == {"reason": None} == item["metadata"]
    assert json.loads(str(item["headline"])) == authors == item["headline"]
    assert pickle.loads(pickle.dumps(item["metadata"])) == JsonDict(reason=None)
