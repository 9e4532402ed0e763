"""A synthetic site, served on loopback; the path selects what is served.

/list/<template>/<n>      links to n pages of a template, and one back home
/page/<template>/<i>      a page; with ?pad=k padded by k characters
/redirect/<template>/<i>  answers with a redirect to the page
/flaky/<template>/<i>     fails the first time
/missing/<template>/<i>   the page, as a 404
/other/<kind>             a response that is not a page: json, pdf, xml, empty, broken
"""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

MENU = "<ul>" + "".join(f'<li><a href="/menu/{n}">Menu {n}</a></li>' for n in range(8)) + "</ul>"


def story(number: int, paragraphs: int = 6) -> list[str]:
    """Return the paragraphs of a page's article, which no other page has."""
    return [
        f"Paragraph {part} of story {number} says that {number * 7 + part} people came, "
        "saw the town, and went home again before it was dark."
        for part in range(paragraphs)
    ]


def body_of(text: str | None) -> str:
    """Return the story paragraphs of an item's articleBody, without a headline above them."""
    return "\n\n".join(p for p in (text or "").split("\n\n") if p.startswith("Paragraph"))


def _paragraphs(number: int, count: int = 6) -> str:
    return "".join(f"<p>{paragraph}</p>" for paragraph in story(number, count))


def _page(number: int, inside: str) -> str:
    title = f"Story {number}"
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{inside}</body></html>"


# Many boxes that stay the same, so that two pages that differ in one block share a cluster.
BOXES = "".join(
    f'<div class="{name}"><div class="head">{name.title()}</div><div class="more">More</div></div>'
    for name in "art books cars dogs events film games health jobs law music news".split()
)


def _boxed(number: int, first: str, second: str) -> str:
    foot = '<div id="foot"><p>Imprint and <a href="/x">contact</a></p></div>'
    return _page(number, f"{first}{second}{BOXES}{foot}")


def _plain(number: int) -> str:
    return _boxed(
        number, f'<div id="nav">{MENU}</div>', f'<div id="main">{_paragraphs(number)}</div>'
    )


def _scripted(number: int) -> str:
    """Return a page of the plain template whose article is inserted by a script."""
    empty = _boxed(number, f'<div id="nav">{MENU}</div>', '<div id="main"></div>')
    texts = json.dumps(story(number))
    script = (
        f"for (const text of {texts}) {{ const p = document.createElement('p');"
        " p.textContent = text; document.getElementById('main').append(p); }"
    )
    return empty.replace("</body>", f"<script>{script}</script></body>")


def _other(number: int) -> str:
    """Return a page of a template with a different structure."""
    return _page(
        number,
        f'<header><nav>{MENU}</nav></header><main><section class="box"><div class="teaser">'
        f'<a href="/x">More</a></div></section><article class="entry"><div>{_paragraphs(number)}'
        "</div></article></main><footer><section><p>Imprint</p></section></footer>",
    )


def _renamed(number: int) -> str:
    """Return a page of the plain template with other ids, and article and menu swapped."""
    return _boxed(
        number, f'<div id="story">{_paragraphs(number)}</div>', f'<div id="links">{MENU}</div>'
    )


def _menu_took_the_id(number: int) -> str:
    """Return a page on which the menu has taken over the article's id."""
    return _boxed(
        number, f'<div id="text">{_paragraphs(number)}</div>', f'<div id="main">{MENU}</div>'
    )


TEMPLATES: dict[str, Callable[[int], str]] = {
    "plain": _plain,
    "other": _other,
    "renamed": _renamed,
    "menu": _menu_took_the_id,
    "scripted": _scripted,
    # The redesigns come halfway. (Scrapy crawls the last link of a list first.)
    "redesign": lambda number: (_plain if number >= 30 else _renamed)(number),
    "stolen": lambda number: (_plain if number >= 30 else _menu_took_the_id)(number),
    "newsite": lambda number: (_plain if number >= 30 else _other)(number),
}

OTHERS: dict[str, tuple[str, bytes]] = {
    "json": ("application/json", b'{"a": 1}'),
    "pdf": ("application/pdf", b"%PDF-1.4 \x00\x01"),
    "xml": ("application/xml", b"<feed><a>1</a></feed>"),
    "empty": ("text/html", b""),
    "broken": ("text/html", b"\x00\xff\x1f\x8b<<<div<p><a href='" + bytes(range(256)) * 20),
    "punycode": ("text/html; charset=punycode", b"<html><body><p>" + b"abc-" * 2000),
    # Takes at least half a second to process.
    "big": ("text/html; charset=utf-8", _page(1, "<div>" + "<p>Some text</p>" * 60_000).encode()),
    "deep": ("text/html", b"<div>" * 50_000),
}


class Handler(BaseHTTPRequestHandler):
    """Request handler that answers according to the path."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        kind, *rest = parts.path.strip("/").split("/")
        pad = int(parse_qs(parts.query).get("pad", ["0"])[0])
        if kind == "list":
            self._send(200, _list(rest[0], int(rest[1]), pad))
        elif kind in ("page", "missing"):
            self._send(404 if kind == "missing" else 200, _padded(rest, pad))
        elif kind == "redirect":
            self._send(302, "", {"Location": f"/page/{rest[0]}/{rest[1]}"})
        elif kind == "flaky":
            first = self.path not in self.server.seen
            self.server.seen.add(self.path)
            self._send(503 if first else 200, _padded(rest, pad))
        elif kind == "other":
            content_type, body = OTHERS[rest[0]]
            self._send(200, body, {"Content-Type": content_type})
        else:
            self._send(404, "nothing here")

    def _send(self, status: int, body: str | bytes, headers: dict[str, str] | None = None) -> None:
        data = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_args: Any) -> None:
        """Log nothing."""


def _padded(rest: list[str], pad: int) -> str:
    # In an invisible element, so that there is more to parse but the article stays the same.
    page = TEMPLATES[rest[0]](int(rest[1]))
    # Random, because compressible padding would shrink to almost nothing in the spool.
    filler = f"<script>{random.randbytes(pad // 2).hex()}</script>" if pad else ""
    return page.replace("</head>", filler + "</head>")


def _list(template: str, number: int, pad: int) -> str:
    query = f"?pad={pad}" if pad else ""
    links = "".join(
        f'<li><a class="story" href="/page/{template}/{n}{query}">Read story {n}</a></li>'
        for n in range(number)
    )
    return (
        f"<html><head><title>All</title></head><body><ul>{links}</ul><p>{number}</p></body></html>"
    )


class Server(ThreadingHTTPServer):
    """The HTTP server of the synthetic site."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler: type[Handler] = Handler) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.answered = 0
        self.seen: set[str] = set()
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"
