"""What of a crawl outlives its process: pages, items, feeds, Scrapy's own request queues."""
