"""The host and URL of a page, derived from its path in a mirror as `wget -m` lays it out.

mirror/www.news.com/2026/story.html        https://www.news.com/2026/story.html
mirror/www.news.com/2026/index.html        https://www.news.com/2026/
mirror/www.news.com/story.php?id=5         https://www.news.com/story.php?id=5
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from scrapy_mainblock.page import sites

SCHEME = "https"
"""wget does not record the scheme; nearly all pages of today use this one."""
_INDEX = re.compile(r"index\.x?html?")
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head)\b",
    re.I | re.S,
)
_HEAD = 4096
_AS_THEY_ARE = "/?&=;:@!$'()*+,~%"
"""Characters left unquoted: in file names, wget keeps those of the URL that the system allows."""


def host_of(folder: Path, file: Path) -> tuple[str, str] | None:
    """Return a file's host and path there, or None; the host is `folder` or a folder in it."""
    inside = file.relative_to(folder).parts
    for host, place in ((folder.resolve().name, inside), (inside[0], inside[1:])):
        if place and sites.is_host(host):
            return host.lower(), "/".join(place)
    return None


def url_of(host: str, place: str) -> str:
    """Return the URL of a file in a mirror."""
    above, slash, name = place.rpartition("/")
    page = "" if _INDEX.fullmatch(name) else name
    path = quote(f"{above}{slash}{page}", safe=_AS_THEY_ARE, errors="surrogateescape")
    return f"{SCHEME}://{host}/{path}"


def is_page(file: Path) -> bool:
    """Return whether a file without an HTML suffix (`story.php?id=5`, `about`) is a page."""
    try:
        with file.open("rb") as stream:
            return _HTML.match(stream.read(_HEAD)) is not None
    except OSError:
        return False
