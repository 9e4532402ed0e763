"""`mainblock inspect --edit`: the report as an editor of the rules, served on loopback only.

Only a browser on this machine whose user opened the address with the token has access. A request
must name this host (other names that resolve to it are refused). A change must come from the
report's own origin and carry JSON, which a page cannot send across origins without a preflight. The
pages that are shown run no script, send no form and lead nowhere (see `report.marked`).
"""

from __future__ import annotations

import io
import json
import secrets
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from tempfile import TemporaryFile
from typing import Any, NamedTuple

from scrapy_mainblock.page.page import Page
from scrapy_mainblock.papers.wang14.curves import report as curves
from scrapy_mainblock.papers.wang14.curves.sweep import Sweep, page_kind
from scrapy_mainblock.report.advice import Target
from scrapy_mainblock.report.document import ReportInfo, ReportPage, overview, rules_of, write_head
from scrapy_mainblock.report.drawn import drawn_page
from scrapy_mainblock.report.edit import (
    ACTIONS,
    Change,
    EditError,
    change_at,
)
from scrapy_mainblock.report.edit_fields import FieldChange, field_change_at
from scrapy_mainblock.report.inspected import Inspected
from scrapy_mainblock.report.survey import Survey, inspected_or_why
from scrapy_mainblock.stores.rules import Rules, Store
from scrapy_mainblock.template.field_rules import SPOKEN
from scrapy_mainblock.template.rules import SITE_CLUSTER, SiteRules

MOST_SHOWN = 50
"""Maximum pages whose differences are shown; the changed pages are counted on all."""
LARGEST_REQUEST = 100_000
"""Maximum bytes of a change: a comment, and a place."""
LONGEST_NOTE = 2000
MOST_FIGURED = 300
"""Maximum pages that the figures are drawn from."""


class Spooled(NamedTuple):
    """A page in the temporary file."""

    site: str
    name: str
    url: str | None
    start: int
    size: int
    trouble: str


class Saved(NamedTuple):
    """A change that was saved, kept to be undone."""

    site: str
    change: Change | FieldChange
    before: SiteRules | None


