"""FAR-SW [Bu14]: fuzzy association rules and a sliding window over the text lines of a page.

`lines` reads a page, `fuzzy` and `apriori` find rules, `windows` makes blocks, `model` holds what
was learnt, `extract` applies it, `train` learns it from labelled pages.
"""

from scrapy_mainblock.core.farsw.extract import extract_lines, select_lines
from scrapy_mainblock.core.farsw.lines import TextLine, text_lines
from scrapy_mainblock.core.farsw.model import DEFAULT_MODEL, PAPER_MODEL, FarswModel

__all__ = [
    "DEFAULT_MODEL",
    "PAPER_MODEL",
    "FarswModel",
    "TextLine",
    "extract_lines",
    "select_lines",
    "text_lines",
]
