"""Foster parenting: moves content that no table may contain before its table, as browsers do."""

from __future__ import annotations

from scrapy_mainblock.outline.buffers.arrays import filled, ints
from scrapy_mainblock.outline.layout import CLOSE, EMPTY, OPEN


def moved(
    tape: memoryview[int],
    fostered: memoryview[int],
    tape_at: memoryview[int],
    tape_end: memoryview[int],
) -> memoryview[int]:
    """Return the tape with fostered content moved before its table, in one pass.

    `fostered` lists the tables of the moved ranges, then where on the tape the ranges begin, then
    where they end. `tape_at` and `tape_end` are updated.
    """
    moves = len(fostered) // 3
    tables, starts, ends = fostered[:moves], fostered[moves : 2 * moves], fostered[2 * moves :]
    behind = filled(len(tape), -1)
    last_before = filled(len(tape_at), -1)
    one_before = ints(moves)
    for number in range(moves):
        behind[starts[number]] = ends[number]
        one_before[number] = last_before[tables[number]]
        last_before[tables[number]] = number
    result = ints(len(tape))
    count = 0
    work = [(0, len(tape))]
    while work:
        at, end = work.pop()
        is_first = True
        while at < end:
            # Skip a moved range where it begins, unless it is the range being copied.
            if not is_first and behind[at] >= 0:
                at = behind[at]
                continue
            is_first = False
            event = tape[at]
            number, kind = event >> 2, event & 3
            if kind == OPEN and last_before[number] >= 0:
                work.append((at, end))
                one = last_before[number]
                while one >= 0:
                    work.append((starts[one], ends[one]))
                    one = one_before[one]
                last_before[number] = -1
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
