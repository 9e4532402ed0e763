"""To look at what a crawl does: one page fetched and explained, and the report of a crawl."""
