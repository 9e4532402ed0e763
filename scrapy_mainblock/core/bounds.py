"""What the parser cannot take, made fit for it: too deep, too many tags, too many attributes.

libxml2 drops all that stands behind the first element that is nested too deep (256 or 2048, by its
version), takes the square of the time over the attributes of one tag, and builds a tree of a
hundred bytes for every byte of source. A page that is made like that loses structure here, never
text: tags are left out, and what was between them is kept. `Bounded.cut` says what was done.

Nearly all pages pass through `within` and `is_cut` untouched: the one looks at the length, the
other goes down the tree's right edge.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import lxml.html
from lxml.html import HtmlElement

MOST_TAGS = 80_000
"""Start tags: many times the largest page of some thousand, and two seconds' work."""
MOST_DEPTH = 500
"""Elements in each other. No layout comes near; what an unclosed tag on every line adds up to may,
and its text has the same few blocks around it from the first hundred on."""
MOST_ATTRIBUTES = 1000
LONG_PAGE = 128 * 1024
"""Characters up to which a page is not looked at: all of them as attributes of one tag are a
second's work."""
LONG_TAG = 16 * 1024

# Tags as libxml2 and browsers see them: a quote means something behind a "=" alone, and then goes
# on to the next one, whatever is between. No alternative fails once its name has matched, so that
# there is nothing to be tried again.
_ATTRIBUTES = r"""[^>=]*(?:=\s*(?:"[^"]*"|'[^']*'|)[^>=]*)*"""
_RAW = "script|style|textarea|title|xmp|iframe|noembed|noframes"
_TOKEN = re.compile(
    r"<(?:"
    r"!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|(?P<raw>{_RAW})(?=[\s/>]){_ATTRIBUTES}(?P<ends_raw>>|\Z).*?(?:</(?P=raw)(?=[\s/>])[^>]*(?:>|\Z)|\Z)"
    rf"|(?P<close>/?)(?P<name>[a-z][^\s/>]*){_ATTRIBUTES}(?:>|\Z)"
    r"|[/!?][^>]*(?:>|\Z))",
    re.IGNORECASE | re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""[^\s/>=][^\s/>=]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*))?""")

_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track"
    " wbr".split()
)
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp"
    " small span strike strong sub sup time tt u var wbr".split()
)
# One of these ends another of its kind that stands right around it.
_ENDS_ITS_LIKE = frozenset("a dd dt h1 h2 h3 h4 h5 h6 li option p td th tr".split())
_FARTHEST = 50
"""How many open elements an end tag may close: libxml2 closes fewer, and we must not be fooled into
thinking the page less deep than it is."""
_BLANK_LINES = re.compile(r"\n[ \t\n]*\n")
# So that the rest of a page does not vanish in something that is not shown.
_END_OF_HIDDEN = "</select></button></noscript></object></template></svg></math></head>"


class Bounded(NamedTuple):
    """A source that the parser can take, and what was left out for it, if anything."""

    source: str
    cut: str | None = None


def within(source: str) -> Bounded:
    """The source with no more tags than can be kept, and no tag with more attributes."""
    if len(source) <= LONG_PAGE:
        return Bounded(source)
    if source.count("<") > MOST_TAGS or _has_long_tag(source):
        return _made_fit(source, sys.maxsize)
    return Bounded(source)


def shallow(source: str) -> Bounded:
    """The same, no deeper than the parser goes: deeper elements are lines of the one around."""
    return _made_fit(source, min(MOST_DEPTH, deepest() // 2))


def flat(source: str) -> Bounded:
    """The text alone, where tags do not nest as `shallow` thinks they do."""
    return Bounded(_as_lines(source), "its elements nest too deep: all of it is read as lines")


def is_cut(root: HtmlElement) -> bool:
    """Whether the parser has given up on the page: it then ends at the greatest depth."""
    most = deepest()
    depth = 0
    element: HtmlElement | None = root
    while element is not None and depth < most:
        element = next(element.iterchildren(reversed=True), None)
        depth += 1
    return depth >= most


@lru_cache(maxsize=1)
def deepest() -> int:
    """The depth at which this libxml2 gives up: the newest one at 2048, some older ones never."""
    enough = 10_000
    root = lxml.html.document_fromstring(b"<div>" * enough, parser=new_parser())
    depth = sum(1 for _ in root.iter())
    return depth if depth < enough else sys.maxsize


def new_parser() -> lxml.html.HTMLParser:
    """The one parser: `huge_tree` lifts the depth from 256; comments are nobody's."""
    return lxml.html.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True
    )


