"""The add-on: a project only has to set `ADDONS = {"scrapy_mainblock.Addon": 500}`."""

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
"""The highest number in use, so nearest to the spider: an item is kept before any other middleware
changes it."""
PIPELINE = 100
"""Before a project's own pipelines, so that pipelines that store items store the content too."""


class Addon:
    """Adds the three components and the log formatter, unless the project has set them."""

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """Check the project's settings; called by Scrapy. Raises WrongSettingError for a wrong one.

        Scrapy 2.14 only logs what `update_settings` raises, and exits with status 0.
        """
        read_options(settings)

    def update_settings(self, settings: BaseSettings) -> None:
        """Add the components; called by Scrapy. Raises WrongSettingError for a wrong setting."""
        read_options(settings)
        for name, component, number in (
            ("DOWNLOADER_MIDDLEWARES", MainblockDownloaderMiddleware, DOWNLOADER_MIDDLEWARE),
            ("SPIDER_MIDDLEWARES", MainblockSpiderMiddleware, SPIDER_MIDDLEWARE),
            ("ITEM_PIPELINES", MainblockPipeline, PIPELINE),
        ):
            settings.setdefault_in_component_priority_dict(name, component, number)
        if settings.getpriority("LOG_FORMATTER") == SETTINGS_PRIORITIES["default"]:
            settings.set("LOG_FORMATTER", ShortItems, "addon")
