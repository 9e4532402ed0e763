"""Crawls in one process, each with its own spider and settings, on synthetic pages.

`python scenarios.py NAME...` runs them together (starting a process takes longer than they do) and
writes `results.json`: for each crawl its stats, its log and the notes of its spider.
"""

import asyncio
import dataclasses
import fcntl
import gc
import json
import logging
import random
import sys
import time
from pathlib import Path

import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import DontCloseSpider
from scrapy.http import HtmlResponse

from crawl.server import TEMPLATES
from scrapy_mainblock.crawl.crawl import Crawl
from scrapy_mainblock.render.article import FIELDS

ONE_AT_A_TIME = {"CONCURRENT_REQUESTS": 1}
FOR_EVER = {"MAINBLOCK_HOLD_SECONDS": 1000, "MAINBLOCK_HOLD_PAGES": 1000, "MAINBLOCK_QUIET": 1000}


def unlike(number):
    """Return a page that resembles no other page."""
    draw = random.Random(number)
    parts = []
    for part in range(30):
        tag, name = draw.choice(["div", "section", "article", "ul", "dl"]), draw.random()
        inner = draw.choice(["div", "aside", "main", "figure"])
        parts.append(
            f'<{tag} class="c{name}"><{inner} id="i{draw.random()}"><p>Paragraph {part} of page'
            f" {number} says that {name} people came, and saw the town.</p></{inner}></{tag}>"
        )
    return f"<html><head><title>Page {number}</title></head><body>{''.join(parts)}</body></html>"


class Web:
    """A downloader middleware that answers every request with a page made by the spider."""

    def __init__(self, crawler):
        self.crawler = crawler

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    async def process_request(self, request):
        spider = self.crawler.spider
        await asyncio.sleep(spider.latency)
        status, html = spider.page(request.url)
        headers = {"Content-Type": "text/html; charset=utf-8"}
        return HtmlResponse(request.url, status=status, body=html.encode(), headers=headers)


class Scenario(scrapy.Spider):
    """The base scenario: request the pages of `paths` in order and yield one item each."""

    latency = 0.02
    host = "x.example"
    paths = ()
    settings = {}

    @classmethod
    def update_settings(cls, settings):
        super().update_settings(settings)
        own = {
            "DOWNLOADER_MIDDLEWARES": {Web: 900},
            "FEEDS": {f"{cls.name}.jsonl": {"format": "jsonlines"}},
            "MAINBLOCK_RULES_DIR": f"{cls.name}.rules",
            **cls.settings,
        }
        for name, value in own.items():
            settings.set(name, value, "spider")

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.notes = []
        crawler.signals.connect(spider.scraped, signals.item_scraped)
        crawler.signals.connect(spider.opened, signals.spider_opened)
        crawler.signals.connect(spider.closed_by, signals.spider_closed)
        return spider

    def opened(self):
        """Hook for subclasses."""

    def closed_by(self):
        """Hook for subclasses."""

    def scraped(self, item):
        self.notes.append(["scraped", time.monotonic()])

    def page(self, url):
        kind, number = url.split("/")[3:5]
        return 200, unlike(int(number)) if kind == "unlike" else TEMPLATES[kind](int(number))

    async def start(self):
        for path in self.paths:
            yield scrapy.Request(f"http://{self.host}/{path}")

    def parse(self, response):
        self.notes.append(["reached", time.monotonic()])
        yield {"url": response.url}


def unlikes(count):
    return [f"unlike/{number}" for number in range(count)]


class Seconds(Scenario):
    """MAINBLOCK_HOLD_SECONDS limits how long items wait; the progress line counts waiting pages."""

    name = "seconds"
    latency = 0.15
    paths = unlikes(30)
    settings = {
        **ONE_AT_A_TIME, **FOR_EVER, "MAINBLOCK_HOLD_SECONDS": 1, "LOGSTATS_INTERVAL": 0.5
    }  # fmt: skip


class Pages(Scenario):
    """MAINBLOCK_HOLD_PAGES limits how many pages of a site wait."""

    name = "pages"
    latency = 0.15  # longer than a page takes to be emitted: Scrapy 2.14 sleeps 0.1 s
    paths = unlikes(40)
    settings = {**ONE_AT_A_TIME, **FOR_EVER, "MAINBLOCK_HOLD_PAGES": 5}

    def parse(self, response):
        yield from super().parse(response)
        self.notes.append(["held", Crawl.of(self.crawler).holding.count("held")])


class Earlier(Scenario):
    """With the rules of an earlier crawl, only pages outside the known clusters wait."""

    name = "earlier"
    paths = [
        *(f"plain/{number}" for number in range(6)),
        *(f"menu/{number}" for number in range(4)),
        *unlikes(3),
    ]
    settings = {**ONE_AT_A_TIME, **FOR_EVER}


