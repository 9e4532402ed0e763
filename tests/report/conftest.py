from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from accessibility import axe_core
from browser import Browser, Tab, browser


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("chromium")) as one:
        yield one


@pytest.fixture
def tab(chromium: Browser) -> Iterator[Tab]:
    """A page of the browser; nothing may go wrong in it, and nothing be asked for."""
    one = chromium.tab()
    one.resize(1280, 900)
    yield one
    one.run("1")  # what is on its way has come
    assert one.errors == []
    assert one.requests == []


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core; without it the test is skipped before it has begun anything."""
    return axe_core()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report")
