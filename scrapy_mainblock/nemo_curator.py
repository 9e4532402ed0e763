"""The public name for NeMo Curator: the extractor `ContentExtractor` for its pipelines."""

from __future__ import annotations

from scrapy_mainblock.scale.nemo_curator import ContentExtractor

__all__ = ["ContentExtractor"]
