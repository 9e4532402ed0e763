"""The editor: each click has its stated effect on all pages, is saved as a pin, can be undone."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from accessibility import violations
from browser import Tab
from command import heed_interrupts
from drawn_report import frame
from editing import click_part, open_page, ours, point, preview, save, serving_command
from pages import site, story

from scrapy_mainblock import Rules, extract, learn
from scrapy_mainblock.cli.look.edit import Editor, EditServer
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.report.document import ReportInfo, ReportPage
from scrapy_mainblock.stores.rules import store_at

SHARE = '<p class="share">Share this story with your friends</p>'
PAGES = site(12, attributes=f'id="content">{SHARE}<p')
TRIES = (
    "<script>fetch('{0}undo', {{method: 'POST'}})</script><img src='{0}undo'>"
    "<img src=x onerror=\"fetch('{0}undo', {{method: 'POST'}})\">"
    "<form action='{0}undo' method=post><input type=submit autofocus></form>"
    "<iframe src='{0}'></iframe><link rel=stylesheet href='{0}x.css'>"
    "<meta http-equiv=refresh content='0;url={0}undo'><a href='{0}undo'>go</a>"
    "<style>p{{background:url({0}y.png)}}</style>"
)


class Watched(EditServer):
    """An edit server that records the requests it receives."""

    def __init__(self, editor: Editor) -> None:
        super().__init__(editor, 0)
        self.asked: list[str] = []

    def verify_request(self, request: Any, client_address: Any) -> bool:
        return super().verify_request(request, client_address)

    def finish_request(self, request: Any, client_address: Any) -> None:
        handler = self.RequestHandlerClass
        asked = self.asked

        class Listening(handler):  # type: ignore[misc, valid-type]
            def parse_request(self) -> bool:
                found: bool = super().parse_request()
                asked.append(f"{self.command} {self.path}")
                return found

        Listening(request, client_address, self)


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    learn(PAGES).save(tmp_path / "rules")
    return tmp_path / "rules"


@pytest.fixture
def server(rules: Path) -> Iterator[Watched]:
    tries = [(story(90)[0].replace("<h1>", f"{TRIES}<h1>"), "http://news.example/tries")]
    pages = [ReportPage(Page.of(html, url), "news.example", url) for html, url in PAGES]
    editor = Editor(iter(pages), store_at(rules), ReportInfo("Edit", "", str(rules)))
    one = Watched(editor)
    hostile, url = tries[0]
    page = Page.of(hostile.replace("{0}", one.address), url)
    editor.pages.append(editor._spool(ReportPage(page, "news.example", url)))
    thread = threading.Thread(target=one.serve_forever, daemon=True)
    thread.start()
    yield one
    one.shutdown()
    one.server_close()


def body(rules: Path, number: int = 0) -> str:
    return extract(*PAGES[number], Rules.load(rules)).articleBody or ""


def document(rules: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((rules / "news.example.json").read_text())["clusters"][0]
    return found


def test_a_part_is_dropped_on_all_pages_and_the_drop_is_undone(
    tab: Tab, server: Watched, rules: Path
) -> None:
    assert "Share this story" in body(rules)
    open_page(tab, server, 3)
    point(tab, ".share mb-s", "drop")
    assert tab.run("document.getElementById('changes').innerText") == "12 of 13 pages change."
    taken = tab.run("document.querySelector('#result details del').textContent")
    assert "Share this story" in taken
    assert "Share this story" in body(rules)  # nothing is saved yet
    tab.run("const box = document.getElementById('note'); box.value = 'an advert';"
            "box.dispatchEvent(new Event('input'))")  # fmt: skip
    save(tab)
    for number in range(12):
        assert "Share this story" not in body(rules, number)
        assert f"story{number}w0" in body(rules, number)
    pinned = document(rules)
    assert pinned["pinned"] is True
    assert pinned["note"] == "an advert"
    assert pinned["rule"]["drop"] == ["p.share"]
    assert "dropped" in tab.run(frame("document.querySelector('.share mb-s').className"))
    tab.run("document.getElementById('undo').click()")
    tab.wait("!document.getElementById('undo')")
    assert "Share this story" in body(rules)
    assert document(rules)["pinned"] is False
    ours(tab, server)


def test_a_dropped_part_is_kept_again(tab: Tab, server: Watched, rules: Path) -> None:
    open_page(tab, server, 3)
    point(tab, ".share mb-s", "drop")
    save(tab)
    point(tab, ".share mb-s", "keep")
    assert tab.run("document.getElementById('changes').innerText") == "12 of 13 pages change."
    before = document(rules)["version"]
    tab.run("document.getElementById('save').click()")
    tab.wait("document.querySelector('#result .notice')")
    assert "Share this story" in body(rules)
    assert document(rules)["version"] == before + 1
    ours(tab, server)


def test_another_block_is_made_the_main_block(tab: Tab, server: Watched, rules: Path) -> None:
    open_page(tab, server, 3)
    click_part(tab, ".comments mb-s", up=1)
    preview(tab, "main")
    save(tab)
    assert body(rules).startswith("comment0")
    assert document(rules)["rule"] == {"class": "comments"}
    tab.run("document.getElementById('undo').click()")
    tab.wait("!document.getElementById('undo')")
    assert body(rules).startswith("Share")
    ours(tab, server)


def test_the_whole_selected_place_is_highlighted(tab: Tab, server: Watched) -> None:
    open_page(tab, server, 3)
    click_part(tab, "#content p:not(.share) mb-s")
    here = frame("[...document.querySelectorAll('.here')].map((one) => one.innerText)")
    assert len(tab.run(here)) == 1
    tab.run("const place = document.getElementById('place'); place.selectedIndex = 1;"
            "place.dispatchEvent(new Event('change'))")  # fmt: skip
    meant = tab.run(here)
    assert len(meant) == 4  # the whole block
    assert meant[0].startswith("Share this story")
    ours(tab, server)


def test_after_a_change_the_part_is_still_visible(tab: Tab, server: Watched) -> None:
    tab.resize(1280, 300)
    open_page(tab, server, 3)
    point(tab, ".comments mb-s", "pin")
    save(tab)
    box = tab.run(frame("document.querySelector('.here').getBoundingClientRect().toJSON()"))
    assert 0 <= box["top"] < tab.run("document.querySelector('iframe').clientHeight")
    ours(tab, server)


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_violation_during_a_change(
    tab: Tab, axe: str, server: Watched, dark: bool
) -> None:
    tab.resize(1280, 900, dark=dark)
    open_page(tab, server, 3)
    point(tab, ".share mb-s", "drop")
    assert violations(tab, axe) == []
    save(tab)
    assert violations(tab, axe) == []
    point(tab, ".comments mb-s", "drop")
    assert violations(tab, axe) == []
    tab.run("1")
    tab.errors[:] = [one for one in tab.errors if "422" not in one]  # logged by the browser itself
    ours(tab, server)


def test_an_inapplicable_change_is_refused_with_a_message(
    tab: Tab, server: Watched, rules: Path
) -> None:
    before = (rules / "news.example.json").read_text()
    open_page(tab, server, 3)
    point(tab, ".comments mb-s", "drop")
    alert = tab.run("document.querySelector('#result [role=alert]').innerText")
    assert "outside of the main block" in alert
    assert (rules / "news.example.json").read_text() == before
    tab.run("1")
    tab.errors[:] = [one for one in tab.errors if "422" not in one]  # logged by the browser itself
    ours(tab, server)


def test_templates_learned_by_a_crawl_meanwhile_are_kept(
    tab: Tab, server: Watched, rules: Path
) -> None:
    open_page(tab, server, 3)
    point(tab, ".share mb-s", "drop")
    other = json.loads((rules / "news.example.json").read_text())
    more = {**other["clusters"][0], "cluster": "another", "structure": "00000000000000ff"}
    other["clusters"].append(more)
    (rules / "news.example.json").write_text(json.dumps(other))
    save(tab)
    names = [
        one["cluster"] for one in json.loads((rules / "news.example.json").read_text())["clusters"]
    ]
    assert "another" in names
    assert "Share this story" not in body(rules)
    ours(tab, server)


def test_a_page_cannot_reach_the_editor(tab: Tab, server: Watched, rules: Path) -> None:
    before = (rules / "news.example.json").read_text()
    open_page(tab, server, 12)
    for script in ("document.querySelectorAll('a').forEach(a => a.click())",
                   "document.querySelectorAll('form').forEach(f => f.submit())"):  # fmt: skip
        tab.run(frame(script))
    tab.run("new Promise((done) => setTimeout(done, 400))")
    root = f"/{server.token}/"
    assert set(server.asked) == {f"GET {root}", f"GET {root}detail/page-12"}
    assert (rules / "news.example.json").read_text() == before
    assert tab.run(frame("document.querySelectorAll('[href], [src], [action]').length")) == 0
    ours(tab, server)


# --- access control -----------------------------------------------------------------------------


def _status_of_request(server: EditServer, method: str, path: str, **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    usual = {"Host": f"127.0.0.1:{server.server_port}"}
    if method == "POST":
        usual |= {"Origin": server.address.rpartition("/" + server.token)[0]}
        usual |= {"Content-Type": "application/json"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    body = b'{"page": 0, "segment": 9, "action": "pin", "place": ""}' if method == "POST" else None
    connection.request(method, path, body, {**usual, **named})
    status = connection.getresponse().status
    connection.close()
    return status


def test_only_the_report_itself_may_change_rules(server: Watched, rules: Path) -> None:
    before = (rules / "news.example.json").read_text()
    root = f"/{server.token}/"
    assert _status_of_request(server, "GET", root) == 200
    assert _status_of_request(server, "GET", "/") == 404
    assert _status_of_request(server, "GET", "/wrong/") == 404
    assert _status_of_request(server, "GET", root, Host="evil.example") == 403
    assert _status_of_request(server, "GET", root, Sec_Fetch_Site="cross-site") == 403
    for wrong in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Content_Type": "text/plain"},
        {"Host": "evil.example"},
        {"Sec_Fetch_Site": "same-site"},
    ):
        assert _status_of_request(server, "POST", f"{root}save", **wrong) in (403, 415)
    assert _status_of_request(server, "POST", "/wrong/save") == 404
    assert _status_of_request(server, "POST", f"{root}save", Content_Length="9999999") == 413
    assert (rules / "news.example.json").read_text() == before
    assert _status_of_request(server, "POST", f"{root}save") == 200
    assert document(rules)["pinned"] is True


def test_the_server_listens_on_loopback_only(server: Watched) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert len(server.token) >= 32


@contextmanager
def serving(
    page: Path, rules: Path, signals: Callable[[], None]
) -> Iterator[subprocess.Popen[str]]:
    """Run the command and yield its process once it has answered a first request."""
    page.write_text(PAGES[0][0])
    with serving_command(page, "--rules", rules, signals=signals) as served:
        with urllib.request.urlopen(served.address, timeout=30) as answer:
            assert b"mainblock" in answer.read()
        yield served.process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_it_is_interrupted(
    tmp_path: Path, rules: Path, number: signal.Signals
) -> None:
    with serving(tmp_path / "page.html", rules, heed_interrupts) as process:
        process.send_signal(number)
        assert process.wait(30) == 0
        assert process.stdout
        assert process.stdout.read() == "stopped\n"


def ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_an_interrupt_does_not_end_a_background_process(tmp_path: Path, rules: Path) -> None:
    with serving(tmp_path / "page.html", rules, ignore_interrupts) as process:
        process.send_signal(signal.SIGINT)  # Ctrl-C also reaches the shell's background jobs
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
