"""The only module that knows whether the package runs compiled: all of its modules do, or none.

Cython may compile each module that has a `.pxd` file beside it, from the same `.py` file that
Python runs without a compiler. If a compiled file is missing, older than its source, or fails to
load, Python runs all modules from their sources, which is slower, and one warning says so. So there
are exactly two states, and both are tested.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

PURE = "MAINBLOCK_PURE"
"""Environment variable; if it is set and not empty, no compiled module is used."""
FOLDER = Path(__file__).parent
MANIFEST = FOLDER / "compiled.json"
"""The compiled modules, each with the digest of its source. Written by setup.py."""
SHARED = "_cython_shared"
"""The module that the compiled ones have in common (setup.py). It has no source of its own."""
HOW_TO_COMPILE = "pip install --force-reinstall --no-cache-dir scrapy-mainblock, with a C compiler"


class _Sources(MetaPathFinder):
    """An import finder that loads modules from source even if compiled files are beside them."""

    def __init__(self, modules: Sequence[str]) -> None:
        self._modules = frozenset(modules)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - Python's signature
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Return the spec of a module's source file, or None for a module of another package."""
        if fullname not in self._modules:
            return None
        file = str(_source_of(fullname))
        folders = [str(Path(file).parent)] if Path(file).stem == "__init__" else None
        return spec_from_file_location(
            fullname,
            file,
            loader=SourceFileLoader(fullname, file),
            submodule_search_locations=folders,
        )


def load() -> str | None:
    """Load all compiled modules; return why they are not used, or None if they are."""
    modules, why = _compiled_modules()
    if why is None:
        try:
            for name in modules:
                importlib.import_module(name)
        except Exception as error:  # a foreign build may raise anything
            if _is_missing_dependency(error):
                raise  # a dependency is missing; running from source would not help
            why = f"{name} cannot be loaded ({type(error).__name__}: {error})"
            _forget_imports()
    if why is None:
        return None
    sys.meta_path.insert(0, _Sources(modules))
    if why not in _WANTED:
        warnings.warn(
            f"scrapy-mainblock runs uncompiled, many times slower: {why}. To fix this:"
            f" {HOW_TO_COMPILE}",
            stacklevel=3,
        )
    return why


NOT_COMPILED = "it was built without a C compiler"
SWITCHED_OFF = f"{PURE} is set"
_WANTED = {NOT_COMPILED, SWITCHED_OFF}


def _is_missing_dependency(error: Exception) -> bool:
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    return missing is not None and not missing.startswith(__package__ or "")


def _compiled_modules() -> tuple[list[str], str | None]:
    """Return the modules that may be compiled, and why their compiled files cannot be used."""
    modules = sorted(_module_of(path.with_suffix("")) for path in FOLDER.rglob("*.pxd"))
    built = set(_built_modules())
    if os.environ.get(PURE):
        why: str | None = SWITCHED_OFF
    else:
        why = _why_not(modules, built) if built else NOT_COMPILED
    # Include files left over from another build: they too would be imported instead of the source.
    return sorted(built.union(modules)), why


def _why_not(modules: Sequence[str], built: set[str]) -> str | None:
    """Return why the compiled files cannot be used, or None if they can."""
    if left := sorted(built.difference(modules)):
        return f"the compiled {left[0]} is left over from another build"
    try:
        digests = json.loads(MANIFEST.read_text("utf-8"))
    except (OSError, ValueError):
        return f"{MANIFEST.name}, the list of compiled modules, is missing or damaged"
    if missing := sorted({*modules, *digests} - built):
        return f"the compiled {missing[0]} is missing"
    if not any(FOLDER.joinpath(SHARED + suffix).exists() for suffix in EXTENSION_SUFFIXES):
        return f"the compiled {SHARED} is missing"
    for name in modules:
        if digest_of(_source_of(name)) != digests.get(name):
            return f"{name} has changed since it was compiled"
    return None


def digest_of(source: Path) -> str:
    """Return the digest of a source file, by which later changes are detected."""
    return hashlib.sha256(source.read_bytes()).hexdigest()


def _module_of(stem: Path) -> str:
    """Return the name of the module in a file; `stem` is the file's path without its suffix."""
    parts = stem.relative_to(FOLDER).parts
    return ".".join((__package__, *(parts[:-1] if parts[-1] == "__init__" else parts)))


def _source_of(name: str) -> Path:
    stem = FOLDER.joinpath(*name.split(".")[1:])
    return stem / "__init__.py" if stem.is_dir() else stem.with_suffix(".py")


def _built_modules() -> Iterator[str]:
    """Yield the names of the modules that have a source and are compiled for this Python."""
    for suffix in EXTENSION_SUFFIXES:
        for path in FOLDER.rglob(f"*{suffix}"):
            stem = path.with_name(path.name.removesuffix(suffix))
            if "." not in stem.name and stem.with_suffix(".py").exists():
                yield _module_of(stem)


def _forget_imports() -> None:
    """Remove the package's imported modules, so that they are imported again from their sources."""
    for name in list(sys.modules):
        if name.startswith(f"{__package__}.") and name != __name__:
            parent, _, child = name.rpartition(".")
            if hasattr(sys.modules.get(parent), child):
                delattr(sys.modules[parent], child)
            del sys.modules[name]


WHY_NOT = load()
"""Why the package runs uncompiled; None if it runs compiled."""


def describe() -> str:
    """Return the state in a few words, for logs and `--version`."""
    return "compiled" if WHY_NOT is None else f"not compiled: {WHY_NOT}"
