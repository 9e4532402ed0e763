"""Applies a rule's selectors to the segments under its block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy_mainblock.outline.buffers.arrays import ints
from scrapy_mainblock.outline.buffers.hashing import Numbers, extended, hash_of
from scrapy_mainblock.outline.folding import Folded
from scrapy_mainblock.outline.layout import START
from scrapy_mainblock.outline.places import UNDER, Places
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.template.verdicts import DROPPED, KNOWN, LINE, NOT_KEPT, UNKNOWN

if TYPE_CHECKING:
    from scrapy_mainblock.outline.selectors import Extent

OWN_TEXT = (UNDER + "text()").encode()
FIRST_OWN_TEXT = hash_of(b"text()")
LENGTH_OF_OWN_TEXT = len(OWN_TEXT)


class Keeper:
    """A rule's `verdict` on each segment under its block, and the selector's index (`by`)."""

    def __init__(self, rows: Rows, places: Places, under: Extent, tables: Any) -> None:
        self.rows, self.places = rows, places
        self.first, self.end = under.first, under.end
        self.first_block, self.end_block = under.first_block, under.end_block
        self.drop, self.drop_steps = tables.drop, tables.drop_steps
        self.keep, self.keep_steps = tables.keep, tables.keep_steps
        self.known, self.lines = tables.known, tables.lines
        self.below, self.below_steps = tables.below, tables.below_steps
        self.keeps_all, self.knows_all = tables.keeps_all, tables.knows_all
        self.has_own_text, self.has_steps = tables.has_own_text, tables.has_steps
        count = max(self.end - self.first, 0)
        self.verdict, self.by = bytearray(count), ints(count)

    def run(self, folded: Folded | None) -> None:
        """Match the blocks, then the segments; `folded` is only needed if the rule has lines."""
        rows, places = self.rows, self.places
        count = self.end_block - self.first_block + 1
        # Number 0 is the rule's block itself; chains begin below it.
        room = ints(3 * count)
        dropped, kept, known = room[:count], room[count : 2 * count], room[2 * count :]
        hashes = places.under(self.first_block, self.end_block)
        dropped[0], kept[0], known[0] = -1, 0 if self.keeps_all else -1, -1
        for number in range(1, count):
            block = self.first_block + number - 1
            parent = max(rows.block_parent[block] - self.first_block + 1, 0)
            chain, step = hashes[number], places.step_hash(block) if self.has_steps else 0
            dropped[number] = self._found(dropped[parent], self.drop, self.drop_steps, chain, step)
            kept[number] = self._found(kept[parent], self.keep, self.keep_steps, chain, step)
            known[number] = self._found(known[parent], self.below, self.below_steps, chain, step)
        for place in range(self.end - self.first):
            segment = self.first + place
            number = max(rows.segment_block[segment] - self.first_block + 1, 0)
            self._decide(place, hashes[number], dropped[number], kept[number], known[number])
            if folded is not None and self.verdict[place] <= UNKNOWN:
                start, end = folded.starts[segment], folded.starts[segment + 1]
                line = self.lines.find(extended(START, folded.octets, start, end))
                if line >= 0:
                    self.verdict[place], self.by[place] = LINE, line

    def _found(self, above: int, chains: Numbers, steps: Numbers, chain: int, step: int) -> int:
        """Return the selector that matches a block or one of its ancestors, or -1."""
        if above < 0:
            above = chains.find(chain)
        return steps.find(step) if above < 0 else above

    def _decide(self, place: int, chain: int, dropped: int, kept: int, known: int) -> None:
        """Set the verdict on a segment, given its chain and the selectors that match its block."""
        if dropped < 0 and self.has_own_text:
            own = FIRST_OWN_TEXT
            if chain != START:
                own = extended(chain, OWN_TEXT, 0, LENGTH_OF_OWN_TEXT)
            dropped = self.drop.find(own)
            if kept < 0:
                kept = self.keep.find(own)
        if dropped >= 0:
            self.verdict[place], self.by[place] = DROPPED, dropped
        elif kept < 0:
            self.verdict[place], self.by[place] = NOT_KEPT, -1
        else:
            if known < 0:
                known = 0 if self.knows_all else self.known.find(chain)
            self.verdict[place], self.by[place] = (UNKNOWN if known < 0 else KNOWN), known
