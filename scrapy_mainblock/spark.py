"""The public names for Spark: `learn`, `extract` and the job `python -m scrapy_mainblock.spark`."""

from __future__ import annotations

try:
    from scrapy_mainblock.scale.spark.extraction import extract
    from scrapy_mainblock.scale.spark.learning import learn
except ImportError as error:
    if __name__ != "__main__":
        raise
    import sys

    sys.stderr.write(f"mainblock: {error}\n")
    raise SystemExit(2) from None

__all__ = ["extract", "learn"]

if __name__ == "__main__":
    from scrapy_mainblock.scale.spark.job import main

    raise SystemExit(main())
