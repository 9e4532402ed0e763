"""The spool: pages and their items on disk, in SQLite, as plain data (`pages`, `items`).

With JOBDIR it lives there, outlives a kill -9, and holds every page from when it reaches the spider
until its items are known to be in the feeds. Without, it is a temporary file with only the pages
that wait for a rule.

A page is `open` while its callback runs, `held` while it waits for a rule, `ready` when it may go,
and `out` when it went. What a killed run leaves is `again` where the callback had not ended, else
`left`. Only the crawl's own thread writes, a page is claimed in one statement, so
none is ever claimed twice (the first try of this design, with two readers, gave 9 duplicates).
SQLite's journal makes each write whole or not there, also when the process is killed in it.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

VERSION = 1
FILE = "spool.sqlite"

State = Literal["open", "held", "ready", "out", "left", "again"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS pages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL,
    site TEXT NOT NULL DEFAULT '',
    cluster TEXT NOT NULL DEFAULT '',
    document TEXT NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS pages_by_state ON pages (state, site, cluster);
CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    page INTEGER NOT NULL,
    data TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS items_by_page ON items (page);
CREATE TABLE IF NOT EXISTS crawl (unclean INTEGER NOT NULL);
"""


class SpoolError(Exception):
    """The disk is full, the file is damaged: what cannot be kept must be answered at once."""


class Row(NamedTuple):
    """A page as it was kept, with its items."""

    id: int
    site: str
    state: State
    """What it was: `ready`, or from a run that did not end well."""
    document: str
    body: bytes
    items: Sequence[str]


