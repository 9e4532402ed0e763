"""The project's own virtual environment, with the extras that a command needs.

It needs only Python >= 3.10 with pip and venv. The environment is `.venv` in the checkout, or the
folder named by MAINBLOCK_VENV; it is made once, and updated when the project's configuration or one
of its compiled modules changes.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST = (3, 10)
DESCRIBED_BY = ("setup.cfg", "setup.py", "pyproject.toml")


def python_with(extras: str) -> Path:
    """Return the interpreter of an environment with the project and its `extras` installed."""
    if sys.version_info < OLDEST:
        wanted, here = ".".join(map(str, OLDEST)), sys.version.split()[0]
        sys.exit(f"Python {wanted} or later is needed, this is {here}: run it with a later python3")
    folder = Path(os.environ.get("MAINBLOCK_VENV") or ROOT / ".venv")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = folder / "installed.json"
    project = digest_of_project(ROOT)
    if not python.exists():
        print(f"making a virtual environment in {folder}", flush=True)
        venv.create(folder, with_pip=True)
    installed = _installed(stamp, project)
    if extras not in installed:
        print(f"installing the project with [{extras}]", flush=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "--editable", f"{ROOT}[{extras}]"], check=True)
        stamp.write_text(json.dumps({"project": project, "extras": [*installed, extras]}))
    return python


def _installed(stamp: Path, project: str) -> list[str]:
    """Return the extras that are installed for the project in its current state."""
    try:
        known = json.loads(stamp.read_text())
    except (OSError, ValueError):
        return []
    return list(known["extras"]) if known["project"] == project else []


def digest_of_project(root: Path) -> str:
    """Return the digest of the project's configuration and of its compiled modules."""
    digest = hashlib.sha256()
    described = (root / "scrapy_mainblock").rglob("*.pxd")
    compiled = (file for path in described for file in (path, path.with_suffix(".py")))
    for path in (*(root / name for name in DESCRIBED_BY), *sorted(compiled)):
        if path.exists():  # a package has no .py file of its name
            digest.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return digest.hexdigest()
