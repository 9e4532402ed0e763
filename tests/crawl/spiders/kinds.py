"""Each story yields an item of the next type, in turn through every type itemadapter knows."""

import dataclasses
from collections import OrderedDict
from datetime import datetime, timezone
from decimal import Decimal

import attrs
import pydantic
import scrapy


class AnItem(scrapy.Item):
    url = scrapy.Field()
    articleBody = scrapy.Field()
    metadata = scrapy.Field()
    seen = scrapy.Field()


@dataclasses.dataclass
class ADataclass:
    url: str
    articleBody: str | None = None
    metadata: dict | None = None
    seen: object = None


@attrs.define
class AnAttrs:
    url: str
    articleBody: str | None = None
    metadata: dict | None = None
    seen: object = None


class APydantic(pydantic.BaseModel):
    url: str
    articleBody: str | None = None
    metadata: dict | None = None
    seen: object = None


@dataclasses.dataclass(frozen=True)
class AFrozenDataclass:
    url: str
    articleBody: str | None = None
    metadata: dict | None = None
    seen: object = None


@attrs.frozen
class AFrozenAttrs:
    url: str
    articleBody: str | None = None
    metadata: dict | None = None
    seen: object = None


class AFrozenPydantic(pydantic.BaseModel, frozen=True):
    url: str
    articleBody: str | None = None
    metadata: dict | None = None
    seen: object = None


MUTABLE = [dict, OrderedDict, AnItem, ADataclass, AnAttrs, APydantic]
KINDS = [*MUTABLE, AFrozenDataclass, AFrozenAttrs, AFrozenPydantic]


class KindsSpider(scrapy.Spider):
    name = "kinds"

    def __init__(self, url, **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [url]

    def parse(self, response):
        for link in response.css("a.story::attr(href)").getall():
            yield response.follow(link, self.parse_page)

    def parse_page(self, response):
        kind = KINDS[int(response.url.rsplit("/", 1)[1]) % len(KINDS)]
        seen = {
            "kind": kind.__name__,
            "date": datetime(2026, 1, 2, tzinfo=timezone.utc),
            "price": Decimal("1.50"),
            "set": {1},
        }
        yield kind(url=response.url, seen=seen)


class Check:
    """A pipeline after ours: the item has kept its type, and its values theirs."""

    def process_item(self, item):
        seen = item["seen"] if isinstance(item, dict | AnItem) else item.seen
        assert type(item).__name__ == seen["kind"]
        assert seen["date"] == datetime(2026, 1, 2, tzinfo=timezone.utc)
        assert seen["price"] == Decimal("1.50")
        assert seen["set"] == {1}
        seen["set"] = [1]
        return item
