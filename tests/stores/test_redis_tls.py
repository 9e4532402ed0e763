"""Rules in Redis over TLS (`rediss://`), with a self-signed certificate."""

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


def test_rules_are_shared_over_tls(server: RedisServer, certificate: Certificate) -> None:
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


def test_the_command_accepts_a_rediss_address(
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
    _check_is_unavailable(server.url + query, "CERTIFICATE_VERIFY_FAILED", caplog)


def test_rediss_sends_nothing_unencrypted_to_a_server_without_tls(
    tmp_path: Path, certificate: Certificate, caplog: pytest.LogCaptureFixture
) -> None:
    plain = RedisServer(tmp_path)
    try:
        address = f"{plain.url.replace('redis:', 'rediss:')}?ssl_ca_certs={certificate.file}"
        # Without TLS the server waits for the end of a line.
        _check_is_unavailable(address, "no answer|SSL", caplog)
        assert not plain.client.keys()
    finally:
        plain.kill()


def _check_is_unavailable(address: str, why: str, caplog: pytest.LogCaptureFixture) -> None:
    """Check that reading and writing fail, each logged in one line with the reason."""
    store = RedisRules(address)
    with caplog.at_level(logging.WARNING):
        for call in (store.load, lambda: store.save(RULES), store.load):
            with pytest.raises(StoreAwayError, match=why):
                call()
    store.close()
    # (The store of an earlier test may still follow its own server, which has ended.)
    (line,) = [one for one in caplog.messages if f"{store.address} cannot be read" in one]
    assert re.search(why, line)
