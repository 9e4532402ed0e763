"""The connection to Redis: a thread of its own, a timeout of a second, two circuit breakers.

Whichever thread makes a call, the I/O is done in the link's own thread. The caller waits for a
second at most, even if name resolution hangs or a server sends a byte now and then, which no socket
timeout ends.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy_mainblock.stores.addresses import AddressError, StoreAwayError, without_password

if TYPE_CHECKING:
    from redis import Redis

logger = logging.getLogger(__name__)

TIMEOUT_SECONDS = 1.0
"""Timeout to connect, for each answer, and for both together as far as a caller waits."""
RETRY_SECONDS = 1.0
"""Time between two attempts while Redis is away. A pin must arrive within five seconds, also right
after Redis is back."""
_LONGEST_ERROR = 200

T = TypeVar("T")


def connect(url: str) -> Redis:
    """Return a client that connects with its first command; raise AddressError if impossible."""
    try:
        from redis import Redis  # noqa: PLC0415 - an extra
        from redis.backoff import NoBackoff  # noqa: PLC0415
        from redis.retry import Retry  # noqa: PLC0415
    except ImportError:
        message = 'rules in Redis need an extra: pip install "scrapy-mainblock[redis]"'
        raise AddressError(message) from None
    try:
        client: Redis = Redis.from_url(
            url,
            socket_timeout=TIMEOUT_SECONDS,
            socket_connect_timeout=TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
            decode_responses=False,
            protocol=2,
        )
        client.connection_pool.make_connection()  # raises now if an option is unknown
    except (ValueError, TypeError) as error:
        raise AddressError(f"{without_password(url)}: {error}") from None
    return client


class Breaker:
    """A circuit breaker for reading or for writing; it logs each change of its state once."""

    def __init__(self, address: str, verb: str, meanwhile: str) -> None:
        self._address, self._verb, self._meanwhile = address, verb, meanwhile
        self._guard = threading.Lock()
        self._failing_since: float | None = None
        self.why = ""
        """The reason of the last failure."""
        self._retry_at = 0.0

    @property
    def is_open(self) -> bool:
        """Whether Redis is away."""
        return self._failing_since is not None

    def lets_through(self) -> bool:
        """Return whether a call may be tried; while Redis is away, one is from time to time."""
        with self._guard:
            now = time.monotonic()
            if self._failing_since is None:
                return True
            if now < self._retry_at:
                return False
            self._retry_at = now + RETRY_SECONDS
            return True

    def failed(self, why: str) -> None:
        """Note that a call has failed."""
        with self._guard:
            now = time.monotonic()
            self._retry_at = now + RETRY_SECONDS
            self.why = why
            is_first = self._failing_since is None
            if is_first:  # log before other callers notice: they are refused without a message
                self._failing_since = now
                message = "rules: %s cannot be %s (%s); %s"
                logger.warning(message, self._address, self._verb, why, self._meanwhile)

    def worked(self) -> None:
        """Note that a call has worked."""
        with self._guard:
            since, self._failing_since = self._failing_since, None
        if since is not None:
            seconds = time.monotonic() - since
            logger.info(
                "rules: %s can be %s again, after %.0f s", self._address, self._verb, seconds
            )


Work = Callable[["Redis"], Any]


class Link:
    """A client and the thread that uses it; `tick` is called in that thread at intervals."""

    def __init__(self, url: str, tick: Callable[[Redis], None], seconds: float) -> None:
        self.address = without_password(url)
        self.reading = Breaker(
            self.address, "read", "the rules in memory and those learned here stay in use"
        )
        self.writing = Breaker(
            self.address,
            "written",
            "learned rules are kept in memory and published once Redis is back",
        )
        self.troubles = 0
        """How many calls have failed; the first failure of each outage was logged."""
        self._url = url
        self._tick, self._seconds = tick, seconds
        self._guard = threading.Lock()
        self._client = connect(url)
        self._process = 0
        self._thread: threading.Thread | None = None
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Work] | None] = queue.SimpleQueue()

    def read(self, work: Callable[[Redis], T]) -> T:
        """Read in the link's thread; raise StoreAwayError if that fails or takes over a second."""
        # While Redis is away only the thread itself tries, so that no caller waits for it.
        if self.reading.is_open:
            raise _away(self.address, self.reading.why)
        return self._call(self.reading, work)

    def write(self, work: Callable[[Redis], T]) -> T:
        """Write in the link's thread; raise StoreAwayError if that fails or takes over a second."""
        if self.reading.is_open:
            raise _away(self.address, self.reading.why)
        if not self.writing.lets_through():
            raise _away(self.address, self.writing.why)
        return self._call(self.writing, work)

    def _call(self, breaker: Breaker, work: Callable[[Redis], T]) -> T:
        future = self._submit(work)
        try:
            found: T = future.result(TIMEOUT_SECONDS)
        except Exception as error:  # a server may answer anything, so redis-py may raise anything
            why = _in_words(error)
            if not future.done():
                why = f"no answer in {TIMEOUT_SECONDS:g} s"
                future.cancel()
                self._hang_up()
            self.fail(breaker, why)
            raise _away(self.address, why) from None
        breaker.worked()
        return found

    def fail(self, breaker: Breaker, why: str) -> None:
        """Count a failed call."""
        self.troubles += 1
        breaker.failed(why)

    def _hang_up(self) -> None:
        # Called in the caller's thread, since the link's own may be waiting in the socket.
        with contextlib.suppress(Exception):
            self._client.connection_pool.disconnect(inuse_connections=True)

    def _submit(self, work: Work) -> Future[Any]:
        future: Future[Any] = Future()
        with self._guard:
            if self._process != os.getpid():  # the first call, or the first after a fork
                self._process = os.getpid()
                self._client = connect(self._url)
                self._jobs = queue.SimpleQueue()
                self._thread = threading.Thread(
                    target=self._run, args=(self._jobs,), name="mainblock-redis", daemon=True
                )
                self._thread.start()
            self._jobs.put((future, work))
        return future

    def close(self) -> None:
        """Stop the thread."""
        self._jobs.put(None)

    def _run(self, jobs: queue.SimpleQueue[tuple[Future[Any], Work] | None]) -> None:
        due = 0.0
        while True:
            with contextlib.suppress(queue.Empty):
                job = jobs.get(timeout=max(due - time.monotonic(), 0.0))
                if job is None:
                    break
                _do(*job, self._client)
                del job  # the job refers to the store, which could not be freed otherwise
            if time.monotonic() >= due:
                self._try_tick()
                due = time.monotonic() + self._seconds
        with contextlib.suppress(Exception):
            self._client.close()

    def _try_tick(self) -> None:
        if not self.reading.lets_through():
            return
        try:
            self._tick(self._client)
        except Exception as error:  # from the server, whatever it has answered
            self.fail(self.reading, _in_words(error))
        else:
            self.reading.worked()


def _do(future: Future[Any], work: Work, client: Redis) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        found = work(client)
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(found)


def _away(address: str, why: str) -> StoreAwayError:
    return StoreAwayError(errno.ENOTCONN, f"{address}: {why}")


def _in_words(error: BaseException) -> str:
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return ascii(words)[1:-1][:_LONGEST_ERROR]
