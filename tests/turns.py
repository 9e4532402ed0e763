"""Locks between test workers: a test that measures time runs while no other worker runs a test.

Two workers share the memory bus and the last-level cache. Beside a busy worker, linear work took
1.4 to 1.8 times its share in every round of some runs, and 1.1 by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows: workers are not separated there
    fcntl = None  # type: ignore[assignment]

_HERE = Path(__file__)
_GATE, _ROOM = _HERE, _HERE.with_name("growth.py")
"""Lock files, part of the checkout, so that two runs of it see each other as well.

Every test passes the gate; a test that measures time holds it, so that no other test starts while
the running ones finish.
"""


class _Turns:
    """The locks that this worker holds."""

    def __init__(self) -> None:
        self._room: IO[bytes] | None = None

    @contextmanager
    def beside_others(self) -> Iterator[None]:
        """Run a test that may run in parallel with others."""
        with _ROOM.open("rb") as room:
            self._room = room
            self._enter()
            try:
                yield
            finally:
                self._leave()
                self._room = None

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Within a test, wait until all others are done, and let none start."""
        if self._room is None or fcntl is None:
            yield
            return
        self._leave()
        with ExitStack() as kept:
            gate = kept.enter_context(_GATE.open("rb"))
            fcntl.flock(gate, fcntl.LOCK_EX)
            fcntl.flock(self._room, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.flock(self._room, fcntl.LOCK_SH)
                fcntl.flock(gate, fcntl.LOCK_UN)

    def _enter(self) -> None:
        if fcntl is not None and self._room is not None:
            with _GATE.open("rb") as gate:
                fcntl.flock(gate, fcntl.LOCK_EX)
                fcntl.flock(self._room, fcntl.LOCK_SH)
                fcntl.flock(gate, fcntl.LOCK_UN)

    def _leave(self) -> None:
        if fcntl is not None and self._room is not None:
            fcntl.flock(self._room, fcntl.LOCK_UN)


turns = _Turns()
