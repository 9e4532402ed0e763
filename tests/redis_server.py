"""A real redis-server on loopback, which tests stop, go on with, kill, flush and fill."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

try:
    import redis
except ImportError:
    redis = None
needs_redis_py = pytest.mark.skipif(
    redis is None, reason='no redis-py: pip install "scrapy-mainblock[redis]"'
)


class RedisServer:
    """One server, on a port of its own."""

    def __init__(self, directory: Path, *options: str) -> None:
        program = shutil.which("redis-server")
        if program is None:
            pytest.skip("no redis-server: apt-get install redis-server")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._command = [program, "--port", str(self.port), "--bind", "127.0.0.1"]
        self._command += ["--dir", str(directory), "--save", "", "--appendonly", "no", *options]
        self.client = redis.Redis(port=self.port, decode_responses=True)
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while True:
            try:
                self.client.ping()
                break
            except redis.ConnectionError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def stop(self) -> None:
        """It holds still: connections stay, and nobody answers."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(20)


def wait_until(condition: object, seconds: float = 5.0) -> float:
    """Wait for something to be so; how long that took. Fails when it never is."""
    begin = time.monotonic()
    assert callable(condition)
    while not condition():
        assert time.monotonic() - begin < seconds, "it has not happened"
        time.sleep(0.02)
    return time.monotonic() - begin
