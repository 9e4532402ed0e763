"""Rules in a real Redis: shared, merged, followed by running workers, and never lost."""

from __future__ import annotations

import gc
import logging
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest
from pages import site as made_site
from redis_server import RedisServer, needs_redis_py, redis, wait_until

from scrapy_mainblock import Rules, extract, learn
from scrapy_mainblock.stores import documents
from scrapy_mainblock.stores.addresses import AddressError
from scrapy_mainblock.stores.redis import store as module
from scrapy_mainblock.stores.redis.store import RedisRules
from scrapy_mainblock.stores.rules import check_address, store_at
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

pytestmark = needs_redis_py
SITE = "news.example"
KEY = "mainblock:site:news.example"

Open = Callable[..., RedisRules]


@pytest.fixture
def open_store(server: RedisServer) -> Iterator[Open]:
    opened: list[RedisRules] = []

    def open_one(query: str = "") -> RedisRules:
        opened.append(RedisRules(server.url + query))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def template(
    name: str = "c", identifier: str = "main", *, at: int = 0, **changes: object
) -> Template:
    """Return a template; templates with different `at` have different structures."""
    structure = frozenset(range(at, at + 50))
    return replace(Template(name, Rule(identifier), structure, pages=6, votes=6), **changes)


def rules(*templates: Template, site: str = SITE) -> SiteRules:
    return SiteRules(site, templates or (template(),))


def test_rules_saved_by_one_store_are_read_by_another(
    server: RedisServer, open_store: Open
) -> None:
    one, other = open_store(), open_store()
    assert one.save(rules()) == rules()
    assert other.load_site(SITE) == rules()
    assert other.load() == {SITE: rules()}
    assert other.has(SITE)
    assert not other.has("other.example")
    assert server.client.hget(KEY, "document") == documents.site_to_text(rules())
    assert server.client.hget(KEY, "version") == "1"


def test_unchanged_rules_are_not_written_again(server: RedisServer, open_store: Open) -> None:
    one = open_store()
    for _ in range(3):
        one.save(rules())
    assert server.client.hget(KEY, "version") == "1"
    assert server.client.xlen("mainblock:changes") == 1


HOSTILE = ["", "*", "a\nb", "北京.example", "\ud800", "x" * 4096, "[a]", "\x00"]


def test_site_names_may_be_any_string(open_store: Open) -> None:
    one, other = open_store(), open_store()
    for name in HOSTILE:
        one.save(rules(site=name))
    # JSON keeps the site name of a document; a lone surrogate is kept in the key.
    assert {name: other.load_site(name) is not None for name in HOSTILE} == dict.fromkeys(
        HOSTILE, True
    )
    assert len(other.load()) == len(HOSTILE)


def test_concurrent_changes_are_all_kept(open_store: Open) -> None:
    stores = [open_store() for _ in range(4)]
    number = 40

    def add(count: int) -> None:
        one = template(f"c{count}", at=count * 100)
        stores[count % 4].save(rules(one))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(add, range(number)))
    found = open_store().load_site(SITE)
    assert found is not None
    assert {one.cluster for one in found.templates} == {f"c{count}" for count in range(number)}


def test_a_pinned_rule_is_not_replaced(open_store: Open) -> None:
    one = open_store()
    pinned = rules(template(pinned=True))
    one.save(pinned)
    assert one.save(rules(template(identifier="other"))) == pinned


def test_a_garbage_collected_store_ends_its_thread(server: RedisServer) -> None:
    before = set(threading.enumerate())
    store = RedisRules(server.url)
    store.load_site("a.example")
    (own,) = set(threading.enumerate()) - before
    del store
    gc.collect()
    own.join(20)
    assert not own.is_alive()


def test_namespaces_are_isolated(server: RedisServer, open_store: Open) -> None:
    one, other = open_store(), open_store("?namespace=a*")
    third = open_store("?namespace=ab")
    one.save(rules())
    third.save(rules(site="third.example"))
    assert other.load() == {}
    assert not other.has(SITE)
    other.save(rules(site="other.example"))
    assert list(other.load()) == ["other.example"]
    assert server.client.exists("a*:site:other.example")


def test_a_change_reaches_running_stores(open_store: Open) -> None:
    one, other = open_store(), open_store()
    assert other.load_site(SITE) is None
    assert other.changed([SITE]) == []
    one.update(SITE, lambda known: rules(template(pinned=True)))
    assert wait_until(lambda: other.changed([SITE]) == [SITE]) < 3
    assert other.load_site(SITE) == rules(template(pinned=True))
    assert other.changed([SITE]) == []


