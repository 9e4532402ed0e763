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
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.outline.buffers.arrays import view
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.selectors import path_of
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
    return [_vote(page, block, weight) for block in blocks]


def _vote(page: Outline, block: int, weight: float) -> Vote:
    rows = page.rows
    element = rows.block_element[block]
    chars, linked = lengths(rows, rows.block_first[block], rows.block_end[block])
    identifier = " ".join(rows.identifier(element).split())
    classes = tuple(sorted(set(rows.classes(element).split())))
    if len(" ".join(classes)) > LONGEST_NAME:
        classes = ()
    path = path_of(rows, element)
    return Vote(
        identifier if len(identifier) <= LONGEST_NAME else "",
        classes,
        path if len(path) <= LONGEST_PATH else "",
        weight,
        chars - linked,
        linked,
        page.places.chain(block),
    )


def _mask(name: str) -> str:
    return _NUMBER.sub("#", name)


def candidate_key(vote: Vote) -> tuple[str, ...]:
    """Return a key that is the same for all votes for the same block."""
    if vote.id:
        return ("id", _mask(vote.id))
    masked = tuple(sorted({_mask(name) for name in vote.classes}))
    return ("class", *masked) if masked else ("path", vote.path)


@dataclass(slots=True)
class BlockCandidate:
    """The votes for one block."""

    weight: float = 0.0
    votes: int = 0
    ids: set[str] = field(default_factory=set)
    classes: frozenset[str] | None = None
    paths: Counter[str] = field(default_factory=Counter)
    chains: set[str] = field(default_factory=set)
    looks: BlockStats | None = None

    def add(self, vote: Vote) -> int:
        """Count one more vote; return how many entries more are kept."""
        before = len(self.paths) + len(self.chains)
        self.weight += vote.weight
        self.votes += 1
        self._look_at(vote)
        if len(self.ids) < 2:
            self.ids.add(vote.id)
        if self.classes is None:
            self.classes = frozenset(vote.classes)
        elif not self.classes.issubset(vote.classes):
            self.classes = self.classes.intersection(vote.classes)
        if vote.chain not in self.chains and len(self.chains) < MOST_CANDIDATES:
            self.chains.add(sys.intern(vote.chain))
        if vote.path in self.paths or len(self.paths) < MOST_CANDIDATES:
            self.paths[vote.path] += 1
        return len(self.paths) + len(self.chains) - before

    def _look_at(self, vote: Vote) -> None:
        length = vote.text + vote.link_text
        share = vote.link_text / length if length else 0.0
        seen = self.looks
        if seen is None:
            self.looks = BlockStats(length, length, share)
        elif not (seen.shortest <= length <= seen.longest and share <= seen.link_share):
            self.looks = BlockStats(
                min(seen.shortest, length), max(seen.longest, length), max(seen.link_share, share)
            )

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
        (path, _), *_ = self.paths.most_common(1)
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
                if len(self.by_key) >= MOST_CANDIDATES:
                    weakest = min(self.by_key, key=lambda key: self.by_key[key].weight)
                    self.size -= self.by_key.pop(weakest).size
                candidate = self.by_key[key] = BlockCandidate()
            self.size += candidate.add(vote)
