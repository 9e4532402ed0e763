"""Handling of exceptions that a page may cause and that must not end a crawl.

Extracting a page never raises, but errors must not go unnoticed either: each kind of error is
logged once with its place, and listeners (such as a crawl's statistics) are told of every error.
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
"""Maximum kinds of errors that are logged; a kind is a type and a place."""


def swallow(error: Exception, what: str) -> None:
    """Report a swallowed exception to all listeners; log the first of its type and place."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "nowhere"
    kind = type(error).__name__
    key = f"{kind} {place}"
    if key not in _logged and len(_logged) < MOST_LOGGED:
        _logged.add(key)
        logger.warning("mainblock: %s: %s at %s (logged once): %r", what, kind, place, error)
    for listener in tuple(_listeners):
        listener(kind)


def listen(listener: Listener) -> None:
    """Call the listener with the type name of every error from now on."""
    _listeners.append(listener)


def forget(listener: Listener) -> None:
    """Stop calling the listener."""
    if listener in _listeners:
        _listeners.remove(listener)
