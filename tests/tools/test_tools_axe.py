"""axe-core is fetched once by npm; otherwise the reason is printed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tool_runs import Tools

NPM = """#!/bin/sh
while [ "$1" != --prefix ]; do shift; done
echo "$3" >> "$2/asked"
mkdir -p "$2/node_modules/axe-core" && echo "/* axe */" > "$2/node_modules/axe-core/axe.min.js"
"""


@pytest.fixture
def npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a substitute for npm on the path, with only the programs that it needs itself."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "npm"
    program.write_text(NPM)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.delenv("MAINBLOCK_AXE", raising=False)
    return program


def test_npm_is_run_once(tools: Tools, npm: Path, tmp_path: Path) -> None:
    axe_core = tools.module("axe").axe_core
    for _ in range(2):
        assert axe_core(tmp_path / "made") == tmp_path / "made" / "node_modules"
    assert (tmp_path / "made" / "asked").read_text() == "axe-core@4\n"


def test_folder_in_the_environment_variable_is_used(
    tools: Tools, npm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAINBLOCK_AXE", str(tmp_path / "own"))
    assert tools.module("axe").axe_core(tmp_path / "made") == tmp_path / "own"
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (None, "install npm, or name a node_modules with it in MAINBLOCK_AXE"),
        ("#!/bin/sh\necho no such host >&2; exit 1\n", "npm: no such host"),
    ],
)
def test_missing_axe_core_is_reported_with_the_reason(
    tools: Tools,
    npm: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    script: str | None,
    said: str,
) -> None:
    if script is None:
        npm.unlink()
        monkeypatch.setenv("PATH", str(npm.parent))
    else:
        npm.write_text(script)
    assert tools.module("axe").axe_core(tmp_path / "made") is None
    assert said in capsys.readouterr().out
