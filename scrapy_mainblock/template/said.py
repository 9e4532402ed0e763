"""What a rule says of a segment under its block."""

from __future__ import annotations

KNOWN, UNKNOWN, DROPPED, NOT_KEPT, LINE = range(5)
"""It is content; the rule does not know, so that the page is asked; a selector leaves it out; no
selector that keeps something means it; a line leaves it out."""
