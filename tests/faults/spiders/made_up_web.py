"""A crawl of any number of hosts, whose pages are generated on request.

`hosts` and `pages` set the number of hosts and of pages per host; the pages of a host alternate
between templates. Every `look` pages the memory of the process is written to memory.txt.
"""

import gc
import random
from pathlib import Path

import scrapy
from scrapy.http import HtmlResponse

WORDS = "the sea was calm that day and nobody knew what would come of it before the winter".split()


class Web:
    """A downloader middleware that answers every request with a generated page."""

    def __init__(self, paragraphs):
        self.paragraphs = paragraphs

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler.settings.getint("WEB_PARAGRAPHS", 25))

    async def process_request(self, request):
        host, kind, number = request.url.split("/")[2:5]
        headers = {"Content-Type": "text/html; charset=utf-8"}
        if kind == "away":
            away = f"http://{number}/page/1"
            return HtmlResponse(request.url, status=302, headers={"Location": away})
        return HtmlResponse(
            request.url,
            body=page(host, kind, int(number), self.paragraphs).encode(),
            headers=headers,
        )


def page(host, kind, number, paragraphs=25):
    """Return a page of about 9 KB with sixty lines of text, forty of them unique to the page."""
    draw = random.Random(f"{host} {number}")

    def sentence():
        return " ".join(draw.choices(WORDS, k=14)) + f" ({draw.random():.6f})."

    menu = "".join(f'<li><a href="/menu/{n}">Menu {n} of {host}</a></li>' for n in range(20))
    body = "".join(f"<p>{sentence()} {sentence()}</p>" for _ in range(paragraphs))
    others = range(paragraphs // 2 + 3)
    related = "".join(f'<li><a href="/page/{n}">{sentence()}</a></li>' for n in others)
    template = number % 3
    wrapped = f'<div class="t{template}"><section>' * (2 * template + 1) + body
    return (
        f"<html><head><title>Page {number}</title></head><body><ul id='menu'>{menu}</ul>"
        f"<h1>Page {number}</h1><div id='text{template}'>{wrapped}</div>"
        f"<div id='related'><ul>{related}</ul></div></body></html>"
    )


def resident_bytes():
    """Return the resident memory of this process after a garbage collection."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


class MadeUpWebSpider(scrapy.Spider):
    name = "made_up_web"
    custom_settings = {
        "DOWNLOADER_MIDDLEWARES": {"made_up_web.Web": 900},
        "LOG_LEVEL": "INFO",
        "MEMUSAGE_ENABLED": False,
    }

    def __init__(self, hosts=1, pages=10, look=1000, urls="", **kwargs):
        super().__init__(**kwargs)
        self.hosts, self.pages, self.look = int(hosts), int(pages), int(look)
        self.urls = urls.split()
        self.seen = 0

    async def start(self):
        for url in self.urls:
            yield scrapy.Request(url)
        if not self.urls:
            for number in range(self.pages):
                for host in range(self.hosts):
                    yield scrapy.Request(f"http://site{host}.example/page/{number}")

    def parse(self, response):
        self.seen += 1
        if self.seen % self.look == 0:
            with Path("memory.txt").open("a") as file:
                file.write(f"{self.seen} {resident_bytes()}\n")
        yield {"url": response.url}
