"""Main text extraction with a trained model ([Bu14], stage 2)."""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.papers.bu14 import equations as bu14
from scrapy_mainblock.papers.bu14.lines import TextLine, text_lines
from scrapy_mainblock.papers.bu14.model import DEFAULT_MODEL, FarswModel
from scrapy_mainblock.papers.bu14.windows import topical_blocks, with_edges


def extract_lines(page: Outline, model: FarswModel = DEFAULT_MODEL) -> list[TextLine]:
    """Return the lines of a page's informative blocks, in order."""
    return select_lines(text_lines(page), model)


def select_lines(lines: Sequence[TextLine], model: FarswModel) -> list[TextLine]:
    """Return the lines of the informative blocks, given all lines; skip lines without text."""
    blocks = topical_blocks((model.is_topical(line) for line in lines), model.phi)
    edged = [with_edges(block, len(lines)) for block in blocks]
    scores = line_scores(lines) if edged else []
    informative = [
        block
        for block in edged
        if bu14.block_score(scores[block.start : block.stop]) > model.block_score
    ]
    # Two blocks may share an edge line.
    numbers = sorted({number for block in informative for number in block})
    return [lines[number] for number in numbers if lines[number].text]


def line_scores(lines: Sequence[TextLine]) -> list[float]:
    """Return equation 4 for every line, normalized within the page."""
    longest = max((line.text_length for line in lines), default=0)
    longest_output = max((line.output_text_length for line in lines), default=0)
    most_links = max((line.link_num for line in lines), default=0)
    most_images = max((line.img_num for line in lines), default=0)
    return [
        bu14.line_score(
            T=bu14.normalized(line.text_length, longest),
            O=bu14.normalized(line.output_text_length, longest_output),
            D=line.density,
            L=bu14.normalized(line.link_num, most_links),
            I=bu14.normalized(line.img_num, most_images),
        )
        for line in lines
    ]
