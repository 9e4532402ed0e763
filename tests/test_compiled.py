"""The compiled loops are an addition: without a compiler, or without them, everything works."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import warnings
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from scrapy_mainblock.core import native

ROOT = Path(__file__).resolve().parents[2]
DESCRIBED_BY = ("setup.py", "setup.cfg", "pyproject.toml", "README.md", "LICENSE")
SAYS_WHAT_IS_COMPILED = """
from scrapy_mainblock import extract
from scrapy_mainblock.core import native
names = [path.stem for path in __import__("pathlib").Path(native.__file__).parent.glob("*.pyx")]
assert names
print(sorted(name for name in names if native.compiled(name)))
print(extract("<title>A bridge</title><p>" + "It is built over the river. " * 20).articleBody[:13])
"""


def python(*arguments: str, folder: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The package as it stands in the repository, with nothing built."""
    for name in DESCRIBED_BY:
        shutil.copy(ROOT / name, tmp_path / name)
    built = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "*.c")
    shutil.copytree(ROOT / "scrapy_mainblock", tmp_path / "scrapy_mainblock", ignore=built)
    return tmp_path


def test_a_compiler_that_fails_does_not_fail_the_installation(checkout: Path) -> None:
    pytest.importorskip("Cython")
    python("setup.py", "-q", "build_ext", "--inplace", folder=checkout, CC=shutil.which("false"))
    assert not list(checkout.rglob("native/*.so"))
    assert python("-c", SAYS_WHAT_IS_COMPILED, folder=checkout) == "[]\nIt is built o\n"


def test_nothing_compiled_is_used_where_it_is_not_wanted() -> None:
    said = python("-c", SAYS_WHAT_IS_COMPILED, folder=ROOT, MAINBLOCK_PURE="1")
    assert said == "[]\nIt is built o\n"


@pytest.mark.parametrize(("source", "is_outdated"), [(100, False), (200, False), (300, True)])
def test_what_was_compiled_before_its_source_changed_is_not_used(
    tmp_path: Path, source: int, is_outdated: bool
) -> None:
    for name, time in (("walk.pyx", source), (f"walk{EXTENSION_SUFFIXES[0]}", 200)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (time, time))
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        assert native._outdated(str(tmp_path)) == is_outdated
    assert ["pip install -e ." in str(one.message) for one in warned] == [True] * is_outdated


def test_a_source_that_was_never_compiled_outdates_nothing(tmp_path: Path) -> None:
    (tmp_path / "walk.pyx").touch()
    assert not native._outdated(str(tmp_path))
