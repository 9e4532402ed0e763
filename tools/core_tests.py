"""How to run the tests of the core, which need no Scrapy, no network and no checkout."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from environment import ROOT

CORE = (
    "page", "outline", "judge", "template", "fields", "render", "papers", "stores", "recipe",
    "test_compiled.py",
)  # fmt: skip
WITH_LXML = ("page", "recipe", "test_compiled.py")
"""The core tests that involve lxml: trees passed in by users, and builds and loads that fail."""
OPTIONS = ("-n", "2", "--dist", "loadfile", "-q", "--hypothesis-profile=ci")
"""With the same examples of each property every time, so that no change fails because of code that
it did not touch; `pytest` by itself tries others each time."""
UNCOMPILED = (*OPTIONS, "-m", "not slow and not heavy")
"""Without the pages of a megabyte that have a time limit: uncompiled they take minutes. Shorter
pages test that the time is linear in the size."""
LATER_LXML = ("5.3", "6.0")
"""The first versions with wheels for Python 3.13 and for 3.14."""


def tests_of(names: tuple[str, ...]) -> list[str]:
    """Return the paths of the tests in a checkout."""
    return [f"tests/{name}" for name in names]


def lowest_lxml(python: Path) -> str:
    """Return the lowest lxml that setup.cfg allows and that has a wheel for an interpreter."""
    found = re.search(r"^ *lxml>=([\d.]+)", (ROOT / "setup.cfg").read_text(), re.MULTILINE)
    assert found is not None
    for version in (found[1], *LATER_LXML):
        tried = [python, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps"]
        tried += ["--ignore-installed", "--only-binary=:all:", f"lxml=={version}"]
        if not subprocess.run(tried, check=False, stderr=subprocess.DEVNULL).returncode:
            return version
    raise SystemExit(f"no lxml from {found[1]} on is built for this Python")
