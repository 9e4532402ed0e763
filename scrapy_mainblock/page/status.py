"""HTTP statuses of error pages."""

from __future__ import annotations

FIRST_ERROR_STATUS = 400


def status_in_words(status: int) -> str | None:
    """Return what is wrong with a page according to its status, or None.

    Nothing is learned from such a page, which may be an error page.
    """
    return f"its status is {status}" if status >= FIRST_ERROR_STATUS else None
