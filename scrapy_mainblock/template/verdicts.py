"""The verdicts of a rule on a segment under its block."""

from __future__ import annotations

KNOWN, UNKNOWN, DROPPED, NOT_KEPT, LINE = range(5)
"""In this order: the segment is content; the rule does not know, so the page itself is asked; a
drop selector matches; no keep selector matches; the segment is a template line."""
