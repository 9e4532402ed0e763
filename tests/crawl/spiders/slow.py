"""As `pages`, with a pipeline that waits, so that some items are always in flight."""

import asyncio

from pages import PagesSpider


class SlowSpider(PagesSpider):
    name = "slow"
    custom_settings = {"ITEM_PIPELINES": {"slow.Waiting": 900}}


class Waiting:
    async def process_item(self, item):
        await asyncio.sleep(0.03)
        return item
