"""The spool: pages and their items on disk, in SQLite, as plain data (`pages`, `items`).

With a JOBDIR the spool is kept there, survives a kill -9, and holds every page from the moment that
it reaches the spider until its items are known to be in the feeds. Without a JOBDIR it is a
temporary file (in TMPDIR, deleted however the process ends) with only the pages that wait for a
rule.

Which pages wait, and for what, is kept in a table in memory: a page is `held` while it waits for a
rule, and `ready` when it may be released. A page that a killed run has left is `again` if its
callback had not ended, else `left`. So releasing a page writes nothing to disk, which would fail on
a full disk. A page is claimed once, by removing it from that table. (The first version of this
design, with two readers, gave 9 duplicates.) SQLite's journal makes each write atomic, even if the
process is killed during the write.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

VERSION = 3
FILE = "spool.sqlite"
MOST_SOURCE_BYTES = 200_000_000
"""Limit on the compressed bytes of pages kept for items of later pages; the latest are kept."""

State = Literal["held", "ready", "left", "again", "stuck"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    ended INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    site TEXT NOT NULL DEFAULT '',
    document TEXT NOT NULL,
    body BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL,
    data TEXT NOT NULL,
    passed INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS items_by_page ON items (page);
CREATE TABLE IF NOT EXISTS sources (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    site TEXT NOT NULL,
    status INTEGER NOT NULL,
    own_url TEXT NOT NULL,
    source BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS source_urls (url TEXT PRIMARY KEY, source INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS source_urls_by_source ON source_urls (source);
CREATE TABLE IF NOT EXISTS crawl (unclean INTEGER NOT NULL);
"""
_IN_MEMORY = """
CREATE TEMP TABLE waiting (
    page INTEGER PRIMARY KEY, state TEXT, site TEXT, cluster TEXT, since REAL NOT NULL DEFAULT 0
);
CREATE INDEX temp.waiting_by_state ON waiting (state, site, cluster);
"""


class _NewerFileError(sqlite3.DatabaseError):
    """The spool was written by a later version of this package."""


class SpoolError(Exception):
    """The disk is full or the file is damaged: items that cannot be kept are filled at once."""


class Row(NamedTuple):
    """A stored page with its items."""

    id: int
    site: str
    state: State
    """The state before it was claimed: `ready`, or (from a killed run) `left` or `again`."""
    document: str
    body: bytes
    items: Sequence[str]


