"""The modules of `tools/`, which are scripts and no package, run within this process."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "tools"


class Tools:
    """Loads and runs them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch, self._capsys = monkeypatch, capsys

    def module(self, name: str) -> ModuleType:
        return importlib.import_module(name)

    def __call__(self, name: str, *arguments: object) -> str:
        """Run one, and return what it printed."""
        self._monkeypatch.setattr(sys, "argv", [name, *map(str, arguments)])
        self._capsys.readouterr()
        self.module(name).main()
        return self._capsys.readouterr().out
