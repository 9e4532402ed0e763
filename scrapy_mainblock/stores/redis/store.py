"""Rules in Redis (see `keys` for what is kept there, `link` for what happens while Redis is away).

Reads come from memory. The link's thread follows the stream of changes and keeps memory up to date;
a site that is not in memory is fetched once. If Redis has lost everything (restarted empty,
flushed) or its latest part (restarted from an older copy), the rules in memory are published again.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import uuid
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scrapy_mainblock.stores import documents, packed_pages
from scrapy_mainblock.stores.addresses import StoreAwayError, with_namespace
from scrapy_mainblock.stores.directory import merge
from scrapy_mainblock.stores.packed_pages import SharedPage
from scrapy_mainblock.stores.redis.keys import (
    DEFAULT_NAMESPACE,
    EXCHANGE,
    MOST_CHANGES,
    PUBLISH,
    RESIGN,
    Keys,
    site_of,
)
from scrapy_mainblock.stores.redis.link import Link
from scrapy_mainblock.stores.rules import Exchanged
from scrapy_mainblock.template.rules import SiteRules

if TYPE_CHECKING:
    from redis import Redis

logger = logging.getLogger(__name__)

SYNC_SECONDS = 0.5
"""Time between two looks at the stream of changes, each a short command for each worker."""
LEARNER_SECONDS = 5.0
"""How long a worker stays the learner of a site without renewing that, which it does each second. A
killed learner keeps the others waiting for this long."""
MOST_PAGES = 64
"""Pages of a site kept for its learner, some 600 KB: more than it takes to settle a rule."""
PAGES_SECONDS = 600
MOST_REMEMBERED = 2000
"""Limit on the sites whose rules are in memory, some 50 KB each."""
MOST_ABSENT = 50_000
"""Limit on the sites that are known to have no rules."""
_PUBLISHED_AT_ONCE = 20
"""Sites published again in one step of the thread, during which it serves no other call."""
_SCANNED = 500
_TRIES = 50
"""Attempts to publish while others publish for the same site: each time one of them has
succeeded."""
_START = b"0-0"
_NEVER = b"999999999999999"
"""Milliseconds since 1970, later than any change."""

K = TypeVar("K")
V = TypeVar("V")


class _Stored(NamedTuple):
    """A site's rules as they are in Redis."""

    version: bytes
    rules: SiteRules | None
    """The last good state, if the document is damaged."""
    epoch: bytes = b""
    is_damaged: bool = False
    is_newer: bool = False


