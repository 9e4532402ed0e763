"""WPMTE [Zhou09]: main text extraction by paragraph length alone, a baseline for other methods.

A paragraph is a line as in [Bu14]. A word is a unit of [Wang14], definition 2, so that a Chinese
paragraph has a length too.
"""

from __future__ import annotations

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.papers.bu14.lines import TextLine, text_lines
from scrapy_mainblock.papers.wang14.text_units import text_length
from scrapy_mainblock.papers.zhou09 import equations as zhou09


def extract_lines(
    page: Outline, *, short: int = zhou09.N_SHORT, long: int = zhou09.N_LONG
) -> list[TextLine]:
    """Return the paragraphs of a page's main text, in order."""
    lines = text_lines(page)
    # Stop counting there: it is irrelevant by how much a paragraph exceeds both thresholds.
    enough = max(short + 1, long)
    lengths = [text_length(line.text, enough) for line in lines]
    return [lines[number] for number in zhou09.main_text(lengths, short, long)]
