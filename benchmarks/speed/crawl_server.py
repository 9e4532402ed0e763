"""The pages of several generated sites on loopback: `/<site>/<number>`, and `/` with all links.

    python -m benchmarks.speed.crawl_server --sites 10 --pages 500 --size 1.2

Prints the port. In a process of its own, so that the crawler's time is the crawler's alone.
"""

from __future__ import annotations

import argparse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .pages import Site


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    sites: tuple[Site, ...] = ()
    pages_a_site = 0

    def do_GET(self) -> None:
        parts = self.path.strip("/").split("/")
        if parts == [""]:
            links = (
                f'<a href="/{site}/{number}">page</a>\n'
                for number in range(self.pages_a_site)
                for site in range(len(self.sites))
            )
            html = f"<html><body><p>{''.join(links)}</p></body></html>"
        else:
            html = self.sites[int(parts[0])].page(int(parts[1])).html
        body = html.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        """Quiet."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sites", type=int, default=10)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--size", type=float, default=1.2)
    options = parser.parse_args()
    _Handler.sites = tuple(Site(number, options.size) for number in range(options.sites))
    _Handler.pages_a_site = options.pages
    with _Server(("127.0.0.1", 0), _Handler) as server:
        print(server.server_port, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
