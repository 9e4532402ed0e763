"""Run the crawl's tests with the oldest and the newest Scrapy: `python3 tools/scrapy_versions.py`.

Makes a virtual environment for each in `.venvs` of the checkout (or the folder that MAINBLOCK_VENVS
names), with the project and, for the oldest, the oldest supported versions of what Scrapy stands
on; options go to pytest. Ends with 1 where a test fails with any of them.
"""

from __future__ import annotations

import configparser
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

from environment import ROOT

TESTS = ["-q", "tests/crawl"]


def oldest() -> str:
    """The oldest Scrapy that setup.cfg allows."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    (found,) = re.findall(r"^scrapy>=([\d.]+)$", config["options"]["install_requires"], re.M)
    return str(found)


def python_with(scrapy: str, name: str) -> Path:
    """An interpreter with a Scrapy, named by a requirement, and the project."""
    folder = Path(os.environ.get("MAINBLOCK_VENVS") or ROOT / ".venvs") / name
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--upgrade", scrapy, "--editable", f"{ROOT}[test]"], check=True)
    return python


def main() -> int:
    """The same tests with each."""
    failed = []
    for name, scrapy in (("oldest", f"scrapy=={oldest()}.*"), ("newest", "scrapy")):
        python = python_with(scrapy, name)
        version = [python, "-c", "import scrapy; print(scrapy.__version__)"]
        found = subprocess.run(version, check=True, capture_output=True, text=True).stdout.strip()
        print(f"== Scrapy {found}", flush=True)
        command = [python, "-m", "pytest", *TESTS, *sys.argv[1:]]
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            failed.append(found)
    if failed:
        sys.stderr.write(f"failed with Scrapy {', '.join(failed)}\n")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
