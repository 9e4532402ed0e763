"""[Wang14] Wang, Wu, Huang, Gu: A New Recognition Approach for Logical Link Blocks in Webpages.

A *logical link block* is a run of links that are close together in the source, regardless of the
elements around them. This module has definition 5, the two ratios of section 3 (LCR and CCR), and
the thresholds of section 4. Definition 1 is in `code_distance`, 2 in `text_units`, 3 in
`link_blocks`. The book chapter (the same method in Chinese, `5-1` to `5-3`) is quoted where it is
more detailed.

Notes on the paper:

* The prose of section 3 closes a block when the distance is "over d_t" and accepts it when the
  count "exceeds C_t"; definition 5 says ``max(d_i) < d_t`` and ``C_link >= C_t``. The definition
  is used.
* Figure 4, remark (4): "may increase LCR ... can significantly increase LCR" should read CCR the
  second time; the Chinese text is correct.
* Figure 4, remark (5): LCR and CCR rise together up to 25, and CCR alone from 20 on.
* In places, the English text names the figures' axes ``d_t^l`` where ``d_t^t`` is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

Measure = Literal["text", "code"]

C_T = 3
"""C_t, definition 5: the minimum number of links in a block. Section 4.2, first group."""

D_T_TEXT = 40
"""d_t^t: adjacent links of a block are fewer than this many text units apart. Section 4.2, second
group. On index pages CCR is flat from 45 and LCR from 20; at 40 bodies stay whole."""

D_T_CODE = 80
"""d_t^c: the same in characters of code without attributes. Section 4.2, second group."""

THRESHOLD: dict[Measure, int] = {"text": D_T_TEXT, "code": D_T_CODE}

CURVES_D_T_TEXT = tuple(range(5, 61, 5))
CURVES_D_T_CODE = tuple(range(10, 121, 10))
CURVES_C_T = tuple(range(2, 13))
"""Section 4.2: the parameter sweeps of figures 4 to 8."""


def is_link_block(distances: Sequence[int], c_t: int, d_t: int) -> bool:
    """Return definition 5: ``C_link >= C_t`` and ``max(d_i) < d_t``, for C_link - 1 distances."""
    return len(distances) + 1 >= c_t and all(distance < d_t for distance in distances)


def runs(distances: Sequence[int], d_t: int) -> list[tuple[int, int]]:
    """Return the maximal runs of links with ``max(d_i) < d_t``, as half-open ranges of indexes.

    ``distances[i]`` is the distance between link i and link i + 1. This is the single scan of
    section 3, before C_t is applied.
    """
    found = []
    first = 0
    for number, distance in enumerate(distances, start=1):
        if distance >= d_t:
            found.append((first, number))
            first = number
    found.append((first, len(distances) + 1))
    return found


def lcr(block_links: int, page_links: int) -> float:
    """Return the link coverage ratio, C_BlockLinks / C_PageLinks; 0 for a page without links."""
    return block_links / page_links if page_links else 0.0


def ccr(block_length: int, page_length: int) -> float:
    """Return the code coverage ratio, L_Block / L_Page; 0 for an empty page."""
    return block_length / page_length if page_length else 0.0