class Editor:
    """The pages, the rules and the saved changes; a lock admits one thread at a time."""

    def __init__(self, pages: Iterator[ReportPage], store: Store, info: ReportInfo) -> None:
        self._file = TemporaryFile()  # noqa: SIM115 - open as long as the editor
        self._store = store
        self._info = info
        self.rules = Rules(dict(store.load()))
        self._undo: list[Saved] = []
        self._lock = threading.Lock()
        self.ruled = 0
        """How many pages are of sites that have rules."""
        self.pages = [self._spool(one) for one in pages]
        self._survey: Survey | None = None

    def _spool(self, one: ReportPage) -> Spooled:
        self.ruled += rules_of(self.rules, one) is not None
        start = self._file.seek(0, io.SEEK_END)
        packed = zlib.compress(one.page.source) if one.page is not None else b""
        self._file.write(packed)
        url = one.page.url if one.page is not None else None
        return Spooled(one.site, one.name, url, start, len(packed), one.trouble)

    def _page(self, number: int) -> ReportPage:
        one = self.pages[number]
        self._file.seek(one.start)
        packed = self._file.read(one.size)
        page = Page.of_utf8(zlib.decompress(packed), one.url) if packed else None
        return ReportPage(page, one.site, one.name, one.trouble)

    def document(self) -> bytes:
        """Return the current report without its details, which are requested one by one."""
        with self._lock:
            if self._survey is None:
                self._survey = Survey()
                for number in range(len(self.pages)):
                    one = self._page(number)
                    known = rules_of(self.rules, one)
                    self._survey.add(one.page, one.site, one.name, known, one.trouble)
                self._survey.rate()
            more = {"edit": True, "undo": self._undone_words()}
            every = set(range(len(self.pages)))
            stream = io.StringIO()
            data = overview(self._survey, every, self._info, more)
            write_head(stream, data, self._info.title, "edit.js", connect="'self'")
            stream.write("</body></html>\n")
        return stream.getvalue().encode("utf-8", "replace")

    def detail(self, name: str) -> dict[str, Any]:
        """Return a page in full, or the figures."""
        with self._lock:
            if name == "figures":
                return {"html": self._figures()}
            inspected, known, site = self._inspected(_number(name.removeprefix("page-")))
            target = Target(known.site if known else site, self._info.rules)
            by_paper = self._survey.rules_by_paper(site) if self._survey is not None else None
            return drawn_page(inspected, target, by_paper)

    def _figures(self) -> str:
        sweep = Sweep()
        for number in range(min(len(self.pages), MOST_FIGURED)):
            inspected, _ = self._look(number)
            if inspected is not None:
                sweep.add(inspected.page, page_kind(inspected.page))
        return curves.figures(sweep.result())

    def _look(self, number: int) -> tuple[Inspected | None, SiteRules | None]:
        one = self._page(number)
        known = rules_of(self.rules, one)
        return (inspected_or_why(one.page, known)[0] if one.page else None), known

    def _inspected(self, number: int) -> tuple[Inspected, SiteRules | None, str]:
        if not 0 <= number < len(self.pages):
            raise EditError("no such page")
        inspected, known = self._look(number)
        if inspected is None:
            raise EditError("this page cannot be read")
        return inspected, known, self.pages[number].site

    def preview(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return what a change would do to all pages that it applies to."""
        with self._lock:
            site, known, change = self._change(request)
            after = change.changed(known, site)
            counted = changed = missed = 0
            shown: list[dict[str, Any]] = []
            for number, one in enumerate(self.pages):
                inspected, rules = self._look(number)
                if inspected is None or not _is_same_site(rules, known, one.site, site):
                    continue
                lines, is_missed = change.difference(inspected, after)
                # A pinned rule may also take a page of another template, or of none.
                if change.cluster not in (SITE_CLUSTER, inspected.decision.cluster) and not lines:
                    continue
                counted += 1
                changed += bool(lines)
                missed += is_missed
                if lines and len(shown) < MOST_SHOWN:
                    shown.append({"page": number, "lines": lines})
        return {
            "words": change.words,
            "pages": counted,
            "changed": changed,
            "missed": missed,
            "shown": shown,
        }

    def save(self, request: dict[str, Any]) -> dict[str, Any]:
        """Pin the change in the rules' document, under its lock and on its current content."""
        note = str(request.get("note") or "")[:LONGEST_NOTE].strip()
        with self._lock:
            site, _, change = self._change(request)
            before: list[SiteRules | None] = []

            def changed(now: SiteRules | None) -> SiteRules:
                before[:] = [now]
                return change.changed(now, site, note)

            self._know(self._store.update(site, changed))
            self._undo.append(Saved(site, change, before[0]))
            return {"saved": change.words, "undo": self._undone_words()}

    def undo(self) -> dict[str, Any]:
        """Take back the last change."""
        with self._lock:
            if not self._undo:
                raise EditError("nothing to undo")
            last = self._undo.pop()
            self._know(
                self._store.update(
                    last.site,
                    lambda now: last.change.restored(last.before, now, last.site),
                )
            )
            return {"undone": last.change.words, "undo": self._undone_words()}

    def _undone_words(self) -> list[str]:
        return [one.change.words for one in self._undo]

    def _know(self, rules: SiteRules) -> None:
        self.rules = Rules({**self.rules.sites, rules.site: rules})
        self._survey = None

    def _change(
        self, request: dict[str, Any]
    ) -> tuple[str, SiteRules | None, Change | FieldChange]:
        action, place = request.get("action"), request.get("place")
        if action not in (*ACTIONS, *SPOKEN) or not isinstance(place, str):
            raise EditError("invalid change")
        inspected, known, site = self._inspected(_number(request.get("page")))
        segment = _number(request.get("segment"))
        change: Change | FieldChange
        if action in SPOKEN:
            text = _number(request.get("text", -1))
            change = field_change_at(inspected, action, segment, place, text)
        else:
            change = change_at(inspected, action, segment, place)
        name = known.site if known is not None else site
        if not name:
            raise EditError("the input names no site for this page")
        return name, known, change


def _is_same_site(rules: SiteRules | None, known: SiteRules | None, site: str, wanted: str) -> bool:
    return rules.site == known.site if rules is not None and known is not None else site == wanted


def _number(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise EditError("not a number") from None


class EditServer(ThreadingHTTPServer):
    """The HTTP server of the editor, on loopback."""

    daemon_threads = True
    timeout = 0.5
    """Seconds that `handle_request` waits for a request."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error of a request, except that the browser has closed the connection."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def __init__(self, editor: Editor, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.editor = editor
        self.token = secrets.token_urlsafe(24)
        self.hosts = {f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost")}

    @property
    def address(self) -> str:
        """The URL to open."""
        return f"http://127.0.0.1:{self.server_port}/{self.token}/"

    def serve_until(self, is_over: Callable[[], bool]) -> None:
        """Serve in threads; check `is_over` after each request, and every half second."""
        while not is_over():
            self.handle_request()


class _Handler(BaseHTTPRequestHandler):
    server: EditServer
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        name = self._name()
        if name is None:
            return
        if name == "":
            self._answer(200, self.server.editor.document(), "text/html; charset=utf-8")
        elif name.startswith("detail/"):
            self._result(lambda: self.server.editor.detail(name.removeprefix("detail/")))
        else:
            self._refuse(404, "not found")

    def do_POST(self) -> None:
        name = self._name()
        if name is None:
            return
        if self.headers.get("Origin") not in {f"http://{host}" for host in self.server.hosts}:
            self._refuse(403, "a change must come from the report itself")
        elif self.headers.get("Content-Type") != "application/json":
            self._refuse(415, "a change must be JSON")
        else:
            self._change(name)

    def _change(self, name: str) -> None:
        length = self.headers.get("Content-Length") or ""
        if not length.isdecimal() or int(length) > LARGEST_REQUEST:
            self._refuse(413, "the change is too large")
            return
        try:
            request = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            request = None
        if not isinstance(request, dict):
            self._refuse(400, "invalid change")
            return
        editor = self.server.editor
        actions = {
            "preview": lambda: editor.preview(request),
            "save": lambda: editor.save(request),
            "undo": editor.undo,
        }
        if name in actions:
            self._result(actions[name])
        else:
            self._refuse(404, "not found")

    def _name(self) -> str | None:
        """Return the name after the token; otherwise refuse the request and return None."""
        if self.headers.get("Host") not in self.server.hosts:
            self._refuse(403, "unknown host name")
            return None
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            self._refuse(403, "requests from other sites are refused")
            return None
        token, _, name = self.path.lstrip("/").partition("/")
        if not secrets.compare_digest(token.encode(), self.server.token.encode()):
            self._refuse(404, "not found")
            return None
        return name

    def _result(self, work: Any) -> None:
        try:
            found = work()
        except EditError as error:
            self._refuse(422, str(error))
        except OSError as error:
            self._refuse(500, f"the rules cannot be written: {error.strerror or error}")
        except Exception as error:  # such as for a document that was damaged in the meantime
            self._refuse(500, f"{type(error).__name__}: {error}")
        else:
            text = json.dumps(found, ensure_ascii=False)
            self._answer(200, text.encode("utf-8", "replace"), "application/json")

    def _refuse(self, status: int, why: str) -> None:
        self.close_connection = True
        self._answer(status, json.dumps({"error": why}).encode(), "application/json")

    def _answer(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Do not log: keep the terminal for messages."""
