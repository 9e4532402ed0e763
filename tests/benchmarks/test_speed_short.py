"""The short form of `python -m benchmarks.speed`: nothing is twice as slow as it should be.

Times are ratios to a parse in the same process, or medians of CPU times; what fails is measured
once more before it is believed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scrapy_mainblock import compiled

ROOT = Path(__file__).resolve().parents[2]
TIMES = 2.0
PARTS = {
    "scan": "page",
    "rule": "page",
    "built": "page",
    "alone": "page",
    "learning": "learning",
    "site": "site",
    "site_memory": "site",
    "import": "import",
    "crawl": "crawl",
    "crawl_memory": "crawl",
}
NOT_YET = frozenset("scan rule built alone crawl".split() if compiled.WHY_NOT else ())
"""What is measured and shown, and may be beyond: the aims are those of the compiled loops."""
ATTEMPTS = 2


@cache
def measured(part: str, attempt: int) -> dict[str, Any]:
    """The rows of a part."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{attempt}.json")
        subprocess.run(
            [sys.executable, "-m", "benchmarks.speed", "--short", "--parts", part, "--json", path],
            cwd=ROOT,
            check=True,
            capture_output=True,
        )
        found: dict[str, Any] = json.loads(path.read_text())["rows"]
    return found


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(
            row, marks=[pytest.mark.xfail(strict=False, reason="not yet")] if row in NOT_YET else []
        )
        for row in PARTS
    ],
)
def test_no_figure_is_beyond_twice_its_aim(row: str) -> None:
    for attempt in range(ATTEMPTS):
        found = measured(PARTS[row], attempt)[row]
        if found["times"] <= TIMES:
            break
    assert found["times"] <= TIMES, found


def test_the_command_explains_itself_and_refuses_a_wrong_part() -> None:
    command = [sys.executable, "-m", "benchmarks.speed"]
    shown = subprocess.run(
        [*command, "--help"], check=False, cwd=ROOT, capture_output=True, text=True
    )
    assert shown.returncode == 0
    assert "--input" in shown.stdout
    wrong = subprocess.run(
        [*command, "--parts", "x"], check=False, cwd=ROOT, capture_output=True, text=True
    )
    assert wrong.returncode == 2
