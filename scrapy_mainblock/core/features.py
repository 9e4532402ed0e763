"""What is known of each text segment of a page, as one row of numbers.

All of it is counted with numpy over the whole page at once: the characters of all segments stand
in one array, classes of characters are looked up in a table, and sums over a segment or a block
are differences of running sums. No feature looks at a word's meaning, and only one (`NAME_GROUPS`)
at any language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from lxml.html import HtmlElement

from scrapy_mainblock.core.hints import Hints
from scrapy_mainblock.core.segments import Block, Segments

Array = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

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

_NAMES = {group: re.compile(pattern, re.IGNORECASE) for group, pattern in NAME_GROUPS.items()}
_LONGEST_NAME = 300


@lru_cache(maxsize=20_000)
def _name_bits(name: str) -> int:
    return sum(1 << bit for bit, pattern in enumerate(_NAMES.values()) if pattern.search(name))


@lru_cache(maxsize=200)
def _tag_bits(tag: str) -> int:
    return sum(1 << bit for bit, tags in enumerate(TAG_GROUPS.values()) if tag in tags)


# --- classes of characters ----------------------------------------------------------------------

_UPPER, _DIGIT, _PAUSE, _STOP, _WIDE, _SPACE = 1, 2, 4, 8, 16, 32
_TABLE_SIZE = 0x3100


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
    inside = np.minimum(codes, _TABLE_SIZE - 1)
    kinds: npt.NDArray[np.uint8] = _character_classes()[inside]
    beyond = codes >= _TABLE_SIZE
    if beyond.any():
        kinds[beyond] = _WIDE
        kinds[(codes == 0xFF0C) | (codes == 0xFF1B) | (codes == 0xFF1A)] = _PAUSE
        kinds[(codes == 0xFF01) | (codes == 0xFF1F)] = _STOP
        kinds[(codes >= 0xFF10) & (codes <= 0xFF19)] = _DIGIT
    return kinds


_ENDING = tuple(".!?…。！？”\"»’')：:")
_DATE = re.compile(r"\d{1,2}[:.]\d\d|\b(?:19|20)\d\d\b|\d (?:hour|minute|day)s? ago|年|月")
_COPYRIGHT = re.compile(r"©|copyright|all rights|版权|\(c\)", re.IGNORECASE)

# --- the matrix ---------------------------------------------------------------------------------

LEVELS = 4
"""Blocks around a segment that are described: its own, its parent, and so on."""
NAME_LEVELS = 9
"""How far up a block's name is looked for; farther is as good as nowhere."""
GENERAL_SHARE = 0.4
"""A block with more than this share of the page's text is one that the body could be in."""
SIZE_WEIGHT = 0.02
"""How much the number of segments weighs against a block, in the density that is used here."""


def matrix(page: Segments, hints: Hints) -> Array:
    """A row for each segment, in `names()`' columns. `hints` are what the page says of itself."""
    return np.column_stack([column for _, column in _columns(page, hints)])


@lru_cache(maxsize=1)
def names() -> tuple[str, ...]:
    """What the columns of `matrix` are."""
    page = Segments(texts=["x"], block_of=[0], link_chars=[0], links=[0])
    page.blocks.append(Block(HtmlElement(), "body", -1, 0, 1))
    return tuple(name for name, _ in _columns(page, Hints()))


Columns = list[tuple[str, Array]]


def _columns(page: Segments, hints: Hints) -> Columns:
    texts = _Texts(page, hints.title)
    blocks = _Blocks(page, texts)
    _, *said, _ = hints
    kinds = Hints._fields[1:-1]
    return [
        *(
            (f"page_{kind}", np.full(texts.n, float(is_so)))
            for kind, is_so in zip(kinds, said, strict=True)
        ),
        *texts.columns(),
        *texts.neighbours(),
        *texts.windows(),
        *_positions(texts, blocks),
        *blocks.columns(),
    ]


def _running(values: Array) -> Array:
    """Running sums from 0: the sum over [a, b) is ``sums[b] - sums[a]``."""
    return np.concatenate(([0.0], np.cumsum(values)))


