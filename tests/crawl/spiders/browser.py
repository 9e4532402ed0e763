"""As `pages`, with every request sent through a browser."""

from pages import PagesSpider


class BrowserSpider(PagesSpider):
    name = "browser"

    async def start(self):
        async for request in super().start():
            yield request.replace(meta={"playwright": True})

    def parse(self, response):
        for request in super().parse(response):
            yield request.replace(meta={"playwright": True})
