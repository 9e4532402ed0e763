"""What tests of several rooms ask for."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from redis_server import RedisServer
from turns import turns


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Each test waits while another one measures time."""
    with turns.beside_others():
        return (yield)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis of the test's own, which it may stop or kill."""
    (tmp_path / "redis").mkdir()
    server = RedisServer(tmp_path / "redis")
    yield server
    server.kill()
