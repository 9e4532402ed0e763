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
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import lxml.html
from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core import markup
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.tags import INVISIBLE_TAGS

MOST_TAGS = 60_000
"""Start tags: many times the largest page of some thousand, and two seconds' work."""
MOST_WALKED = 5 * MOST_TAGS
"""Tags of any kind that are looked at one by one, which is half a second's work."""
MOST_DEPTH = 500
"""Elements in each other. No layout comes near; what an unclosed tag on every line adds up to may,
and its text has the same few blocks around it from the first hundred on."""
MOST_ATTRIBUTES = 500
LONG_PAGE = 128 * 1024
"""Characters up to which a page is not looked at, since all of them as attributes of one tag are a
second's work."""
LONG_TAG = 2 * MOST_ATTRIBUTES
"""Characters: no shorter tag has so many attributes."""

# Tags as libxml2 and browsers see them: a quote means something behind a "=" alone, and then goes
# on to the next one, whatever is between; a space is one of ASCII. Nothing here can fail once it
# has begun, so that there is nothing to be tried again; what repeats a group is bounded, since each
# turn takes memory.
_START = re.compile(
    r"<(?:(?P<comment>!--)|(?P<close>/?)(?P<name>[a-z][^\s/>]*)|[/!?])", re.IGNORECASE | re.ASCII
)
_INSIDE = re.compile(r"""[^>=]*(?:=\s*(?:"[^"]*"|'[^']*'|)[^>=]*){0,1000}""", re.ASCII)
_ATTRIBUTE = re.compile(r"""[^\s/>=][^\s/>=]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]*))?""", re.ASCII)
_END_OF_RAW = {
    name: re.compile(rf"</{name}(?=[\s/>])[^>]*(?:>|\Z)", re.IGNORECASE | re.ASCII)
    for name in (*markup.RAW_ELEMENTS.split("|"), "title")
}
# The same at once, with all that is not shown; of a tag with a thousand "=" something is left over.
_NO_TEXT = re.compile(
    r"<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
    rf"|(?P<raw>{'|'.join(_END_OF_RAW)})(?=[\s/>]).*?(?:</(?P=raw)(?=[\s/>])[^>]*(?:>|\Z)|\Z)"
    rf"|/?(?P<name>[a-z][^\s/>]*){_INSIDE.pattern}>?|[/!?][^>]*>?)",
    re.IGNORECASE | re.DOTALL | re.ASCII,
)
# As most tags are, and surely none of the long ones: many in a row are passed over at once.
_SHORT_TAGS = re.compile(
    rf"""(?:[^<]*<(?!(?:{"|".join(_END_OF_RAW)})[\s/>])/?[a-z][^\s/>=]{{0,30}}(?=[\s/>])
    [^>=]{{0,30}}(?:=\s{{0,2}}(?:"[^"]{{0,90}}"|'[^']{{0,90}}'|(?!["'\s]))[^>=]{{0,20}}){{0,8}}>){{1,100}}""",
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
_NATIVE, _SURVEYING = compiled("source"), compiled("survey")

_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track"
    " wbr".split()
)
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp"
    " small span strike strong sub sup time tt u var wbr".split()
)
# One of these ends another of its kind that stands right around it.
_CELLS, _TERMS = frozenset({"td", "th"}), frozenset({"dd", "dt"})
_ENDS: Mapping[str, frozenset[str]] = {
    **{name: frozenset({name}) for name in ("a", "li", "option", "p")},
    **{name: frozenset({name, "p"}) for name in ("h1", "h2", "h3", "h4", "h5", "h6")},
    **dict.fromkeys(_CELLS, _CELLS),
    **dict.fromkeys(_TERMS, _TERMS),
    **dict.fromkeys(("tr", "tbody", "tfoot", "thead"), _CELLS | {"tr"}),
}
_ENDED_BY_BLOCKS = frozenset({"p"})
"""What a start tag ends where it stands right in it, as libxml2 does."""
_FARTHEST = 50
"""How many open elements an end tag may close: libxml2 closes fewer, and we must not be fooled into
thinking the page less deep than it is."""
_END = re.compile(r"</(?:html|body)(?=[\s/>])[^>]*(?:>|\Z)", re.IGNORECASE)
_BLANK_LINES = re.compile(r"\n[ \t\n]*\n")
# So that the rest of a page does not vanish in something that is not shown.
_END_OF_HIDDEN = "</select></button></noscript></object></template></svg></math></head>"


class Bounded(NamedTuple):
    """A source that the parser can take, and what was left out for it, if anything."""

    source: str
    cut: str | None = None


def within(source: str) -> Bounded:
    """The source with no more tags than can be kept, and no tag with more attributes."""
    return Bounded(source) if is_within(source, len(source)) else shallow(source)


