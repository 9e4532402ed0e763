"""An editor saves a pin while a crawl is running: later items use the pinned rule."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Tab
from crawl.harness import LONGEST, Crawler
from crawl.server import TEMPLATES, Handler, Server
from drawn_report import frame
from editing import click_part, open_page, ours, preview, save

from scrapy_mainblock.cli.look.edit import Editor, EditServer
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.report.document import ReportInfo, ReportPage
from scrapy_mainblock.stores.rules import store_at

FREE = 30
"""How many pages are served before the editor has saved."""
SECONDS_A_PAGE = 0.1


class Gate(Handler):
    """A handler that holds back all further pages until `opened` is set."""

    served = 0
    opened = threading.Event()
    one_by_one = threading.Lock()

    def do_GET(self) -> None:  # noqa: N802 - the name is of http.server
        cls = type(self)
        if "/page/" in self.path:
            cls.served += 1
            if cls.served > FREE:
                cls.opened.wait(LONGEST)
                with cls.one_by_one:  # however many the crawl requests concurrently
                    time.sleep(SECONDS_A_PAGE)
        super().do_GET()


@pytest.fixture
def gated() -> Iterator[Server]:
    server = Server(Gate)
    yield server
    Gate.opened.set()
    server.shutdown()
    server.server_close()


def test_later_items_of_a_crawl_use_the_pin(tab: Tab, gated: Server, tmp_path: Path) -> None:
    settings = {"CONCURRENT_REQUESTS_PER_DOMAIN": "1"}
    run = Crawler(tmp_path).start(url=gated.url("/list/plain/150"), settings=settings)
    run.wait_for(FREE)
    rules = tmp_path / "rules"
    document = rules / "127.0.0.1.json"
    end = time.monotonic() + LONGEST
    while not document.exists() and time.monotonic() < end:
        time.sleep(0.05)
    urls = [gated.url(f"/page/plain/{number}") for number in range(200, 206)]
    pages = [ReportPage(Page.of(TEMPLATES["plain"](200), url), "127.0.0.1", url) for url in urls]
    editor = EditServer(Editor(iter(pages), store_at(rules), ReportInfo("", "", str(rules))), 0)
    threading.Thread(target=editor.serve_forever, daemon=True).start()
    try:
        open_page(tab, editor, 2)
        assert tab.run(frame("document.querySelector('.main').id")) == "main"
        click_part(tab, "#foot mb-s", up=1)
        preview(tab, "main")
        assert tab.run("document.getElementById('changes').innerText") == "6 of 6 pages change."
        save(tab)
        ours(tab, editor)
    finally:
        editor.shutdown()
        editor.server_close()
    Gate.opened.set()
    crawled = run.wait()
    assert crawled.status == 0
    assert len(crawled.items) == 150
    by_pin = [item["articleBody"] == "Imprint and contact" for item in crawled.items]
    first = by_pin.index(True)
    assert first >= FREE
    assert all(by_pin[first:])
    assert crawled.stats["rules/refreshed"] >= 1
    (pinned,) = json.loads(document.read_text())["clusters"]
    assert pinned["pinned"] is True
    assert pinned["rule"] == {"id": "foot"}
