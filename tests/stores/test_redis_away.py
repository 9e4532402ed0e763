"""Redis that is away, slow or invalid: logged once, waited for briefly, used once it is back."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from redis_server import RedisServer, needs_redis_py, wait_until

from scrapy_mainblock import extract
from scrapy_mainblock.stores.addresses import StoreAwayError
from scrapy_mainblock.stores.packed_pages import SharedPage
from scrapy_mainblock.stores.redis.link import TIMEOUT_SECONDS
from scrapy_mainblock.stores.redis.store import RedisRules
from scrapy_mainblock.template.learning.evidence import PageEvidence
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

pytestmark = needs_redis_py
SITE = "news.example"
RULES = SiteRules(SITE, (Template("c", Rule("main"), frozenset(range(50)), pages=6, votes=6),))
NEWER = SiteRules(SITE, (replace(RULES.templates[0], rule=Rule("new")),))
SLACK = 1.0
"""Additional seconds that a busy machine may need."""


class FakeServer:
    """A server that answers every request with the same bytes, optionally one at a time."""

    def __init__(self, answer: bytes, *, slowly: bool = False) -> None:
        self._answer, self._slowly = answer, slowly
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._socket.getsockname()[1]}/0"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            while connection.recv(65536):
                pieces = [self._answer[at : at + 1] for at in range(len(self._answer))]
                for piece in pieces if self._slowly else [self._answer]:
                    connection.sendall(piece)
                    time.sleep(0.5 * self._slowly)
        except OSError:
            pass

    def close(self) -> None:
        self._socket.close()


NONSENSE = {
    "nothing": b"",
    "web server": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "octets": bytes(range(256)),
    "numbers": b":1\r\n" * 20,
    "nulls": b"$-1\r\n" * 20,
    "lists": b"*2\r\n*1\r\n:7\r\n$1\r\nx\r\n" * 20,
    "empty lists": b"*0\r\n" * 20,
    "errors": b"-LOADING Redis is loading the dataset in memory\r\n" * 20,
    "no rights": b"-NOAUTH Authentication required.\r\n" * 20,
    "a promise": b"$900000000000\r\nx",
    "deep": b"*1\r\n" * 50_000,
    "slowly": b"$1000\r\n" + b"x" * 1000,
}


@pytest.fixture(params=NONSENSE)
def fake(request: pytest.FixtureRequest) -> Iterator[FakeServer]:
    server = FakeServer(NONSENSE[request.param], slowly=request.param == "slowly")
    yield server
    server.close()


def _seconds(work: Callable[[], object]) -> float:
    begin = time.monotonic()
    work()
    return time.monotonic() - begin


def test_invalid_answers_are_logged_once_and_time_out(
    fake: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    store = RedisRules(fake.url)

    def ask() -> None:
        for call in (
            lambda: store.load_site(SITE),
            lambda: store.update(SITE, lambda known: RULES),
            lambda: store.exchange({SITE: [SharedPage(PageEvidence(frozenset([1])))]}),
        ):
            with contextlib.suppress(StoreAwayError):
                call()
        store.has(SITE)
        store.changed([SITE])

    with caplog.at_level(logging.WARNING):
        # One call each of reading and writing waits.
        assert _seconds(ask) < 2 * TIMEOUT_SECONDS + SLACK
        assert _seconds(ask) < TIMEOUT_SECONDS + SLACK
    assert store.troubles
    said = [line for line in caplog.messages if f"{fake.url} cannot be" in line]
    assert 1 <= len(said) <= 2
    assert not [line for line in caplog.messages if "\n" in line]
    store.close()
    thread = store._link._thread
    assert thread is not None
    thread.join(2 * TIMEOUT_SECONDS + SLACK)  # the poll for changes connects and waits
    assert not thread.is_alive(), "it still waits for an answer"


@pytest.mark.parametrize("is_slow", [False, True], ids=["silent", "slow"])
def test_a_request_times_out_after_a_second(is_slow: bool) -> None:
    fake = FakeServer(NONSENSE["slowly"] if is_slow else b"", slowly=is_slow)

    def wait() -> float:
        store = RedisRules(fake.url)

        def ask() -> None:
            with pytest.raises(StoreAwayError):
                store.load_site(SITE)

        seconds = _seconds(ask)
        store.close()
        return seconds

    try:
        # A busy machine makes some of the attempts slower, but none faster.
        assert min(wait() for _ in range(3)) < 1.2
    finally:
        fake.close()


def test_a_page_is_extracted_without_rules_if_redis_is_away() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    html = "<p>A paragraph of a page that is read alone, since its rules cannot be had.</p>"
    article = extract(html, url="https://a.example/", rules=f"redis://127.0.0.1:{port}")
    assert article.metadata["method"] == "page"


def test_rules_in_memory_are_used_while_redis_is_suspended(
    server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    store = RedisRules(server.url)
    store.save(RULES)
    with caplog.at_level(logging.INFO):
        server.stop()
        try:
            with pytest.raises(StoreAwayError):
                store.save(NEWER)
            assert store.load_site(SITE) == RULES
            begin = time.monotonic()
            with pytest.raises(StoreAwayError):
                store.save(NEWER)
            assert time.monotonic() - begin < SLACK
            assert _seconds(lambda: store.has("none.example")) < SLACK
            wait_until(lambda: store.troubles >= 3, 10)  # it retries
        finally:
            server.go_on()
        wait_until(lambda: not store._link.reading.is_open)
        assert store.save(NEWER).templates[0].rule.id == "new"
    assert len([line for line in caplog.messages if "cannot be read" in line]) == 1
    assert len([line for line in caplog.messages if "can be read again" in line]) == 1
    # A site that could not be read is reported as changed, to be read again.
    assert store.changed(["none.example"]) == ["none.example"]
    store.close()


def test_a_killed_redis_that_restarts_empty_is_refilled(server: RedisServer) -> None:
    store = RedisRules(server.url)
    store.save(RULES)
    server.kill()
    try:
        wait_until(lambda: store._link.reading.is_open)
        assert store.load_site(SITE) == RULES
    finally:
        server.start()
    wait_until(lambda: server.client.exists(f"mainblock:site:{SITE}") == 1)
    store.close()


def test_all_socket_operations_run_in_a_separate_thread(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = set()

    def noting(name: str) -> None:
        real = getattr(socket.socket, name)

        def call(self: socket.socket, *arguments: object) -> object:
            threads.add(threading.current_thread().name)
            return real(self, *arguments)

        monkeypatch.setattr(socket.socket, name, call)

    for name in ("connect", "sendall", "recv", "recv_into"):
        noting(name)
    store = RedisRules(server.url)
    store.save(RULES)
    store.load()
    store.exchange({SITE: []})
    wait_until(lambda: store._position is not None)
    store.close()
    store._link._thread.join(5)
    assert threads == {"mainblock-redis"}
