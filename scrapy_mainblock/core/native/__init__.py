"""The loops that a page spends its time in, compiled.

What stands here says the same as a function of the same name in Python elsewhere in the core, which
stays the one to read: what it means, and why, is written there. Here it is done over again on
libxml2's own nodes and on characters, without an object of Python for each. Every one has a test
that both give the same (`tests/native`). Where there is no compiler, or MAINBLOCK_PURE is set, the
one in Python is used.

Nothing here writes to a tree, keeps a pointer into it for longer than a call, or frees anything.
"""

from __future__ import annotations

import importlib
import os
from types import ModuleType

PURE = "MAINBLOCK_PURE"
"""A variable of the environment: with anything in it, nothing compiled is used."""


def compiled(name: str) -> ModuleType | None:
    """A compiled module of this package, None where there is none."""
    if os.environ.get(PURE):
        return None
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ImportError:  # not compiled, or for another lxml
        return None
