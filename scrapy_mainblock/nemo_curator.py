"""For NeMo Curator: `ContentExtractor` is an extractor of its pipelines."""

from __future__ import annotations

from scrapy_mainblock.scale.nemo_curator import ContentExtractor

__all__ = ["ContentExtractor"]
