"""Code without its attributes: what [Wang14] measures in characters of code, definition 1."""

from __future__ import annotations

import re

# Every pattern here is linear on any input. A start tag's end is sought in three ways, the first
# that finds one counts: with quotes that mean something only behind a ``=``, as in HTML, so that a
# stray one (``href="x""``) does not swallow the page up to the next; with any quotes, where a value
# holds a ``<``; and up to the first ``>``, where a quote was never closed. How often a value may
# come is bounded, since broken tags, each with a quote that another one closes, would otherwise
# each be followed to the end.
_INSIDE = r"""[^<>=]*(?:=\s*(?:"[^"<]*"|'[^'<]*'|(?!["'\s]))[^<>=]*){0,500}"""
_INSIDE_WITH_MARKUP = r"""[^<>"']*(?:(?:"[^"]*"|'[^']*')(?=[\s/>])[^<>"']*){0,30}"""
_INSIDE_BROKEN = r"[^<>]*"
_REST_OF_TAG = rf"(?:{_INSIDE}|{_INSIDE_WITH_MARKUP}|{_INSIDE_BROKEN})"
_NAME = r"(?a:[a-z])[^\s/<>]*(?![^\s/<>])"
_ATTRIBUTES = re.compile(rf"(?P<tag></?{_NAME}){_REST_OF_TAG}(?P<end>>|\Z)", re.IGNORECASE)


def without_attributes(source: str) -> str:
    """The source with ``<div id="main">`` written ``<div>``."""
    return _ATTRIBUTES.sub(r"\g<tag>\g<end>", source)


def code_distance(gap: bytes) -> int:
    """Characters of code between two links, without attributes: definition 1."""
    return len(without_attributes(gap.decode("utf-8", "replace")))
