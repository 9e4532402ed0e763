"""Ctrl-C, SIGTERM and SIGHUP: each ends the work by an exception: files are closed and named.

`kill`, `timeout` and service managers send SIGTERM, a terminal or a connection that is closed sends
SIGHUP. By themselves both end a process without a word.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from types import FrameType

from scrapy_mainblock.cli import console

Handler = Callable[[int, FrameType | None], object]
ENDINGS: Mapping[int, tuple[int, str]] = {
    signal.SIGTERM: (console.TERMINATED, "terminated"),
    # Windows has none.
    **({signal.SIGHUP: (console.HUNG_UP, "hung up")} if hasattr(signal, "SIGHUP") else {}),
}
"""The exit code of each signal that by itself would end the process, and what has happened."""
SIGNALS = (signal.SIGINT, *map(signal.Signals, ENDINGS))
AGAIN_SECONDS = 2.0
"""Within which another signal is the same end: a terminal sends SIGHUP, and so does its shell."""
_SOON = 0.05
"""Seconds until a signal that was lost comes again: not while the callback goes on that lost it."""
_heard = [float("-inf")]
"""When the last one came."""


class Terminated(KeyboardInterrupt):
    """What SIGTERM and SIGHUP raise, as Ctrl-C raises a KeyboardInterrupt."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def code_and_word(error: KeyboardInterrupt) -> tuple[int, str]:
    """The exit code, as a shell has it of a signal, and what has happened."""
    if isinstance(error, Terminated):
        return ENDINGS[error.number]
    return console.INTERRUPTED, "interrupted"


def terminate(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    """What SIGTERM and SIGHUP do. `timeout` sends it twice at once: the end is under way then."""
    now = time.monotonic()
    is_again = now - _heard[0] < AGAIN_SECONDS
    _heard[0] = now
    if not is_again:
        raise Terminated(number)


@contextlib.contextmanager
def by_exceptions() -> Iterator[None]:
    """Raise Terminated on SIGTERM and SIGHUP in the block, where nobody handles or ignores them.

    (`nohup` has SIGHUP ignored.)
    """
    is_main = threading.current_thread() is threading.main_thread()  # another can set no handlers
    ours = [one for one in ENDINGS if is_main and signal.getsignal(one) is signal.SIG_DFL]
    if not ours:
        yield
        return
    _heard[0] = float("-inf")
    for number in ours:
        signal.signal(number, terminate)
    report, sent_again = sys.unraisablehook, contextlib.ExitStack()

    def not_lost(lost: sys.UnraisableHookArgs) -> None:
        """Send a signal again if Python drops what its handler raised.

        It does in a callback of the garbage collector, and in `__del__`.
        """
        if not isinstance(lost.exc_value, Terminated):
            report(lost)
            return
        _heard[0] = float("-inf")
        again = threading.Timer(_SOON, os.kill, (os.getpid(), lost.exc_value.number))
        again.daemon = True
        sent_again.callback(again.cancel)
        again.start()

    sys.unraisablehook = not_lost
    try:
        yield
    finally:
        sys.unraisablehook = report
        sent_again.close()
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def as_it_was() -> None:
    """For a process of --jobs: Ctrl-C is for the one that waits for it, the others end it at once.

    (Where `nohup` has SIGHUP ignored it is so here, too.)
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in ENDINGS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


class Delayed:
    """Handlers of signals that wait while something must not be left half done."""

    def __init__(self) -> None:
        self._before: dict[int, Handler] = {}
        self._is_busy = False
        self._waiting: int | None = None

    def __enter__(self) -> Delayed:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                before = signal.getsignal(number)
                if callable(before):  # a command in the background may ignore Ctrl-C
                    self._before[number] = before
                    signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            if signal.getsignal(number) == self._handle:
                signal.signal(number, before)

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """A block that no signal cuts: one that comes meanwhile is heeded behind it."""
        self._is_busy = True
        try:
            yield
        finally:
            self._is_busy = False
            if self._waiting is not None:
                self._heed(self._waiting)

    def _handle(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self._is_busy:
            self._waiting = number
        else:
            self._heed(number)

    def _heed(self, number: int) -> None:
        self._waiting = None
        self._before[number](number, None)
