"""Sites: the host of a URL, its registered domain, and the keys of the rules for a page."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from scrapy_mainblock.page import urls
from scrapy_mainblock.page.bounded_cache import bounded_cache

if TYPE_CHECKING:
    from tldextract import TLDExtract


_PLAIN = re.compile(r"https?://([a-z0-9.-]+)(?::[0-9]+)?(?=[/?#]|\Z)")
"""The beginning of nearly all URLs, for which `urlsplit` is not needed."""


def host(url: str | None) -> str:
    """Return the host of a URL in lower case and ASCII, without its port; empty if it has none."""
    if not url:
        return ""
    plain = _PLAIN.match(url)
    if plain is not None:
        return plain[1].rstrip(".")
    try:
        name = (urls.split(url.strip()).hostname or "").rstrip(".")
    except ValueError:
        return ""
    return name if name.isascii() else _in_ascii(name)


@bounded_cache(most=512, longest=253)
def _in_ascii(name: str) -> str:
    """Return the form of an international host name that is sent, and that Scrapy's URLs have."""
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name


_HOST = re.compile(r"((?:[a-z0-9-]+\.)+[a-z0-9-]+)(?::\d{1,5})?", re.IGNORECASE)


@lru_cache(maxsize=1)
def _suffixes() -> TLDExtract:
    """Load the list of public suffixes that comes with tldextract: no download, no disk cache.

    Private suffixes are included, since `evil.github.io` and `good.github.io` have different
    owners. The import is deferred: with the HTTP client that tldextract pulls in, it takes as long
    as that of NumPy, and extracting a page does not need it.
    """
    from tldextract import TLDExtract  # noqa: PLC0415

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def load_suffixes() -> None:
    """Load the list of public suffixes now, so that the first lookup need not wait for it."""
    _suffixes().extract_str("")


_LONGEST_HOST = 253
"""Maximum characters of a host name: RFC 1035."""


@bounded_cache(most=4096, longest=_LONGEST_HOST)
def _domain_of(name: str) -> str:
    parts = _suffixes().extract_str(name)
    return parts.top_domain_under_public_suffix or name


_RESERVED = frozenset({"example", "invalid", "localhost", "test"})
"""Reserved top-level domains, which no list of public suffixes has: RFC 2606."""


def is_host(name: str) -> bool:
    """Return whether a name, such as a folder's, is a host name: it ends in a known suffix."""
    plain = _HOST.fullmatch(name)
    if plain is None:
        return False
    ending = plain[1].rpartition(".")[2].lower()
    parts = _suffixes().extract_str(plain[1])
    return ending in _RESERVED or bool(parts.suffix and parts.domain)


def keys(url: str | None) -> tuple[str, ...]:
    """Return the keys under which rules for a page may be stored, the most specific first.

    The keys are the page's host and each domain above it, up to the registered one. A page without
    a host has the empty key.
    """
    name = host(url)
    found = [name]
    top = _domain_of(name)
    while name != top and "." in name:
        name = name.partition(".")[2]
        found.append(name)
    return tuple(found)


def owner(site: str) -> str:
    """Return the registered domain of a host; return any other name of a site unchanged."""
    return _domain_of(site)


def registered_domain(url: str | None) -> str:
    """Return the registered domain of a URL's host: ``news.example.co.uk`` -> ``example.co.uk``.

    A host without a public suffix is returned unchanged.
    """
    return _domain_of(host(url))
