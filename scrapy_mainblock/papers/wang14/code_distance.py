"""The code distance of [Wang14], definition 1: characters of source code without attributes."""

from __future__ import annotations

import re

# Every pattern here is linear on any input. The end of a start tag is searched in three ways, and
# the first that succeeds counts: (1) with quotes only after a ``=``, as in HTML, so that a stray
# quote (``href="x""``) does not swallow the page up to the next one; (2) with quotes anywhere, for
# a value that contains a ``<``; (3) up to the first ``>``, for a quote that is never closed. The
# number of values is bounded; otherwise broken tags, each with a quote that another one closes,
# would each be followed to the end.
_INSIDE = r"""[^<>=]*(?:=\s*(?:"[^"<]*"|'[^'<]*'|(?!["'\s]))[^<>=]*){0,500}"""
_INSIDE_WITH_MARKUP = r"""[^<>"']*(?:(?:"[^"]*"|'[^']*')(?=[\s/>])[^<>"']*){0,30}"""
_INSIDE_BROKEN = r"[^<>]*"
_REST_OF_TAG = rf"(?:{_INSIDE}|{_INSIDE_WITH_MARKUP}|{_INSIDE_BROKEN})"
_NAME = r"(?a:[a-z])[^\s/<>]*(?![^\s/<>])"
_ATTRIBUTES = re.compile(rf"(?P<tag></?{_NAME}){_REST_OF_TAG}(?P<end>>|\Z)", re.IGNORECASE)


def without_attributes(source: str) -> str:
    """Return the source without attributes: ``<div id="main">`` becomes ``<div>``."""
    return _ATTRIBUTES.sub(r"\g<tag>\g<end>", source)


def code_distance(gap: bytes) -> int:
    """Return the characters of code between two links, without attributes (definition 1)."""
    return len(without_attributes(gap.decode("utf-8", "replace")))
