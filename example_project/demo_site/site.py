"""The site: all its pages, and the response to a request of any path."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from urllib.parse import urlsplit

from .dice import Dice
from .model import Page

PICTURE_FOLDER = "/media/"
TRACKING = ("utm_", "ref=")
NOT_FOUND = "<!DOCTYPE html><title>Not found</title><h1>Not found</h1><p><a href='/'>Front page</a>"

Response = tuple[int, dict[str, str], bytes]


@dataclass(frozen=True)
class Site:
    """A complete web site in memory."""

    base_url: str
    pages: list[Page]

    @functools.cached_property
    def by_path(self) -> Mapping[str, Page]:
        """The pages by path (including the query, if a page has one)."""
        return {page.path: page for page in self.pages}

    @property
    def host(self) -> str:
        """The host (and port, if any) of the site."""
        return urlsplit(self.base_url).netloc

    def url(self, page: Page) -> str:
        """Return the full URL of a page."""
        return self.base_url.rstrip("/") + page.path

    @property
    def robots_txt(self) -> str:
        """The content of robots.txt, which allows everything but search."""
        return f"User-agent: *\nDisallow: /search\n\nSitemap: {self.base_url}sitemap.xml\n"

    @property
    def sitemap_xml(self) -> str:
        """The content of sitemap.xml: all pages but the later pages of lists."""
        entries = "\n".join(
            f"  <url><loc>{escape(self.url(page))}</loc><lastmod>{page.date}</lastmod></url>"
            for page in self.pages
            if page.page_type != "index" or page.path.endswith("/")
        )
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
            f"{entries}\n</urlset>\n"
        )

    def respond(self, path: str) -> Response:
        """Return the response to a request: status, headers, body."""
        page = self._page(path)
        if page is not None:
            return _response(200, page.content_type, page.body)
        if path == "/robots.txt":
            return _response(200, "text/plain; charset=utf-8", self.robots_txt.encode())
        if path == "/sitemap.xml":
            return _response(200, "application/xml", self.sitemap_xml.encode())
        if path.startswith(PICTURE_FOLDER) and path.endswith(".svg"):
            return _response(200, "image/svg+xml", picture(path).encode())
        if f"{path}/" in self.by_path:
            status, headers, body = _response(301, "text/plain", b"")
            return status, {**headers, "Location": f"{path}/"}, body
        return _response(404, "text/html; charset=utf-8", NOT_FOUND.encode())

    def _page(self, path: str) -> Page | None:
        page = self.by_path.get(path)
        if page is None and "?" in path:
            bare, query = path.split("?", 1)
            if query.startswith(TRACKING):
                page = self.by_path.get(bare)
        return page


def _response(status: int, content_type: str, body: bytes) -> Response:
    return status, {"Content-Type": content_type, "Content-Length": str(len(body))}, body


def picture(path: str) -> str:
    """Return an SVG landscape whose colors and shapes depend on the path."""
    dice = Dice(path)
    sky, land = dice.below(360), dice.below(360)
    hills = " ".join(f"{x},{dice.between(170, 300)}" for x in range(0, 721, 90))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 405" preserveAspectRatio="none">'
        f'<rect width="720" height="405" fill="hsl({sky},45%,78%)"/>'
        f'<circle cx="{dice.between(80, 640)}" cy="{dice.between(50, 140)}" r="36" fill="#fff8"/>'
        f'<polygon points="0,405 {hills} 720,405" fill="hsl({land},32%,42%)"/></svg>'
    )
