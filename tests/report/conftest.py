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
    """A tab of the browser; the test fails if the tab has an error or makes a request."""
    one = chromium.tab()
    one.resize(1280, 900)
    yield one
    one.run("1")  # wait for pending events
    assert one.errors == []
    assert one.requests == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core; without it the test is skipped before anything starts."""
    return axe_core()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("report")
