"""As `pages`, with items longer than the buffer of a file: they are written in parts."""

from pages import PagesSpider


class LongItemsSpider(PagesSpider):
    name = "long_items"

    def parse_page(self, response):
        for item in super().parse_page(response):
            yield {**item, "long": "x" * 20_000}
