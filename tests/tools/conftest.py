from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from tool_runs import FOLDER, Tools


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Tools]:
    """Load the tools anew for each test, since tests modify them."""
    monkeypatch.syspath_prepend(str(FOLDER))
    names = [path.stem for path in FOLDER.glob("*.py")]
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    yield Tools(monkeypatch, capsys)
    for name in names:
        sys.modules.pop(name, None)
    sys.modules.update(before)
