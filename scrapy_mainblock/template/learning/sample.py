"""The latest pages of a cluster, against which a rule is checked before it is used.

For each page only the amount of text at each place is kept, and whether the page alone takes it for
content: some hundred numbers, where the page would be a hundred thousand characters.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from scrapy_mainblock.outline.buffers.hashing import hash_of
from scrapy_mainblock.outline.places import ROOT, UNDER
from scrapy_mainblock.template.learning.place_tally import text_by_kind
from scrapy_mainblock.template.proof import MUCH, Proof

PAGES = 24
"""Maximum number of pages kept, the latest ones. With 12 instead, one set of sites loses .001 of F1
(exceptions cannot be told from the rest); with 48 no figure of `tools/learning.py` differs."""


class SamplePage:
    """One page of a sample.

    A run keeps two dozen of them for each cluster of all its sites. As two rows of numbers a place
    takes 16 bytes, where a dictionary of tuples took 200.
    """

    __slots__ = ("chains", "texts")

    def __init__(self, chains: Iterable[str], texts: array[int]) -> None:
        """Take the places that have text outside of links (see `PagePlaces.texts`)."""
        self.chains = tuple(chains)
        self.texts = texts
        """For each place, twice the number of its characters outside of links, and 1 more if the
        page alone takes most of them for content."""

    def __len__(self) -> int:
        return len(self.chains)


class Sample:
    """The latest pages of a cluster."""

    def __init__(self) -> None:
        self._pages: deque[SamplePage] = deque()
        self.size = 0
        """The number of entries kept, which determines the memory used."""

    def add(self, page: SamplePage) -> None:
        """Add one more page."""
        self._pages.append(page)
        self.size += len(page)
        if len(self._pages) > PAGES:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        self.size -= len(self._pages.popleft())

    def __iter__(self) -> Iterator[SamplePage]:
        return iter(self._pages)

    def thin(self) -> None:
        """Forget the older half of the pages."""
        for _ in range(len(self._pages) // 2):
            self._forget_oldest()


def prove(
    sample: Iterable[SamplePage],
    block_chains: Set[str],
    left_out: Set[str],
    structure: Set[int] = frozenset(),
) -> Proof:
    """Check a rule, by its block and the places it leaves out, on the pages of its cluster.

    The few pages that would lose much do not count toward what the rule usually leaves out: pages
    like them are read alone as well (`template.oddity`).
    """
    views = [_View(block, left_out, structure) for block in sorted(block_chains)]
    found = [one for page in sample if (one := _on_page(page, views)) is not None]
    if not found:
        return Proof()
    losing = sum(one.lost > MUCH for one in found)
    proof = Proof(len(found), _share(max(one.lost for one in found)), losing)
    usual = [one for one in found if one.lost <= MUCH] if proof.loses_on_few else found
    return proof._replace(
        outside=_share(max(one.outside for one in usual)),
        left=_share(max(one.left for one in usual)),
        dropped=_share(max(one.dropped for one in usual)),
        most_left=max(one.left_length for one in usual),
        most_dropped=max(one.dropped_length for one in usual),
        most_outside=max(one.outside_length for one in usual),
        least_kept=min((one.kept_length for one in found if one.lost <= MUCH), default=0),
    )


_OUTSIDE, _KEPT, _LEFT_OUT, _KINDS = 0, 2, 4, 6
"""What a rule does with the text at a place."""
_STRANGE = 1
"""Added if the cluster's first page does not have the place."""


class _View:
    """What a rule does with the text at each place, for all pages of a sample, by one block."""

    def __init__(self, block: str, left_out: Set[str], structure: Set[int]) -> None:
        self._block, self._prefix = block, f"{block}{UNDER}" if block else ""
        self._left_out, self._structure = left_out, structure
        self._kinds: dict[str, int] = {}

    def of(self, page: SamplePage) -> _OnPage:
        """Return how much text of a page the rule keeps and leaves out."""
        kinds = self._kinds
        for chain in page.chains:
            if chain not in kinds:
                kinds[chain] = self._kind(chain)
        text = text_by_kind(page.chains, page.texts, kinds, _KINDS)
        outside, strange_outside, kept, strange_kept, left_out, strange_left_out = text[:_KINDS]
        likely = sum(text[_KINDS:])
        likely_kept = text[_KINDS + _KEPT] + text[_KINDS + _KEPT + _STRANGE]
        return _OnPage(
            lost=1 - likely_kept / likely if likely else 0.0,
            inside_length=kept + strange_kept + left_out + strange_left_out,
            left_length=strange_left_out,
            dropped_length=left_out + strange_left_out,
            outside_length=outside + strange_outside,
            strange_outside=strange_outside,
        )

    def _kind(self, chain: str) -> int:
        is_strange = hash_of(chain.encode("utf-8", "surrogatepass")) not in self._structure
        if chain == self._block:
            kind = _LEFT_OUT if ROOT in self._left_out else _KEPT
        elif chain.startswith(self._prefix):
            kind = _LEFT_OUT if chain[len(self._prefix) :] in self._left_out else _KEPT
        else:
            kind = _OUTSIDE
        return kind + _STRANGE * is_strange


class _OnPage(NamedTuple):
    """The text of a page, without that in links, in characters."""

    lost: float
    """The share of what the page alone takes for content that the rule does not keep."""
    inside_length: int
    """The text in the block."""
    left_length: int
    """The text at strange places of the block that is left out."""
    dropped_length: int
    """The text at any place of the block that is left out."""
    outside_length: int
    """The text outside of the block; `strange_outside` is that at strange places."""
    strange_outside: int

    @property
    def outside(self) -> float:
        return self.strange_outside / (self.strange_outside + self.inside_length)

    @property
    def left(self) -> float:
        return self.left_length / self.inside_length

    @property
    def dropped(self) -> float:
        return self.dropped_length / self.inside_length

    @property
    def kept_length(self) -> int:
        return self.inside_length - self.dropped_length


def _on_page(page: SamplePage, views: Iterable[_View]) -> _OnPage | None:
    """Return what a rule does with a page's text, or None if the page does not have its block.

    If the block is at several places, the one with the most text counts, as in `find_block`.
    """
    found = [view.of(page) for view in views]
    most = max(found, key=lambda one: one.inside_length, default=None)
    return most if most is not None and most.inside_length else None


def _share(share: float) -> float:
    return round(share, 4)  # as in the document
