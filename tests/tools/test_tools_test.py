"""`tools/test.py` runs the main tests last, and its exit code covers all runs."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from tool_runs import Tools

MAIN, UNCOMPILED, OLD_LXML, CHECK = "main", "uncompiled", "old lxml", "check"


def kind_of(command: Sequence[object], env: Mapping[str, str]) -> str:
    if "pytest" not in command:
        return CHECK
    if "MAINBLOCK_PURE" in env:
        return UNCOMPILED
    return OLD_LXML if "lxml-5.2" in env.get("PYTHONPATH", "") else MAIN


@pytest.mark.parametrize("failing", [None, CHECK, UNCOMPILED, OLD_LXML, MAIN])
@pytest.mark.parametrize("options", [(), ("-k", "x")])
def test_exit_code_covers_all_runs_and_the_main_run_is_last(
    tools: Tools,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    failing: str | None,
    options: tuple[str, ...],
) -> None:
    ran: list[str] = []

    def run(
        command: Sequence[object], env: Mapping[str, str] | None = None, **_: object
    ) -> subprocess.CompletedProcess[str]:
        ran.append(kind_of(command, env or {}))
        return subprocess.CompletedProcess([], ran[-1] == failing)

    monkeypatch.delenv("MAINBLOCK_PURE", raising=False)
    module = tools.module("test")
    monkeypatch.setattr(module, "python_with", lambda extras: tmp_path / "venv/bin/python")
    monkeypatch.setattr(module, "lowest_lxml", lambda python: "5.2")
    monkeypatch.setattr(module, "axe_core", lambda folder: None)
    (tmp_path / "venv/lxml-5.2").mkdir(parents=True)
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr("sys.argv", ["test.py", *options])
    code = module.main()
    assert ran == ([MAIN] if options else [*[CHECK] * 4, UNCOMPILED, OLD_LXML, MAIN])
    assert bool(code) == (failing in ran)


def test_files_named_by_core_tests_exist(tools: Tools) -> None:
    core_tests = tools.module("core_tests")
    assert set(core_tests.WITH_LXML) <= set(core_tests.CORE)
    for path in core_tests.tests_of(core_tests.CORE):
        assert (core_tests.ROOT / path).exists()
