"""Fixtures and hooks shared by all tests."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from redis_server import RedisServer
from turns import turns


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol() -> Generator[None, object, object]:
    """Make each test wait while another one measures time."""
    with turns.beside_others():
        return (yield)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    """Start a Redis server for the test, which may stop or kill it."""
    (tmp_path / "redis").mkdir()
    server = RedisServer(tmp_path / "redis")
    yield server
    server.kill()
