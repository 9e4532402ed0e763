"""The output stays the same to the last character: optimizations must not change it.

Each digest is that of one step's output for the same generated pages. If the output is meant to
change, run `PYTHONPATH=. python -m pytest tests/recipe/test_same_output.py`: its failure shows the
new digest. Put it into `DIGESTS`, and give the reason in the commit. Output that depends on the
trained models is not pinned here: `mainblock eval` measures it.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import demo_site
import pytest
from pages import outline_of, rendered, site
from shapes import shape

from scrapy_mainblock import Rules, extract
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.papers.methods import PAPER_METHODS, extract_by
from scrapy_mainblock.papers.wang14.link_blocks import link_blocks
from scrapy_mainblock.render.render import from_segments
from scrapy_mainblock.template.rules import Rule, SiteRules, Template
from scrapy_mainblock.template.selection import Selection

DIGESTS = {
    "shapes": "4515ee1174b9b36b",
    "segments": "f8fb233b7bdf0034",
    "chains_and_structure": "0e3ba53f0a29e6b1",
    "whole_pages": "338e245793c721ef",
    "pages_with_parts_left_out": "908fb50346e72620",
    "blocks_of_links": "3b1a1b43bbc6bef8",
    "methods_of_the_papers": "6b458e08182a9251",
    "by_a_rule": "72aa795eca40904c",
}

HOST = "http://news.example"
_HOLDERS = "div section article ul ol table blockquote figure dl nav header span a em p".split()
_PARTS = {"ul": "li", "ol": "li", "table": "tr", "tr": "td", "dl": "dd"}
_PHRASING = {"p", "a", "em", "span"}
_LEAVES = (
    "word {n}",
    " some more words, {n} of them. ",
    "<br>",
    "<br><br>",
    "<img src='/i{n}.png' alt='picture {n}'>",
    "<a href='/{n}'>link {n}</a>",
    "<a name='n{n}'>anchor</a>",
    "<b>bold</b>",
    "<em> emphasis </em>",
    "<code>x = {n}</code>",
    "<span class='share'>Share</span>",
    "<button>Press</button>",
    "<script>var n = {n};</script>",
    "<select><option>Choose</option></select>",
    "\n   ",
    "&nbsp;&amp; &lt;b&gt; ",
    "中文，{n}。",
)
_BLOCK_LEAVES = ("<hr>", "<pre>  line {n}\n\n    next</pre>", "<h2>Heading {n}</h2>", "<p></p>")


def _soup(dice: random.Random, within: str = "div", depth: int = 0) -> str:
    """Return random well-formed markup: nested blocks, text beside them, varied whitespace."""
    pieces = []
    for _ in range(int(dice.random() * 5) + 1):
        if within in _PARTS:
            part = _PARTS[within]
            pieces.append(f"<{part}>{_soup(dice, part, depth + 1)}</{part}>")
        elif dice.random() < 0.5 and depth < 7:
            tag = _HOLDERS[int(dice.random() * len(_HOLDERS))]
            if (within in _PHRASING and tag not in {"span", "em"}) or (
                within == "a" and tag == "a"
            ):
                tag = "span"
            name = (
                f' class="c{int(dice.random() * 9)} x" id="i{tag}"' if dice.random() < 0.5 else ""
            )
            if tag == "a":
                name += ' href="x y?a=1&amp;b"'
            pieces.append(f"<{tag}{name}>{_soup(dice, _within(within, tag), depth + 1)}</{tag}>")
        else:
            leaves = _LEAVES if within in _PHRASING else _LEAVES + _BLOCK_LEAVES
            leaf = leaves[int(dice.random() * len(leaves))]
            if "<a" in leaf and within in {"a", "em", "span"}:
                leaf = "no link"
            pieces.append(leaf.format(n=int(dice.random() * 99)))
    return "".join(pieces)


def _within(outer: str, tag: str) -> str:
    """Return the holder that restricts the content: phrasing stays phrasing."""
    return outer if outer in _PHRASING else tag


@cache
def pages() -> tuple[tuple[str, str], ...]:
    """Return pages of the demo site and of the builders, and random ones, with their URLs."""
    demo = demo_site.build(seed="same", articles_per_template=4, padding_kb=2)
    dice = random.Random(5)
    nonsense = [
        (
            f"<html><head><title>t</title></head><body>{_soup(dice)}</body></html>",
            f"{HOST}/{number}",
        )
        for number in range(120)
    ]
    return (
        *((page.html, HOST + page.path) for page in demo.pages),
        *site(4),
        *nonsense,
    )


@cache
def outlines() -> tuple[Outline, ...]:
    return tuple(outline_of(source, url) for source, url in pages())


def shapes() -> Iterator[Any]:
    for page in outlines():
        yield shape(page.rows)


def segments() -> Iterator[Any]:
    for page in outlines():
        rows = page.rows
        found = (rows.segment_block, rows.segment_link_chars, rows.segment_links)
        yield [page.texts, *map(list, found)]
        blocks = (rows.block_parent, rows.block_first, rows.block_end, rows.block_images)
        names = [rows.name(element) for element in rows.block_element]
        yield [names, *map(list, blocks)]


def chains_and_structure() -> Iterator[Any]:
    for page in outlines():
        yield page.chains
        yield sorted(page.structure)


def whole_pages() -> Iterator[Any]:
    for page in outlines():
        yield list(rendered(page))


def pages_with_parts_left_out() -> Iterator[Any]:
    dice = random.Random(6)
    for page in outlines():
        for share in (0.2, 0.8):
            kept = bytes(dice.random() > share for _ in page.texts)
            yield list(from_segments(page, kept, page.rows.body))


def blocks_of_links() -> Iterator[Any]:
    for page in outlines():
        for measure in ("text", "code"):
            found = link_blocks(page, measure=measure)
            yield [found.blocks, found.page_links, round(found.lcr, 9), round(found.ccr, 9)]


def methods_of_the_papers() -> Iterator[Any]:
    for page in outlines():
        for method in PAPER_METHODS:
            article = extract_by(method, page)
            yield [article.articleBody, article.articleBodyHtml, article.metadata["method"]]


def by_a_rule() -> Iterator[Any]:
    keeping = Selection(drop=("div.share", "ul", "p > text()"), lines=("word 7",))
    for selection in (Selection(), keeping, Selection(keep=("p", "div > p", "section"))):
        for rule in (Rule(classes=("c1",), path="body1/div2", selection=selection),
                     Rule(path="body1", selection=selection)):  # fmt: skip
            known = Template("one", rule, frozenset(), pinned=True)
            rules = Rules({"news.example": SiteRules("news.example", (known,))})
            for source, url in pages():
                article = extract(source, url, rules)
                if article.metadata["method"] == "rule":
                    found = article.metadata["rule"]
                    yield [article.articleBody, article.articleBodyHtml, found]


@pytest.mark.parametrize(
    "step",
    [shapes, segments, chains_and_structure, whole_pages, pages_with_parts_left_out,
     blocks_of_links, methods_of_the_papers, by_a_rule],
)  # fmt: skip
def test_output_of_a_step_is_unchanged(step: Callable[[], Iterator[Any]]) -> None:
    digest = hashlib.sha256()
    for output in step():
        digest.update(json.dumps(output, ensure_ascii=True).encode())
    assert digest.hexdigest()[:16] == DIGESTS[step.__name__]
