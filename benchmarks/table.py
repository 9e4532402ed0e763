"""A table, for a terminal or for a page of the docs."""

from __future__ import annotations

from collections.abc import Sequence


def as_text(lines: Sequence[Sequence[str]]) -> str:
    """For a terminal; the first line is the head, the first column is set to the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def as_markdown(lines: Sequence[Sequence[str]]) -> str:
    """For a page of the docs."""
    head, *rest = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([head, "|---" * len(lines[0]) + "|", *rest])
