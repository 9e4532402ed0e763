"""Fixtures for real faults: small disks that fill up, and read-only disks."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from crawl.conftest import crawler, site

__all__ = ["crawler", "site"]

Mount = Callable[[Path, str], Path]


def _mount(*arguments: str) -> None:
    try:
        done = subprocess.run(["mount", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command here")
    if done.returncode:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")


@pytest.fixture
def mount() -> Iterator[Mount]:
    """Mount a small disk at a directory, with options such as `size=64k` or `remount,ro`."""
    mounted: list[Path] = []

    def mount_at(directory: Path, options: str) -> Path:
        directory.mkdir(parents=True, exist_ok=True)
        _mount("-t", "tmpfs", "-o", options, "tmpfs", str(directory))
        if directory not in mounted:
            mounted.append(directory)
        return directory

    yield mount_at
    for directory in reversed(mounted):
        subprocess.run(["umount", "-l", str(directory)], check=False)


def fill(directory: Path) -> Path:
    """Fill a disk to the last byte; return the file that fills it."""
    file = directory / "filler"
    with file.open("wb", buffering=0) as stream:
        try:
            while stream.write(bytes(4096)):
                pass
        except OSError:
            pass
    return file
