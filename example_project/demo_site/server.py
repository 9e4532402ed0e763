"""A server of the site over HTTP on the loopback interface."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .build import ARTICLES_PER_TEMPLATE, SEED, build
from .site import Site

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Served:
    """A site that is being served."""

    url: str
    site: Site


class SiteServer(ThreadingHTTPServer):
    """Serves a site from memory."""

    daemon_threads = True
    site: Site

    @property
    def url(self) -> str:
        """The URL on which the server listens."""
        return f"http://{LOOPBACK}:{self.server_port}/"


class Handler(BaseHTTPRequestHandler):
    """Passes requests to `Site.respond`."""

    server: SiteServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer with headers and body."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Answer with the headers only."""
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        status, headers, body = self.server.site.respond(self.path)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Log nothing: these lines would bury the log of a crawl."""


def make_server(
    port: int = 0,
    *,
    seed: int | str = SEED,
    articles_per_template: int = ARTICLES_PER_TEMPLATE,
    padding_kb: float = 0,
) -> SiteServer:
    """Bind a server (port 0: any free port), then build the site with the server's URL as base."""
    server = SiteServer((LOOPBACK, port), Handler)
    server.site = build(
        seed=seed,
        articles_per_template=articles_per_template,
        padding_kb=padding_kb,
        base_url=server.url,
    )
    return server


@contextmanager
def serve(
    port: int = 0,
    *,
    seed: int | str = SEED,
    articles_per_template: int = ARTICLES_PER_TEMPLATE,
    padding_kb: float = 0,
) -> Iterator[Served]:
    """Serve the site in a thread for as long as the context lasts."""
    server = make_server(
        port, seed=seed, articles_per_template=articles_per_template, padding_kb=padding_kb
    )
    # The poll interval bounds the time that it takes to leave the context.
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield Served(server.url, server.site)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
