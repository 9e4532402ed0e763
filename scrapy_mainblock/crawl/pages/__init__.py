"""Pages on their way through a crawl: seen, kept, waiting for a rule, and released."""
