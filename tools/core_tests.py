"""Which tests need no Scrapy, no network and no checkout: those of the core, and of its build."""

from __future__ import annotations

import re

from environment import ROOT

CORE = (
    "page", "outline", "judge", "template", "fields", "render", "papers", "stores", "recipe",
    "test_compiled.py",
)  # fmt: skip


def lowest_lxml() -> str:
    """The lowest version of lxml that setup.cfg allows."""
    found = re.search(r"^ *lxml>=([\d.]+)", (ROOT / "setup.cfg").read_text(), re.MULTILINE)
    assert found is not None
    return found[1]
