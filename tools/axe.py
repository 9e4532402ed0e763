"""Find axe-core, by which tests/report checks the report's accessibility, or install it by npm."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

PACKAGE = "axe-core@4"
LONGEST = 180
"""Maximum seconds for npm: without a network it keeps retrying."""
MISSING = "no axe-core: its tests are skipped ({why})"


def axe_core(folder: Path) -> Path | None:
    """Return the `node_modules` with axe-core: MAINBLOCK_AXE, or what npm installs in a folder."""
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
