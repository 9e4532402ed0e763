"""The actions of a person in the editor, done with the mouse."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from browser import Tab
from command import COMMAND, heed_interrupts
from drawn_report import frame

from scrapy_mainblock.cli.look.edit import Editor, EditServer
from scrapy_mainblock.page import sites
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.report.document import ReportInfo, ReportPage
from scrapy_mainblock.stores.rules import store_at


class Served(Protocol):
    """An editor, in this process or in another."""

    @property
    def address(self) -> str:
        """The URL to open."""


class Serving(NamedTuple):
    """The command while it serves an editor."""

    address: str
    process: subprocess.Popen[str]


@contextmanager
def serving_command(
    *arguments: Path | str, signals: Callable[[], None] = heed_interrupts
) -> Iterator[Serving]:
    """Start the command's editor in a separate process, and wait until it has printed its URL."""
    with subprocess.Popen(
        [*COMMAND, "inspect", *map(str, arguments), "--edit"],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=signals,  # noqa: PLW1509 - no thread runs here
    ) as process:
        try:
            assert process.stdout
            found = re.match(r"http://127\.0\.0\.1:\d+/\S+/", process.stdout.readline())
            assert found
            yield Serving(found[0], process)
        finally:
            process.kill()


@contextmanager
def serving_editor(pages: Iterable[tuple[str, str]], rules: Path) -> Iterator[EditServer]:
    """Start an editor in this process, on pages with their URLs."""
    given = (ReportPage(Page.of(html, url), sites.keys(url)[0], url) for html, url in pages)
    server = EditServer(Editor(given, store_at(rules), ReportInfo("Edit", "", str(rules))), 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


def open_page(tab: Tab, server: Served, number: int) -> None:
    """Show a page, and wait until it is drawn."""
    tab.open(f"{server.address}#/page/{number}", until="document.querySelector('main h1')")
    tab.wait(f"document.getElementById('main').dataset.ready === '{number}'")


def ours(tab: Tab, server: Served) -> None:
    """Check that all requests went to the editor, and forget them."""
    tab.run("1")
    assert all(one.startswith(server.address) for one in tab.requests)
    tab.requests.clear()


def click_part(tab: Tab, selector: str, up: int = 0) -> None:
    """Click on a part of the page; `up` selects the element so many levels above it."""
    click = "new MouseEvent('click', {bubbles: true, cancelable: true})"
    tab.run(frame(f"document.querySelector('{selector}').dispatchEvent({click})"))
    tab.run(f"document.getElementById('place').selectedIndex = {up}")


def preview(tab: Tab, action: str) -> None:
    """Choose an action, and wait for its preview or for the reason why it is impossible."""
    tab.run(f"document.querySelector('[data-action={action}]').click()")
    tab.wait("document.getElementById('changes') || document.querySelector('#result [role=alert]')")


def point(tab: Tab, selector: str, action: str) -> None:
    """Click on a part of the page and choose an action."""
    click_part(tab, selector)
    preview(tab, action)


def save(tab: Tab) -> None:
    """Save the previewed change."""
    tab.run("document.getElementById('save').click()")
    tab.wait("document.querySelector('#result .notice') && document.getElementById('undo')")
