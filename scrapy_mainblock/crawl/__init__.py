"""All of the Scrapy glue. Start in `crawl.crawl`."""
