"""What the extractor costs, each by one command from the checkout.

    python -m benchmarks.speed [PAGES.jsonl.gz ...] [--peers]   pages, beside other extractors
    python -m benchmarks.steps [PAGES.jsonl.gz ...]             where the time of a page goes
    python -m benchmarks.pure [PAGES.jsonl.gz ...]              the same without a compiler
    python -m benchmarks.crawl                                  what a crawl costs more
    python -m benchmarks.command                                memory and jobs of the command
    python -m benchmarks.way_in                                 what surrounds the extraction there
    python -m benchmarks.spark                                  growth of the Spark job
    python -m benchmarks.hostile                                pages made to break extractors
    python -m benchmarks.paper_variants PAGES.jsonl.gz ...      readings of the papers, by F1

Each says in its `--help` what it measures and how. docs/performance.md has the figures.
"""
