"""What a site is: a host, or the domain that someone registered."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from tldextract import TLDExtract


def host(url: str | None) -> str:
    """The host of a URL in lower case, without its port; empty where there is none."""
    if not url:
        return ""
    try:
        return (urlsplit(url.strip()).hostname or "").rstrip(".")
    except ValueError:
        return ""


@lru_cache(maxsize=1)
def _suffixes() -> TLDExtract:
    """The list of public suffixes that comes with tldextract: no download, no cache on disk.

    With the private ones: whoever has `evil.github.io` is not who has `good.github.io`. Imported
    when first asked for: with the HTTP client that it brings along it takes as long as NumPy, and
    who extracts a page never asks.
    """
    from tldextract import TLDExtract  # noqa: PLC0415

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


@lru_cache(maxsize=1)
def _nodes() -> Mapping[str, bool] | None:
    """The same list: its suffixes, and what they end with, which may be none; None if not there.

    tldextract makes twenty thousand objects of it, each of which Python's garbage collector looks
    at again and again: a tenth of what it does in a crawl.
    """
    try:
        found = pkgutil.get_data("tldextract", ".tld_set_snapshot")
    except (ImportError, OSError):
        return None
    lines = (found or b"").decode("utf-8", "replace").splitlines()
    suffixes = [line.split()[0] for line in lines if line.strip() and not line.startswith("//")]
    nodes = dict.fromkeys(suffixes, True)
    for suffix in suffixes:
        rest = suffix
        while "." in rest:
            rest = rest.partition(".")[2]
            nodes.setdefault(rest, False)
    return nodes or None


_PLAIN_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*")


@lru_cache(maxsize=4096)
def _domain_of(name: str) -> str:
    nodes = _nodes()
    if nodes is None or not _PLAIN_HOST.fullmatch(name) or "xn--" in name.lower():
        return _suffixes().extract_str(name).top_domain_under_public_suffix or name
    labels = name.split(".")
    start = _start_of_suffix(labels, nodes)
    return ".".join(labels[start - 1 :]) if 0 < start < len(labels) else name


def _start_of_suffix(labels: list[str], nodes: Mapping[str, bool]) -> int:
    """Where the public suffix begins; behind the last label where there is none."""
    start = len(labels)
    node = ""
    for place in range(len(labels) - 1, -1, -1):
        around, node = node, f"{labels[place].lower()}.{node}" if node else labels[place].lower()
        if node in nodes:
            start = place if nodes[node] else start
        elif f"*.{around}" in nodes:
            return place + 1 if f"!{node}" in nodes else place
        else:
            break
    return start


def owner(site: str) -> str:
    """The registered domain of a host; of any other name for a site, that name."""
    return _domain_of(site)


def registered_domain(url: str | None) -> str:
    """``news.example.co.uk`` -> ``example.co.uk``; a host without a public suffix is itself."""
    return _domain_of(host(url))
