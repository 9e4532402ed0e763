"""[Zhou09] Zhou, Xiong, Liu: Efficient Web Page Main Text Extraction (WPMTE).

Implemented as [Bu14], which uses the method as a baseline, describes it in section 2. The paper
itself is not at hand, and [Bu14] gives neither threshold. The thresholds below were measured: see
``docs/papers/bu14.md``.
"""

from __future__ import annotations

from collections.abc import Sequence

N_SHORT = 20
"""n_short: every paragraph of the main text is longer than this, in words."""

N_LONG = 30
"""n_long: at least one paragraph has this many words or more."""


def main_text(lengths: Sequence[int], n_short: int = N_SHORT, n_long: int = N_LONG) -> list[int]:
    """Return the indexes of the main text's paragraphs, given all paragraph lengths in words.

    1) Each is longer than n_short; 2) at least one is n_long or longer, or there is no main text.
    """
    if not any(length >= n_long for length in lengths):
        return []
    return [number for number, length in enumerate(lengths) if length > n_short]
