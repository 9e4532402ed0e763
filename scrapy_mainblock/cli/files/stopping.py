"""Handlers that turn Ctrl-C, SIGTERM and SIGHUP into exceptions, so that files are closed.

`kill`, `timeout` and service managers send SIGTERM; closing a terminal or connection sends SIGHUP.
By default both end a process without a message.
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
    # Windows has no SIGHUP.
    **({signal.SIGHUP: (console.HUNG_UP, "hung up")} if hasattr(signal, "SIGHUP") else {}),
}
"""The exit code and a word for each signal that by default ends the process."""
SIGNALS = (signal.SIGINT, *map(signal.Signals, ENDINGS))
AGAIN_SECONDS = 2.0
"""A signal this soon after another is the same event: a terminal and its shell both send SIGHUP."""
_SOON = 0.05
"""Seconds until a lost signal is sent again, after the callback that lost it has ended."""
_last_signal = [float("-inf")]
"""When the last signal arrived."""


class Terminated(KeyboardInterrupt):
    """The exception raised on SIGTERM and SIGHUP, as Ctrl-C raises a KeyboardInterrupt."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def code_and_word(error: KeyboardInterrupt) -> tuple[int, str]:
    """Return the exit code that a shell gives for the signal, and a word for what happened."""
    if isinstance(error, Terminated):
        return ENDINGS[error.number]
    return console.INTERRUPTED, "interrupted"


def terminate(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    """Handle SIGTERM or SIGHUP; ignore a second one soon after, which `timeout` sends at once."""
    now = time.monotonic()
    is_again = now - _last_signal[0] < AGAIN_SECONDS
    _last_signal[0] = now
    if not is_again:
        raise Terminated(number)


@contextlib.contextmanager
def by_exceptions(*, exits: bool = False) -> Iterator[None]:
    """Raise Terminated on SIGTERM and SIGHUP in the block, unless they have a handler already.

    A signal that is ignored stays ignored, such as SIGHUP under `nohup`. If the process `exits`
    after the block and a signal has just ended that, both are ignored: a second one, as `timeout`
    sends it, would change the exit code.
    """
    is_main = threading.current_thread() is threading.main_thread()  # others cannot set handlers
    ours = [one for one in ENDINGS if is_main and signal.getsignal(one) is signal.SIG_DFL]
    if not ours:
        yield
        return
    _last_signal[0] = float("-inf")
    for number in ours:
        signal.signal(number, terminate)
    report, sent_again = sys.unraisablehook, contextlib.ExitStack()

    def not_lost(lost: sys.UnraisableHookArgs) -> None:
        """Send the signal again if Python dropped the exception of its handler.

        Python does that in callbacks of the garbage collector and in `__del__`.
        """
        if not isinstance(lost.exc_value, Terminated):
            report(lost)
            return
        _last_signal[0] = float("-inf")
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
        is_ending = exits and time.monotonic() - _last_signal[0] < AGAIN_SECONDS
        for number in ours:
            signal.signal(number, signal.SIG_IGN if is_ending else signal.SIG_DFL)


def leave_to_parent() -> None:
    """Ignore the signals in a process of --jobs: its parent gets them, too, and waits for it.

    A terminal or `timeout` signals the whole group. If such a process ended at once, it might be in
    the middle of sending a result, and the parent would wait forever for the rest.
    """
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


class Delayed:
    """Signal handlers that can be delayed while an operation must not be interrupted."""

    def __init__(self) -> None:
        self._before: dict[int, Handler] = {}
        self._is_busy = False
        self._waiting: int | None = None

    def __enter__(self) -> Delayed:
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                before = signal.getsignal(number)
                if callable(before):  # a background job may ignore Ctrl-C
                    self._before[number] = before
                    signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            if signal.getsignal(number) == self._handle:
                signal.signal(number, before)

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """Run a block that signals cannot interrupt: they are handled after it."""
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
