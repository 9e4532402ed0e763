"""The latest pages of a cluster, against which a rule is checked before it is used.

For each page only the amount of text at each place is kept, and whether the page alone takes it for
content: some hundred numbers, where the page would be a hundred thousand characters.
"""

from __future__ import annotations

import sys
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from scrapy_mainblock.judge.content.choice import LIKELY
from scrapy_mainblock.outline.buffers.hashing import hash_of
from scrapy_mainblock.outline.places import ROOT, UNDER
from scrapy_mainblock.template.proof import MUCH, Proof

PAGES = 24
"""Maximum number of pages kept, the latest ones. With 12 instead, one set of sites loses .001 of F1
(exceptions cannot be told from the rest); with 48 no figure of `tools/learning.py` differs."""


class TextAt(NamedTuple):
    """The text that a page has at a place."""

    plain: int
    """Characters outside of links."""
    is_likely: bool
    """Whether the page alone takes most of it for content."""


class SamplePage:
    """One page of a sample.

    A run keeps two dozen of them for each cluster of all its sites. As two rows of numbers a place
    takes 16 bytes, where a dictionary of tuples took 200.
    """

    __slots__ = ("_chains", "_texts")

    def __init__(self, places: Iterable[tuple[str, TextAt]]) -> None:
        known = {sys.intern(chain): text for chain, text in places if text.plain > 0}
        self._chains = tuple(known)
        self._texts = array("Q", [text.plain << 1 | text.is_likely for text in known.values()])

    def __len__(self) -> int:
        return len(self._chains)

    @property
    def places(self) -> dict[str, TextAt]:
        """The text at each of its places."""
        texts = (TextAt(text >> 1, bool(text & 1)) for text in self._texts)
        return dict(zip(self._chains, texts, strict=True))

    @property
    def plain(self) -> int:
        """Characters outside of links."""
        return sum(text >> 1 for text in self._texts)

    @property
    def likely(self) -> int:
        """How many of these characters the page alone takes for content."""
        return sum(text >> 1 for text in self._texts if text & 1)

    def under(self, block_chains: Set[str]) -> dict[str, str]:
        """Return the places under a block: each chain in the page, with its chain from the block.

        The result is empty if the page does not have the block. If the block is at several of the
        chains, the one with the most text counts, as in `find_block`.
        """
        under = [dict(self._under(block)) for block in sorted(block_chains)]
        if len(under) <= 1:
            return under[0] if under else {}
        places = self.places
        return max(under, key=lambda chains: sum(places[chain].plain for chain in chains))

    def _under(self, block: str) -> Iterator[tuple[str, str]]:
        prefix = f"{block}{UNDER}" if block else ""
        for chain in self._chains:
            if chain == block:
                yield chain, ROOT
            elif chain.startswith(prefix):
                yield chain, chain[len(prefix) :]


class Sample:
    """The latest pages of a cluster."""

    def __init__(self) -> None:
        self._pages: deque[SamplePage] = deque(maxlen=PAGES)

    def add(self, page: SamplePage) -> None:
        """Add one more page."""
        self._pages.append(page)

    def __iter__(self) -> Iterator[SamplePage]:
        return iter(self._pages)

    @property
    def size(self) -> int:
        """The number of entries kept, which determines the memory used."""
        return sum(map(len, self._pages))

    def thin(self) -> None:
        """Forget the older half of the pages."""
        for _ in range(len(self._pages) // 2):
            self._pages.popleft()


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
    found = [
        one
        for page in sample
        if (one := _on_page(page, block_chains, left_out, structure)) is not None
    ]
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


class _OnPage(NamedTuple):
    lost: float
    outside: float
    left: float
    dropped: float
    left_length: int
    dropped_length: int
    outside_length: int
    kept_length: int


def _on_page(
    page: SamplePage, block_chains: Set[str], left_out: Set[str], structure: Set[int]
) -> _OnPage | None:
    under = page.under(block_chains)
    inside = kept = around = outside = left = dropped = 0
    for chain, text in page.places.items():
        is_strange = hash_of(chain.encode("utf-8", "surrogatepass")) not in structure
        if chain not in under:
            around += text.plain
            outside += text.plain * is_strange
            continue
        inside += text.plain
        if under[chain] in left_out:
            left += text.plain * is_strange
            dropped += text.plain
        elif text.is_likely:
            kept += text.plain
    if not inside:
        return None
    lost = 1 - kept / page.likely if page.likely else 0.0
    return _OnPage(
        lost,
        outside / (outside + inside),
        left / inside,
        dropped / inside,
        left_length=left,
        dropped_length=dropped,
        outside_length=around,
        kept_length=inside - dropped,
    )


def _share(share: float) -> float:
    return round(share, 4)  # as in the document


def sample_page(seen: Mapping[str, tuple[float, int, int]]) -> SamplePage:
    """Return a sample page; each place has its probability, its characters, and those in links."""
    return SamplePage(
        (chain, TextAt(max(length - linked, 0), likely >= LIKELY))
        for chain, (likely, length, linked) in seen.items()
    )