def is_within(source: str | bytes, characters: int) -> bool:
    """Whether nothing has to be done to a source of so many characters; it may be in UTF-8."""
    return not has_many_tags(source, characters) and not has_long_tag(source, characters)


def has_many_tags(source: str | bytes, characters: int) -> bool:
    """Whether there may be more than can be kept.

    That is all there is to ask of a page whose tree is there: many attributes take the parser long,
    and nobody else.
    """
    if characters <= LONG_PAGE:
        return False
    if _NATIVE is not None:
        return int(_NATIVE.less_thans(source)) > MOST_TAGS
    return (source.count("<") if isinstance(source, str) else source.count(b"<")) > MOST_TAGS


def has_long_tag(source: str | bytes, characters: int) -> bool:
    """Whether a tag has more attributes than can be kept."""
    if characters <= LONG_PAGE:
        return False
    if _NATIVE is not None:
        return bool(_NATIVE.has_long_tag(source, LONG_TAG, MOST_ATTRIBUTES))
    return _has_long_tag_in_python(source if isinstance(source, str) else source.decode())


def shallow(source: str) -> Bounded:
    """The same, no deeper than the parser goes: deeper elements are lines of the one around."""
    return _made_fit(source, min(MOST_DEPTH, deepest() // 2))


def flat(source: str) -> Bounded:
    """The text alone, where tags do not nest as `shallow` thinks they do."""
    return Bounded(_as_lines(source), "its elements nest too deep: all of it is read as lines")


def ends_early(root: HtmlElement) -> bool:
    """Whether a page shows something behind its ``</body>`` or ``</html>``.

    libxml2 puts that beside the body, or into a second document; a browser, into the body.
    """
    return any(
        (_is_visible(element) and (len(element) or _is_text(element.text)))
        or _is_text(element.tail)
        for element in _behind_body(root)
    )


def _behind_body(root: HtmlElement) -> Iterator[HtmlElement]:
    for element in root.iterchildren(reversed=True):
        if element.tag in ("body", "head", "frameset"):
            break
        yield element
    for other in root.itersiblings():
        yield from other.iterchildren()


def _is_visible(element: HtmlElement) -> bool:
    # The tag of a comment is no str.
    return isinstance(element.tag, str) and element.tag not in INVISIBLE_TAGS


def _is_text(text: str | None) -> bool:
    return text is not None and not text.isspace()


def without_end(source: str) -> str:
    """The source without ``</body>`` and ``</html>``, which mean nothing to a browser."""
    return _END.sub("", source)


def is_whole(root: HtmlElement) -> bool:
    """Whether a tree holds all that its parser was given: it neither ends early nor is cut."""
    return is_surely_whole(root) or not (ends_early(root) or is_cut(root))


def is_surely_whole(root: HtmlElement) -> bool:
    """Whether that is seen at once, as of nearly all pages; not where nothing is compiled."""
    return _SURVEYING is not None and bool(_SURVEYING.is_whole(root, deepest()))


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
    """The depth at which this libxml2 gives up, or at which we do: older ones go on for ever."""
    enough = 2048
    root = lxml.html.document_fromstring(b"<div>" * 2 * enough, parser=new_parser())
    return min(sum(1 for _ in root.iter()), enough)


def new_parser() -> lxml.html.HTMLParser:
    """The one parser.

    `huge_tree` lifts the depth from 256; comments are nobody's, and to keep a table of ids, which
    nobody asks, would take a twelfth of the time.
    """
    parser = lxml.html.HTMLParser(
        encoding="utf-8",
        huge_tree=True,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    parser.set_element_class_lookup(_ONE_CLASS)
    return parser


_of_thread = threading.local()


def kept_parser() -> lxml.html.HTMLParser:
    """The same, made once a thread: lxml's parsers wait for each other in threads."""
    parser = getattr(_of_thread, "parser", None)
    if parser is None:
        parser = _of_thread.parser = new_parser()
    return parser


_ONE_CLASS = etree.ElementDefaultClassLookup(element=HtmlElement)
"""lxml.html calls back into Python for the class of each element: that is half of a walk's time."""


class _Tag(NamedTuple):
    """A tag in the source, or a comment, which has no name."""

    name: str
    is_end: bool
    start: int
    inside: int
    """Where its attributes begin."""
    end: int
    next: int
    """Where the source goes on: of a script and its like behind its end tag."""


def _tags(source: str, position: int = 0) -> Iterator[_Tag]:
    while found := _START.search(source, position):
        start, inside = found.start(), found.end()
        name = (found["name"] or "").lower()
        if name:
            end = position = _end_of_tag(source, inside)
            if name in _END_OF_RAW and not found["close"]:
                closed = _END_OF_RAW[name].search(source, end)
                position = closed.end() if closed else len(source)
        elif found["comment"]:
            end = position = markup.end_of_comment(source, start)
        else:
            end = position = source.find(">", inside) + 1 or len(source)
        yield _Tag(name, bool(found["close"]), start, inside, end, position)


def _end_of_tag(source: str, position: int) -> int:
    while True:
        found = _INSIDE.match(source, position)
        position = found.end() if found else len(source)
        if not source.startswith("=", position):
            return min(position + 1, len(source))


def _has_long_tag_in_python(source: str) -> bool:
    position = 0
    while True:
        while short := _SHORT_TAGS.match(source, position):
            position = short.end()
        tag = next(_tags(source, position), None)
        if tag is None:
            return False
        if tag.end - tag.start > LONG_TAG and _cut_at(source, tag) is not None:
            return True
        position = tag.next


def _cut_at(source: str, tag: _Tag) -> int | None:
    """Where the attributes that are too many begin; None where they are not."""
    if not tag.name:
        return None
    attributes = _ATTRIBUTE.finditer(source, tag.inside, tag.end)
    found = next(islice(attributes, MOST_ATTRIBUTES, None), None)
    return found.start() if found else None


def _made_fit(source: str, most_depth: int) -> Bounded:
    """One walk over the source, tag by tag."""
    writer = _Writer(source, most_depth)
    for number, tag in enumerate(_tags(source)):
        if writer.kept >= MOST_TAGS or number >= MOST_WALKED:
            writer.rest(tag.start)
            break
        writer.tag(tag)
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
        self.kept = 0
        """Start tags, which will be elements."""

    def tag(self, tag: _Tag) -> None:
        """One tag, comment or raw element."""
        if tag.end - tag.start > LONG_TAG:
            self._shorten(tag)
        if tag.is_end:
            self._close(tag)
        elif tag.name in _VOID or tag.next > tag.end or self._is_empty(tag):
            self.kept += 1
        elif tag.name:
            self._start(tag)

    def _is_empty(self, tag: _Tag) -> bool:
        return self._source.startswith("/>", tag.end - 2)

    def _shorten(self, tag: _Tag) -> None:
        cut = _cut_at(self._source, tag)
        if cut is not None:
            self._replace(cut, max(cut, tag.end - 1), "")
            self._cut[f"a tag has more than {MOST_ATTRIBUTES} attributes"] = None

    def _start(self, tag: _Tag) -> None:
        name = tag.name
        ended = _ENDS.get(name) or (() if name in _INLINE else _ENDED_BY_BLOCKS)
        while self._open and self._open[-1] in ended:
            self._pop()
        if len(self._open) >= self._most_depth:
            self._drop(tag)
        else:
            self.kept += 1
        self._open.append(name)
        self._opened[name] += 1

    def _close(self, tag: _Tag) -> None:
        name = tag.name
        if not self._opened[name]:
            return
        for place in range(len(self._open) - 1, max(-1, len(self._open) - 1 - _FARTHEST), -1):
            if self._open[place] == name:
                if place >= self._most_depth:
                    self._drop(tag)
                while len(self._open) > place:
                    self._pop()
                return
            if name in _INLINE and self._open[place] not in _INLINE:
                return  # libxml2 does not end a block for the end of a <b> around it

    def _pop(self) -> None:
        self._opened[self._open.pop()] -= 1

    def _drop(self, tag: _Tag) -> None:
        is_break = tag.name not in _INLINE and self._broken_at != tag.start
        self._replace(tag.start, tag.end, "<br>" if is_break else "")
        self.kept += is_break
        if is_break or self._broken_at == tag.start:
            self._broken_at = tag.end  # no second break where no text stands between
        self._cut[f"its elements nest more than {self._most_depth:,} deep"] = None

    def _replace(self, start: int, end: int, by: str) -> None:
        self._parts += (self._source[self._copied : start], by)
        self._copied = end

    def rest(self, start: int) -> None:
        """What is behind the last tag that is kept: lines of text."""
        lines = _as_lines(self._source[start:])
        self._replace(start, len(self._source), f"{_END_OF_HIDDEN}{lines}")
        self._cut["it has too many tags"] = None

    def result(self) -> Bounded:
        source = "".join([*self._parts, self._source[self._copied :]])
        if not self._cut:
            return Bounded(source)
        return Bounded(source, f"{' and '.join(self._cut)}: what is more is read as lines")


def _as_lines(source: str) -> str:
    """A source as one preformatted text, a line for each block."""
    text = _NO_TEXT.sub(_in_lines, source)
    return f"<pre>{_BLANK_LINES.sub(chr(10), text)}</pre>"


def _in_lines(found: re.Match[str]) -> str:
    return "" if (found["name"] or "").lower() in _INLINE else "\n"
