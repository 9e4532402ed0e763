"""Run all checks and tests: `python3 tools/test.py [pytest's options]`.

Sets itself up (see `environment`). Ends with pytest's own summary.
"""

from __future__ import annotations

import subprocess
import sys

from environment import ROOT, python_with

CHECKS = (
    ("format", ["ruff", "format", "--check", "."]),
    ("lint", ["ruff", "check", "."]),
    ("types", ["mypy"]),
    ("import directions", ["lint-imports"]),
)

TESTS = ["-n", "2", "--dist", "loadfile", "-q", "--hypothesis-profile=ci"]
"""The same examples of each law every time, so that nobody's change fails by what it did not touch;
`pytest` by itself tries others each time."""


def main() -> int:
    """Checks first, then the tests; with options for pytest, the tests alone."""
    python = python_with("test,dev")
    failed = []
    if len(sys.argv) == 1:
        for name, command in CHECKS:
            print(f"== {name}", flush=True)
            program = python.parent / command[0]
            if subprocess.run([program, *command[1:]], cwd=ROOT, check=False).returncode:
                failed.append(name)
    print("== tests", flush=True)
    options = sys.argv[1:] or TESTS
    code = subprocess.run([python, "-m", "pytest", *options], cwd=ROOT, check=False).returncode
    if failed:
        sys.stderr.write(f"failed before the tests: {', '.join(failed)}\n")
    return code or bool(failed)


if __name__ == "__main__":
    sys.exit(main())
