"""Sites: the host of a URL, its registered domain, and the keys of the rules for a page."""

from __future__ import annotations

import re
from functools import lru_cache

from scrapy_mainblock.page import urls
from scrapy_mainblock.page.bounded_cache import bounded_cache

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
def _suffixes() -> frozenset[str]:
    """Return the public suffixes of the list that comes with tldextract: no download, no cache.

    Private suffixes are included, since `evil.github.io` and `good.github.io` have different
    owners. tldextract itself would keep them as 17,000 objects, which each full garbage collection
    visits; a set of strings is one. The import is deferred: with the HTTP client that tldextract
    pulls in, it takes as long as that of NumPy, and extracting a page does not need it.
    """
    from tldextract import TLDExtract  # noqa: PLC0415

    extract = TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
    return frozenset(extract.tlds)


def load_suffixes() -> None:
    """Load the list of public suffixes now, so that the first lookup need not wait for it."""
    _suffixes()


MOST_LABELS = 8
"""Labels at the end of a host in which its public suffix is looked for: the longest has seven."""


def _registered(name: str) -> str:
    """Return the registered domain of a host; empty if there is none.

    It is one label longer than the longest suffix of the list that the host ends in. ``*`` stands
    for any label, and ``!`` before a domain says that it is no suffix, though ``*`` stands for it:
    https://publicsuffix.org/list/.
    """
    suffixes, labels = _suffixes(), name.split(".")
    shown = [_shown(label.lower()) for label in labels[-MOST_LABELS:]]
    for first in range(len(shown)):
        suffix, rest = ".".join(shown[first:]), ".".join(shown[first + 1 :])
        is_exception = f"!{suffix}" in suffixes
        if is_exception or suffix in suffixes or (rest and f"*.{rest}" in suffixes):
            count = len(shown) - first + (not is_exception)
            is_any = count <= len(labels) and labels[-count]
            return ".".join(labels[-count:]) if is_any else ""
    return ""


def _shown(label: str) -> str:
    """Return a label of a host as the list of suffixes has it: not in its ASCII form."""
    try:
        return label.encode("ascii").decode("idna") if label.startswith("xn--") else label
    except UnicodeError:
        return label


_LONGEST_HOST = 253
"""Maximum characters of a host name: RFC 1035."""


@bounded_cache(most=4096, longest=_LONGEST_HOST)
def _domain_of(name: str) -> str:
    return _registered(name) or name


_RESERVED = frozenset({"example", "invalid", "localhost", "test"})
"""Reserved top-level domains, which no list of public suffixes has: RFC 2606."""


def is_host(name: str) -> bool:
    """Return whether a name, such as a folder's, is a host name: it ends in a known suffix."""
    plain = _HOST.fullmatch(name)
    if plain is None:
        return False
    ending = plain[1].rpartition(".")[2].lower()
    return ending in _RESERVED or bool(_registered(plain[1]))


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
