"""Votes for the main block of a cluster's pages.

Two questions about the comparison of triples are open in [Wang18], and are decided here:

* An id or a class with a running number (``post-4711``) differs on every page, and so would every
  triple. Runs of digits are masked for the comparison; what still differs among the pages of the
  winning triple is left out of the rule.
* Two blocks are the same candidate if the selector that would be tried first is the same: the same
  id at another path is the same block, moved down by an ad.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.outline import selectors
from scrapy_mainblock.outline.buffers.arrays import view
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.places import Places
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.sums import lengths
from scrapy_mainblock.template.learning.page_blocks import blocks_around
from scrapy_mainblock.template.rules import BlockStats, Rule

WHOLE = 0.95
"""The main block is the smallest one with this share of the kept text."""
MOST_AROUND = 12
"""Maximum number of blocks around its own that a page also votes for: a section may have its own
name on every page (``#module-shutil``), and only the block around it a name that the pages
share."""
MOST_CANDIDATES = 64
"""Maximum number of candidate blocks kept per cluster; the weakest makes room."""
LONGEST_PATH = 10_000
"""Maximum characters of a path in a rule: even the names of tags are untrusted text."""
LONGEST_NAME = 200
"""Maximum characters of an id or of a list of classes in a rule."""
_NUMBER = re.compile(r"\d+")


class Vote(NamedTuple):
    """The block that a page votes for: [Wang18]'s triple, and the weight of the vote."""

    id: str
    classes: tuple[str, ...]
    path: str
    weight: float
    text: int = 0
    """Characters of the block outside of links; `link_text` are those inside of links."""
    link_text: int = 0
    chain: str = ""
    """The block's place."""


def votes_of(page: Outline, kept: npt.NDArray[np.float64], weight: float) -> list[Vote]:
    """Return the votes of a page, for its main block and for the blocks around it.

    The main block is the smallest one with nearly all of the kept text. It has to be alone at its
    place: none of twenty paragraphs in a row is the main block. `kept` are the kept characters of
    each segment.
    """
    blocks = blocks_around(page.places, view(kept), WHOLE, MOST_AROUND)
    if not blocks:
        return []
    paths = paths_up(page.rows, page.rows.block_element[blocks[0]])
    return [_vote(page.places, block, weight, paths) for block in blocks]


def paths_up(rows: Rows, element: int) -> dict[int, str]:
    """Return the paths of an element and of those around it, cut from its own."""
    path, found = selectors.path_of(rows, element), {}
    while element >= 0:
        found[element] = path
        path = path.rpartition("/")[0]
        element = selectors.parent_of(rows, element)
    return found


def _vote(places: Places, block: int, weight: float, paths: dict[int, str]) -> Vote:
    rows = places.page
    element = rows.block_element[block]
    chars, linked = lengths(rows, rows.block_first[block], rows.block_end[block])
    identifier = " ".join(rows.identifier(element).split())
    classes = tuple(sorted(set(rows.classes(element).split())))
    if sum(map(len, classes)) + len(classes) - 1 > LONGEST_NAME:
        classes = ()
    path = paths.get(element)
    if path is None:  # an implied section or row of a table
        path = selectors.path_of(rows, element)
    return Vote(
        identifier if len(identifier) <= LONGEST_NAME else "",
        classes,
        path if len(path) <= LONGEST_PATH else "",
        weight,
        chars - linked,
        linked,
        places.chain(block),
    )


def _mask(name: str) -> str:
    for character in name:
        if character.isdecimal():
            return _NUMBER.sub("#", name)
    return name


def candidate_key(vote: Vote) -> tuple[str, ...]:
    """Return a key that is the same for all votes for the same block."""
    if vote.id:
        return ("id", _mask(vote.id))
    masked = tuple(sorted({_mask(name) for name in vote.classes}))
    return ("class", *masked) if masked else ("path", vote.path)


class BlockCandidate:
    """The votes for one block."""

    def __init__(self) -> None:
        self.weight, self.votes = 0.0, 0
        self.ids: set[str] = set()
        self.classes: frozenset[str] | None = None
        self.paths: dict[str, int] = {}
        self.chains: set[str] = set()
        self._shortest = self._longest = 0
        self._link_share = -1.0

    @property
    def looks(self) -> BlockStats | None:
        """What the block held on the pages; None before the first vote."""
        if not self.votes:
            return None
        return BlockStats(self._shortest, self._longest, self._link_share)

    def add(self, vote: Vote) -> int:
        """Count one more vote; return how many entries more are kept."""
        identifier, classes, path, weight, text, link_text, chain = vote
        before = len(self.paths) + len(self.chains)
        self._look_at(text + link_text, link_text)
        self.weight += weight
        self.votes += 1
        if len(self.ids) < 2:
            self.ids.add(identifier)
        if self.classes is None:
            self.classes = frozenset(classes)
        elif not self.classes.issubset(classes):
            self.classes = self.classes.intersection(classes)
        if len(self.chains) < MOST_CANDIDATES and chain not in self.chains:
            self.chains.add(sys.intern(chain))
        times = self.paths.get(path, 0)
        if times or len(self.paths) < MOST_CANDIDATES:
            self.paths[path] = times + 1
        return len(self.paths) + len(self.chains) - before

    def _look_at(self, length: int, linked: int) -> None:
        share = linked / length if length else 0.0
        if not self.votes or length < self._shortest:
            self._shortest = length
        self._longest = max(self._longest, length)
        self._link_share = max(self._link_share, share)

    @property
    def size(self) -> int:
        """The number of entries kept."""
        return len(self.paths) + len(self.chains)

    def depth(self) -> float:
        """Return how deep the block is nested, on average."""
        return sum(path.count("/") * votes for path, votes in self.paths.items()) / self.votes

    def rule(self) -> Rule:
        """Return the triple without the parts that differ among its pages."""
        constant_id = next(iter(self.ids)) if len(self.ids) == 1 else ""
        # A number seen once can be a running number whose next value was not seen.
        if self.votes == 1 and _NUMBER.search(constant_id):
            constant_id = ""
        classes = self.classes or frozenset()
        if self.votes == 1:
            classes = frozenset(name for name in classes if not _NUMBER.search(name))
        path = max(self.paths, key=self.paths.__getitem__)
        return Rule(constant_id, tuple(sorted(classes)), path)


class BlockCandidates:
    """The candidate blocks of a cluster."""

    def __init__(self) -> None:
        self.by_key: dict[tuple[str, ...], BlockCandidate] = {}
        self.size = 0
        """The number of entries kept."""

    def add(self, votes: Sequence[Vote], keys: Sequence[tuple[str, ...]]) -> None:
        """Count the votes of one more page, given the key of each (see `candidate_key`)."""
        for vote, key in zip(votes, keys, strict=True):
            candidate = self.by_key.get(key)
            if candidate is None:
                candidate = self._new(key)
            self.size += candidate.add(vote)

    def _new(self, key: tuple[str, ...]) -> BlockCandidate:
        if len(self.by_key) >= MOST_CANDIDATES:
            weakest = min(self.by_key, key=lambda key: self.by_key[key].weight)
            self.size -= self.by_key.pop(weakest).size
        candidate = self.by_key[key] = BlockCandidate()
        return candidate
