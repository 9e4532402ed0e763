"""Addresses at which rules are kept: the path of a directory, or the URL of a server."""

from __future__ import annotations

import os
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

SCHEMES = ("redis", "rediss")


class AddressError(ValueError):
    """Rules cannot be kept at an address; the message says why, and what to do."""


class NoDirectoryError(AddressError, FileNotFoundError):
    """The directory to read rules from does not exist; the message says what to do."""


class StoreAwayError(OSError):
    """The server that keeps the rules does not answer, or answers nonsense; it may be back soon."""


def is_server(address: str | os.PathLike[str]) -> bool:
    """Return whether an address is that of a server, not a path."""
    return isinstance(address, str) and address.split(":", 1)[0].lower() in SCHEMES


def check_scheme(address: str | os.PathLike[str]) -> None:
    """Raise AddressError for the URL of a server that cannot keep rules."""
    text = os.fspath(address)
    if "://" in text and not is_server(text):
        raise AddressError(
            f"{without_password(text)}: rules must be in a directory or at redis://…"
        )


def without_password(url: str) -> str:
    """Return an address without credentials, fit for a log."""
    parts = urlsplit(url)
    netloc = parts.netloc.rpartition("@")[2]
    secret = {"password", "username"}
    query = urlencode([(k, v) for k, v in parse_qsl(parts.query) if k not in secret])
    return urlunsplit((parts.scheme, netloc, parts.path, query, ""))


def with_namespace(url: str) -> tuple[str, str | None]:
    """Return an address without its `namespace=`, and that namespace or None.

    Raises AddressError if the namespace is empty.
    """
    parts = urlsplit(url)
    options = parse_qsl(parts.query, keep_blank_values=True)
    namespace = next((value for name, value in options if name == "namespace"), None)
    if namespace == "":
        raise AddressError(f"{without_password(url)}: the namespace is empty")
    rest = urlencode([one for one in options if one[0] != "namespace"])
    # urlunsplit would drop the slashes if there is no host.
    return f"{parts.scheme}://{parts.netloc}{parts.path}{'?' if rest else ''}{rest}", namespace
