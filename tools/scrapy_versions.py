"""Run the crawl's tests with the oldest and the newest Scrapy.

    python3 tools/scrapy_versions.py [oldest] [newest] [-- PYTEST OPTIONS]

Each version gets a virtual environment with the requirements of setup.cfg (in `.venv` of the
checkout, or in the folder that MAINBLOCK_VENVS names), and runs this checkout as it is, compiled or
not. The exit code is 1 if a test fails with any of them.
"""

from __future__ import annotations

import configparser
import os
import subprocess
import sys
import venv
from pathlib import Path

from environment import ROOT

TESTS = ["-q", "tests/crawl"]
NAMES = ("oldest", "newest")


def requirements(name: str) -> list[str]:
    """Return the requirements of the project and its tests, with Scrapy's oldest or newest."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    asked = config["options"]["install_requires"] + config["options.extras_require"]["test"]
    found = [line.strip() for line in asked.splitlines() if line.strip()]
    if name == "oldest":
        found = [f"{one.replace('>=', '==')}.*" if one.startswith("scrapy>=") else one
                 for one in found]  # fmt: skip
    return found


def python_with(name: str) -> Path:
    """Return an interpreter with the requirements installed."""
    folder = Path(os.environ.get("MAINBLOCK_VENVS") or ROOT / ".venv" / "scrapy") / name
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--upgrade", *requirements(name)], check=True)
    return python


def main() -> int:
    """Run the same tests with each version."""
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    names, options = arguments[:split] or NAMES, arguments[split + 1 :]
    if not set(names) <= set(NAMES):
        sys.exit(__doc__)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    failed = []
    for name in names:
        python = python_with(name)
        version = [python, "-c", "import scrapy; print(scrapy.__version__)"]
        found = subprocess.run(version, check=True, capture_output=True, text=True).stdout.strip()
        print(f"== Scrapy {found}", flush=True)
        command = [python, "-m", "pytest", *TESTS, *options]
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            failed.append(found)
    if failed:
        sys.stderr.write(f"failed with Scrapy {', '.join(failed)}\n")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
