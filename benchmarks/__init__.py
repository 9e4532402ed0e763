"""Benchmarks of what the extractor costs, each run by one command from the checkout.

    python -m benchmarks.speed [PAGES.jsonl.gz ...] [--peers]   a page, beside other extractors
    python -m benchmarks.steps [PAGES.jsonl.gz ...]             where the time of a page goes
    python -m benchmarks.pure [PAGES.jsonl.gz ...]              the same without a compiler
    python -m benchmarks.crawl                                  what the extension adds to a crawl
    python -m benchmarks.command                                memory and jobs of the command
    python -m benchmarks.way_in                                 the command's work around extraction
    python -m benchmarks.spark                                  growth of the Spark job
    python -m benchmarks.hostile                                pages made to break extractors
    python -m benchmarks.paper_variants PAGES.jsonl.gz ...      interpretations of the papers, by F1

The `--help` of each tells what it measures and how. docs/performance.md has the figures.
"""
