"""As `pages`, with items longer than a file's buffer, so that each is written in parts."""

from pages import PagesSpider


class LongItemsSpider(PagesSpider):
    name = "long_items"

    def parse_page(self, response):
        for item in super().parse_page(response):
            yield {**item, "long": "x" * 20_000}
