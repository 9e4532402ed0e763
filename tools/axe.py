"""axe-core, by which tests/report checks the report for accessibility: fetched by npm, once."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

PACKAGE = "axe-core@4"
LONGEST = 180
"""Seconds that npm may take: without a network it tries again and again."""
MISSING = "no axe-core: its tests are skipped ({why})"


def axe_core(folder: Path) -> Path | None:
    """The `node_modules` with axe-core in it: MAINBLOCK_AXE, or what npm puts into a folder."""
    named = os.environ.get("MAINBLOCK_AXE")
    if named:
        return Path(named)
    modules = folder / "node_modules"
    if (modules / "axe-core" / "axe.min.js").is_file():
        return modules
    npm = shutil.which("npm")
    if npm is None:
        print(MISSING.format(why="install npm, or name a node_modules with it in MAINBLOCK_AXE"))
        return None
    folder.mkdir(parents=True, exist_ok=True)
    install = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, PACKAGE]
    try:
        done = subprocess.run(install, check=False, capture_output=True, text=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        print(MISSING.format(why=f"npm took longer than {LONGEST} s"))
        return None
    if done.returncode or not modules.is_dir():
        print(MISSING.format(why=f"npm: {(done.stderr or 'nothing came').strip()[-300:]}"))
        return None
    return modules
