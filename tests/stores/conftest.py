from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis_server import RedisServer


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    yield server
    server.kill()


@pytest.fixture
def server(shared_server: RedisServer) -> RedisServer:
    """The shared Redis server, running and emptied."""
    shared_server.client.flushall()
    shared_server.client.config_set("maxmemory", 0)
    return shared_server
