"""A real documentation site, crawled by spiders written without knowledge of this project.

    apt-get install --no-install-recommends python3-doc apache2-doc
    python3 tools/test.py -m slow tests/example/test_debian_docs.py

The test installs the packages if it can (root, apt), and is skipped otherwise.
"""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
from project import scrapy

SPIDERS = Path(__file__).parent / "spiders"
LEAST_BY_RULE = 0.95
SITES = {
    "python3-doc": "/usr/share/doc/python3*/html",
    "apache2-doc": "/usr/share/doc/apache2-doc/manual/en",
}


class Handler(SimpleHTTPRequestHandler):
    """A handler that serves files, and a sitemap of them."""

    def do_GET(self) -> None:
        if self.path != "/sitemap.xml":
            super().do_GET()
            return
        root = Path(self.directory)
        host = self.headers["Host"]
        pages = sorted(str(page.relative_to(root)) for page in root.rglob("*.html"))
        urls = "".join(f"<url><loc>http://{host}/{page}</loc></url>" for page in pages)
        body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
        self.send_response(200)
        self.send_header("Content-Type", "application/xml")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


class Served(NamedTuple):
    url: str
    root: Path


@pytest.fixture(scope="module", params=list(SITES))
def site(request: pytest.FixtureRequest) -> Iterator[Served]:
    root = installed(request.param)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=root))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield Served(f"http://127.0.0.1:{server.server_port}/", root)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def installed(package: str) -> Path:
    """Return the folder with the pages of a Debian package, or skip the test."""
    if (root := pages_of(package)) is None and shutil.which("apt-get"):
        install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", package]
        subprocess.run(install, capture_output=True, check=False, timeout=300)
        root = pages_of(package)
    if root is None:
        pytest.skip(f"no {package}: apt-get install --no-install-recommends {package}")
    return root


def pages_of(package: str) -> Path | None:
    pattern = Path(SITES[package])
    found = sorted(Path("/").glob(str(pattern.relative_to("/"))))
    return next((folder for folder in found if (folder / "index.html").exists()), None)


def items_of_crawl(spider: str, url: str, directory: Path, *settings: str) -> list[dict[str, Any]]:
    feed = directory / f"{spider}{len(settings)}.jsonl"
    options = [
        word for setting in ("TELNETCONSOLE_ENABLED=0", *settings) for word in ("-s", setting)
    ]
    command = ["runspider", SPIDERS / f"{spider}.py", "-a", f"url={url}", "-O", feed, *options]
    done = scrapy(*command, "-L", "INFO", cwd=directory)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return [json.loads(line) for line in feed.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("spider", ["stock_crawl", "stock_sitemap"])
def test_crawl_has_all_items_and_nearly_all_by_rule(
    site: Served, spider: str, tmp_path: Path
) -> None:
    without = items_of_crawl(spider, site.url, tmp_path)
    add_on = ('ADDONS={"scrapy_mainblock.Addon": 500}', "MAINBLOCK_RULES_DIR=rules")
    items = items_of_crawl(spider, site.url, tmp_path, *add_on)
    assert len(items) > 100
    assert Counter(item["url"] for item in items) == Counter(item["url"] for item in without)
    assert all(item["title"] for item in items)
    methods = Counter(item["metadata"]["method"] for item in items)
    assert methods["rule"] >= LEAST_BY_RULE * len(items), methods
