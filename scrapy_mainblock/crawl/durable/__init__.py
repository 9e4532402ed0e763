"""The parts of a crawl that outlive its process: pages, items, feeds, Scrapy's request queues."""
