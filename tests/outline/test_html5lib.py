"""The scan on html5lib's test documents, each of which comes with the tree that a browser builds.

The documents are not part of this repository (https://github.com/html5lib/html5lib-tests, folder
tree-construction): `MAINBLOCK_HTML5LIB` names the folder that holds them.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = os.environ.get("MAINBLOCK_HTML5LIB", "")
TOOLS = Path(__file__).resolve().parents[2] / "tools"
LEAST_TEXT, LEAST_BLOCKS = 0.97, 0.90
"""The least shares of documents whose visible text, and whose block nesting, is a browser's."""

pytestmark = pytest.mark.skipif(
    not FOLDER, reason="MAINBLOCK_HTML5LIB names no folder with html5lib's documents"
)


@pytest.fixture
def scan_check(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import and return the tool that compares them (tools/scan_check.py)."""
    monkeypatch.syspath_prepend(TOOLS)
    sys.modules.pop("scan_check", None)
    import scan_check  # noqa: PLC0415 - not a module of the package

    return scan_check


def test_nearly_all_documents_are_parsed_as_in_browsers(scan_check: ModuleType) -> None:
    documents = list(scan_check.cases(Path(FOLDER)))
    assert len(documents) > 1000
    found = [scan_check.by_scan(scan_check.in_context(one)) for one in documents]
    wanted = [scan_check.expected_in_context(one) for one in documents]
    pairs = list(zip(found, wanted, strict=True))
    text = sum(ours[0] == theirs[0] for ours, theirs in pairs) / len(pairs)
    blocks = sum(ours[1] == theirs[1] for ours, theirs in pairs) / len(pairs)
    assert text >= LEAST_TEXT
    assert blocks >= LEAST_BLOCKS
