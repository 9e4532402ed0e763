"""The public names for datatrove: its pipeline steps `LearnRules` and `ExtractContent`."""

from __future__ import annotations

from scrapy_mainblock.scale.datatrove import ExtractContent, LearnRules

__all__ = ["ExtractContent", "LearnRules"]
