from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from crawl.harness import Crawler
from crawl.server import Server


@pytest.fixture(scope="session")
def site() -> Iterator[Server]:
    server = Server()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def crawler(tmp_path: Path) -> Crawler:
    return Crawler(tmp_path)
