"""Exceptions that a page may cause and that must not end a crawl: counted, and logged once each.

A page never raises. What went wrong is not to be silent either: each kind of error is logged once
with its place, and whoever listens (a crawl's statistics) is told of every one.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable

logger = logging.getLogger("scrapy_mainblock")

Listener = Callable[[str], None]
_listeners: list[Listener] = []
_logged: set[str] = set()
MOST_LOGGED = 1000
"""Kinds of errors that are told apart, by type and place."""


def swallow(error: Exception, what: str) -> None:
    """Count an exception that is swallowed; log it the first time that it comes from its place."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "nowhere"
    kind = type(error).__name__
    key = f"{kind} {place}"
    if key not in _logged and len(_logged) < MOST_LOGGED:
        _logged.add(key)
        logger.warning("mainblock: %s: %s at %s (said once): %r", what, kind, place, error)
    for listener in tuple(_listeners):
        listener(kind)


def listen(listener: Listener) -> None:
    """Tell a listener of every error from now on, by the name of its type."""
    _listeners.append(listener)


def forget(listener: Listener) -> None:
    """Tell it no more."""
    if listener in _listeners:
        _listeners.remove(listener)
