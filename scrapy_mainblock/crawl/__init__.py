"""The Scrapy integration. Start reading in `crawl.crawl`."""
