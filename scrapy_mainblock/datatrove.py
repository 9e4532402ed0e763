"""For datatrove: `LearnRules` and `ExtractContent` are steps of its pipelines."""

from __future__ import annotations

from scrapy_mainblock.scale.datatrove import ExtractContent, LearnRules

__all__ = ["ExtractContent", "LearnRules"]
