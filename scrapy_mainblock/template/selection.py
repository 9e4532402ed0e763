"""What is kept under a rule's block, place by place: readable, and editable by hand.

A selector is a chain from the block down, ``div.entry > ul > li``, or ``> div.share`` if it has a
single step. Without the leading ``>``, a single named step such as ``div.share`` means that block
at any depth. People may write this form. Learning never does, because a name that is noise at one
place (``div.clearfix``) may contain the text at another, on a page that learning has not seen.
``div.entry > text()`` is the text directly in the block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from scrapy_mainblock.outline.buffers.hashing import Numbers, hash_of
from scrapy_mainblock.outline.html.tags import BLOCK_TAGS, CODES
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.places import OF_LINKS, UNDER, is_made_by_tool, step_of
from scrapy_mainblock.outline.selectors import Extent
from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.template.keeping import Keeper

CHILD = "> "
"""Begins a selector of one step that means a direct child of the rule's block."""
OWN_TEXT = "text()"
"""Ends a selector that means the text directly in a block, not that of its child blocks."""
ALL_BELOW = f"{UNDER}*"
"""Ends a selector in `Selection.known` that means a block with its subtree."""
_TAG = re.compile(r"[a-z][\w:-]*")
"""What a step by name begins with; in a rule edited by hand, a step may be anything else."""


@dataclass(frozen=True)
class Selection:
    """Which places under a block are content, which are not, and which are unknown."""

    drop: tuple[str, ...] = ()
    """Places that are left out, with their subtrees."""
    keep: tuple[str, ...] = ()
    """If there are any, nothing else is kept."""
    lines: tuple[str, ...] = ()
    """Lines that are left out if they match word for word."""
    known: tuple[str, ...] = ()
    """Chains of places that are content; a chain means that place alone unless it ends in ``> *``.
    If there are any, text at other places is judged page by page, because the pages that the
    rule was learned from hardly had these places."""

    def apply(self, page: Outline, under: Extent) -> Keeper:
        """Return the verdict on each segment under a block, as far as the rule knows."""
        keeper = Keeper(page.rows, page.places, under, self._tables)
        keeper.run(page.folded if self.lines else None)
        return keeper

    @cached
    def is_everything(self) -> bool:
        """Whether everything under the block is kept."""
        return self == KEEP_ALL

    @cached
    def _tables(self) -> Tables:
        return Tables(self)

    @cached
    def _inline(self) -> tuple[frozenset[str], frozenset[str]]:
        """The dropped steps that may be elements within lines, and the tags of those."""
        wanted = frozenset(one for one in self.drop if is_step(one))
        return wanted, frozenset(tag[0] for one in wanted if (tag := _TAG.match(one))) - BLOCK_TAGS

    def inline_drops(self, page: Outline, under: Extent) -> list[int]:
        """Return the elements within lines that are dropped, such as ads in a sentence."""
        wanted, tags = self._inline
        if not tags:
            return []
        return [
            element
            for element in page.elements_under(under)
            if page.rows.name(element) in tags and step_of(page.rows, element) in wanted
        ]

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the selectors."""
        return Selection, (self.drop, self.keep, self.lines, self.known)


class Tables:
    """The selectors of a rule by their hashes, each with its index in the rule's list."""

    def __init__(self, selection: Selection) -> None:
        self.drop, self.keep = _numbered(selection.drop), _numbered(selection.keep)
        self.known = _numbered(selection.known, with_block=True)
        below = [
            one.removesuffix(ALL_BELOW) if one.endswith(ALL_BELOW) else ""
            for one in selection.known
        ]
        self.below = _numbered(below)
        self.below_steps = _numbered(one if is_step(one) else "" for one in below)
        self.lines = _numbered(selection.lines)
        self.drop_steps = _numbered(one if is_step(one) else "" for one in selection.drop)
        self.keep_steps = _numbered(one if is_step(one) else "" for one in selection.keep)
        self.keeps_all, self.knows_all = not selection.keep, not selection.known
        both = (*selection.drop, *selection.keep)
        self.has_steps = any(map(is_step, (*both, *below)))
        self.has_own_text = any(one.endswith(OWN_TEXT) for one in both)


_EMPTY = Numbers(0)


def _numbered(selectors: Iterable[str], *, with_block: bool = False) -> Numbers:
    """Return the table of some selectors.

    An empty selector means the block itself if `with_block`; otherwise it is skipped.
    """
    found = [(place, one) for place, one in enumerate(selectors) if one or with_block]
    if not found:  # most tables of a rule: they share one, which takes a kilobyte
        return _EMPTY
    table = Numbers(len(found))
    for place, selector in found:
        chain = selector.removeprefix(CHILD)
        table.put(hash_of(chain.encode("utf-8", "surrogatepass")), place)
    return table


_STEP = re.compile(rf"({_TAG.pattern})(?:[#.](?P<name>[^\s.#]\S*?)|\[[1-9]\d*\])?(?::links)?")


def why_no_selector(text: str) -> str | None:
    """Return why a text cannot match any place, or None if it can."""
    *steps, last = text.removeprefix(CHILD).split(UNDER)
    if last != OWN_TEXT:
        steps.append(last)
    for step in steps:
        found = _STEP.fullmatch(step)
        if found is None:
            example = "div.entry, div#main, div[2] or p"
            return f'"{step}" is not a valid step; expected one like {example}'
        tag = found[1].removesuffix(OF_LINKS)
        if tag not in CODES:
            return f'"{step}": {tag} is not the tag of a block element'
        if found["name"] and not _may_be_name(step, found["name"]):
            why = "names with a number cannot be used, because they differ between pages"
            return f'"{step}": {why}'
    return None


def _may_be_name(step: str, name: str) -> bool:
    digits = any(character.isdigit() for character in name)
    octets = name.encode("utf-8", "replace")
    return not digits or ("#" not in step and is_made_by_tool(octets, 0, len(octets)))


def is_step(selector: str) -> bool:
    """Return whether a selector is a single named step, which means a block at any depth."""
    return UNDER not in selector and is_named(selector) and not selector.startswith(CHILD)


def is_named(step: str) -> bool:
    """Return whether a step has an id or a class."""
    return "#" in step or "." in step


def chain_selector(chain: str) -> str:
    """Return the selector of the block at a chain, and of no other block."""
    return chain if UNDER in chain or not is_named(chain) else f"{CHILD}{chain}"


def own_text(chain: str) -> str:
    """Return the selector of the text directly in a block."""
    return f"{chain}{UNDER}{OWN_TEXT}" if chain else OWN_TEXT


KEEP_ALL = Selection()
"""Everything under the block is kept."""
