"""What a rule says of a segment under its block."""

from __future__ import annotations

KNOWN, UNKNOWN, DROPPED, NOT_KEPT, LINE = range(5)
"""It is content; the rule does not know, so that the page is asked; a drop selector matches it; no
keep selector matches it; it is a template line."""
