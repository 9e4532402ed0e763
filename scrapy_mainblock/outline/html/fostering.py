"""What stands in a table though no table may hold it: a browser shows it before the table."""

from __future__ import annotations

from scrapy_mainblock.outline.arrays import ints
from scrapy_mainblock.outline.layout import CLOSE, EMPTY, OPEN


def moved(
    tape: memoryview,
    fostered: list[tuple[int, int, int]],
    tape_at: memoryview,
    tape_end: memoryview,
) -> memoryview:
    """The tape with what is `fostered` before its table, in one pass.

    Each of the fostered is a table and where on the tape what belongs before it begins and ends.
    """
    before: dict[int, list[tuple[int, int]]] = {}
    behind: dict[int, int] = {}
    for table, start, end in fostered:
        before.setdefault(table, []).append((start, end))
        behind[start] = end
    result = ints(len(tape))
    count = 0
    work = [(0, len(tape))]
    while work:
        at, end = work.pop()
        is_first = True
        while at < end:
            # Where one begins it is skipped, unless it is its turn.
            if not is_first and at in behind:
                at = behind[at]
                continue
            is_first = False
            event = tape[at]
            number, kind = event >> 2, event & 3
            if kind == OPEN and number in before:
                work.append((at, end))
                work.extend(reversed(before.pop(number)))
                break
            if kind == OPEN:
                tape_at[number] = count
            elif kind == CLOSE:
                tape_end[number] = count + 1
            elif kind == EMPTY:
                tape_at[number] = count
                tape_end[number] = count + 1
            result[count] = event
            count += 1
            at += 1
    return result
