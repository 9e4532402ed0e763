"""Makes the addresses of links and pictures safe to show."""

from __future__ import annotations

import re

from scrapy_mainblock.page import urls

_CONTROL_IN_URL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ud800-\udfff]"
)
_SPACE_AND_CONTROL = re.compile(rf"{_CONTROL_IN_URL.pattern}|\x20")
_SCHEME = re.compile(r"([a-z][a-z0-9+.\-]*):", re.IGNORECASE)
_SAFE_SCHEMES = frozenset({"http", "https", "mailto"})
_IMAGE_DATA = re.compile(
    r"data:image/(?:gif|jpeg|png|webp|avif);base64,[A-Za-z0-9+/=]*", re.IGNORECASE
)


def safe_url(value: str, base: str | None, *, image: bool = False) -> str | None:
    """Return a URL that is safe to show, made absolute if `base` is known; None for any other.

    A browser strips control characters and whitespace before it looks at the scheme, and so does
    this function. The rest must be http, https, mailto or relative, or for an image its base64
    data. A space inside is part of the address.
    """
    bare = url = value
    if not value.isprintable() or " " in value:
        bare = _SPACE_AND_CONTROL.sub("", value)
        url = _CONTROL_IN_URL.sub("", value).strip().replace(" ", "%20")
    if image and _IMAGE_DATA.fullmatch(bare):
        return bare
    scheme = _SCHEME.match(bare)
    if not _is_safe(scheme):
        return None
    if base and not scheme:
        try:
            url = _CONTROL_IN_URL.sub("", urls.joined(base, url))
        except ValueError:
            return None
    return url if url and _is_safe(_SCHEME.match(url)) else None


def _is_safe(scheme: re.Match[str] | None) -> bool:
    return scheme is None or scheme[1].lower() in _SAFE_SCHEMES


# Control characters except whitespace, and lone surrogates: no person writes them in a text, and
# some of them are commands to a terminal.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")


def without_controls(text: str) -> str:
    """Return a text without control characters and lone surrogates."""
    return text if text.isprintable() else _CONTROL.sub("", text)
