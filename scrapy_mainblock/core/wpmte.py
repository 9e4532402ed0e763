"""WPMTE [Zhou09]: main text by the length of paragraphs alone, to compare others with.

A paragraph is a line of [Bu14] (`core.farsw.lines`), a word a unit of [Wang14]'s definition 2, so
that a paragraph in Chinese has a length too.
"""

from __future__ import annotations

import lxml.html

from scrapy_mainblock.core.farsw.lines import TextLine, text_lines
from scrapy_mainblock.core.papers import zhou09
from scrapy_mainblock.core.textlength import text_length


def extract_lines(
    body: lxml.html.HtmlElement, *, short: int = zhou09.N_SHORT, long: int = zhou09.N_LONG
) -> list[TextLine]:
    """The paragraphs of a page's main text, in order."""
    lines = text_lines(body)
    # How much longer than both thresholds a paragraph is does not matter.
    enough = max(short + 1, long)
    lengths = [text_length(line.text, enough) for line in lines]
    return [lines[number] for number in zhou09.main_text(lengths, short, long)]
