"""A page as a sequence of text segments: what stands between two block boundaries.

A segment is what a reader sees as a paragraph, a heading, a list item, a cell, a line before a
`<br>`. It belongs to the innermost block element around it, and so to all blocks around that. In
document order the segments under a block are a contiguous range, so that whatever is summed over a
block is a difference of two running sums.

The tree is walked once. What is shown of it, as text and as HTML, is made from the `steps` of that
walk (see `text`), and only from those of the segments that are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress
from typing import Any

from lxml import etree
from lxml.html import HtmlElement

from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.permalinks import is_mark
from scrapy_mainblock.core.tags import BLOCK_TAGS, KEPT_INLINE, UNPRINTED_TAGS

_native = compiled("walk")


@dataclass(slots=True)
class Block:
    """A block element, with the segments from `first` up to but not `end` under it."""

    element: HtmlElement
    tag: str
    parent: int
    first: int
    end: int = 0
    images: int = 0
    """Pictures right in it, not in blocks under it."""
    behind: int = 0
    """The place in `Segments.steps` behind the step of its end."""

    @property
    def identifier(self) -> str:
        """Its id, empty where it has none."""
        return self.element.get("id", "")

    @property
    def css_class(self) -> str:
        """Its class, empty where it has none."""
        return self.element.get("class", "")


MUTED, UNMUTED = object(), object()
"""In a run, what begins and ends an element that is read and not shown."""
Run = list[Any]
"""What stands between two boundaries: the number of its segment (-1 if that is only white space),
then in order each text, each inline element or picture that begins, and None where one ends."""
Step = int | str | Run | None
"""A block that begins (its place) or ends (its place's complement, ``~place``), white space between
two blocks, a run, or None for a ``<br>``."""


@dataclass(slots=True)
class Segments:
    """The segments of a page, in order, and the blocks around them."""

    blocks: list[Block] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """White space folded."""
    block_of: list[int] = field(default_factory=list)
    """The place of each segment's innermost block."""
    link_chars: list[int] = field(default_factory=list)
    """Characters of a segment in links, white space not counted."""
    links: list[int] = field(default_factory=list)
    """Links that begin in a segment."""
    steps: list[Step] = field(default_factory=list)
    """The walk that found them."""
    is_muted: bool = False
    """Whether there are elements in it that are not to be shown."""
    recording: Any = None
    """The walk as `native.walk` writes it down, in place of the steps."""

    def __len__(self) -> int:
        return len(self.texts)

    def place_of(self, element: HtmlElement) -> int | None:
        """The place of the block that an element is, None where it is none of these."""
        if self.recording is not None:
            place: int | None = self.recording.block_at(element)
            return place
        return next((at for at, one in enumerate(self.blocks) if one.element is element), None)

    def length(self) -> int:
        """Characters of all segments, white space not counted."""
        if self.recording is not None:
            counted: int = self.recording.length()
            return counted
        return sum(len(text) - text.count(" ") for text in self.texts)

    def linked(self) -> int:
        """Characters of all segments in links, white space not counted."""
        if self.recording is not None:
            counted: int = self.recording.link_chars()
            return counted
        return sum(self.link_chars)

    def lengths(self, kept: Sequence[bool] | None) -> tuple[int, int]:
        """Characters of all segments, and of those that are kept: of all where that is None."""
        if self.recording is not None:
            counted: tuple[int, int] = self.recording.lengths(kept)
            return counted
        sizes = [len(text) for text in self.texts]
        return sum(sizes), sum(sizes if kept is None else compress(sizes, kept))


_PLAIN, _SPAN, _INLINE, _LINK, _IMAGE, _BREAK, _BLOCK, _HIDDEN = range(8)
_KINDS: dict[Any, int] = {
    **dict.fromkeys(KEPT_INLINE, _INLINE),
    "a": _LINK,
    "span": _SPAN,
    "img": _IMAGE,
    **dict.fromkeys(BLOCK_TAGS, _BLOCK),
    "br": _BREAK,
    **dict.fromkeys(UNPRINTED_TAGS, _HIDDEN),
    # The tags of what is no element, in a tree that somebody else has parsed.
    etree.Comment: _HIDDEN,
    etree.ProcessingInstruction: _HIDDEN,
}


class _End:
    """Comes behind the last element, and is in none."""

    @staticmethod
    def getparent() -> Any:
        """Of nothing."""


def segment(
    body: HtmlElement,
    without: Collection[HtmlElement] = (),
    muted: Collection[HtmlElement] = (),
) -> Segments:
    """The segments under an element, `without` some elements and what is under them.

    `muted` are elements of a line that are read, but not shown.
    """
    if _native is None:
        return segment_in_python(body, without, muted)
    recording, blocks, texts, block_of, link_chars, links = _native.segment(body, without, muted)
    return Segments(blocks, texts, block_of, link_chars, links, [], bool(muted), recording)


def segment_in_python(  # noqa: C901, PLR0912, PLR0915 - flat, since it was the hot loop of a page
    body: HtmlElement,
    without: Collection[HtmlElement] = (),
    muted: Collection[HtmlElement] = (),
) -> Segments:
    """The same where nothing is compiled, and in a language to read it in.

    One round is an element that begins; before it those end that it is not in. (To ask each element
    for its parent is faster than to have lxml report every end.)
    """
    page = Segments(is_muted=bool(muted))
    if _KINDS.get(body.tag) == _HIDDEN:
        return page
    blocks, steps, texts = page.blocks, page.steps, page.texts
    kind_of = _KINDS.get
    blocks.append(Block(body, str(body.tag), -1, 0))
    steps.append(0)
    # What has begun: the elements and their kinds without the innermost (`top`), and the blocks.
    opened: list[Any] = []
    kinds: list[int] = []
    around = [0]
    top, kind = body, _BLOCK
    run: Run = []
    link_chars = links = in_links = 0
    piece = body.text
    is_blank = False
    if piece:
        run = [-1, piece]
    walk = body.iter()
    next(walk)
    element: Any
    for element in chain(walk, (_End,)):
        parent = element.getparent()
        while top is not parent:
            if kind:
                if kind == _BLOCK:
                    if run:
                        if _end(page, run, around[-1], link_chars, links) or is_blank:
                            link_chars = links = 0
                        run = []
                    elif is_blank:
                        link_chars = links = 0
                    is_blank = False
                    place = around.pop()
                    block = blocks[place]
                    block.end = len(texts)
                    steps.append(~place)
                    block.behind = len(steps)
                    if not place:
                        return page
                elif kind == _INLINE:
                    if run:
                        run.append(None)
                    else:
                        run = [-1, None]
                elif kind == _LINK:
                    if run:
                        run.append(None)
                    else:
                        run = [-1, None]
                    in_links -= 1
            if muted and kinds[-1] != _HIDDEN and top in muted:
                run = [*(run or [-1]), UNMUTED]
            piece = top.tail
            top = opened.pop()
            kind = kinds.pop()
            if piece and kind != _HIDDEN:
                if run:
                    run.append(piece)
                elif piece.isspace():
                    is_blank = True
                    steps.append(piece)
                    continue
                else:
                    run = [-1, piece]
                if in_links:
                    link_chars += len("".join(piece.split()))
        opened.append(top)
        kinds.append(kind)
        top = element
        if kind == _HIDDEN or (without and element in without):
            kind = _HIDDEN
            continue
        tag = element.tag
        kind = kind_of(tag, _PLAIN)
        if muted and element in muted:
            run = [*(run or [-1]), MUTED]
        if kind:
            if kind >= _BREAK:
                if kind == _HIDDEN or (tag == "td" and is_mark(element)):
                    kind = _HIDDEN
                    continue
                if run:
                    if _end(page, run, around[-1], link_chars, links) or is_blank:
                        link_chars = links = 0
                    run = []
                elif is_blank:
                    link_chars = links = 0
                is_blank = False
                if kind == _BLOCK:
                    place = len(blocks)
                    steps.append(place)
                    blocks.append(Block(element, tag, around[-1], len(texts)))
                    around.append(place)
                else:
                    steps.append(None)
            elif kind == _SPAN:
                kind = _HIDDEN if is_mark(element) else _PLAIN
                if kind:
                    continue
            elif kind == _LINK and (address := element.get("href")) is None:
                kind = _PLAIN
            elif kind == _LINK and "#" in address and is_mark(element):
                kind = _HIDDEN
                continue
            else:
                if run:
                    run.append(element)
                else:
                    run = [-1, element]
                if kind == _LINK:
                    in_links += 1
                    links += 1
                elif kind == _IMAGE:
                    blocks[around[-1]].images += 1
        piece = element.text
        if piece:
            if run:
                run.append(piece)
            elif piece.isspace():
                is_blank = True
                steps.append(piece)
                continue
            else:
                run = [-1, piece]
            if in_links:
                link_chars += len("".join(piece.split()))
    return page


def _end(page: Segments, run: Run, block: int, link_chars: int, links: int) -> bool:
    """A run is at its end: whether there is text in it, be it white space."""
    page.steps.append(run)
    if len(run) == 2 and run[1].__class__ is str:
        text = " ".join(run[1].split())
    else:
        pieces = [piece for piece in run if piece.__class__ is str]
        if not pieces:
            return False
        text = " ".join("".join(pieces).split())
    if text:
        run[0] = len(page.texts)
        page.texts.append(text)
        page.block_of.append(block)
        page.link_chars.append(link_chars)
        page.links.append(links)
    return True


def elements_at(page: Segments, places: Sequence[int]) -> list[HtmlElement]:
    """The elements of some blocks: where it was compiled code that walked, no others are made."""
    if page.recording is None:
        return [page.blocks[place].element for place in places]
    found: list[HtmlElement] = page.recording.elements_at(places)
    return found


def only(page: Segments, places: Sequence[int]) -> Segments:
    """The page as if it had had no other segments than those at `places`, which are in order."""
    before = [0] * (len(page) + 1)
    for place in places:
        before[place + 1] = 1
    for place in range(len(page)):
        before[place + 1] += before[place]
    return Segments(
        [
            Block(
                block.element,
                block.tag,
                block.parent,
                before[block.first],
                before[block.end],
                block.images,
            )
            for block in page.blocks
        ],
        [page.texts[place] for place in places],
        [page.block_of[place] for place in places],
        [page.link_chars[place] for place in places],
        [page.links[place] for place in places],
    )


HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
FAR = 2
"""Segments that may be left out between a heading and what it is the heading of: a caption."""

MOST_ORPHANED = 0.5
"""Where headings are more of the text than this, they are what the page has to say: a list of cards
with nothing but names."""


def without_orphans(page: Segments, kept: Sequence[bool]) -> list[bool]:
    """The same without headings of what is left out, like "Read next" above nothing."""
    if page.recording is not None:
        found: list[bool] = page.recording.without_orphans(list(kept), HEADINGS, FAR, MOST_ORPHANED)
        return found
    result = list(kept)
    next_kept = 2 * len(result)
    for place in reversed([place for place, keep in enumerate(result) if keep]):
        is_heading = page.blocks[page.block_of[place]].tag in HEADINGS
        if is_heading and next_kept - place > FAR + 1:
            result[place] = False
        else:
            next_kept = place
    dropped = [place for place, keep in enumerate(kept) if keep and not result[place]]
    if not dropped:
        return result
    text = sum(len(page.texts[place]) for place, keep in enumerate(kept) if keep)
    orphaned = sum(len(page.texts[place]) for place in dropped)
    return list(kept) if orphaned > MOST_ORPHANED * text else result
