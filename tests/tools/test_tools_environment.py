"""The environment of the tools is reinstalled when the compiled sources change."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from tool_runs import Tools


@pytest.fixture
def environment(tools: Tools) -> ModuleType:
    return tools.module("environment")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "scrapy_mainblock/outline").mkdir(parents=True)
    for name in ("setup.cfg", "setup.py", "pyproject.toml"):
        (root / name).write_text(name)
    for name in ("outline/scan.py", "outline/scan.pxd", "outline/plain.py"):
        (root / "scrapy_mainblock" / name).write_text(name)
    return root


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("setup.cfg", True),
        ("setup.py", True),
        ("pyproject.toml", True),
        ("scrapy_mainblock/outline/scan.py", True),
        ("scrapy_mainblock/outline/scan.pxd", True),
        ("scrapy_mainblock/outline/plain.py", False),
    ],
)
def test_digest_depends_on_compiled_sources_and_build_files(
    environment: ModuleType, checkout: Path, name: str, counts: bool
) -> None:
    before = environment.digest_of_project(checkout)
    (checkout / name).write_text("changed")
    assert (environment.digest_of_project(checkout) != before) == counts


def test_compiled_sources_of_this_project_are_found(environment: ModuleType) -> None:
    assert len([*(environment.ROOT / "scrapy_mainblock").rglob("*.pxd")]) > 20


def test_install_runs_once_for_each_project_state_and_extras(
    environment: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    installed: list[str] = []

    def make(folder: Path, with_pip: bool) -> None:
        (folder / "bin").mkdir(parents=True)
        (folder / "bin/python").touch()

    def install(command: list[object], check: bool) -> None:
        installed.append(str(command[-1]).rpartition("[")[2].rstrip("]"))

    def wants(extras: str) -> list[str]:
        environment.python_with(extras)
        found, installed[:] = installed[:], []
        return found

    monkeypatch.setattr(environment, "ROOT", checkout)
    monkeypatch.setattr(environment.venv, "create", make)
    monkeypatch.setattr(subprocess, "run", install)
    monkeypatch.setenv("MAINBLOCK_VENV", str(tmp_path / "venv"))
    source = checkout / "scrapy_mainblock/outline/scan.py"
    assert wants("test") == ["test"]
    assert wants("test") == []
    assert wants("test,dev") == ["test,dev"]
    assert wants("test") == []
    source.write_text("another")
    assert wants("test,dev") == ["test,dev"]
    source.write_text("outline/scan.py")  # as it was when [test] was installed
    assert wants("test") == ["test"]
    (tmp_path / "venv/installed.json").write_text(json.dumps("damaged")[:-1])
    assert wants("test") == ["test"]
