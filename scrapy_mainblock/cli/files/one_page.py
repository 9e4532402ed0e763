"""The single page of the subcommands that take one."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path

from scrapy_mainblock.cli.console import UsageError


def body_of_one_page(name: str) -> bytes:
    """Return the source of the page that an argument names; raise OSError if it cannot be read.

    Raise UsageError for JSON rows: they would be taken for a page with braces in its text.
    """
    body = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    first = body.lstrip()[:1] == b"{" and body.lstrip().partition(b"\n")[0]
    if first:
        with suppress(ValueError, RecursionError):
            if isinstance(json.loads(first), dict):
                raise UsageError(f"{name}: these are JSON rows; this command takes one HTML page")
    return body
