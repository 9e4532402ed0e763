"""What is known of each text segment of a page, as one row of numbers.

All of it is counted with numpy over the whole page at once: the characters of all segments stand
in one array, classes of characters are looked up in a table, and sums over a segment or a block
are differences of running sums. No feature looks at a word's meaning, and only one (`NAME_GROUPS`)
at any language.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from lxml.html import HtmlElement

from scrapy_mainblock.core.hints import Hints
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.segments import HEADINGS, Block, Segments
from scrapy_mainblock.core.tags import BLOCK_TAGS, LISTS

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.float32]

_native = compiled("rows")

# --- names of ids and classes -------------------------------------------------------------------

NAME_GROUPS = {
    "article": r"article|story|entry|post(?!ed|s\b)|blog|news",
    "content": r"content|main|body|text|copy",
    "comment": r"comment|disqus|repl(?:y|ies)|respon[ds]|discuss|talk|feedback|review",
    "share": r"share|social|follow|facebook|twitter|addthis|like",
    "related": r"relat|recommend|similar|more-|also|popular|most|trend|latest|recent|read-?next"
    r"|next|onward|further|suggest|discover|outbrain|taboola|teaser",
    "nav": r"nav|menu|crumb|pag(?:er|ination)|tabs|skip",
    "side": r"side|rail|widget|aside|column|right|left",
    "foot": r"foot|copyright|legal|disclaimer|colophon",
    "head": r"head|banner|logo|masthead|top",
    "advert": r"\bads?\b|advert|sponsor|promo|banner|dfp|google|\bad[-_]",
    "meta": r"meta|byline|author|date|time|posted|publish|info|dateline|credit|source",
    "tags": r"\btags?\b|keyword|categor|topics",
    "caption": r"caption|photo|image|img|figure|gallery|media|video|thumb|credit",
    "form": r"form|subscribe|newsletter|signup|login|search|cookie|consent|modal|popup|poll|vote"
    r"|print|email|tool",
    "bio": r"bio|about|profile|user|avatar",
    "hidden": r"hidden|hide|sr-only|screen-reader|visually|none",
    "list": r"list|item|card|grid|tile|feed|archive",
}
"""What designers call things, in ids and classes; English all over the world."""

TAG_GROUPS = {
    "in_article": {"article"},
    "in_main": {"main"},
    "in_aside": {"aside"},
    "in_nav": {"nav", "menu"},
    "in_header": {"header", "hgroup"},
    "in_footer": {"footer"},
    "in_form": {"form"},
    "in_table": {"table"},
    "in_list": {"ul", "ol"},
    "in_figure": {"figure"},
    "in_quote": {"blockquote"},
    "in_section": {"section"},
    "in_description_list": {"dl"},
}
TAGS = ("p", "li", "td", "div", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dd", "dt", "figcaption",
        "th", "blockquote", "article", "section", "body")  # fmt: skip

_NUMBER_OF_TAG = {tag: number for number, tag in enumerate(TAGS)}
_NAMES = {group: re.compile(pattern, re.IGNORECASE) for group, pattern in NAME_GROUPS.items()}
_LONGEST_NAME = 300
SIGNATURE = re.compile(r"signature", re.IGNORECASE)
"""In the class of what stands under each of somebody's posts."""


@lru_cache(maxsize=20_000)
def _name_bits(css_class: str, identifier: str) -> int:
    name = f"{css_class} {identifier}"[:_LONGEST_NAME]
    return sum(1 << bit for bit, pattern in enumerate(_NAMES.values()) if pattern.search(name))


@lru_cache(maxsize=200)
def _tag_bits(tag: str) -> int:
    return sum(1 << bit for bit, tags in enumerate(TAG_GROUPS.values()) if tag in tags)


# --- classes of characters ----------------------------------------------------------------------

_OTHER, _UPPER, _DIGIT, _PAUSE, _STOP, _WIDE, _SPACE = range(7)
_KINDS = 7
_TABLE_SIZE = 0x3100
"""Beyond it all is taken for Chinese, but for these."""
_FAR_PAUSES = "，：；"
_FAR_STOPS = "！？"
_FAR_DIGITS = "0123456789"


