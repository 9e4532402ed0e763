"""Build the wheel of this machine, and run the core's tests on it in fresh environments.

    python3 tools/wheel.py [--pure] [-o FOLDER]

One environment has the lowest lxml that the package allows, one the newest. With --pure the wheel
is built as it is on a machine without a C compiler. (The wheels of all platforms are built by
cibuildwheel, configured in pyproject.toml.)
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORE = ("page", "outline", "judge", "template", "fields", "render", "papers", "stores", "recipe")
"""The folders of tests that need no Scrapy, no network and no checkout."""
BUILDERS = ("conftest.py", "pages.py", "sample_pages.py", "growth.py", "shapes.py")
TEST_TOOLS = ("pytest>=8", "pytest-xdist>=3.5", "hypothesis>=6.100")


def main() -> int:
    """Build, install, test."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pure", action="store_true", help="as without a C compiler")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", metavar="FOLDER")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = build(Path(folder), pure=options.pure)
        options.output.mkdir(exist_ok=True)
        shutil.copy(wheel, options.output)
        print(f"built {wheel.name}", flush=True)
        lowest = re.search(r"lxml>=([\d.]+)", (ROOT / "setup.cfg").read_text())
        assert lowest is not None
        for lxml in (f"lxml=={lowest[1]}", "lxml"):
            code = test(wheel, lxml, Path(folder) / lxml, pure=options.pure)
            if code:
                return code
    return 0


def build(folder: Path, *, pure: bool) -> Path:
    """Build the wheel from a copy of the checkout, in which nothing is compiled yet."""
    source = folder / "source"
    ignored = shutil.ignore_patterns(".git", ".venv", "build", "dist", "*.so", "compiled.json")
    shutil.copytree(ROOT, source, ignore=ignored)
    environment = {**os.environ, "MAINBLOCK_PURE": "1"} if pure else dict(os.environ)
    if not pure:
        environment.pop("MAINBLOCK_PURE", None)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, source]
    subprocess.run(command, check=True, env=environment)
    (wheel,) = folder.glob("*.whl")
    is_pure = wheel.name.endswith("-py3-none-any.whl")
    if is_pure != pure:
        sys.exit(f"{wheel.name} is tagged wrongly: {'' if pure else 'not '}expected a pure one")
    return wheel


def test(wheel: Path, lxml: str, folder: Path, *, pure: bool) -> int:
    """Run the core's tests on an installed wheel."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, str(wheel), lxml, *TEST_TOOLS], check=True)
    tests = folder / "tests"
    tests.mkdir()
    for name in BUILDERS:
        if (ROOT / "tests" / name).exists():
            shutil.copy(ROOT / "tests" / name, tests)
    for name in CORE:
        shutil.copytree(ROOT / "tests" / name, tests / name)
    version = subprocess.run(
        [python, "-m", "scrapy_mainblock.cli.main", "--version"],
        check=True, capture_output=True, text=True, cwd=folder,
    ).stdout  # fmt: skip
    print(f"{lxml}: {version.strip()}", flush=True)
    if ("(compiled)" in version) == pure:
        sys.exit(f"{version.strip()}: that is not what was built")
    options = ["-q", "-n", "2", "-p", "no:cacheprovider", "-o", "pythonpath=."]
    return subprocess.run(
        [python, "-m", "pytest", *options, "--rootdir", tests, tests], check=False, cwd=tests
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
