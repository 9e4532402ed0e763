"""Whose turn it is: a test that measures time runs while no other worker runs anything.

Two workers share the memory bus and the last cache. Beside a busy one, what is linear took 1.4 to
1.8 times its share in every round of some runs, and 1.1 by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows: there the workers are not kept apart
    fcntl = None  # type: ignore[assignment]

_HERE = Path(__file__)
_GATE, _ROOM = _HERE, _HERE.with_name("growth.py")
"""Files of the checkout, so that two runs of it know of each other as well. All who want to run
pass the gate; who measures keeps it, so that nobody else enters while the others leave."""


class _Turns:
    """What this worker holds."""

    def __init__(self) -> None:
        self._room: IO[bytes] | None = None

    @contextmanager
    def beside_others(self) -> Iterator[None]:
        """Run a test, as others may at the same time."""
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
        """Within a test, wait until all others are done, and let none begin."""
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