class Spool:
    """The spool of one crawl."""

    def __init__(self, jobdir: str | Path | None) -> None:
        """Open the spool; raises SpoolError if that fails."""
        self.is_durable = jobdir is not None
        self._has_done = False
        self.put_aside: Path | None = None
        """The new path of an earlier run's file that is damaged, or of a later version."""
        self.is_newer = False
        self.saved_pages = 0
        """The number of pages that could still be read from that file."""
        try:
            self._db = self._temporary() if jobdir is None else self._open(Path(jobdir))
        except (OSError, sqlite3.Error) as error:
            raise SpoolError(str(error)) from error
        with self._trouble():
            ended_badly = self._db.execute("SELECT 1 FROM crawl").fetchone() is not None
            self.was_killed = ended_badly or self.count_pages() > 0
            (self._source_bytes,) = self._db.execute(
                "SELECT coalesce(sum(length(source)), 0) FROM sources"
            ).fetchone()
            if self.is_durable:
                self._db.execute("UPDATE pages SET done = 0")
                self._db.execute(
                    "INSERT INTO waiting SELECT id, CASE WHEN ended THEN 'left' ELSE 'again' END,"
                    " site, '', 0 FROM pages"
                )
                self._db.execute("DELETE FROM crawl")
                self._db.execute("INSERT INTO crawl VALUES (1)")

    def _temporary(self) -> sqlite3.Connection:
        """Open a file without a name, which is deleted however the process ends.

        (SQLite has its own temporary files. But on a full disk their content can no longer be read:
        before reading, SQLite has to write out what it keeps in memory.)
        """
        descriptor, name = tempfile.mkstemp(".mainblock", dir=os.environ.get("SQLITE_TMPDIR"))
        os.close(descriptor)
        try:
            return self._connect(name)
        finally:
            with contextlib.suppress(PermissionError):  # Windows: the file is open
                Path(name).unlink()

    def _open(self, directory: Path) -> sqlite3.Connection:
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / FILE
        try:
            return self._connect(path)
        except sqlite3.DatabaseError as error:
            # An OperationalError comes from the machine: locked, disk full, cannot be opened.
            if isinstance(error, sqlite3.OperationalError):
                raise
            self.is_newer = isinstance(error, _NewerFileError)
            self.put_aside = _put_aside(path)
        db = self._connect(path)
        if not self.is_newer:
            self.saved_pages = _copy_readable(self.put_aside, db)
        return db

    def _connect(self, path: Path | str) -> sqlite3.Connection:
        db = sqlite3.connect(path, isolation_level=None, timeout=5, check_same_thread=False)
        try:
            _check_version(db)
            # NORMAL in WAL mode does not wait for the disk, and survives any kill of the process.
            db.execute(f"PRAGMA journal_mode = {'WAL' if self.is_durable else 'MEMORY'}")
            db.execute(f"PRAGMA synchronous = {'NORMAL' if self.is_durable else 'OFF'}")
            db.execute("PRAGMA temp_store = MEMORY")
            db.executescript(_SCHEMA)
            _bring_up_to_date(db)
            _check(db, "PRAGMA quick_check(1)", ["ok"])
            # Check that it is our file, not another one with tables of these names.
            db.execute("SELECT ended, done, site, document, body FROM pages LIMIT 1")
            db.execute("SELECT page, data FROM items LIMIT 1")
            db.executescript(_IN_MEMORY)
        except sqlite3.OperationalError as error:
            db.close()
            if "no such column" in str(error):
                raise sqlite3.DatabaseError(str(error)) from None
            raise
        except UnicodeError as error:  # SQLite's message quotes a damaged file
            db.close()
            raise sqlite3.DatabaseError("unreadable") from error
        except BaseException:
            db.close()
            raise
        return db

    @contextlib.contextmanager
    def _trouble(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeError, OverflowError) as error:
            if self._db.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
            raise SpoolError(str(error)) from error

    def add_page(self, site: str, document: str, body: bytes) -> int:
        """Keep a page whose callback is running; return its row."""
        with self._trouble():
            found = self._db.execute(
                "INSERT INTO pages (site, document, body) VALUES (?, ?, ?)",
                (_text(site), document, body),
            )
            return int(found.lastrowid or 0)

    def add_item(self, page: int, data: str, *, passes: bool = False) -> None:
        """Keep an item of a page.

        An item that `passes` does not wait: it is read back only after a kill.
        """
        with self._trouble():
            self._db.execute(
                "INSERT INTO items (page, data, passed) VALUES (?, ?, ?)", (page, data, passes)
            )

    def end(self, page: int) -> None:
        """Note that the page's callback has ended: after a kill it need not be called again."""
        with self._trouble():
            self._db.execute("UPDATE pages SET ended = 1 WHERE id = ?", (page,))

    def hold(self, page: int, site: str, cluster: str, since: float) -> None:
        """Make a page wait."""
        with self._trouble():
            self._db.execute(
                "INSERT INTO waiting VALUES (?, 'held', ?, ?, ?)",
                (page, _text(site), cluster, since),
            )

    def make_ready(self, site: str | None = None, cluster: str | None = None) -> int:
        """Make held pages ready: of a cluster, of a site, or all; return their number."""
        with self._trouble():
            found = self._db.execute(
                "UPDATE waiting SET state = 'ready' WHERE state = 'held'"
                " AND (?1 IS NULL OR site = ?1) AND (?2 IS NULL OR cluster = ?2)",
                (None if site is None else _text(site), cluster),
            )
            return found.rowcount

    def make_ready_since(self, since: float) -> dict[str, int]:
        """Make the pages ready that were held at `since` or before; return the number by site."""
        due = "FROM waiting WHERE state = 'held' AND since <= ?"
        with self._trouble():
            counted = self._db.execute(f"SELECT site, count(*) {due} GROUP BY site", (since,))
            found = {str(site): int(number) for site, number in counted.fetchall()}
            if found:
                self._db.execute(
                    "UPDATE waiting SET state = 'ready' WHERE state = 'held' AND since <= ?",
                    (since,),
                )
            return found

    def claim(self) -> Row | None:
        """Return the next page that is ready or left over; no other caller gets it.

        Raises SpoolError for a page that cannot be read. That page becomes `stuck`, so that the
        others can still be claimed.
        """
        with self._trouble():
            found = self._db.execute(
                "SELECT page, site, state FROM waiting WHERE state IN ('ready', 'left', 'again')"
                " ORDER BY page LIMIT 1"
            ).fetchone()
            if found is None:
                return None
            page, site, state = found
            try:
                document, body, items = self._read(page, waited=state == "ready")
            except (sqlite3.Error, UnicodeError):
                self._db.execute("UPDATE waiting SET state = 'stuck' WHERE page = ?", (page,))
                raise
            self._db.execute("DELETE FROM waiting WHERE page = ?", (page,))
            return Row(page, str(site), state, document, body, items)

    def _read(self, page: int, *, waited: bool) -> tuple[str, bytes, list[str]]:
        query = "SELECT document, body FROM pages WHERE id = ?"
        document, body = self._db.execute(query, (page,)).fetchone() or ("", b"")
        rows = self._db.execute(
            "SELECT data FROM items WHERE page = ? AND passed <= ? ORDER BY id",
            (page, not waited),
        )
        return document, body, [item for (item,) in rows]

    def remove(self, pages: Sequence[int]) -> None:
        """Delete pages whose items are safe."""
        if not pages:
            return
        with self._trouble():
            self._db.execute("BEGIN")
            ids = [(page,) for page in pages]
            self._db.executemany("DELETE FROM items WHERE page = ?", ids)
            self._db.executemany("DELETE FROM pages WHERE id = ?", ids)
            self._db.execute("COMMIT")

    def add_source(
        self, urls: Sequence[str], site: str, status: int, own_url: str, source: bytes
    ) -> None:
        """Keep a page that an item of a later page may be about; delete the oldest to make room."""
        with self._trouble():
            self._db.execute("BEGIN")
            added = self._db.execute(
                "INSERT INTO sources (site, status, own_url, source) VALUES (?, ?, ?, ?)",
                (_text(site), status, _text(own_url), source),
            )
            number = int(added.lastrowid or 0)
            self._source_bytes += len(source)
            self._db.executemany(
                "INSERT OR REPLACE INTO source_urls VALUES (?, ?)",
                [(_text(url), number) for url in urls],
            )
            while self._source_bytes > MOST_SOURCE_BYTES:
                found = self._db.execute(
                    "SELECT id, length(source) FROM sources ORDER BY id LIMIT 1"
                ).fetchone()
                if found is None:
                    self._source_bytes = 0
                    break
                oldest, size = found
                self._db.execute("DELETE FROM source_urls WHERE source = ?", (oldest,))
                self._db.execute("DELETE FROM sources WHERE id = ?", (oldest,))
                self._source_bytes -= size
            self._db.execute("COMMIT")

    def source(self, url: str) -> tuple[str, int, str, bytes] | None:
        """Return the site, status, own URL and source of the page kept under a URL, or None."""
        with self._trouble():
            found: tuple[str, int, str, bytes] | None = self._db.execute(
                "SELECT site, status, own_url, sources.source FROM source_urls"
                " JOIN sources ON sources.id = source_urls.source WHERE url = ?",
                (_text(url),),
            ).fetchone()
            return found

    def done(self, page: int) -> None:
        """Note that the page's items have left the pipelines: the next flush makes them safe."""
        with self._trouble():
            self._db.execute("UPDATE pages SET done = 1 WHERE id = ?", (page,))
            self._has_done = True

    def mark_done(self) -> bool:
        """Mark the pages that are done by now; return whether any is marked."""
        if not self._has_done:
            return False
        with self._trouble():
            self._db.execute("UPDATE pages SET done = 2 WHERE done = 1")
            return True

    def remove_marked(self) -> None:
        """Delete the pages that were marked, now that their items are on disk."""
        with self._trouble():
            self._db.execute("BEGIN")
            self._db.execute(
                "DELETE FROM items WHERE page IN (SELECT id FROM pages WHERE done = 2)"
            )
            self._db.execute("DELETE FROM pages WHERE done = 2")
            self._db.execute("COMMIT")
            self._has_done = False

    def count(self, *states: State) -> int:
        """Return the number of waiting pages in these states."""
        marks = ", ".join("?" * len(states))
        query = f"SELECT count(*) FROM waiting WHERE state IN ({marks})"  # noqa: S608 - only marks
        with self._trouble():
            (number,) = self._db.execute(query, states).fetchone()
            return int(number)

    def count_pages(self) -> int:
        """Return the number of pages on disk."""
        with self._trouble():
            (number,) = self._db.execute("SELECT count(*) FROM pages").fetchone()
            return int(number)

    def close(self, *, is_clean: bool) -> None:
        """Close the spool; a clean end leaves nothing for the next run to resume."""
        with contextlib.suppress(SpoolError), self._trouble():
            if is_clean and self.is_durable:
                self._db.execute("BEGIN")
                self._db.execute("DELETE FROM items")
                self._db.execute("DELETE FROM pages")
                self._db.execute("DELETE FROM sources")
                self._db.execute("DELETE FROM source_urls")
                self._db.execute("DELETE FROM crawl")
                self._db.execute("COMMIT")
        with contextlib.suppress(sqlite3.Error):
            self._db.close()


