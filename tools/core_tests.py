"""The tests of the core, which need no Scrapy, no network and no checkout: how they are run."""

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
"""Those of them that see lxml: trees that users hand in, and builds and loads that fail."""
OPTIONS = ("-n", "2", "--dist", "loadfile", "-q", "--hypothesis-profile=ci")
"""The same examples of each law every time, so that nobody's change fails by what it did not touch;
`pytest` by itself tries others each time."""
UNCOMPILED = (*OPTIONS, "-k", "not made_to_be_heavy")
"""All but the pages of a megabyte that are bound to seconds: uncompiled they take minutes. That the
time is linear in the size is tested with shorter ones."""
LATER_LXML = ("5.3", "6.0")
"""The first with wheels for Python 3.13, and for 3.14."""


def tests_of(names: tuple[str, ...]) -> list[str]:
    """Their paths in a checkout."""
    return [f"tests/{name}" for name in names]


def lowest_lxml(python: Path) -> str:
    """The lowest lxml that setup.cfg allows, of those that are built for an interpreter."""
    found = re.search(r"^ *lxml>=([\d.]+)", (ROOT / "setup.cfg").read_text(), re.MULTILINE)
    assert found is not None
    for version in (found[1], *LATER_LXML):
        tried = [python, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps"]
        tried += ["--ignore-installed", "--only-binary=:all:", f"lxml=={version}"]
        if not subprocess.run(tried, check=False, stderr=subprocess.DEVNULL).returncode:
            return version
    raise SystemExit(f"no lxml from {found[1]} on is built for this Python")
