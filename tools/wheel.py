"""Build the wheel of this machine, and run the core's tests on it in fresh environments.

    python3 tools/wheel.py [--pure] [-o FOLDER]

The wheel is built from the source distribution, which shows that the latter is complete. One
environment has the lowest lxml that the package allows, one the newest. With --pure the wheel is
built as on a machine without a C compiler. (The wheels of all platforms are built by cibuildwheel,
configured in pyproject.toml; it tests each with `--installed`: with the package that this Python
has installed.)
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

from core_tests import CORE, OPTIONS, UNCOMPILED, lowest_lxml, tests_of
from environment import ROOT

NOT_COPIED = (".git", ".venv", ".fuzz", "build", "dist", "out", "*.so", "*.pyd", "*.egg-info",
              "__pycache__", "compiled.json")  # fmt: skip
DESCRIBED_BY = ("setup.py", "setup.cfg", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in")
TEST_TOOLS = ("pytest>=8", "pytest-xdist>=3.5", "hypothesis>=6.100", "markdown-it-py>=3")
BUILD_TOOLS = ("Cython>=3.1", "setuptools>=69", "wheel")
"""Also for the tests that break a build."""


def main() -> int:
    """Build, install and test; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pure", action="store_true", help="as without a C compiler")
    parser.add_argument("--installed", action="store_true", help="only run the tests")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist", metavar="FOLDER")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.installed:
            return run_tests(Path(sys.executable), folder, pure=options.pure)
        wheel = build(folder, pure=options.pure)
        options.output.mkdir(exist_ok=True)
        shutil.copy(wheel, options.output)
        print(f"built {wheel.name}", flush=True)
        for lxml in (f"lxml=={lowest_lxml(Path(sys.executable))}", "lxml"):
            code = test(wheel, lxml, folder / lxml, pure=options.pure)
            if code:
                return code
    return 0


def build(folder: Path, *, pure: bool) -> Path:
    """Build the wheel from a source distribution in which nothing is compiled yet; return it."""
    source = folder / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(*NOT_COPIED))
    python = environment(folder / "build", BUILD_TOOLS)
    variables = {name: value for name, value in os.environ.items() if name != "MAINBLOCK_PURE"}
    nothing_compiled = {**variables, "MAINBLOCK_PURE": "1"}
    pack = [python, "setup.py", "-q", "sdist", "-d", folder]
    subprocess.run(pack, cwd=source, check=True, env=nothing_compiled)
    (archive,) = folder.glob("*.tar.gz")
    if pure:
        no_compiler = shutil.which("false")  # (CC does not set Microsoft's compiler)
        variables |= {"CC": no_compiler} if no_compiler else {"MAINBLOCK_PURE": "1"}
    command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder, archive]
    subprocess.run(command, check=True, env=variables)
    (wheel,) = folder.glob("*.whl")
    is_pure = wheel.name.endswith("-py3-none-any.whl")
    if is_pure != pure:
        sys.exit(f"{wheel.name} is tagged wrongly: {'' if pure else 'not '}expected a pure one")
    return wheel


def environment(folder: Path, requirements: Sequence[str]) -> Path:
    """Make a fresh virtual environment, and return its interpreter."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, *requirements], check=True)
    return python


def test(wheel: Path, lxml: str, folder: Path, *, pure: bool) -> int:
    """Run the core's tests on a wheel in an environment of its own; return the exit code."""
    python = environment(folder, (str(wheel), lxml, *TEST_TOOLS, *BUILD_TOOLS))
    done = subprocess.run(
        [python, "-m", "scrapy_mainblock.cli.main", "--version"],
        check=True, capture_output=True, text=True, cwd=folder,
    )  # fmt: skip
    version = done.stdout.strip()
    print(f"{lxml}: {version}", flush=True)
    if version.endswith("(compiled)") == pure:
        sys.exit(f"{version}: that is not what was built")
    return run_tests(python, folder, pure=pure)


def run_tests(python: Path, folder: Path, *, pure: bool) -> int:
    """Run the core's tests where only the installed package can be imported, not the checkout."""
    here = folder / "checkout"
    ignored = shutil.ignore_patterns(*NOT_COPIED)
    here.mkdir()
    for name in DESCRIBED_BY:
        shutil.copy(ROOT / name, here)
    for name in ("tests", "example_project"):
        shutil.copytree(ROOT / name, here / name, ignore=ignored)
    options = UNCOMPILED if pure else OPTIONS
    command = [python, "-m", "pytest", *options, "-p", "no:cacheprovider", *tests_of(CORE)]
    return subprocess.run(command, check=False, cwd=here).returncode


if __name__ == "__main__":
    sys.exit(main())
