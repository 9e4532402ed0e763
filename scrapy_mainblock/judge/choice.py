"""Which segments to keep, once it is known how likely each is content.

No single threshold is right: on a clear page a segment is kept when it is more likely content than
not; on an unclear one, where keeping too little costs more than keeping too much, the cut with the
greatest expected F1 is taken.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

CLEAR = 0.8
"""From this expected F1 up a page is clear. Out of 0.6 to 1, tried over sites that the models had
not seen, the one that costs clear pages nothing."""
LIKELY = 0.5
A_MANUAL = 0.1
"""As likely documentation, a page may say things twice."""
LEAST_REPEATED = 30
"""Octets in UTF-8 of what is else kept once: five words, or ten Chinese characters."""


def expected_f1(probability: Floats, sizes: Floats) -> tuple[float, float]:
    """The greatest expected F1 of keeping the most likely segments, and the cut it takes.

    Expected: of kept characters against content characters, a segment's counted as content to the
    share of its probability.
    """
    order = np.argsort(-probability, kind="stable")
    likely = np.cumsum((sizes * probability)[order])
    kept = np.cumsum(sizes[order])
    if not len(order) or likely[-1] <= 0:
        return 0.0, LIKELY
    found = 2 * likely / (kept + likely[-1])
    best = int(np.argmax(found))
    return float(found[best]), float(probability[order[best]])


def likely_segments(
    probability: Floats, sizes: Floats, best: tuple[float, float] | None = None
) -> Bools:
    """Which segments are kept; `best` is the greatest expected F1 and its cut, where known."""
    expected, cut = best or expected_f1(probability, sizes)
    likely = probability >= LIKELY
    if expected > CLEAR and likely.any():
        return np.asarray(likely)
    return np.asarray(probability >= min(LIKELY, cut))


def repeated_segments(
    kept: Bools, text: Callable[[int], bytes], place: Callable[[int], int]
) -> list[int]:
    """The kept segments that say again what is kept already, at another place.

    Pages show a text again for another width of screen, and forums quote and pin. What stands
    again at the same place is meant, as a song's refrain is, or a cell of a table.
    """
    first: dict[bytes, int] = {}
    found = []
    for number in np.flatnonzero(kept).tolist():
        octets = text(number)
        if len(octets) < LEAST_REPEATED:
            continue  # a label, or a number in a table
        before = first.setdefault(octets, number)
        if before != number and place(before) != place(number):
            found.append(number)
    return found
