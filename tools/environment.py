"""A virtual environment of the project's own, with what a command needs in it.

Needs nothing but Python >= 3.10 with pip and venv. The environment is `.venv` in the checkout, or
the folder named by MAINBLOCK_VENV; it is made once and brought up to date when what describes the
project changes, or what is compiled of it.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 10)
DESCRIBED_BY = ("setup.cfg", "setup.py", "pyproject.toml")


def python_with(extras: str) -> Path:
    """The interpreter of an environment with the project and its `extras` installed."""
    if sys.version_info < OLDEST:
        wanted, here = ".".join(map(str, OLDEST)), sys.version.split()[0]
        sys.exit(f"Python {wanted} or later is needed, this is {here}: run it with a later python3")
    folder = Path(os.environ.get("MAINBLOCK_VENV") or ROOT / ".venv")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wanted = _wanted(extras)
    stamp = folder / "installed"
    if not python.exists():
        print(f"making a virtual environment in {folder}", flush=True)
        venv.create(folder, with_pip=True)
    if not stamp.exists() or wanted not in stamp.read_text().split():
        print(f"installing the project with [{extras}]", flush=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--editable", f"{ROOT}[{extras}]"], check=True)
        with stamp.open("a") as stream:
            stream.write(wanted + "\n")
    return python


def _wanted(extras: str) -> str:
    digest = hashlib.sha256(extras.encode())
    native = (ROOT / "scrapy_mainblock/core/native").glob("*.p[yx][xd]")
    for path in (*(ROOT / name for name in DESCRIBED_BY), *sorted(native)):
        digest.update(path.read_bytes())
    return digest.hexdigest()