class NoItem(Scenario):
    """Waiting items count as items for CLOSESPIDER_TIMEOUT_NO_ITEM."""

    name = "no_item"
    latency = 0.25  # in total longer than the allowed time without items
    paths = unlikes(40)
    settings = {**ONE_AT_A_TIME, **FOR_EVER, "CLOSESPIDER_TIMEOUT_NO_ITEM": 9}


class ItemCount(Scenario):
    """A waiting item counts for CLOSESPIDER_ITEMCOUNT, and counts once."""

    name = "item_count"
    paths = unlikes(60)
    settings = {**ONE_AT_A_TIME, **FOR_EVER, "CLOSESPIDER_ITEMCOUNT": 10}


class Image(scrapy.Item):
    file = scrapy.Field()


class Kinds(Scenario):
    """Three items a page: one to be filled, one of another class, one with every field set."""

    name = "kinds"
    paths = unlikes(8)
    settings = {**ONE_AT_A_TIME, **FOR_EVER, "JOBDIR": "kinds.job"}

    def parse(self, response):
        yield Image(file=response.url)
        yield {"url": response.url}
        yield {**dict.fromkeys(FIELDS, "own"), "url": response.url}


class Chosen(Scenario):
    """MAINBLOCK_ITEMS selects the items to fill; if it raises, no item is lost."""

    name = "chosen"
    paths = [f"plain/{number}" for number in range(8)]
    settings = {**ONE_AT_A_TIME, "MAINBLOCK_ITEMS": lambda item: item["kind"] == "story"}

    def parse(self, response):
        yield {"url": response.url, "kind": "story"}
        yield {"url": response.url, "kind": "image"}
        yield {"url": response.url}


@dataclasses.dataclass
class Stubborn:
    """An item whose articleBody cannot be set, so it always reads as empty."""

    url: str | None = None
    headline: str | None = None
    articleBody: str | None = None

    def __setattr__(self, name, value):
        if name == "articleBody" and value:
            raise ValueError("not this")
        super().__setattr__(name, value)


class Refusing(Scenario):
    """Items that reject a value are emitted unfilled and counted."""

    name = "refusing"
    paths = [f"plain/{number}" for number in range(3)]

    def parse(self, response):
        yield Stubborn(url=response.url)


class LaterPages(Scenario):
    """An item is completed in the callback of a later page."""

    name = "later"
    handle_httpstatus_list = [404]
    paths = [f"plain/{number}" for number in range(10)]
    settings = {
        "FEEDS": {"later.jsonl": {"format": "jsonlines"}, "later.csv": {"format": "csv"}},
        "SPIDER_MIDDLEWARES": {},
    }

    def page(self, url):
        if "/comments/" in url:
            return (404, TEMPLATES["other"](900)) if url.endswith("/3") else (200, unlike(7))
        if "/missing/" in url:
            return 404, TEMPLATES["plain"](700)
        return super().page(url)

    async def start(self):
        async for request in super().start():
            yield request
        yield scrapy.Request(f"http://{self.host}/missing/0", self.parse_missing)

    async def parse(self, response):
        number = response.url.rsplit("/", 1)[1]
        item = {"url": response.url}
        if number == "5":  # the page also yields an item of its own first
            yield {"url": response.url, "what": "own"}
        yield scrapy.Request(
            f"http://{self.host}/comments/{number}", self.parse_later, cb_kwargs={"item": item}
        )
        await asyncio.sleep(0.3)  # the callback ends after the second page has arrived

    def parse_later(self, response, item):
        yield item

    def parse_missing(self, response):
        yield {"url": response.url, "what": "missing"}


class Keys(Scenario):
    """The rules of a host take precedence over those of its domain."""

    name = "keys"
    paths = [f"plain/{number}" for number in range(3)]

    async def start(self):
        for host in ("www.y.example", "y.example"):
            for path in self.paths:
                yield scrapy.Request(f"http://{host}/{path}")


class Learnt(Scenario):
    """One host has rules that the command learned from saved pages; the other has none."""

    name = "learnt"
    settings = {**ONE_AT_A_TIME, **FOR_EVER}

    async def start(self):
        for host in ("www.daily.com", "m.daily.com"):
            for number in range(8):
                yield scrapy.Request(f"http://{host}/plain/{number}")


class Pinned(Scenario):
    """A rule is pinned while the crawl is running."""

    name = "pinned"
    latency = 0.1
    settings = {**ONE_AT_A_TIME}
    paths = [f"plain/{number}" for number in range(85)]

    def parse(self, response):
        number = int(response.url.rsplit("/", 1)[1])
        if number == 20:
            Path("pin now").touch()
        pinned = Path("pinned").exists()
        yield {"url": response.url, "pinned": time.time() if pinned else None}


