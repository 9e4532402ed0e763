"""Run all checks and tests: `python3 tools/test.py [pytest's options]`.

Sets itself up (see `environment`). Ends with pytest's own summary of the whole suite; before that,
the core's tests run uncompiled, and the tests that involve lxml run with the lowest version of it.
The exit code is 0 if everything passes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from axe import axe_core
from core_tests import CORE, OPTIONS, UNCOMPILED, WITH_LXML, lowest_lxml, tests_of
from environment import ROOT, python_with

CHECKS = (
    ("format", ["ruff", "format", "--check", "."]),
    ("lint", ["ruff", "check", "."]),
    ("types", ["mypy"]),
    ("import directions", ["lint-imports"]),
)


def main() -> int:
    """Run the checks, then the tests; with options for pytest, the tests alone."""
    python = python_with("test,dev,train")
    if axe := axe_core(python.parents[1] / "npm"):
        os.environ["MAINBLOCK_AXE"] = str(axe)
    failed = []
    if len(sys.argv) == 1:
        for name, command in CHECKS:
            print(f"== {name}", flush=True)
            program = python.parent / command[0]
            if subprocess.run([program, *command[1:]], cwd=ROOT, check=False).returncode:
                failed.append(name)
        failed += other_ways(python)
    print("== tests", flush=True)
    code = run_tests(python, sys.argv[1:] or OPTIONS)
    if failed:
        sys.stderr.write(f"failed before the tests: {', '.join(failed)}\n")
    return code or bool(failed)


def other_ways(python: Path) -> list[str]:
    """Run the core's tests uncompiled and with the lowest lxml; return the names of what failed."""
    version = lowest_lxml(python)
    lxml = python.parents[1] / f"lxml-{version}"
    if not lxml.exists():
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        install += ["--only-binary=:all:", "--no-deps", "--target", lxml, f"lxml=={version}"]
        subprocess.run(install, check=True)
    ways = (
        ("core tests, uncompiled", [*UNCOMPILED, *tests_of(CORE)], {"MAINBLOCK_PURE": "1"}),
        (
            f"tests that see lxml, with lxml {version}",
            [*OPTIONS, *tests_of(WITH_LXML)],
            {"PYTHONPATH": str(lxml)},
        ),
    )
    failed = []
    for name, options, variables in ways:
        print(f"== {name}", flush=True)
        if run_tests(python, options, variables):
            failed.append(name)
    return failed


def run_tests(
    python: Path, options: Sequence[str], variables: Mapping[str, str] | None = None
) -> int:
    """Run pytest, with some extra environment variables; return its exit code."""
    command = [python, "-m", "pytest", *options]
    environment = {**os.environ, **(variables or {})}
    return subprocess.run(command, cwd=ROOT, check=False, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