def has_ended_badly(jobdir: str | Path) -> bool:
    """Return whether the last run with a spool in this directory was, or may have been, killed."""
    path = Path(jobdir) / FILE
    if not path.exists():
        return False
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=5)) as db:
            return db.execute("SELECT 1 FROM crawl").fetchone() is not None
    except sqlite3.Error:
        return True


def _put_aside(path: Path) -> Path:
    """Rename a file and its journal; return the new path."""
    for number in range(1, 1000):
        aside = path.with_name(f"{path.name}.damaged-{number}")
        if not aside.exists():
            break
    for suffix in ("-wal", "-journal"):
        journal = path.with_name(path.name + suffix)
        if journal.exists():
            journal.replace(aside.with_name(aside.name + suffix))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    path.replace(aside)
    return aside


def _copy_readable(damaged: Path, db: sqlite3.Connection) -> int:
    """Copy what can be read of a damaged file into the new one; return the number of pages."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(damaged)) as source:
        for page in _readable(source, "SELECT id, ended, site, document, body FROM pages"):
            if list(map(type, page)) == [int, int, str, str, bytes]:
                db.execute(
                    "INSERT OR IGNORE INTO pages (id, ended, site, document, body)"
                    " VALUES (?, ?, ?, ?, ?)",
                    page,
                )
        for item in _readable(source, "SELECT id, page, data FROM items"):
            if list(map(type, item)) == [int, int, str]:
                db.execute("INSERT OR IGNORE INTO items (id, page, data) VALUES (?, ?, ?)", item)
    (number,) = db.execute("SELECT count(*) FROM pages").fetchone()
    return int(number)


def _readable(db: sqlite3.Connection, query: str) -> Iterator[tuple[object, ...]]:
    """Yield the rows before a damaged place, then those after it, from the end."""
    for order in ("", " DESC"):
        with contextlib.suppress(sqlite3.Error, UnicodeError):
            yield from db.execute(f"{query} ORDER BY id{order}")


def _bring_up_to_date(db: sqlite3.Connection) -> None:
    """Add the columns that an older spool lacks, such as one of version 1.

    A run that was killed before an upgrade leaves such a spool.
    """
    columns = {row[1] for row in db.execute("PRAGMA table_info(pages)")}
    if "done" not in columns and {"ended", "site", "document", "body"} <= columns:
        db.execute("ALTER TABLE pages ADD COLUMN done INTEGER NOT NULL DEFAULT 0")
    columns = {row[1] for row in db.execute("PRAGMA table_info(items)")}
    if "passed" not in columns and {"page", "data"} <= columns:
        db.execute("ALTER TABLE items ADD COLUMN passed INTEGER NOT NULL DEFAULT 0")
    db.execute("CREATE INDEX IF NOT EXISTS pages_done ON pages (done) WHERE done > 0")
    db.execute(f"PRAGMA user_version = {VERSION}")


def _check_version(db: sqlite3.Connection) -> None:
    try:
        _check(db, "PRAGMA user_version", range(VERSION + 1))
    except sqlite3.DatabaseError as error:
        _check(db, "PRAGMA quick_check(1)", ["ok"])
        raise _NewerFileError(str(error)) from None


def _check(db: sqlite3.Connection, question: str, right: Collection[object]) -> None:
    (answer,) = db.execute(question).fetchone()
    if answer not in right:
        raise sqlite3.DatabaseError(f"{question}: {answer}")


def _text(site: str) -> str:
    # A project's callable may return any string as a site; SQLite refuses lone surrogates.
    return site.encode("utf-8", "backslashreplace").decode("utf-8")
