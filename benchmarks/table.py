"""Tables for a terminal and for the docs."""

from __future__ import annotations

from collections.abc import Sequence


def as_text(lines: Sequence[Sequence[str]]) -> str:
    """Return a table for a terminal: the first line is its head, the first column left-aligned."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def as_markdown(lines: Sequence[Sequence[str]]) -> str:
    """Return a table for a page of the docs."""
    head, *rest = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([head, "|---" * len(lines[0]) + "|", *rest])
