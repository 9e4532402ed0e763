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
import warnings
from functools import lru_cache
from importlib.machinery import EXTENSION_SUFFIXES
from types import ModuleType

PURE = "MAINBLOCK_PURE"
"""A variable of the environment: with anything in it, nothing compiled is used."""


def compiled(name: str) -> ModuleType | None:
    """A compiled module of this package, None where there is none."""
    if os.environ.get(PURE) or _outdated(__path__[0]):
        return None
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ImportError:  # not compiled, or for another lxml
        return None


@lru_cache
def _outdated(folder: str) -> bool:
    """Whether a source has changed since it was compiled, as a pull changes those of a checkout.

    What its callers and the other modules hand to it may be another by then, so that none of them
    is used. Where the package is installed the sources are not, and nothing is asked.
    """
    compiled_at = {
        entry.name.split(".")[0]: entry.stat().st_mtime
        for entry in os.scandir(folder)
        if entry.name.endswith(tuple(EXTENSION_SUFFIXES))
    }
    changed = sorted(
        entry.name
        for entry in os.scandir(folder)
        if entry.name.endswith(".pyx")
        and entry.stat().st_mtime > compiled_at.get(entry.name[: -len(".pyx")], float("inf"))
    )
    if changed:
        message = f"compiled before {', '.join(changed)} changed: the slower loops in Python are"
        warnings.warn(f"{message} used until `pip install -e .` compiles them anew", stacklevel=3)
    return bool(changed)
