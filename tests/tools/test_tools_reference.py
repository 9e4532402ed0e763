"""docs/reference/ agrees with the code."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from scrapy_mainblock.crawl.stats import MEANINGS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / "tools" / "reference.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["command.md", "python.md", "metadata.md", "statistics.md"])
def test_reference_is_current(tool: ModuleType, name: str) -> None:
    """`python tools/reference.py` writes these files."""
    written = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert written == tool.pages()[name]


def test_every_crawl_statistic_is_documented(tool: ModuleType) -> None:
    found = {name for name in tool.counted() if not name.startswith("errors/")}
    assert len(found) > 10
    assert found <= set(MEANINGS)


def test_every_trouble_has_messages(tool: ModuleType) -> None:
    found = tool.troubles()
    assert len(found) > 10
    assert all(all(messages) for messages in found.values())
