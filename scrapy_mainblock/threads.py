"""Work off the reactor's thread, on every supported Scrapy."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

try:
    from scrapy.utils.asyncio import run_in_thread
except ImportError:  # before Scrapy 2.15
    from scrapy.utils.defer import maybe_deferred_to_future
    from twisted.internet.threads import deferToThread

    async def run_in_thread(func: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call a function in a thread."""
        return await maybe_deferred_to_future(deferToThread(func, *args, **kwargs))


__all__ = ["run_in_thread"]
