"""The demo site is delivered completely: over HTTP, as rows, and as files."""

from __future__ import annotations

import gzip
import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import demo_site
import pytest
from demo_site.__main__ import main
from demo_site.server import Served
from demo_site.site import Site

FEW = 4


@pytest.fixture(scope="module")
def site() -> Site:
    return demo_site.build(articles_per_template=FEW)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with demo_site.serve(articles_per_template=FEW) as running:
        yield running


def first(site: Site, template: str) -> demo_site.Page:
    return next(page for page in site.pages if page.template == template)


def test_every_page_is_served_with_its_bytes(site: Site) -> None:
    for page in site.pages:
        status, headers, body = site.respond(page.path)
        assert (status, headers["Content-Type"], body) == (200, page.content_type, page.body)


@pytest.mark.parametrize(
    ("path", "status", "content_type"),
    [
        ("/robots.txt", 200, "text/plain; charset=utf-8"),
        ("/sitemap.xml", 200, "application/xml"),
        ("/media/harbour-3-0.svg", 200, "image/svg+xml"),
        ("/?utm_source=mail", 200, "text/html; charset=utf-8"),
        ("/bulletin/", 200, "text/html"),
        ("/news", 301, "text/plain"),
        ("/no/such/page", 404, "text/html; charset=utf-8"),
        ("/news/?page=999", 404, "text/html; charset=utf-8"),
    ],
)
def test_other_paths_are_served_as_by_a_web_server(
    site: Site, path: str, status: int, content_type: str
) -> None:
    answer = site.respond(path)
    assert (answer[0], answer[1]["Content-Type"]) == (status, content_type)


def test_old_page_has_the_encoding_of_its_meta_element(site: Site) -> None:
    page = first(site, "bulletin")
    assert b"charset=windows-1252" in page.body
    assert "Front page" in page.body.decode("windows-1252")


def test_the_sitemap_lists_every_article(site: Site) -> None:
    locations = {node.text for node in ElementTree.fromstring(site.sitemap_xml).iter() if node.text}
    assert {site.url(page) for page in site.pages if page.gold} <= locations


def test_server_serves_the_site_under_its_own_url(served: Served) -> None:
    page = first(served.site, "zh-news")
    with urllib.request.urlopen(served.site.url(page)) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.read().decode() == page.html
    assert served.url in page.html


def test_server_answers_unknown_paths_with_404(served: Served) -> None:
    with pytest.raises(urllib.error.HTTPError) as failure:
        urllib.request.urlopen(served.url + "nothing-here")
    assert failure.value.code == 404
    failure.value.close()


def test_server_answers_head_without_a_body(served: Served) -> None:
    request = urllib.request.Request(served.url, method="HEAD")
    with urllib.request.urlopen(request) as answer:
        assert int(answer.headers["Content-Length"]) > 1000
        assert answer.read() == b""


def test_server_stops_at_the_end_of_its_context() -> None:
    with demo_site.serve(articles_per_template=1) as running:
        port = int(running.url.rstrip("/").rsplit(":", 1)[1])
    with (
        pytest.raises(ConnectionRefusedError),
        socket.create_connection(("127.0.0.1", port), timeout=1),
    ):
        pass


@pytest.mark.parametrize("name", ["demo.jsonl", "demo.jsonl.gz"])
def test_rows_have_html_gold_and_metadata(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    assert main(["--jsonl", str(file), "--articles-per-template", str(FEW)]) == 0
    packed = file.read_bytes()
    text = gzip.decompress(packed) if name.endswith("gz") else packed
    rows = [json.loads(line) for line in text.splitlines()]
    assert len({row["id"] for row in rows}) == len(rows)
    assert {row["site"] for row in rows} == {"demo.example"}
    for row in rows:
        assert {"id", "url", "site", "html", "gold", "meta"} == set(row)
        assert {"page_type", "title", "lang", "with", "without", "set"} <= set(row["meta"])
        assert row["meta"]["set"] == "demo"
        assert (row["gold"] is None) == (row["meta"]["page_type"] == "index")
        assert all(snippet in row["gold"] for snippet in row["meta"]["with"])


def test_same_site_gives_the_same_archive(tmp_path: Path) -> None:
    files = [tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"]
    for file in files:
        main(["--jsonl", str(file), "--articles-per-template", "2"])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_html_files_are_the_pages(tmp_path: Path, site: Site) -> None:
    assert main(["--html", str(tmp_path), "--articles-per-template", str(FEW)]) == 0
    written = {file.read_bytes() for file in tmp_path.glob("*.html")}
    assert written == {page.body for page in site.pages}


def test_wrong_command_line_is_refused() -> None:
    with pytest.raises(SystemExit) as refusal:
        main(["--port", "0", "--html", "somewhere"])
    assert refusal.value.code == 2
