"""The public names for Spark: `learn`, `extract` and the job `python -m scrapy_mainblock.spark`."""

from __future__ import annotations

from scrapy_mainblock.scale.spark.extraction import extract
from scrapy_mainblock.scale.spark.learning import learn

__all__ = ["extract", "learn"]

if __name__ == "__main__":
    from scrapy_mainblock.scale.spark.job import main

    raise SystemExit(main())