def test_a_worker_that_missed_trimmed_changes_compares_versions(
    server: RedisServer, open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, late = open_store(), open_store()
    one.save(rules())
    late.load_site(SITE)
    assert late.load_site("other.example") is None
    monkeypatch.setattr(late._link, "_tick", lambda client: None)  # stop following the changes
    one.save(rules(template(identifier="new")))
    one.save(rules(site="other.example"))
    server.client.xtrim("mainblock:changes", maxlen=0)
    one.save(rules(site="third.example"))
    server.client.xtrim("mainblock:changes", maxlen=1, approximate=False)
    monkeypatch.undo()
    wait_until(lambda: set(late.changed([SITE, "other.example"])) == {SITE, "other.example"})
    assert late.load_site(SITE) == one.load_site(SITE)
    assert late.has("other.example")


def test_rules_in_memory_need_no_request_to_redis(server: RedisServer, open_store: Open) -> None:
    one = open_store()
    one.save(rules())
    one.has("none.example")
    before = server.client.info("commandstats")["cmdstat_hmget"]["calls"]
    for _ in range(200):
        one.load_site(SITE)
        one.has("none.example")
    assert server.client.info("commandstats")["cmdstat_hmget"]["calls"] == before


def test_a_flushed_redis_is_refilled_from_memory(server: RedisServer, open_store: Open) -> None:
    workers = [open_store(), open_store()]
    pinned = template("p", "pin", at=1000, pinned=True)
    for worker in workers:
        worker.save(rules(template(), pinned))
        worker.load_site("none.example")
    before = workers[0].load_site(SITE)
    server.client.flushall()
    wait_until(lambda: server.client.exists(KEY) == 1)
    assert open_store().load_site(SITE) == before
    assert workers[0].load_site(SITE) == workers[1].load_site(SITE) == before


def test_a_change_right_after_a_flush_keeps_the_other_templates(
    server: RedisServer, open_store: Open
) -> None:
    one = open_store()
    one.save(rules(template("a"), template("b", at=1000)))
    server.client.flushall()
    now = one.save(rules(template("c", at=2000)))
    assert [one.cluster for one in now.templates] == ["a", "b", "c"]


def test_a_redis_restored_from_an_old_copy_gets_the_newer_rules(
    server: RedisServer, open_store: Open
) -> None:
    one = open_store()
    one.save(rules())
    copies = _dump(server)
    one.save(rules(template(identifier="new")))
    newer = one.load_site(SITE)
    server.client.flushall()
    _restore(server, copies)
    wait_until(lambda: documents.site_from_text(server.client.hget(KEY, "document")) == newer)


def _dump(server: RedisServer) -> dict[bytes, bytes]:
    raw = redis.Redis(port=server.port)
    return {key: raw.dump(key) for key in raw.keys("*")}


def _restore(server: RedisServer, copies: dict[bytes, bytes]) -> None:
    with redis.Redis(port=server.port).pipeline() as pipeline:
        for key, copy in copies.items():
            pipeline.restore(key, 0, copy)
        pipeline.execute()


def test_a_damaged_document_is_logged_once_and_kept_as_a_copy(
    server: RedisServer, open_store: Open, caplog: pytest.LogCaptureFixture
) -> None:
    one = open_store()
    one.save(rules())
    server.client.hset(KEY, mapping={"document": "{", "version": "7"})
    server.client.xadd("mainblock:changes", {"site": SITE, "version": "7"})
    with caplog.at_level(logging.WARNING):
        wait_until(lambda: one.troubles > 0)
        assert one.load_site(SITE) == rules()  # the last valid state
    assert len([line for line in caplog.messages if "not JSON" in line]) == 1
    one.save(rules(template(identifier="new")))
    assert server.client.hget(KEY, "damaged") == "{"
    assert open_store().load_site(SITE) == one.load_site(SITE)


def test_a_document_of_a_later_version_is_not_overwritten(
    server: RedisServer, open_store: Open
) -> None:
    newer = documents.site_to_text(rules()).replace(f'"format": {documents.FORMAT}', '"format": 99')
    server.client.hset(KEY, mapping={"document": newer, "version": "1"})
    one = open_store()
    assert one.load_site(SITE) is None
    assert one.save(rules()) == rules()
    with pytest.raises(documents.NewerDocumentError):
        one.update(SITE, lambda known: rules())
    assert server.client.hget(KEY, "document") == newer


def test_a_full_redis_is_readable_and_written_once_it_has_space(
    server: RedisServer, open_store: Open, caplog: pytest.LogCaptureFixture
) -> None:
    one = open_store()
    one.save(rules())
    server.client.config_set("maxmemory", 1)
    with caplog.at_level(logging.INFO):
        for _ in range(5):
            with pytest.raises(OSError, match="OutOfMemory"):
                one.save(rules(template(identifier="new")))
        assert open_store().load_site(SITE) == rules()
        server.client.config_set("maxmemory", 0)
        wait_until(lambda: _saves(one, rules(template(identifier="new"))))
    assert len([line for line in caplog.messages if "cannot be written" in line]) == 1
    assert len([line for line in caplog.messages if "can be written again" in line]) == 1
    assert open_store().load_site(SITE).templates[0].rule.id == "new"


def _saves(store: RedisRules, learnt: SiteRules) -> bool:
    try:
        store.save(learnt)
    except OSError:
        return False
    return True


def test_one_worker_leads_a_site_and_another_after_it_closed(open_store: Open) -> None:
    one, other = open_store(), open_store()
    assert one.exchange({SITE: []})[SITE].leads
    assert not other.exchange({SITE: []})[SITE].leads
    assert one.exchange({SITE: []})[SITE].leads
    one.close()
    assert other.exchange({SITE: []})[SITE].leads


def test_a_killed_leader_is_replaced_after_a_timeout(
    open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LEARNER_SECONDS", 0.3)
    one, other = open_store(), open_store()
    assert one.exchange({SITE: []})[SITE].leads
    assert not other.exchange({SITE: []})[SITE].leads
    wait_until(lambda: other.exchange({SITE: []})[SITE].leads)


def test_the_library_can_keep_its_rules_in_redis(server: RedisServer) -> None:
    pages = made_site(8, host="example.com")
    learnt = learn(pages)
    learnt.save(server.url)
    assert len(Rules.load(server.url)) == len(learnt) == 1
    html = pages[0][0]
    article = extract(html, url="https://www.example.com/x", rules=server.url)
    assert article.metadata["method"] == "rule"
    article = extract(html, url="https://other.example.net/x", rules=server.url)
    assert article.metadata["method"] == "page"


def _read_in_child(address: str) -> bool:
    return store_at(address).load_site(SITE) is not None


def test_a_store_survives_fork_and_pickle(server: RedisServer, open_store: Open) -> None:
    one = open_store()
    one.save(rules())
    assert pickle.loads(pickle.dumps(one)).load_site(SITE) == rules()
    context = get_context("fork")
    queue = context.SimpleQueue()
    # There is no thread in the child: the first call starts one.
    child = context.Process(
        target=lambda: queue.put((one.has("none.example"), one.save(rules(site="b.example"))))
    )
    child.start()
    assert queue.get() == (False, rules(site="b.example"))
    child.join(20)
    assert one.load_site("b.example") == rules(site="b.example")


def test_a_closed_store_leaves_no_thread(open_store: Open) -> None:
    one = open_store()
    one.save(rules())
    thread = one._link._thread
    assert thread in threading.enumerate()
    one.close()
    thread.join(5)
    assert not thread.is_alive()


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("redis://host:port/0", "Port could not be cast"),
        ("redis://host/0?namespace=", "the namespace is empty"),
        ("redis://:secret@host/0?no_such_option=1", "no_such_option"),
    ],
)
def test_the_error_for_a_wrong_address_hides_its_password(address: str, says: str) -> None:
    for open_at in (store_at, check_address):
        with pytest.raises(AddressError, match=says) as caught:
            open_at(address)
        assert "secret" not in str(caught.value)


def test_no_message_contains_the_password(server: RedisServer) -> None:
    store = RedisRules(server.url.replace("//", "//user:secret@") + "?password=secret")
    assert "secret" not in store.address
    with pytest.raises(OSError, match=r"redis://127\.0\.0\.1") as caught:
        store.load_site(SITE)
    assert "secret" not in str(caught.value)


def test_redis_is_imported_only_for_redis_addresses(tmp_path: Path) -> None:
    code = (
        "import sys, scrapy_mainblock\n"
        f"scrapy_mainblock.Rules.load({str(tmp_path)!r})\n"
        "scrapy_mainblock.Addon\n"
        "assert 'redis' not in sys.modules, 'too early'\n"
        "sys.modules['redis'] = None\n"
        "try:\n    scrapy_mainblock.Rules.load('redis://host')\n"
        "except ValueError as error:\n    assert 'scrapy-mainblock[redis]' in str(error)\n"
        "else:\n    raise SystemExit('nothing said')\n"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
