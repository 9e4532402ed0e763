"""What a site is: a host, or the domain that someone registered."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from scrapy_mainblock.page import urls
from scrapy_mainblock.page.remembered import remembered

if TYPE_CHECKING:
    from tldextract import TLDExtract


_PLAIN = re.compile(r"https?://([a-z0-9.-]+)(?::[0-9]+)?(?=[/?#]|\Z)")
"""What nearly all URLs begin with, where `urlsplit` has nothing to find out."""


def host(url: str | None) -> str:
    """The host of a URL in lower case, without its port; empty where there is none."""
    if not url:
        return ""
    plain = _PLAIN.match(url)
    if plain is not None:
        return plain[1].rstrip(".")
    try:
        return (urls.split(url.strip()).hostname or "").rstrip(".")
    except ValueError:
        return ""


_HOST = re.compile(r"((?:[a-z0-9-]+\.)+[a-z0-9-]+)(?::\d{1,5})?", re.IGNORECASE)


@lru_cache(maxsize=1)
def _suffixes() -> TLDExtract:
    """The list of public suffixes that comes with tldextract: no download, no cache on disk.

    With the private ones: whoever has `evil.github.io` is not who has `good.github.io`. Imported
    when first asked for: with the HTTP client that it brings along it takes as long as NumPy, and
    who extracts a page never asks.
    """
    from tldextract import TLDExtract  # noqa: PLC0415

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def load_suffixes() -> None:
    """Read the list of public suffixes now: the first name that is asked for waits for it."""
    _suffixes().extract_str("")


_LONGEST_HOST = 253
"""Characters that the name of a host may have: RFC 1035."""


@remembered(most=4096, longest=_LONGEST_HOST)
def _domain_of(name: str) -> str:
    parts = _suffixes().extract_str(name)
    return parts.top_domain_under_public_suffix or name


_RESERVED = frozenset({"example", "invalid", "localhost", "test"})
"""Endings of hosts that are on no list of public suffixes: RFC 2606."""


def is_host(name: str) -> bool:
    """Whether a name, as of a folder, is a host's: its ending is one that hosts have."""
    plain = _HOST.fullmatch(name)
    if plain is None:
        return False
    ending = plain[1].rpartition(".")[2].lower()
    parts = _suffixes().extract_str(plain[1])
    return ending in _RESERVED or bool(parts.suffix and parts.domain)


def keys(url: str | None) -> tuple[str, ...]:
    """The keys that rules for a page may have, the most specific first.

    That is its host, then each domain above it up to the registered one. A page without a host has
    the empty key.
    """
    name = host(url)
    found = [name]
    top = _domain_of(name)
    while name != top and "." in name:
        name = name.partition(".")[2]
        found.append(name)
    return tuple(found)


def owner(site: str) -> str:
    """The registered domain of a host; of any other name for a site, that name."""
    return _domain_of(site)


def registered_domain(url: str | None) -> str:
    """``news.example.co.uk`` -> ``example.co.uk``; a host without a public suffix is itself."""
    return _domain_of(host(url))