def _has_long_tag(source: str) -> bool:
    for token in _TOKEN.finditer(source):
        if token.end() - token.start() > LONG_TAG and _needs_cutting(token):
            return True
    return False


def _needs_cutting(token: re.Match[str]) -> bool:
    return _cut_tag(token) is not None


def _cut_tag(token: re.Match[str]) -> int | None:
    """Where the attributes that are too many begin; None where they are not."""
    name = "raw" if token["raw"] else "name"
    if not token[name]:
        return None
    end = token.start("ends_raw") if token["raw"] else token.end()
    position = token.end(name)
    source = token.string
    for number, found in enumerate(_ATTRIBUTE.finditer(source, position, end)):
        if number == MOST_ATTRIBUTES:
            return found.start()
    return None


def _made_fit(source: str, most_depth: int) -> Bounded:
    """One walk over the source, tag by tag."""
    writer = _Writer(source, most_depth)
    started = 0
    for token in _TOKEN.finditer(source):
        started += token["name"] is not None and not token["close"]
        if started > MOST_TAGS:
            writer.rest(token.start())
            break
        writer.token(token)
    return writer.result()


class _Writer:
    """Copies a source, less the tags that are too many."""

    def __init__(self, source: str, most_depth: int) -> None:
        self._source = source
        self._most_depth = most_depth
        self._parts: list[str] = []
        self._copied = 0
        self._open: list[str] = []
        self._opened: Counter[str] = Counter()
        self._broken_at = -1
        self._cut: dict[str, None] = {}

    def token(self, token: re.Match[str]) -> None:
        """One tag, comment or raw element."""
        if token.end() - token.start() > LONG_TAG:
            self._shorten(token)
        name = (token["name"] or "").lower()
        if not name or name in _VOID:
            return
        if token["close"]:
            self._close(name, token)
        elif not token[0].endswith("/>"):
            self._start(name, token)

    def _shorten(self, token: re.Match[str]) -> None:
        cut = _cut_tag(token)
        if cut is not None:
            end = token.start("ends_raw") if token["raw"] else token.end() - 1
            self._replace(cut, max(cut, end), "")
            self._cut[f"a tag has more than {MOST_ATTRIBUTES:,} attributes"] = None

    def _start(self, name: str, token: re.Match[str]) -> None:
        if self._open and self._open[-1] == name and name in _ENDS_ITS_LIKE:
            self._pop()
        if len(self._open) >= self._most_depth:
            self._drop(name, token)
        self._open.append(name)
        self._opened[name] += 1

    def _close(self, name: str, token: re.Match[str]) -> None:
        if not self._opened[name]:
            return
        for place in range(len(self._open) - 1, max(-1, len(self._open) - 1 - _FARTHEST), -1):
            if self._open[place] == name:
                if place >= self._most_depth:
                    self._drop(name, token)
                while len(self._open) > place:
                    self._pop()
                return
            if name in _INLINE and self._open[place] not in _INLINE:
                return  # libxml2 does not end a block for the end of a <b> around it

    def _pop(self) -> None:
        self._opened[self._open.pop()] -= 1

    def _drop(self, name: str, token: re.Match[str]) -> None:
        is_break = name not in _INLINE and self._broken_at != token.start()
        self._replace(token.start(), token.end(), "<br>" if is_break else "")
        if is_break or self._broken_at == token.start():
            self._broken_at = token.end()  # no second break where no text stands between
        self._cut[f"its elements nest more than {self._most_depth:,} deep"] = None

    def _replace(self, start: int, end: int, by: str) -> None:
        self._parts += (self._source[self._copied : start], by)
        self._copied = end

    def rest(self, start: int) -> None:
        """What is behind the last tag that is kept: lines of text."""
        lines = _as_lines(self._source[start:])
        self._replace(start, len(self._source), f"{_END_OF_HIDDEN}{lines}")
        self._cut[f"it has more than {MOST_TAGS:,} tags"] = None

    def result(self) -> Bounded:
        source = "".join([*self._parts, self._source[self._copied :]])
        if not self._cut:
            return Bounded(source)
        return Bounded(source, f"{' and '.join(self._cut)}: what is more is read as lines")


def _as_lines(source: str) -> str:
    """A source as one preformatted text, a line for each block."""
    text = _TOKEN.sub(_in_lines, source)
    return f"<pre>{_BLANK_LINES.sub(chr(10), text)}</pre>"


def _in_lines(token: re.Match[str]) -> str:
    return "" if (token["name"] or "").lower() in _INLINE else "\n"
