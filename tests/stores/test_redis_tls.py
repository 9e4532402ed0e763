"""Rules in a Redis that speaks TLS (`rediss://`), with a certificate that nobody else knows."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import Mainblock
from redis_server import Certificate, RedisServer, needs_redis_py, wait_until

from scrapy_mainblock.stores.addresses import StoreAwayError
from scrapy_mainblock.stores.redis.store import RedisRules
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

pytestmark = needs_redis_py
SITE = "news.example"
RULES = SiteRules(SITE, (Template("c", Rule("main"), frozenset(range(50)), pages=6, votes=6),))


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    return Certificate.made_in(tmp_path)


@pytest.fixture
def server(tmp_path: Path, certificate: Certificate) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path, certificate)
    yield server
    server.kill()


def test_rules_go_through_tls(server: RedisServer, certificate: Certificate) -> None:
    address = f"{server.url}?ssl_ca_certs={certificate.file}&namespace=news"
    one, other = RedisRules(address), RedisRules(address)
    one.save(RULES)
    assert server.client.exists(f"news:site:{SITE}") == 1
    assert other.load_site(SITE) == RULES
    server.kill()
    try:
        wait_until(lambda: other._link.reading.is_open)
    finally:
        server.start()
    wait_until(lambda: server.client.exists(f"news:site:{SITE}") == 1, 10)  # published again
    one.close()
    other.close()


def test_the_command_takes_the_address(
    server: RedisServer, certificate: Certificate, capsys: pytest.CaptureFixture[str]
) -> None:
    address = f"{server.url}?ssl_ca_certs={certificate.file}"
    store = RedisRules(address)
    store.save(RULES)
    store.close()
    assert "id=main" in Mainblock(capsys)("rules", "list", "--rules", address).out


@pytest.mark.parametrize("trusted", ["nobody", "another"])
def test_a_certificate_that_is_not_trusted_is_refused(
    trusted: str, server: RedisServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = Certificate.made_in(tmp_path, "another")
    query = f"?ssl_ca_certs={other.file}" if trusted == "another" else ""
    _is_away(server.url + query, "CERTIFICATE_VERIFY_FAILED", caplog)


def test_a_server_without_tls_is_not_spoken_to_in_the_clear(
    tmp_path: Path, certificate: Certificate, caplog: pytest.LogCaptureFixture
) -> None:
    plain = RedisServer(tmp_path)
    try:
        address = f"{plain.url.replace('redis:', 'rediss:')}?ssl_ca_certs={certificate.file}"
        _is_away(address, "no answer|SSL", caplog)  # it waits for the end of a line
        assert not plain.client.keys()
    finally:
        plain.kill()


def _is_away(address: str, why: str, caplog: pytest.LogCaptureFixture) -> None:
    """It cannot be read or written, which is said in one line each, with the reason."""
    store = RedisRules(address)
    with caplog.at_level(logging.WARNING):
        for call in (store.load, lambda: store.save(RULES), store.load):
            with pytest.raises(StoreAwayError, match=why):
                call()
    store.close()
    # (The command before may still follow a server of its own, which is gone.)
    (line,) = [one for one in caplog.messages if f"{store.address} cannot be read" in one]
    assert re.search(why, line)