@lru_cache(maxsize=1)
def _character_classes() -> npt.NDArray[np.uint8]:
    table = np.zeros(_TABLE_SIZE, dtype=np.uint8)
    for code in range(_TABLE_SIZE):
        character = chr(code)
        if character == " ":
            table[code] = _SPACE
        elif character.isupper():
            table[code] = _UPPER
        elif character.isdecimal():
            table[code] = _DIGIT
        elif code >= 0x2E80:
            table[code] = _WIDE
    for characters, kind in ((",;:、，；：", _PAUSE), (".!?…。！？", _STOP)):
        for character in characters:
            if ord(character) < _TABLE_SIZE:
                table[ord(character)] = kind
    return table


def _classified(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    kinds = _character_classes().take(codes, mode="clip")
    beyond = codes >= _TABLE_SIZE
    if beyond.any():
        kinds[beyond] = _WIDE
        for characters, kind in (
            (_FAR_PAUSES, _PAUSE),
            (_FAR_STOPS, _STOP),
            (_FAR_DIGITS, _DIGIT),
        ):
            kinds[np.isin(codes, [ord(one) for one in characters])] = kind
    return kinds


MARKS = {"prices": "$€£¥", "questions": "?？", "arrows": "›»→"}
"""What tells pages apart: how much of it there is in the whole of a page, see `pagetype`."""
_ENDING = frozenset(".!?…。！？”\"»’')：:")
_DATE = re.compile(r"\d{1,2}[:.]\d\d|\b(?:19|20)\d\d\b|\d (?:hour|minute|day)s? ago|年|月")
_COPYRIGHT = ("©", "copyright", "all rights", "版权", "(c)")


# --- the matrix ---------------------------------------------------------------------------------

LEVELS = 4
"""Blocks around a segment that are described: its own, its parent, and so on."""
NAME_LEVELS = 9
"""How far up a block's name is looked for; farther is as good as nowhere."""
GENERAL_SHARE = 0.4
"""A block with more than this share of the page's text is one that the body could be in."""
SIZE_WEIGHT = 0.02
"""How much the number of segments weighs against a block, in the density that is used here."""


def matrix(page: Segments, hints: Hints, frame: Any = None) -> Rows:
    """A row for each segment, in `names()`' columns. `hints` are what the page says of itself.

    `frame` is the page's (`frame_of`), where there is one already.
    """
    frame = frame or frame_of(page)
    if frame is None:
        return matrix_by_numpy(page, hints)
    title, *said, _ = hints
    columns = np.empty((len(names()), len(page)), dtype=np.float32)
    frame.features(columns, _folded(title), said)
    return columns.T


def frame_of(page: Segments) -> Any:
    """What compiled code knows of a page; None where there is no such code, or no text."""
    if _native is None or not len(page):
        return None
    return _native.Frame(_vocabulary(_native), page)


@lru_cache(maxsize=1)
def _vocabulary(native: ModuleType) -> Any:
    """What compiled code counts."""
    tags = {*BLOCK_TAGS, *TAGS, *HEADINGS, *LISTS, *chain.from_iterable(TAG_GROUPS.values())}
    return native.Vocabulary(
        kinds=_character_classes().tobytes(),
        far_pauses=_FAR_PAUSES,
        far_stops=_FAR_STOPS,
        far_digits=_FAR_DIGITS,
        endings="".join(_ENDING),
        marks=list(MARKS.values()),
        tags=[
            (tag, _NUMBER_OF_TAG.get(tag, -1), _tag_bits(tag), _what_a_tag_is(tag))
            for tag in sorted(tags)
        ],
        tag_columns=len(TAGS),
        tag_groups=len(TAG_GROUPS),
        name_groups=len(NAME_GROUPS),
        name_levels=NAME_LEVELS,
        name_bits=_meaning,
    )


def _what_a_tag_is(tag: str) -> int:
    """As bits, in the order of the compiled code."""
    sets: tuple[Container[str], ...] = (("p",), ("h1", "h2"), HEADINGS, LISTS, ("table",))
    return sum(1 << bit for bit, tags in enumerate(sets) if tag in tags)


def _meaning(css_class: str, identifier: str) -> int:
    """The groups of a block's names, and by the highest bit whether it is called a signature."""
    return _name_bits(css_class, identifier) | bool(SIGNATURE.search(css_class)) << 31


def matrix_by_numpy(page: Segments, hints: Hints) -> Rows:
    """`matrix` without compiled code: the one to read."""
    parts = [part for _, part in _parts(page, hints)]
    return np.concatenate(parts, dtype=np.float32, casting="unsafe").T


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """What the columns of `matrix` are."""
    page = Segments(texts=["x"], block_of=[0], link_chars=[0], links=[0])
    page.blocks.append(Block(HtmlElement(), "body", -1, 0, 1))
    return tuple(name for part_names, _ in _parts(page, Hints()) for name in part_names)


Part = tuple[Sequence[str], Array]
"""Features by name, with the values of all segments in a row for each."""


def _parts(page: Segments, hints: Hints) -> list[Part]:
    texts = _Texts(page, hints.title)
    blocks = _Blocks(page, texts)
    _, *said, _ = hints
    kinds = [f"page_{kind}" for kind in Hints._fields[1:-1]]
    return [
        (kinds, np.repeat(np.array(said, dtype=float)[:, None], texts.n, axis=1)),
        texts.columns(),
        texts.neighbours(),
        texts.windows(),
        _positions(texts, blocks),
        *blocks.columns(),
    ]


def _part(**columns: Array) -> Part:
    return tuple(columns), np.array(list(columns.values()))


def _running(values: Array) -> Array:
    """Running sums from 0: the sum over [a, b) is ``sums[b] - sums[a]``."""
    sums = np.zeros(values.shape[-1] + 1)
    np.cumsum(values, out=sums[1:])
    return sums


class _Texts:
    """What can be counted in the segments themselves."""

    def __init__(self, page: Segments, title: str) -> None:
        texts = page.texts
        self.n = len(texts)
        self.texts = texts
        self.tags = [page.blocks[block].tag for block in page.block_of]
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=self.n)
        codes = np.frombuffer("".join(texts).encode("utf-32-le", "replace"), dtype=np.uint32)
        of_segment = np.repeat(np.arange(0, _KINDS * self.n, _KINDS), lengths)
        counts = np.bincount(of_segment + _classified(codes), minlength=_KINDS * self.n)
        counted = counts.reshape(self.n, _KINDS).T.astype(float)
        self.wide, self.upper, self.digit = counted[_WIDE], counted[_UPPER], counted[_DIGIT]
        self.pauses, self.stops = counted[_PAUSE], counted[_STOP]
        self.chars = np.maximum(lengths - counted[_SPACE], 1.0)
        self.words = counted[_SPACE] + 1 + self.wide
        self.link = np.minimum(np.array(page.link_chars, dtype=float), self.chars)
        self.plain = self.chars - self.link
        self.link_share = self.link / self.chars
        self.links = np.array(page.links, dtype=float)
        self.log_chars = np.log1p(self.chars)
        self.ends = np.array([text[-1] in _ENDING for text in texts], dtype=float)
        self.in_title, self.headline = likeness_to_title(texts, self.tags, title)

    def columns(self) -> Part:
        seen = Counter(self.texts)
        return _part(
            chars=self.log_chars,
            words=np.log1p(self.words),
            link_share=self.link_share,
            links=np.minimum(self.links, 20),
            plain=np.log1p(self.plain),
            pauses=self.pauses / self.chars,
            stops=self.stops / self.chars,
            upper=self.upper / self.chars,
            digit=self.digit / self.chars,
            wide=self.wide / self.chars,
            word_length=self.chars / self.words,
            ends=self.ends,
            date=self._dates(),
            copyright=self._copyrights(),
            in_title=self.in_title,
            repeated=np.array([seen[text] for text in self.texts], dtype=float),
        )

    def _dates(self) -> Array:
        """Which short segments hold a date: there is none without a number."""
        dates = np.zeros(self.n)
        for place in np.flatnonzero(self.digit + self.wide).tolist():
            text = self.texts[place]
            dates[place] = len(text) <= _LONGEST_NAME and bool(_DATE.search(text))
        return dates

    def _copyrights(self) -> Array:
        """Which short segments speak of the copyright; sought in all of them at once."""
        short = [text.lower() if len(text) <= _LONGEST_NAME else "" for text in self.texts]
        found = np.zeros(self.n)
        joined = "\n".join(short)
        ends = list(accumulate(len(text) + 1 for text in short))
        for name in _COPYRIGHT:
            at = joined.find(name)
            while at >= 0:
                place = bisect_right(ends, at)
                found[place] = 1.0
                at = joined.find(name, ends[place])
        return found

    def neighbours(self) -> Part:
        described = (
            ("chars", self.log_chars),
            ("link_share", self.link_share),
            ("ends", self.ends),
        )
        steps = (-2, -1, 1, 2)
        names = [f"{name}{step:+d}" for name, _ in described for step in steps]
        columns = np.empty((len(names), self.n))
        padded = np.full(self.n + 4, -1.0)
        for number, (_, values) in enumerate(described):
            padded[2:-2] = values
            for place, step in enumerate(steps):
                columns[len(steps) * number + place] = padded[2 + step : 2 + step + self.n]
        return names, columns

    def windows(self) -> Part:
        columns: dict[str, Array] = {}
        plain, link = _running(self.plain), _running(self.link)
        place = np.arange(self.n)
        for width in (3, 8):
            low, high = np.maximum(place - width, 0), np.minimum(place + width + 1, self.n)
            text, linked = plain[high] - plain[low], link[high] - link[low]
            columns[f"plain_within_{width}"] = np.log1p(text)
            columns[f"link_share_within_{width}"] = linked / (text + linked + 1)
        return _part(**columns)