class Spool:
    """One spool, of one crawl."""

    def __init__(self, jobdir: str | Path | None) -> None:
        """Open it; SpoolError when that cannot be done."""
        self.is_durable = jobdir is not None
        self.put_aside: Path | None = None
        """Where a damaged file of an earlier run went."""
        self._temporary: str | None = None
        try:
            if jobdir is None:
                self._temporary = tempfile.mkdtemp(prefix="mainblock-")
                directory = Path(self._temporary)
            else:
                directory = Path(jobdir)
                directory.mkdir(parents=True, exist_ok=True)
            self._db = self._open(directory / FILE)
        except (OSError, sqlite3.Error) as error:
            self._remove_temporary()
            raise SpoolError(str(error)) from error
        with self._trouble():
            ended_badly = self._db.execute("SELECT 1 FROM crawl").fetchone() is not None
            self.was_killed = ended_badly or self.count() > 0
            if self.is_durable:
                self._db.execute(
                    "UPDATE pages SET state = CASE WHEN state IN ('open', 'again') THEN 'again'"
                    " ELSE 'left' END"
                )
                self._db.execute("DELETE FROM crawl")
                self._db.execute("INSERT INTO crawl VALUES (1)")

    def _open(self, path: Path) -> sqlite3.Connection:
        try:
            return self._connect(path)
        except sqlite3.DatabaseError as error:
            # An OperationalError is the machine's: locked, full, not to be opened.
            if isinstance(error, sqlite3.OperationalError):
                raise
        for number in range(1, 1000):
            aside = path.with_name(f"{path.name}.damaged-{number}")
            if not aside.exists():
                break
        path.replace(aside)
        for suffix in ("-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        self.put_aside = aside
        return self._connect(path)

    def _connect(self, path: Path) -> sqlite3.Connection:
        db = sqlite3.connect(path, isolation_level=None, timeout=5, check_same_thread=False)
        try:
            _check(db, "PRAGMA user_version", range(VERSION + 1))
            # NORMAL in WAL mode does not wait for the disk, and survives any kill of the process.
            db.execute(f"PRAGMA journal_mode = {'WAL' if self.is_durable else 'MEMORY'}")
            db.execute(f"PRAGMA synchronous = {'NORMAL' if self.is_durable else 'OFF'}")
            db.executescript(_SCHEMA)
            db.execute(f"PRAGMA user_version = {VERSION}")
            _check(db, "PRAGMA quick_check(1)", ["ok"])
            # A file of ours, and not somebody's with tables of these names.
            db.execute("SELECT state, site, cluster, document, body FROM pages LIMIT 1")
            db.execute("SELECT page, data FROM items LIMIT 1")
        except sqlite3.OperationalError as error:
            db.close()
            if "no such column" in str(error):
                raise sqlite3.DatabaseError(str(error)) from None
            raise
        except UnicodeError as error:  # SQLite's own message quotes a damaged file
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
        """Keep a page whose callback is running."""
        with self._trouble():
            found = self._db.execute(
                "INSERT INTO pages (state, site, document, body) VALUES ('open', ?, ?, ?)",
                (_text(site), document, body),
            )
            return int(found.lastrowid or 0)

    def add_item(self, page: int, data: str) -> None:
        """Keep an item of a page."""
        with self._trouble():
            self._db.execute("INSERT INTO items (page, data) VALUES (?, ?)", (page, data))

    def set_state(self, page: int, state: State, site: str = "", cluster: str = "") -> None:
        """What became of a page."""
        with self._trouble():
            self._db.execute(
                "UPDATE pages SET state = ?, site = ?, cluster = ? WHERE id = ?",
                (state, _text(site), cluster, page),
            )

    def make_ready(self, site: str | None = None, cluster: str | None = None) -> int:
        """Let the held pages go: of a cluster, of a site, or all."""
        with self._trouble():
            found = self._db.execute(
                "UPDATE pages SET state = 'ready' WHERE state = 'held'"
                " AND (?1 IS NULL OR site = ?1) AND (?2 IS NULL OR cluster = ?2)",
                (None if site is None else _text(site), cluster),
            )
            return found.rowcount

    def claim(self) -> Row | None:
        """The next page that is ready or left over, which is `out` from now on."""
        with self._trouble():
            found = self._db.execute(
                "SELECT id, site, state, document, body FROM pages"
                " WHERE state IN ('ready', 'left', 'again') ORDER BY id LIMIT 1"
            ).fetchone()
            if found is None:
                return None
            page, site, state, document, body = found
            rows = self._db.execute("SELECT data FROM items WHERE page = ? ORDER BY id", (page,))
            data = [item for (item,) in rows]
            self._db.execute("UPDATE pages SET state = 'out' WHERE id = ?", (page,))
            return Row(page, str(site), state, document, body, data)

    def remove(self, pages: Sequence[int]) -> None:
        """Forget pages whose items are safe."""
        if not pages:
            return
        with self._trouble():
            self._db.execute("BEGIN")
            ids = [(page,) for page in pages]
            self._db.executemany("DELETE FROM items WHERE page = ?", ids)
            self._db.executemany("DELETE FROM pages WHERE id = ?", ids)
            self._db.execute("COMMIT")

    def count(self, *states: State) -> int:
        """How many pages there are, in all or in some states."""
        marks = ", ".join("?" * len(states))
        where = f" WHERE state IN ({marks})" if states else ""
        with self._trouble():
            query = f"SELECT count(*) FROM pages{where}"  # noqa: S608 - only question marks
            (number,) = self._db.execute(query, states).fetchone()
            return int(number)

    def close(self, *, is_clean: bool) -> None:
        """Close it; a clean end leaves nothing to be gone through again."""
        with contextlib.suppress(SpoolError), self._trouble():
            if is_clean and self.is_durable:
                self._db.execute("BEGIN")
                self._db.execute("DELETE FROM items")
                self._db.execute("DELETE FROM pages")
                self._db.execute("DELETE FROM crawl")
                self._db.execute("COMMIT")
        with contextlib.suppress(sqlite3.Error):
            self._db.close()
        self._remove_temporary()

    def _remove_temporary(self) -> None:
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)


def _check(db: sqlite3.Connection, question: str, right: Collection[object]) -> None:
    (answer,) = db.execute(question).fetchone()
    if answer not in right:
        raise sqlite3.DatabaseError(f"{question}: {answer}")


def _text(site: str) -> str:
    # A callable of the project's may make a site of anything; SQLite refuses lone surrogates.
    return site.encode("utf-8", "backslashreplace").decode("utf-8")
