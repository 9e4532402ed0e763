"""Fixtures and hooks shared by all tests."""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from command import Mainblock
from redis_server import RedisServer
from turns import turns


def pytest_configure() -> None:
    """Let signals end what the tests start, though a background job or `nohup` ignores some."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP"):  # Windows has none
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


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


@pytest.fixture
def mainblock(capsys: pytest.CaptureFixture[str]) -> Mainblock:
    """Return the command, run in this process."""
    return Mainblock(capsys)