class _Texts:
    """What can be counted in the segments themselves."""

    def __init__(self, page: Segments, title: str) -> None:
        texts = page.texts
        self.n = len(texts)
        self.texts = texts
        self.tags = [page.blocks[block].tag for block in page.block_of]
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=self.n)
        starts = np.concatenate(([0], np.cumsum(lengths[:-1])))
        codes = np.frombuffer("".join(texts).encode("utf-32-le", "replace"), dtype=np.uint32)
        kinds = _classified(codes)

        def counted(kind: int) -> Array:
            return np.add.reduceat((kinds == kind).astype(np.int64), starts).astype(float)

        spaces = counted(_SPACE)
        self.wide = counted(_WIDE)
        self.chars = np.maximum(lengths - spaces, 1.0)
        self.link = np.minimum(np.array(page.link_chars, dtype=float), self.chars)
        self.plain = self.chars - self.link
        self.link_share = self.link / self.chars
        self.links = np.array(page.links, dtype=float)
        self.upper, self.digit = counted(_UPPER), counted(_DIGIT)
        self.pauses, self.stops = counted(_PAUSE), counted(_STOP)
        self.words = spaces + 1 + self.wide
        self.ends = np.array([text.endswith(_ENDING) for text in texts], dtype=float)
        self._in_title(title)

    def _in_title(self, title: str) -> None:
        self.in_title = np.zeros(self.n)
        for place, likeness in _like_title(self.texts, title):
            self.in_title[place] = likeness
        self.headline = _most_like_title(self.texts, self.tags, title)

    def columns(self) -> Columns:
        seen = Counter(self.texts)
        short = [text if len(text) <= _LONGEST_NAME else "" for text in self.texts]
        return [
            ("chars", np.log1p(self.chars)),
            ("words", np.log1p(self.words)),
            ("link_share", self.link_share),
            ("links", np.minimum(self.links, 20)),
            ("plain", np.log1p(self.plain)),
            ("pauses", self.pauses / self.chars),
            ("stops", self.stops / self.chars),
            ("upper", self.upper / self.chars),
            ("digit", self.digit / self.chars),
            ("wide", self.wide / self.chars),
            ("word_length", self.chars / self.words),
            ("ends", self.ends),
            ("date", np.array([bool(_DATE.search(text)) for text in short], dtype=float)),
            ("copyright", np.array([bool(_COPYRIGHT.search(text)) for text in short], dtype=float)),
            ("in_title", self.in_title),
            ("repeated", np.array([seen[text] for text in self.texts], dtype=float)),
        ]

    def neighbours(self) -> Columns:
        columns: Columns = []
        described = (
            ("chars", np.log1p(self.chars)),
            ("link_share", self.link_share),
            ("ends", self.ends),
        )
        for name, values in described:
            padded = np.concatenate(([-1.0, -1.0], values, [-1.0, -1.0]))
            for step in (-2, -1, 1, 2):
                columns.append((f"{name}{step:+d}", padded[2 + step : 2 + step + self.n]))
        return columns

    def windows(self) -> Columns:
        columns: Columns = []
        plain, link = _running(self.plain), _running(self.link)
        place = np.arange(self.n)
        for width in (3, 8):
            low, high = np.maximum(place - width, 0), np.minimum(place + width + 1, self.n)
            text, linked = plain[high] - plain[low], link[high] - link[low]
            columns.append((f"plain_within_{width}", np.log1p(text)))
            columns.append((f"link_share_within_{width}", linked / (text + linked + 1)))
        return columns


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
        count = len(blocks)
        share = self.plain / self.page_plain
        self._depth = np.zeros(count)
        self._general = np.zeros(count, dtype=np.int64)
        self._densest = np.zeros(count, dtype=np.int64)
        self._bits = np.zeros(count, dtype=np.int64)
        tags_around = np.zeros(count, dtype=np.int64)
        alike: Counter[tuple[int, str, str]] = Counter()
        keys = []
        for place, block in enumerate(blocks):
            css_class = block.element.get("class", "")
            name = f"{css_class} {block.element.get('id', '')}"
            self._bits[place] = _name_bits(name[:_LONGEST_NAME]) if len(name) > 1 else 0
            tags_around[place] = _tag_bits(block.tag)
            keys.append((block.parent, block.tag, css_class))
            above = block.parent
            if above < 0:
                continue
            self._depth[place] = self._depth[above] + 1
            tags_around[place] |= tags_around[above]
            self._general[place] = place if share[place] > GENERAL_SHARE else self._general[above]
            denser = self.density[place] > self.density[self._densest[above]]
            self._densest[place] = place if denser else self._densest[above]
        alike.update(keys)
        self._alike = np.array([alike[key] for key in keys], dtype=float)
        self._tags_around = tags_around

    def columns(self) -> Columns:
        own = self._own
        images = np.array([min(block.images, 3) for block in self._page.blocks], dtype=float)
        above = np.maximum(self._parent[own], 0)
        columns: Columns = [
            ("depth", self._depth[own]),
            ("alike", self._alike[own]),
            ("images", images[own]),
            ("images_above", images[above]),
        ]
        tags = np.array(self._texts.tags)
        columns += [(f"tag_{tag}", (tags == tag).astype(float)) for tag in TAGS]
        around = self._tags_around[own]
        columns += [
            (name, ((around >> bit) & 1).astype(float)) for bit, name in enumerate(TAG_GROUPS)
        ]
        columns += self._names_around()
        columns += self._levels()
        general, densest = self._general[own], self._densest[own]
        columns += [
            ("general_share", self.plain[general] / self.page_plain),
            ("general_links", self._link_share(general)),
            ("densest", self.density[densest] / (self.density[self.best] + 1e-9)),
            ("densest_share", self.plain[densest] / self.page_plain),
        ]
        return columns

    def _names_around(self) -> Columns:
        shape = (len(NAME_GROUPS), len(self._own))
        distance: Array = np.full(shape, float(NAME_LEVELS))
        groups = np.arange(len(NAME_GROUPS))[:, None]
        levels = [self._own]
        for _ in range(NAME_LEVELS - 1):
            levels.append(np.where(levels[-1] >= 0, self._parent[levels[-1]], -1))
        for level in range(NAME_LEVELS - 1, -1, -1):
            at = levels[level]
            bits = np.where(at >= 0, self._bits[at], 0)
            distance = np.where((bits >> groups) & 1, float(level), distance)
        return [(f"name_{name}", distance[bit]) for bit, name in enumerate(NAME_GROUPS)]

    def _levels(self) -> Columns:
        columns: Columns = []
        at = self._own
        page_stops = self.stops[0] + 1
        for level in range(1, LEVELS + 1):
            there = at >= 0
            described = {
                "share": self.plain[at] / self.page_plain,
                "links": self._link_share(at),
                "segments": np.log1p(self.segments[at]),
                "stops": self.stops[at] / page_stops,
                "per_segment": np.log1p(self.plain[at] / np.maximum(self.segments[at], 1)),
                "paragraphs": self.in_paragraphs[at] / (self.plain[at] + 1),
            }
            for name, values in described.items():
                columns.append((f"{name}@{level}", np.where(there, values, -1.0)))
            at = np.where(there, self._parent[at], -1)
        return columns

    def _link_share(self, at: Ints) -> Array:
        return np.asarray(self.link[at] / (self.plain[at] + self.link[at] + 1))


