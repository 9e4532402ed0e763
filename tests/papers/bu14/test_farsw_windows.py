"""The window law: blocks hold every topical line and have no gap of Phi lines or more."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.papers.bu14.windows import topical_blocks, with_edges

labels = st.lists(st.booleans(), max_size=60)


def blocks(drawing: str, phi: int = 2) -> list[tuple[int, int]]:
    """Return the first and last line of each block; `#` draws a topical line, `.` another."""
    found = topical_blocks((mark == "#" for mark in drawing), phi)
    return [(block[0], block[-1]) for block in found]


@pytest.mark.parametrize(
    ("drawing", "found"),
    [
        ("", []),
        ("...", []),
        ("#", [(0, 0)]),
        (".##.", [(1, 2)]),
        ("#.#", [(0, 2)]),  # Phi - 1 lines between: one block
        ("#..#", [(0, 0), (3, 3)]),  # Phi lines between: two
        (".#.#.#...#", [(1, 5), (9, 9)]),
    ],
)
def test_blocks_of_a_window_of_two(drawing, found):
    assert blocks(drawing) == found


def test_without_a_window_every_topical_line_is_a_block():
    assert blocks("##.#", phi=0) == [(0, 0), (1, 1), (3, 3)]


@given(labels, st.integers(1, 8))
def test_window_law(topical, phi):
    found = topical_blocks(topical, phi)
    covered = [line for block in found for line in block]
    assert all(line in covered for line, is_topical in enumerate(topical) if is_topical)
    for block in found:
        assert topical[block[0]]
        assert topical[block[-1]]
        marked = [line for line in block if topical[line]]
        assert all(b - a <= phi for a, b in pairwise(marked))
    assert all(b[0] - a[-1] > phi for a, b in pairwise(found))


@given(labels, st.integers(0, 8))
def test_a_longer_window_never_makes_more_blocks(topical, phi):
    assert len(topical_blocks(topical, phi + 1)) <= len(topical_blocks(topical, phi))


def test_edges_are_the_adjacent_lines_and_stay_within_the_page():
    assert with_edges(range(3, 5), 10) == range(2, 6)
    assert with_edges(range(5), 5) == range(5)
