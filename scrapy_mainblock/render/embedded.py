"""Embedded content that the scan of a page's text does not see: videos, sounds and formulas.

A player becomes a link with its title. A formula becomes TeX, as code: the TeX that KaTeX, MathJax
and MediaWiki keep beside the formula, else MathML converted to TeX.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from scrapy_mainblock.outline.html.references import decoded
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.render.addresses import safe_url, without_controls

AUDIO, IFRAME, MATH, SCRIPT, SOURCE, VIDEO = (
    CODES[name] for name in "audio iframe math script source video".split()
)
MOST_SOURCES = 5
LONGEST_TITLE = 200
LONGEST_FORMULA = 20_000
DEEPEST_FORMULA = 50
_PLAYER = re.compile(
    r"(?:^|\.)(?:youtube(?:-nocookie)?\.com|youtu\.be|vimeo\.com|dailymotion\.com|dai\.ly|ted\.com"
    r"|soundcloud\.com|spotify\.com|mixcloud\.com|bandcamp\.com|twitch\.tv|rutube\.ru|ok\.ru"
    r"|bilibili\.com|youku\.com|v\.qq\.com|nicovideo\.jp|wistia\.(?:com|net)|streamable\.com"
    r"|brightcove\.(?:com|net)|jwplatform\.com|jwplayer\.com|kaltura\.com|archive\.org"
    r"|podcasts\.apple\.com|buzzsprout\.com|libsyn\.com|simplecast\.com|podbean\.com|megaphone\.fm"
    r"|acast\.com|audioboom\.com|spreaker\.com|vk\.com|loom\.com)$"
)
_TEX, _TEX_END = b"application/x-tex", b"</annotation"
_PART = re.compile(rb"<(/?)([a-zA-Z]+)\b([^<>]*)>|<[^<>]*>?|([^<]+)")
_WITH_TWO = {b"mfrac": "\\frac{{{}}}{{{}}}", b"msup": "{}^{{{}}}", b"msub": "{}_{{{}}}",
             b"mover": "\\overset{{{}}}{{{}}}", b"munder": "{}_{{{}}}",
             b"mroot": "\\sqrt[{}]{{{}}}"}  # fmt: skip
_SWAPPED = frozenset({b"mover", b"mroot"})


def player(rows: Rows, element: int, base: str | None) -> tuple[str, str] | None:
    """Return the title and address of a video or sound, or None if the element is not a player."""
    address = _address(rows, element)
    url = safe_url(address, base) if address else None
    if not url or url[:4].lower() != "http":
        return None
    try:
        host = (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return None
    if not host or (rows.tag[element] == IFRAME and not _PLAYER.search(host)):
        return None
    for name in (b"title", b"aria-label"):
        title = " ".join(without_controls(rows.attribute(element, name) or "").split())
        if title:
            return title[:LONGEST_TITLE], url
    if rows.tag[element] != IFRAME and rows.attribute(element, b"controls") is None:
        return None  # without a title and controls, it is decoration
    return host, url


def _address(rows: Rows, element: int) -> str | None:
    for name in (b"src", b"data-src", b"data-lazy-src"):
        address = rows.attribute(element, name)
        if address and not address.strip().startswith("about:"):
            return address
    following = range(element + 1, min(element + 1 + MOST_SOURCES, rows.element_count))
    for number in following:
        if rows.tag[number] == SOURCE and rows.parent[number] == element:
            return rows.attribute(number, b"src")
    return None


def formula(rows: Rows, element: int) -> str:
    """Return a formula as TeX; empty for an element that is not a formula."""
    source = rows.content(element)
    if len(source) > LONGEST_FORMULA:
        return ""
    if rows.tag[element] == SCRIPT:
        return _line(source.decode("utf-8", "replace"))
    start = source.find(b">", source.find(_TEX)) + 1 if _TEX in source else 0
    if start:
        end = source.find(_TEX_END, start)
        return _line(decoded(source[start : end if end >= 0 else len(source)]))
    return _line(rows.attribute(element, b"alttext") or "") or _line(_written(source))


def is_formula_script(rows: Rows, element: int) -> bool:
    """Return whether a script holds the TeX of a formula."""
    kind = rows.attribute(element, b"type")
    return kind is not None and kind.strip().lower().startswith("math/tex")


def _line(text: str) -> str:
    return " ".join(without_controls(text).split())


def _written(source: bytes) -> str:
    """Return MathML as TeX: powers, indices, fractions and roots; other parts side by side."""
    open_parts: list[tuple[bytes, list[str]]] = [(b"", [])]
    for part in _PART.finditer(source):
        end, name, attributes, text = part.groups()
        if text is not None:
            written = decoded(text).strip()
            if written:
                open_parts[-1][1].append(written)
        elif end:
            if len(open_parts) > 1:
                closed, parts = open_parts.pop()
                open_parts[-1][1].append(_joined(closed, parts))
        elif name and not attributes.endswith(b"/") and len(open_parts) <= DEEPEST_FORMULA:
            open_parts.append((name.lower(), []))
    while len(open_parts) > 1:
        closed, parts = open_parts.pop()
        open_parts[-1][1].append(_joined(closed, parts))
    return "".join(open_parts[0][1])


def _joined(name: bytes, parts: list[str]) -> str:
    if name in _WITH_TWO and len(parts) == 2:
        return _WITH_TWO[name].format(*(reversed(parts) if name in _SWAPPED else parts))
    if name == b"msqrt":
        return f"\\sqrt{{{''.join(parts)}}}"
    if name in (b"msubsup", b"munderover") and len(parts) == 3:
        return "{}_{{{}}}^{{{}}}".format(*parts)
    return (" " if name in (b"mtr", b"mtd", b"mtable") else "").join(parts)


_SHOWN = re.compile(
    r"(?:^|\s)(?:katex-html|MathJax(?:_(?:Preview|Display|SVG|CHTML))?|mjx-chtml"
    r"|mwe-math-fallback-image-\w+)(?:$|\s)"
)


def is_formula_shown(rows: Rows, element: int) -> bool:
    """Return whether an element displays a formula whose TeX stands beside it."""
    classes = rows.classes(element)
    return bool(classes) and _SHOWN.search(classes) is not None
