"""The components alone: tags, fields, and what they do with odd input."""

from __future__ import annotations

import asyncio
import dataclasses
import pickle
from typing import Any

import pytest
from scrapy import Field as ItemField
from scrapy import Item, Request, Spider
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.statscollectors import MemoryStatsCollector

from crawl.server import TEMPLATES
from scrapy_mainblock.core.article import Article
from scrapy_mainblock.core.linkblocks import link_blocks
from scrapy_mainblock.middleware import MainblockDownloaderMiddleware, tag_of
from scrapy_mainblock.pages import is_html, page_of
from scrapy_mainblock.pipeline import fill
from scrapy_mainblock.settings import FIELDS

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


def test_the_tag_is_offsets_into_the_text_and_small_and_plain() -> None:
    response = _html(HTML.replace("Menu 1", "Menü ü 1"))
    tag = _tag(response)["mainblock"]
    assert tag.keys() == {"link_blocks", "lcr", "ccr"}
    for start, end, links in tag["link_blocks"]:
        assert response.text[start:end].startswith("<a ")
        assert response.text[start:end].endswith("</a>")
        assert response.text[start:end].count("<a ") == links
    found = link_blocks(response.text)
    assert (tag["lcr"], tag["ccr"]) == (round(found.lcr, 4), round(found.ccr, 4))
    assert pickle.loads(pickle.dumps(tag)) == tag


def test_a_tag_with_blocks_without_end_is_cut() -> None:
    gap = "word " * 50
    html = "".join(f'<a href="{number}">x</a>' * 3 + gap for number in range(1500))
    assert len(tag_of(_html(html))["link_blocks"]) == 1000


@pytest.mark.parametrize(
    "response",
    [Response("https://a.example/"), TextResponse("https://a.example/", body=b"{}")],
)
def test_what_is_no_page_has_no_tag_not_even_a_copied_one(response: Response) -> None:
    assert _tag(response, {"mainblock": {"link_blocks": []}, "own": 1}) == {"own": 1}


def test_a_copied_tag_is_replaced_and_the_old_one_left_alone() -> None:
    old = {"link_blocks": [[1, 2, 3]]}
    meta = _tag(_html(), {"mainblock": old})
    assert meta["mainblock"] is not old
    assert old == {"link_blocks": [[1, 2, 3]]}


def test_opting_out_stays() -> None:
    assert _tag(_html(), {"mainblock": False}) == {"mainblock": False}


@pytest.mark.parametrize(
    "body", [b"\x1f\x8b\x08", b"<" * 40_000, "<a href=x>" * 4_000], ids=["gzip", "<", "links"]
)
@pytest.mark.parametrize("charset", ["utf-8", "nonsense", "utf-16", "hex", "punycode"])
def test_no_page_raises(body: bytes | str, charset: str) -> None:
    response = _html(body, **{"Content-Type": f"text/html; charset={charset}"})
    # With the last three there is no text that offsets could be into; the page is read still.
    assert ("mainblock" in _tag(response)) is (charset in ("utf-8", "nonsense"))
    assert page_of(response, own_tree=False).source.count("<") == response.body.count(b"<")


def test_text_declared_as_html_is_a_page() -> None:
    headers = {"Content-Type": "application/xhtml+xml"}
    assert is_html(TextResponse("https://a.example/", headers=headers))
    assert not is_html(TextResponse("https://a.example/", headers={"Content-Type": "text/plain"}))


@pytest.mark.parametrize("own_tree", [False, True])
def test_the_tree_that_the_callback_built_is_used(own_tree: bool) -> None:
    response = _html()
    response.css("#nav").drop()
    page = page_of(response, own_tree=own_tree)
    assert page.root is not None
    assert not page.root.xpath("//*[@id='nav']")  # parsed anew, it would be there
    assert own_tree is not (page.root is response.selector.root)


def test_no_tree_is_built_to_look_for_one() -> None:
    response = _html()
    page_of(response, own_tree=True)
    assert response._cached_selector is None


ARTICLE = Article("https://a.example/", "Head", "Body", "<p>Body</p>", {"method": "page"})
ALL = {name: name for name in FIELDS}


class AnItem(Item):
    text = ItemField()


@dataclasses.dataclass
class ADataclass:
    url: str
    articleBody: str = ""
    metadata: dict[str, Any] | None = None


FILLED = [
    ({}, ALL, False, ARTICLE.to_dict()),
    ({"url": "own", "headline": ""}, ALL, False, {**ARTICLE.to_dict(), "url": "own"}),
    ({"url": "own"}, ALL, True, ARTICLE.to_dict()),
    ({}, {"articleBody": "text"}, False, {"text": "Body"}),
    (AnItem(), {"articleBody": "text", "headline": "title"}, False, {"text": "Body"}),
    (AnItem(text="own"), {"articleBody": "text"}, False, {"text": "own"}),
    (ADataclass("own"), ALL, False, ADataclass("own", "Body", {"method": "page"})),
]


@pytest.mark.parametrize(("item", "fields", "overwrite", "expected"), FILLED)
def test_fields(item: Any, fields: dict[str, str], overwrite: bool, expected: Any) -> None:
    fill(item, ARTICLE, fields, overwrite=overwrite)
    assert item == expected or dict(item) == expected


@dataclasses.dataclass(frozen=True)
class Frozen:
    url: str | None = None


def test_a_field_that_an_item_refuses_is_said() -> None:
    refused = fill(Frozen(), ARTICLE, ALL, overwrite=False)
    assert refused.keys() == {"url"}


def test_each_item_has_its_own_metadata() -> None:
    first: dict[str, Any] = {}
    second: dict[str, Any] = {}
    fill(first, ARTICLE, ALL, overwrite=False)
    fill(second, ARTICLE, ALL, overwrite=False)
    assert first["metadata"] is not second["metadata"]
