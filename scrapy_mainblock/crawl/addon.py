"""The add-on: `ADDONS = {"scrapy_mainblock.Addon": 500}` is all that a project adds."""

from __future__ import annotations

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from scrapy_mainblock.crawl.collector import MainblockSpiderMiddleware
from scrapy_mainblock.crawl.log_formatter import ShortItems
from scrapy_mainblock.crawl.middleware import MainblockDownloaderMiddleware
from scrapy_mainblock.crawl.pipeline import MainblockPipeline
from scrapy_mainblock.crawl.settings import read_options

DOWNLOADER_MIDDLEWARE = 545
"""Below 550 responses are final: decompressed (590), redirected (600), retried (550)."""
SPIDER_MIDDLEWARE = 1000
"""The highest number in use: nearest to the spider, so that an item is kept before any other
middleware has changed it."""
PIPELINE = 100
"""Before a project's own pipelines, so that those that store items store the content too."""


class Addon:
    """Add the three components, and short lines for items, unless the project has set them."""

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """For Scrapy; WrongSettingError when one of the project's settings is wrong.

        Scrapy 2.14 only logs what `update_settings` raises, and exits with status 0.
        """
        read_options(settings)

    def update_settings(self, settings: BaseSettings) -> None:
        """For Scrapy; WrongSettingError when a setting is wrong."""
        read_options(settings)
        for name, component, number in (
            ("DOWNLOADER_MIDDLEWARES", MainblockDownloaderMiddleware, DOWNLOADER_MIDDLEWARE),
            ("SPIDER_MIDDLEWARES", MainblockSpiderMiddleware, SPIDER_MIDDLEWARE),
            ("ITEM_PIPELINES", MainblockPipeline, PIPELINE),
        ):
            settings.setdefault_in_component_priority_dict(name, component, number)
        if settings.getpriority("LOG_FORMATTER") == SETTINGS_PRIORITIES["default"]:
            settings.set("LOG_FORMATTER", ShortItems, "addon")
