"""The example project's spiders: clean shutdown of the demo server, and polite crawls of a site."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from project import PROJECT, SCRAPY, crawl, crawl_command, path_of, scrapy

STORY = " ".join(f"Sentence {n} of the story tells what happened next." for n in range(9))


class Site(ThreadingHTTPServer):
    """A server with the given texts by path, which counts the requests for each path."""

    daemon_threads = True

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.texts = {path: text.replace("{url}", self.url) for path, text in texts.items()}
        self.asked: Counter[str] = Counter()


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.asked[self.path] += 1
        text = self.server.texts.get(self.path)
        self.send_response(200 if text else 404)
        kinds = {".txt": "text/plain", ".xml": "application/xml", ".png": "image/png"}
        self.send_header("Content-Type", kinds.get(Path(self.path).suffix, "text/html"))
        self.end_headers()
        self.wfile.write((text or "").encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def serving(texts: dict[str, str]) -> Iterator[Site]:
    site = Site(texts)
    thread = Thread(target=site.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield site
    finally:
        site.shutdown()
        site.server_close()
        thread.join()


def page(*links: str) -> str:
    anchors = "".join(f'<a href="{link}">{link}</a>' for link in links)
    return f"<title>Page</title><div>{anchors}</div><div><p>{STORY}</p></div>"


def sitemap(*paths: str) -> str:
    locs = "".join(f"<url><loc>{{url}}{path}</loc></url>" for path in paths)
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{locs}</urlset>'


def crawl_site(tmp_path: Path, site: Site, **arguments: object) -> list[str]:
    """Return the paths of the items, sorted."""
    items, _ = crawl("site", tmp_path, url=f"{site.url}/", **arguments)
    assert all(item["articleBody"] == STORY for item in items)
    return sorted(path_of(item["url"]) for item in items)


def test_site_with_a_sitemap_in_robots_txt(tmp_path: Path) -> None:
    robots = "User-agent: *\nDisallow: /private\nSitemap: {url}/all.xml\n"
    texts = {
        "/robots.txt": robots,
        "/all.xml": sitemap("/a", "/b").replace("{url}/b", "https://elsewhere.example/b"),
        "/": page("/c", "/private", "https://elsewhere.example/"),
        "/a": page("/", "/a#part", "/only-linked"),
        "/c": page("/picture.png", "mailto:someone@example.org"),
        "/only-linked": page(),
        "/private": page(),
    }
    with serving(texts) as site:
        assert crawl_site(tmp_path, site) == ["/", "/a", "/c", "/only-linked"]
        assert not site.asked["/private"]
        assert {site.asked[path] for path in ("/", "/a", "/c")} == {1}


def test_site_with_a_sitemap_at_the_usual_path(tmp_path: Path) -> None:
    with serving({"/sitemap.xml": sitemap("/a", "/b"), "/": page(), "/a": page()}) as site:
        assert crawl_site(tmp_path, site) == ["/", "/a"]
        assert site.asked["/b"] == 1


def test_site_without_a_sitemap(tmp_path: Path) -> None:
    with serving({"/": page("/a"), "/a": page("/b"), "/b": page()}) as site:
        assert crawl_site(tmp_path, site) == ["/", "/a", "/b"]


def test_number_of_requested_pages_is_limited(tmp_path: Path) -> None:
    links = [f"/{number}" for number in range(30)]
    texts = {link: page(*links) for link in links}
    with serving({"/": page(*links), "/sitemap.xml": sitemap(*links[10:]), **texts}) as site:
        assert len(crawl_site(tmp_path, site, pages=7)) == 7
        assert sum(site.asked.values()) - site.asked["/robots.txt"] - 1 == 7


def test_project_obeys_robots_txt_and_throttles() -> None:
    shown = [
        scrapy("settings", "--get", name).stdout.strip()
        for name in ("ROBOTSTXT_OBEY", "AUTOTHROTTLE_ENABLED")
    ]
    assert shown == ["True", "True"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "no site given: use -a url="),
        (["-a", "url=example.com"], "'example.com' is not a URL of a site: use -a url="),
        (["-a", "url=http://[::1"], "'http://[::1' is not a URL of a site: use -a url="),
        (["-a", "url=file:///etc"], "'file:///etc' is not a URL of a site: use -a url="),
        (
            ["-a", "url=https://a.example", "-a", "pages=many"],
            "pages=many is not a number of pages",
        ),
    ],
)
def test_wrong_argument_is_reported_in_one_line(arguments: list[str], line: str) -> None:
    done = scrapy("crawl", "site", *arguments, "-s", "FEEDS={}")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(f"scrapy crawl site: {line}")
    assert "Traceback" not in done.stderr


def test_demo_stops_cleanly_on_ctrl_c(tmp_path: Path) -> None:
    command = crawl_command("demo", tmp_path, articles_per_template=200)
    log = tmp_path / "log.txt"
    with log.open("wb") as stream:
        process = subprocess.Popen(
            [*SCRAPY, *command], cwd=PROJECT, stdout=stream, stderr=stream, env=os.environ
        )
        until = time.monotonic() + 60
        while "learned a rule" not in log.read_text() and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    said = log.read_text()
    assert "'finish_reason': 'shutdown'" in said
    assert "Traceback" not in said
    pages = int(re.findall(r"'mainblock/pages': (\d+)", said)[0])
    assert len((tmp_path / "articles.jsonl").read_text().splitlines()) == pages