def _positions(texts: _Texts, blocks: _Blocks) -> Columns:
    n = texts.n
    place = np.arange(n, dtype=float)
    first, end = float(blocks.first[blocks.best]), float(blocks.end[blocks.best])
    behind = place - texts.headline if texts.headline >= 0 else np.full(n, -99.0)
    before = np.cumsum(texts.plain) - texts.plain / 2
    return [
        ("place", place / n),
        ("text_before", before / blocks.page_plain),
        ("page_segments", np.full(n, np.log1p(n))),
        ("page_plain", np.full(n, np.log1p(blocks.page_plain))),
        ("page_link_share", np.full(n, blocks.page_link / (blocks.page_plain + blocks.page_link))),
        ("in_best", ((place >= first) & (place < end)).astype(float)),
        ("after_best_begins", (place - first) / n),
        ("before_best_ends", (end - place) / n),
        ("is_headline", (behind == 0).astype(float)),
        ("behind_headline", np.clip(behind, -99, 60)),
        ("behind_headline_share", np.where(behind > -99, behind / n, -1.0)),
    ]


def headline_place(page: Segments, title: str) -> int:
    """The segment that is the page's own headline, -1 where none is."""
    tags = [page.blocks[block].tag for block in page.block_of]
    return _most_like_title(page.texts, tags, title)


def _like_title(texts: Sequence[str], title: str) -> Iterator[tuple[int, float]]:
    """The segments that hold the title or are held by it, with how much of it they are."""
    title = " ".join(title.split()).lower()
    longest = 2 * len(title) + 20
    for place, text in enumerate(texts):
        if len(text) > longest:
            continue
        lowered = text.lower()
        if lowered in title or title in lowered:
            yield place, min(len(title), len(text)) / max(len(title), len(text), 1)


def _most_like_title(texts: Sequence[str], tags: Sequence[str], title: str) -> int:
    found, best = -1, 0.5  # less than half of the title is not the title
    for place, likeness in _like_title(texts, title):
        weighed = likeness + 0.3 if tags[place] in {"h1", "h2"} else likeness
        if weighed > best:
            found, best = place, weighed
    return found
