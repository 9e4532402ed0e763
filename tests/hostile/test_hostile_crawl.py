"""A crawl over hostile pages ends cleanly, and every page yields its item."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from crawl.harness import Crawler
from hostile_pages import FIXED, GROWING, PAGE, Source

TYPES = (
    "text/html",
    "text/html; charset=utf-8",
    "text/html; charset=utf-16",
    "text/html; charset=no-such",
    "text/html; charset=punycode",
    "text/html; charset=",
)
SIZE = 51_000
"""Above the size from which pages are processed in a thread; the fixed pages are smaller."""


def _pages() -> list[tuple[bytes, str]]:
    """Return every hostile page with some content type, and a few ordinary pages."""
    pages: list[Source] = [make(SIZE) for make in GROWING.values()]
    pages += FIXED.values()
    pages += [PAGE] * 12
    bodies = [
        page if isinstance(page, bytes) else page.encode("utf-8", "surrogatepass") for page in pages
    ]
    return [(body, TYPES[place % len(TYPES)]) for place, body in enumerate(bodies)]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    pages = _pages()

    def do_GET(self) -> None:
        body, content_type = self.pages[int(self.path.strip("/"))]
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_every_hostile_page_of_a_crawl_yields_its_item(tmp_path: Path, base: str) -> None:
    number = len(_Handler.pages)
    # Scrapy's own detection of meta refresh raises on an invalid charset.
    crawled = Crawler(tmp_path).crawl(
        "hostile", base=base, number=number, settings={"METAREFRESH_ENABLED": "0"}
    )
    assert sorted(int(item["url"].rpartition("/")[2]) for item in crawled.items) == list(
        range(number)
    )
    for item in crawled.items:
        found = item["metadata"]
        assert (item["articleBody"] is None) == (found["method"] == "none")
        assert "could not be processed" not in (found["reason"] or "")
    errors = [line for line in crawled.log.splitlines() if " ERROR: " in line]
    assert errors == []
    assert all("errors/" not in name for name in crawled.stats if name != "errors/tag")