def likeness_to_title(texts: Sequence[str], tags: Sequence[str], title: str) -> tuple[Array, int]:
    """How like the title each segment is, and the one that is the headline, -1 where none is."""
    title = _folded(title)
    likenesses = np.zeros(len(texts))
    headline = -1
    best = 0.5  # less than half of the title is not the title
    for place, text in enumerate(texts):
        if len(text) > 2 * len(title) + 20:
            continue
        lowered = text.lower()
        if lowered in title or title in lowered:
            likeness = min(len(title), len(text)) / max(len(title), len(text), 1)
            likenesses[place] = likeness
            if tags[place] in {"h1", "h2"}:
                likeness += 0.3
            if likeness > best:
                best, headline = likeness, place
    return likenesses, headline


def _folded(title: str) -> str:
    return " ".join(title.split()).lower()


class _Blocks:
    """What can be counted in the blocks around the segments."""

    def __init__(self, page: Segments, texts: _Texts) -> None:
        self._page = page
        self._texts = texts
        blocks = page.blocks
        self._own = np.array(page.block_of, dtype=np.int64)
        first = np.array([block.first for block in blocks], dtype=np.int64)
        end = np.array([block.end for block in blocks], dtype=np.int64)
        self._parent = np.array([block.parent for block in blocks], dtype=np.int64)
        self.first, self.end = first, end

        def held(values: Array) -> Array:
            sums = _running(values)
            return sums[end] - sums[first]

        self.plain, self.link = held(texts.plain), held(texts.link)
        self.stops = held(texts.stops)
        in_paragraphs = np.array([tag == "p" for tag in texts.tags], dtype=float)
        self.in_paragraphs = held(texts.plain * in_paragraphs)
        self.segments = (end - first).astype(float)
        self.page_plain, self.page_link = self.plain[0] + 1, self.link[0] + 1
        self.density = (
            (self.plain / self.page_plain)
            * (1 - self.link / self.page_link)
            * (self.plain / (1 + self.plain + self.link))
            / (1 + SIZE_WEIGHT * self.segments)
        )
        self.best = int(np.argmax(self.density))
        self._climb()

    def _climb(self) -> None:
        """What a block has from the blocks around it; parents come first in document order."""
        blocks = self._page.blocks
        is_general = (self.plain / self.page_plain > GENERAL_SHARE).tolist()
        density = self.density.tolist()
        depth, general, densest, tags_around, bits, keys = [0], [0], [0], [], [], []
        for place, block in enumerate(blocks):
            get = block.element.get
            css_class, identifier = get("class", ""), get("id", "")
            bits.append(_name_bits(css_class, identifier) if css_class or identifier else 0)
            above = block.parent
            keys.append((above, block.tag, css_class))
            own_tag = _tag_bits(block.tag)
            if above < 0:
                tags_around.append(own_tag)
                continue
            depth.append(depth[above] + 1)
            tags_around.append(own_tag | tags_around[above])
            general.append(place if is_general[place] else general[above])
            upper = densest[above]
            densest.append(place if density[place] > density[upper] else upper)
        alike = Counter(keys)
        self._alike = np.array([alike[key] for key in keys], dtype=float)
        self._depth = np.array(depth, dtype=float)
        self._general = np.array(general, dtype=np.int64)
        self._densest = np.array(densest, dtype=np.int64)
        self._tags_around = np.array(tags_around, dtype=np.uint32)
        self._bits = np.array(bits, dtype=np.uint32)

    def columns(self) -> list[Part]:
        own = self._own
        images = np.array([min(block.images, 3) for block in self._page.blocks], dtype=float)
        return [
            _part(
                depth=self._depth[own],
                alike=self._alike[own],
                images=images[own],
                images_above=images[np.maximum(self._parent[own], 0)],
            ),
            self._tags(),
            self._tags_above(),
            self._names_around(),
            self._levels(),
            self._best_around(),
        ]

    def _tags(self) -> Part:
        columns = np.zeros((len(TAGS), len(self._own)))
        for place, tag in enumerate(self._texts.tags):
            number = _NUMBER_OF_TAG.get(tag)
            if number is not None:
                columns[number, place] = 1.0
        return [f"tag_{tag}" for tag in TAGS], columns

    def _tags_above(self) -> Part:
        bits = _as_bits(self._tags_around[self._own])[:, : len(TAG_GROUPS)]
        return tuple(TAG_GROUPS), bits.T.astype(float)

    def _names_around(self) -> Part:
        """For each group of names, how many blocks up the nearest block with one is."""
        above = np.append(self._parent, -1)  # -1 is its own parent
        bits = np.append(self._bits, np.uint32(0))
        at = [self._own]
        for _ in range(1, NAME_LEVELS):
            at.append(above[at[-1]])
        so_far = np.bitwise_or.accumulate(bits[np.array(at)], axis=0)
        not_yet = NAME_LEVELS - _as_bits(so_far).sum(axis=0, dtype=np.uint8)
        distances = not_yet[:, : len(NAME_GROUPS)].T
        return [f"name_{name}" for name in NAME_GROUPS], distances.astype(float)

    def _levels(self) -> Part:
        above = np.append(self._parent, -1)
        at = [self._own]
        for _ in range(1, LEVELS):
            at.append(above[at[-1]])
        each = np.array(at)
        there = each >= 0
        plain, segments = self.plain[each], self.segments[each]
        described = {
            "share": plain / self.page_plain,
            "links": self._link_share(each),
            "segments": np.log1p(segments),
            "stops": self.stops[each] / (self.stops[0] + 1),
            "per_segment": np.log1p(plain / np.maximum(segments, 1)),
            "paragraphs": self.in_paragraphs[each] / (plain + 1),
        }
        columns = np.where(there, np.array(list(described.values())), -1.0)
        names = [f"{name}@{level}" for level in range(1, LEVELS + 1) for name in described]
        return names, columns.swapaxes(0, 1).reshape(len(names), -1)

    def _best_around(self) -> Part:
        general, densest = self._general[self._own], self._densest[self._own]
        return _part(
            general_share=self.plain[general] / self.page_plain,
            general_links=self._link_share(general),
            densest=self.density[densest] / (self.density[self.best] + 1e-9),
            densest_share=self.plain[densest] / self.page_plain,
        )

    def _link_share(self, at: Ints) -> Array:
        return np.asarray(self.link[at] / (self.plain[at] + self.link[at] + 1))


