"""The modules of `tools/`, which are scripts and not a package, run in this process."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "tools"


class Tools:
    """A callable that imports and runs the tools."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def module(self, name: str) -> ModuleType:
        return importlib.import_module(name)

    def __call__(self, name: str, *arguments: object) -> str:
        """Run a tool and return its output."""
        self._monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        self._capsys.readouterr()
        self.module(name).main()
        return self._capsys.readouterr().out
