"""docs/reference/ says what the code says."""

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
def test_the_reference_is_current(tool: ModuleType, name: str) -> None:
    """`python tools/reference.py` writes it."""
    written = (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")
    assert written == tool.pages()[name]


def test_every_stat_that_the_crawl_counts_has_its_meaning(tool: ModuleType) -> None:
    found = {name for name in tool.counted() if not name.startswith("errors/")}
    assert len(found) > 10
    assert found <= set(MEANINGS)


def test_every_trouble_says_something(tool: ModuleType) -> None:
    found = tool.troubles()
    assert len(found) > 10
    assert all(all(messages) for messages in found.values())
