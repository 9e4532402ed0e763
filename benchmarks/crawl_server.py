"""A server of the made pages on loopback, in a process of its own: its time is not the crawler's.

    python -m benchmarks.crawl_server --articles 200

It prints its port, and how many pages it has. `/links` has a link to each of them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import made_pages  # first: it adds the demo site to sys.path

from demo_site.server import LOOPBACK, Handler, SiteServer  # isort: skip
from demo_site.site import Response, Site  # isort: skip

_OF_LINKS = "/links"


class _Site(Site):
    """A site with one more page: links to all pages that have a main text."""

    def respond(self, path: str) -> Response:
        if path != _OF_LINKS:
            return super().respond(path)
        links = "".join(f'<a href="{page.path}">page</a>\n' for page in made_pages.pages(self))
        body = f"<html><body><p>{links}</p></body></html>".encode()
        return 200, {"Content-Type": "text/html", "Content-Length": str(len(body))}, body


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.crawl_server", description=__doc__.split("\n", 1)[0]
    )
    parser.add_argument("--articles", type=int, default=200, help="of each template")
    options = parser.parse_args(arguments)
    with SiteServer((LOOPBACK, 0), Handler) as server:
        built = made_pages.site(articles_per_template=options.articles, base_url=server.url)
        server.site = _Site(built.base_url, built.pages)
        print(server.server_port, sum(1 for _ in made_pages.pages(built)))
        sys.stdout.flush()
        server.serve_forever()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
