"""Spider habits: several items a page, none, opting out, other types, copied meta, errors."""

import scrapy


class MixedSpider(scrapy.Spider):
    name = "mixed"
    handle_httpstatus_list = [404]

    def __init__(self, base, **kwargs):
        super().__init__(**kwargs)
        self.base = base

    async def start(self):
        yield scrapy.Request(f"{self.base}/list/plain/12", meta={"mine": [1, 2]})
        for number in range(3):
            yield scrapy.Request(
                f"{self.base}/page/plain/{100 + number}", self.parse_out, meta={"mainblock": False}
            )
            yield scrapy.Request(f"{self.base}/redirect/plain/{200 + number}", self.parse_one)
            yield scrapy.Request(f"{self.base}/flaky/plain/{300 + number}", self.parse_one)
            yield scrapy.Request(
                f"{self.base}/missing/other/{400 + number}",
                self.parse_one,
                meta={"handle_httpstatus_list": [404]},
            )
        for kind in ("json", "pdf", "xml", "empty", "broken", "punycode", "deep"):
            yield scrapy.Request(f"{self.base}/other/{kind}", self.parse_other)
        yield {"url": "http://nowhere.example/", "what": "start"}

    def parse(self, response):
        for link in response.css("a.story::attr(href)").getall():
            # The copied meta carries the old page's tag along with the user's own values.
            yield response.follow(link, self.parse_twice, meta=response.meta.copy())
        yield {"url": response.url, "what": "list"}

    async def parse_twice(self, response):
        number = int(response.url.rsplit("/", 1)[1])
        if number == 0:
            return
        response.css("#nav").drop()
        for part in "ab":
            yield {"url": response.url, "what": part, "tag": response.meta["mainblock"]}
        if number == 1:
            raise RuntimeError("after its items")

    def parse_one(self, response):
        yield {"url": response.url, "what": "one"}

    def parse_out(self, response):
        yield {"url": response.url, "what": "out", "meta": response.meta["mainblock"]}

    def parse_other(self, response):
        tagged = "mainblock" in response.meta
        yield {"url": response.url, "what": "other", "tagged": tagged}


class Replacing:
    """A spider middleware that replaces the items, after the middleware that collects them."""

    async def process_spider_output(self, response, result):
        async for output in result:
            if isinstance(output, dict):
                yield {**output, "by_middleware": response.url}
            else:
                yield output


class Rewriting:
    """A pipeline before ours that replaces the items."""

    def process_item(self, item):
        return {"by_pipeline": True, **item}