class Locked(Scenario):
    """The lock on the rules is held until the crawl has ended, as if by another process."""

    name = "locked"
    latency = 0.05
    paths = [f"plain/{number}" for number in range(20)]

    def opened(self):
        Path(f"{self.name}.rules").mkdir()
        self.lock = Path(f"{self.name}.rules/.lock").open("a")  # noqa: SIM115 - held briefly
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        self.longest, self.began, self.is_over = 0.0, time.monotonic(), False
        self.crawler.signals.connect(self.stopped, signals.engine_stopped)
        self.watching = asyncio.ensure_future(self.watch())

    async def watch(self):
        before = time.monotonic()
        while not self.is_over:
            await asyncio.sleep(0.01)
            now = time.monotonic()
            self.longest, before = max(self.longest, now - before), now

    def stopped(self):
        self.is_over = True
        self.lock.close()
        self.notes.append(["longest", self.longest])
        self.notes.append(["stopped", time.monotonic() - self.began])


class Saving(Locked):
    """As `Locked`, but a save is already waiting for the lock when the crawl ends."""

    name = "saving"
    latency = 0.8


class Unknown(Scenario):
    """A future Scrapy whose scraper has another method signature."""

    name = "unknown"
    paths = [f"plain/{number}" for number in range(8)]
    settings = {"JOBDIR": "unknown.job"}

    def opened(self):
        scraper = self.crawler.engine.scraper
        now = scraper.start_itemproc_async
        scraper.start_itemproc_async = lambda item, *, response: now(item, response=response)


class Idle(Scenario):
    """Waiting items are emitted when the spider idles, not only when it closes."""

    name = "idle"
    paths = unlikes(4)
    settings = FOR_EVER
    patience = 20

    def opened(self):
        self.began = time.monotonic()
        self.crawler.signals.connect(self.idle, signals.spider_idle)

    def idle(self):
        is_out = sum(what == "scraped" for what, _ in self.notes) == len(self.paths)
        if not is_out and time.monotonic() - self.began < self.patience:
            raise DontCloseSpider
        self.notes.append(["idle", is_out])


class Swallowed(Scenario):
    """Errors caused by a page are counted."""

    name = "swallowed"
    paths = [f"plain/{number}" for number in range(3)]

    def parse(self, response):
        from scrapy_mainblock.page.swallowed import swallow  # noqa: PLC0415

        try:
            int("a page's own text")
        except ValueError as error:
            swallow(error, "a test")
        yield {"url": response.url}


class Overwritten(Scenario):
    """A compressed feed that is overwritten on restart: no item is safe before it is closed."""

    name = "overwritten"
    latency = 0.0
    paths = [f"plain/{number}" for number in range(300)]
    settings = {
        "JOBDIR": "overwritten.job",
        "FEEDS": {
            "overwritten.gz": {
                "format": "jsonlines",
                "overwrite": True,
                "postprocessing": ["scrapy.extensions.postprocessing.GzipPlugin"],
            }
        },
    }
    seen = 0

    def parse(self, response):
        self.seen += 1
        if self.seen % 100 == 0:
            self.notes.append([self.seen, self.kept()])
        yield {"url": response.url}

    def kept(self):
        """Return how many visits and articles of this crawl are alive in memory."""
        gc.collect()
        found = 0
        for one in gc.get_objects():
            kind = type(one).__name__
            found += kind == "Visit" and one.crawl.crawler is self.crawler
            found += kind == "Article" and str(one.url).startswith("http://overwritten.example")
        return found

    host = "overwritten.example"


class Logs(logging.Handler):
    """Collect log lines by spider; records without a spider go under the empty name."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = {}

    def emit(self, record):
        spider = getattr(record, "spider", None)
        line = f"{record.levelname}: {record.getMessage()}"
        self.lines.setdefault(getattr(spider, "name", ""), []).append(line)


SCENARIOS = {
    cls.name: cls for cls in (*Scenario.__subclasses__(), *Locked.__subclasses__())
}  # fmt: skip


def main():
    process = CrawlerProcess(
        {
            "ADDONS": {"scrapy_mainblock.Addon": 500},
            "LOG_LEVEL": "DEBUG",
            "LOG_FILE": "log.txt",
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    logs = Logs()
    logging.getLogger().addHandler(logs)
    crawlers = {}
    for name in sys.argv[1:]:
        crawlers[name] = process.create_crawler(SCENARIOS[name])
        process.crawl(crawlers[name])
    spiders = {}
    for name, crawler in crawlers.items():
        crawler.signals.connect(
            lambda spider, name=name: spiders.__setitem__(name, spider), signals.spider_closed,
            weak=False,
        )  # fmt: skip
    process.start()
    results = {
        name: {
            "stats": crawler.stats.get_stats(),
            "notes": spiders[name].notes,
            "log": logs.lines.get(name, []),
        }
        for name, crawler in crawlers.items()
    }
    results[""] = {"log": logs.lines.get("", [])}
    Path("results.json").write_text(json.dumps(results, default=str))


if __name__ == "__main__":
    main()