class RedisRules:
    """The rules that a fleet of crawlers keeps in Redis."""

    def __init__(self, address: str) -> None:
        self._given = address
        url, namespace = with_namespace(address)
        self._keys = Keys(namespace or DEFAULT_NAMESPACE)
        self._guard = threading.Lock()
        self._stored: OrderedDict[str, _Stored] = OrderedDict()
        self._absent: OrderedDict[str, None] = OrderedDict()
        self._most = MOST_REMEMBERED
        self._unread: set[str] = set()
        """Sites whose rules have changed since they were last requested, or could not be read."""
        self._logged: set[tuple[str, bytes]] = set()
        self._troubles = 0
        self._position: bytes | None = None
        """How far the stream of changes was read; None before the first look at it."""
        self._epoch = b""
        self._published: bytes | None = None
        """The latest change that was made here."""
        self._to_publish: OrderedDict[str, None] = OrderedDict()
        self._worker = uuid.uuid4().hex.encode()
        self._read_up_to: dict[str, bytes] = {}
        """How far the pages of each site were read."""
        self._learning: set[str] = set()
        tick = weakref.WeakMethod(self._sync)

        def sync(client: Redis) -> None:
            if (now := tick()) is not None:
                now(client)

        self._link = Link(url, sync, SYNC_SECONDS)
        self.address = self._link.address
        weakref.finalize(self, self._link.close)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the address: each process has its own connection."""
        return RedisRules, (self._given,)

    @property
    def troubles(self) -> int:
        """How many documents could not be used, and how many calls failed."""
        return self._troubles + self._link.troubles

    # ---- reading -------------------------------------------------------------------------------

    def load(self) -> dict[str, SiteRules]:
        """Return the rules of all sites, by site."""
        found = {}
        cursor: int | None = None
        while cursor != 0:
            cursor, documents_of = self._link.read(self._scanner(cursor or 0))
            for key, (version, document) in documents_of:
                stored = self._read(site_of(key), version, document)
                if stored.rules is not None:
                    found[stored.rules.site] = stored.rules
        return dict(sorted(found.items()))

    def _scanner(self, cursor: int) -> Callable[[Redis], tuple[int, list[tuple[bytes, Any]]]]:
        prefix = len(self._keys.site(""))

        def scan(client: Redis) -> tuple[int, list[tuple[bytes, Any]]]:
            following, keys = client.scan(cursor, self._keys.all_sites(), _SCANNED)
            pipeline = client.pipeline(transaction=False)
            for key in keys:
                pipeline.hmget(key, "version", "document")
            names = [(_octets_or_none(key) or b"")[prefix:] for key in keys]
            return int(following), list(zip(names, map(_pair, pipeline.execute()), strict=True))

        return scan

    def has(self, site: str) -> bool:
        """Return whether a site has rules; False if that is not known."""
        try:
            return self.load_site(site) is not None
        except StoreAwayError:
            return False

    def load_site(self, site: str) -> SiteRules | None:
        """Return the rules of a site, or None.

        Raises StoreAwayError if they are not in memory and Redis is away.
        """
        with self._guard:
            self._unread.discard(site)
            if site in self._stored:
                self._stored.move_to_end(site)
                return self._stored[site].rules
            if site in self._absent:
                self._absent.move_to_end(site)
                return None
        try:
            return self._link.read(lambda client: self._fetch(client, site)).rules
        except StoreAwayError:
            with self._guard:
                if len(self._unread) < MOST_ABSENT:
                    self._unread.add(site)  # `changed` names it once Redis is back
            raise

    def changed(self, sites: Iterable[str]) -> list[str]:
        """Return which of some sites have rules that changed since they were last read here."""
        sites = list(sites)
        with self._guard:
            self._most = max(MOST_REMEMBERED, 2 * len(sites))
            if self._link.reading.is_open:  # sites that could not be read still cannot be
                return [site for site in sites if site in self._unread and site in self._stored]
            return [site for site in sites if site in self._unread]

    def _fetch(self, client: Redis, site: str) -> _Stored:
        """In the link's thread, read a site's rules and keep them in memory."""
        stored = self._get(client, site)
        self._remember(site, stored)
        return stored

    def _get(self, client: Redis, site: str) -> _Stored:
        """In the link's thread, read a site's rules."""
        if self._position is None:
            self._sync(client)  # so that no change from here on is missed
        # No transaction: a Redis without memory refuses even those that only read. If the two
        # values are from different moments, `_put` will not find both as they are here.
        pipeline = client.pipeline(transaction=False)
        pipeline.hmget(self._keys.site(site), "version", "document")
        pipeline.get(self._keys.epoch)
        pair, epoch = pipeline.execute()
        version, document = _pair(pair)
        return self._read(site, version, document)._replace(epoch=_octets_or_none(epoch) or b"")

    def _read(self, site: str, version: bytes | None, document: bytes | None) -> _Stored:
        if document is None:
            return _Stored(version or b"0", None)
        version = version or b"0"
        with self._guard:
            before = self._stored.get(site)
        if before is not None and before.version == version and not before.is_damaged:
            return before
        try:
            return _Stored(version, documents.site_from_text(document))
        except documents.NewerDocumentError as error:
            self._trouble(site, version, f"not used and left unchanged: {error}")
            return _Stored(version, None, is_newer=True)
        except documents.DamagedDocumentError as error:
            rules = before.rules if before else None
            until = "its last good state is used" if rules else "the site has no rules"
            self._trouble(site, version, f"{error}. Until it is fixed or relearned, {until}")
            return _Stored(version, rules, is_damaged=True)

    def _trouble(self, site: str, version: bytes, what: str) -> None:
        self._troubles += 1
        if (site, version) not in self._logged:
            self._logged.add((site, version))
            logger.warning("rules: %s, %s: %s", self.address, ascii(site)[1:-1], ascii(what)[1:-1])

    def _remember(self, site: str, stored: _Stored) -> None:
        with self._guard:
            if stored.rules is None and not stored.is_newer:
                self._stored.pop(site, None)
                _put(self._absent, site, None, MOST_ABSENT)
            else:
                self._absent.pop(site, None)
                _put(self._stored, site, stored, self._most)

    # ---- following the changes of others ---------------------------------------------------------

    def _sync(self, client: Redis) -> None:
        """In the link's thread, at intervals, take over what has changed."""
        before = self._position
        pipeline = client.pipeline(transaction=False)
        pipeline.xrange(self._keys.changes, b"(" + (before or _NEVER), "+", MOST_CHANGES)
        pipeline.xrange(self._keys.changes, "-", "+", 1)
        pipeline.xrevrange(self._keys.changes, "+", "-", 1)
        pipeline.get(self._keys.epoch)
        entries, first, last, epoch = pipeline.execute()
        oldest, latest = _name_of_first(first), _name_of_first(last)
        sites = {site_of(fields[b"site"]) for _, fields in entries}
        epoch = _octets_or_none(epoch) or b""
        is_older = _place(latest) < max(_place(before or _START), _place(self._published or _START))
        is_lost = before is not None and (is_older or (self._epoch and epoch != self._epoch))
        if is_lost:
            self._lost()
        elif before is not None:
            has_missed = before != _START and _place(oldest) > _place(before)
            with self._guard:
                known = [*self._stored, *self._absent]
            self._compare(client, [site for site in known if has_missed or site in sites])
        if before is None or is_lost:
            self._position, self._published = latest, None
        elif entries:
            self._position = entries[-1][0]
        self._epoch = epoch
        self._publish_again(client)

    def _compare(self, client: Redis, sites: Sequence[str]) -> None:
        """Fetch the sites whose version has changed."""
        pipeline = client.pipeline(transaction=False)
        for site in sites:
            pipeline.hget(self._keys.site(site), "version")
        for site, version in zip(sites, pipeline.execute(), strict=True):
            with self._guard:
                stored = self._stored.get(site)
            if (stored.version if stored else None) != version:
                self._fetch(client, site)
                with self._guard:
                    self._unread.add(site)

    def _lost(self) -> None:
        """Note that Redis has lost its data: the rules have to be published again."""
        with self._guard:
            self._absent.clear()
            again = [site for site, stored in self._stored.items() if stored.rules is not None]
            self._to_publish.update(dict.fromkeys(again))
        message = "rules: %s has lost its data; publishing the rules of %d sites again"
        logger.warning(message, self.address, len(again))

    def _publish_again(self, client: Redis) -> None:
        """In the link's thread, publish lost rules; failures are tried again with the next look."""
        if not self._to_publish or not self._link.writing.lets_through():
            return
        for site in list(self._to_publish)[:_PUBLISHED_AT_ONCE]:
            with self._guard:
                mine = self._stored.get(site)
            if mine is not None and mine.rules is not None:
                stored = self._get(client, site)
                merged = merge(stored.rules, mine.rules)
                if merged != stored.rules and not stored.is_newer:
                    try:
                        now = self._put(client, site, stored, merged)
                    except Exception as error:  # no memory, no permission, or a nonsensical answer
                        self._link.fail(self._link.writing, f"{type(error).__name__}: {error}")
                        return
                    self._link.writing.worked()
                    if now is None:
                        continue  # another worker was faster: try again with the next look
                    stored = now
                self._remember(site, stored)
                with self._guard:
                    self._unread.add(site)
            self._to_publish.pop(site, None)

    # ---- writing -------------------------------------------------------------------------------

    def save(self, learnt: SiteRules) -> SiteRules:
        """Merge what was learned; return the site's rules after that."""
        try:
            return self.update(learnt.site, lambda known: merge(known, learnt))
        except documents.NewerDocumentError:  # `_read` has logged it
            return learnt

    def update(self, site: str, change: Callable[[SiteRules | None], SiteRules]) -> SiteRules:
        """Replace a site's rules by what `change` returns, with no other writer in between.

        Raises NewerDocumentError if the document is of a later version, and StoreAwayError.
        """
        for _ in range(_TRIES):
            with self._guard:
                mine = self._stored.get(site)
            stored = self._link.read(lambda client: self._get(client, site))
            if stored.is_newer:
                raise documents.NewerDocumentError("the document is of a later version")
            known = stored.rules
            if mine is not None and mine.rules is not None and mine.epoch != stored.epoch:
                known = merge(known, mine.rules)  # Redis has lost what is in memory here
            changed = change(known)
            now: _Stored | None = stored
            if changed != stored.rules or stored.is_damaged:
                now = self._link.write(self._putter(site, stored, changed))
            if now is not None:
                self._remember(site, now)
                return changed
        raise StoreAwayError(f"{self.address}: other workers keep changing the rules of {site}")

    def _putter(
        self, site: str, stored: _Stored, rules: SiteRules
    ) -> Callable[[Redis], _Stored | None]:
        return lambda client: self._put(client, site, stored, rules)

    def _put(self, client: Redis, site: str, stored: _Stored, rules: SiteRules) -> _Stored | None:
        """Write rules; return what is stored then, or None if another worker was faster."""
        text = documents.checked_text(rules).encode("utf-8", "backslashreplace")
        keys = (self._keys.site(site), self._keys.changes, self._keys.epoch)
        epoch = stored.epoch or uuid.uuid4().hex.encode()
        damaged = "1" if stored.is_damaged else "0"
        name = site.encode("utf-8", "surrogatepass")
        most = str(MOST_CHANGES)
        values: list[bytes | str]
        values = [stored.version, stored.epoch, epoch, text, name, damaged, most]
        answer: Any = client.eval(PUBLISH, len(keys), *keys, *values)
        if answer == 0:
            return None
        version, self._published = _pair(answer)
        return _Stored(version or b"", rules, epoch)

    # ---- learning together ---------------------------------------------------------------------

    def exchange(self, shared: Mapping[str, Sequence[SharedPage]]) -> dict[str, Exchanged]:
        """Share pages of some sites; return which of them to learn, and what others have shared.

        One worker at a time is the learner of a site and counts the pages of all workers. Raises
        StoreAwayError; each worker then learns alone.
        """
        packed = {
            site: [one for page in pages if (one := packed_pages.pack(page)) is not None]
            for site, pages in shared.items()
        }
        answers = self._link.write(lambda client: self._exchange(client, packed))
        return {site: self._exchanged(site, *answer) for site, answer in answers.items()}

    def _exchange(
        self, client: Redis, packed: Mapping[str, Sequence[bytes]]
    ) -> dict[str, tuple[bool, list[Any]]]:
        pipeline = client.pipeline(transaction=False)
        milliseconds = int(LEARNER_SECONDS * 1000)
        for site, pages in packed.items():
            keys = (self._keys.learner(site), self._keys.pages(site), self._keys.site(site))
            read_up_to = self._read_up_to.get(site, _START)
            values: list[bytes | int]
            values = [self._worker, milliseconds, read_up_to, MOST_PAGES, PAGES_SECONDS, *pages]
            pipeline.eval(EXCHANGE, len(keys), *keys, *values)
        found = {}
        for site, (leads, version, entries) in zip(packed, pipeline.execute(), strict=True):
            found[site] = (bool(leads), list(entries))
            with self._guard:
                stored = self._stored.get(site)
            if version != (stored.version if stored else b"0"):
                self._compare(client, [site])
        return found

    def _exchanged(self, site: str, leads: bool, entries: list[Any]) -> Exchanged:
        (self._learning.add if leads else self._learning.discard)(site)
        if len(self._read_up_to) > MOST_ABSENT:
            self._read_up_to.clear()
        pages = []
        for name, fields in entries:
            self._read_up_to[site] = name
            values = dict(zip(fields[::2], fields[1::2], strict=True))
            if values.get(b"worker") == self._worker:
                continue
            try:
                pages.append(packed_pages.unpack(values[b"page"]))
            except (packed_pages.UnreadablePageError, KeyError) as error:
                self._trouble(
                    site, b"page", f"a page shared by another worker cannot be read: {error}"
                )
        return Exchanged(leads, pages)

    def close(self) -> None:
        """Let other workers learn, and stop the thread."""
        learning, self._learning = self._learning, set()

        def resign(client: Redis) -> None:
            pipeline = client.pipeline(transaction=False)
            for site in learning:
                pipeline.eval(RESIGN, 1, self._keys.learner(site), self._worker)
            pipeline.execute()

        if learning:
            with contextlib.suppress(StoreAwayError):
                self._link.write(resign)
        self._link.close()


def _put(table: OrderedDict[K, V], key: K, value: V, most: int) -> None:
    table[key] = value
    table.move_to_end(key)
    while len(table) > most:
        table.popitem(last=False)


def _pair(values: Any) -> tuple[bytes | None, bytes | None]:
    version, document = values
    return _octets_or_none(version), _octets_or_none(document)


def _octets_or_none(value: Any) -> bytes | None:
    if value is None or isinstance(value, bytes):
        return value
    raise TypeError(f"{type(value).__name__} instead of bytes")


def _name_of_first(entries: Any) -> bytes:
    return _octets_or_none(entries[0][0]) or _START if entries else _START


def _place(name: bytes) -> tuple[int, int]:
    milliseconds, _, number = name.partition(b"-")
    return int(milliseconds), int(number)