def _as_bits(numbers: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """The bits of each number, the lowest first."""
    octets = numbers.astype("<u4").view(np.uint8).reshape(*numbers.shape, 4)
    return np.unpackbits(octets, axis=-1, bitorder="little")


def _positions(texts: _Texts, blocks: _Blocks) -> Part:
    n = texts.n
    place = np.arange(n, dtype=float)
    first, end = float(blocks.first[blocks.best]), float(blocks.end[blocks.best])
    behind = place - texts.headline if texts.headline >= 0 else np.full(n, -99.0)
    before = np.cumsum(texts.plain) - texts.plain / 2
    return _part(
        place=place / n,
        text_before=before / blocks.page_plain,
        page_segments=np.full(n, np.log1p(n)),
        page_plain=np.full(n, np.log1p(blocks.page_plain)),
        page_link_share=np.full(n, blocks.page_link / (blocks.page_plain + blocks.page_link)),
        in_best=((place >= first) & (place < end)).astype(float),
        after_best_begins=(place - first) / n,
        before_best_ends=(end - place) / n,
        is_headline=(behind == 0).astype(float),
        behind_headline=np.clip(behind, -99, 60),
        behind_headline_share=np.where(behind > -99, behind / n, -1.0),
    )


def headline_place(page: Segments, title: str) -> int:
    """The segment that is the page's own headline, -1 where none is."""
    if _native is not None:
        place: int = _native.headline_place(
            _vocabulary(_native), page.texts, page.block_of, page.blocks, _folded(title)
        )
        return place
    tags = [page.blocks[block].tag for block in page.block_of]
    return likeness_to_title(page.texts, tags, title)[1]
