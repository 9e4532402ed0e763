"""What a page, a site, a command and a crawl cost: `python -m benchmarks.speed --help`."""
