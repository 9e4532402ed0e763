"""The sliding window, from labeled lines to potential topical blocks ([Bu14], section 3.4, step 7).

Note on the paper: by condition 1, a block needs Phi + 1 non-topical lines around it, but by
condition 3 it ends where Phi of them follow. A gap of exactly Phi lines satisfies neither. The
sentence that explains the conditions ("no more than Phi - 1 continuous non-topical lines can be
included") agrees with condition 3, and so does the code.
"""

from __future__ import annotations

from collections.abc import Iterable


def topical_blocks(topical: Iterable[bool], phi: int) -> list[range]:
    """Return the range of lines of each block, from its first topical line to its last.

    Consecutive topical lines belong to one block if they are at most `phi` apart; with 0, every
    topical line is a block of its own (section 4.2).
    """
    blocks: list[range] = []
    for line, is_topical in enumerate(topical):
        if not is_topical:
            continue
        if blocks and line - blocks[-1][-1] <= phi:
            blocks[-1] = range(blocks[-1].start, line + 1)
        else:
            blocks.append(range(line, line + 1))
    return blocks


def with_edges(block: range, lines: int) -> range:
    """Return Start to End: the block and the non-topical lines just before and after it.

    Condition 2 puts Start one line before the first topical line and End one line after the last.
    Both are scored (which lowers the score of a single line) and extracted (p286 to p300 in figure
    4, where p287 to p299 are topical). At the ends of the page these lines do not exist.
    """
    return range(max(block.start - 1, 0), min(block.stop + 1, lines))
