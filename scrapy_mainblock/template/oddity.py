"""Detects pages of which a rule leaves out more, or keeps less, than ever before.

A rule that is right on its cluster's pages can still lose another page's article: to a block of the
same name that is only a part of it, or to a place that held nothing but noise so far. Both show in
how much text is left out at places that the cluster's first page does not have. (Comments are at
known places, and may be of any length.) If a rule has lost pages to a drop before, dropping more
than ever is odd at any place of the block. Also, the rule may keep next to nothing, when a rare
second template has its text where the others have a note. The check costs a sum over the segments.
An odd page is read alone as well, and `recipe.decide` chooses between the rule and the page alone.
"""

from __future__ import annotations

from scrapy_mainblock.judge import decision
from scrapy_mainblock.outline.buffers.hashing import Numbers
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.sums import plain_by
from scrapy_mainblock.template.proof import Proof
from scrapy_mainblock.template.rule_fit import Fit
from scrapy_mainblock.template.rules import Template
from scrapy_mainblock.template.structure import Structure

MORE = 0.1
"""A page is odd if the share of its text left out (without links) is greater than ever by this: 2
to 6 % of the pages that a rule serves. (With .05 it is 4 to 10 %, and no further page is saved;
with .3 a few are lost.)"""
LEAST = 40
"""Minimum characters left out; with fewer there is nothing to lose."""
TIMES_LESS = 10
"""A page is odd if the rule keeps this many times less of it than of any page it was learned from.
It may also be just a very short page (with 5, a bulletin's), so the rule stays, and only the
probability says how sure the page alone would be of the rule's choice."""

ODD_LENGTH = "the rule's block is far shorter or longer than on the pages the rule was learned from"
KEEPS_LITTLE = "the rule keeps far less of this page than of the pages it was learned from"
MORE_OUTSIDE = "more text is outside the rule's block than on the pages the rule was learned from"
MORE_LEFT = (
    "the rule leaves out more text at unfamiliar places of its block than on the pages it was"
    " learned from"
)
MORE_DROPPED = (
    "the rule leaves out more of its block than on the pages it was learned from, and has lost"
    " content that way before"
)
_NO_PLACES = Numbers(0)


def oddity(template: Template, fits: Fit, why: bytes, page: Outline) -> str | None:
    """Return what is odd about what a rule keeps or leaves out of a page, or None.

    `fits` compares the page's block with those of other pages; `why` holds each segment's reason.
    """
    proof = template.proof
    if proof is None or template.pinned:
        return None
    plain = plain_by(page.rows, why, None, _NO_PLACES)
    if more := _more(template, proof, plain, why, page):
        return more
    kept = sum(plain[: decision.PINNED + 1])
    # A short block with no more text beside it than ever is a short article with long comments.
    if fits == "odd length" and (
        kept > proof.least_kept or plain[decision.OUTSIDE] > proof.most_outside + LEAST
    ):
        return ODD_LENGTH
    return KEEPS_LITTLE if kept * TIMES_LESS < proof.least_kept else None


def _more(
    template: Template, proof: Proof, plain: list[int], why: bytes, page: Outline
) -> str | None:
    """Return what is odd about how much is left out, given the characters by kind of segment."""
    outside, dropped = plain[decision.OUTSIDE], plain[decision.DROPPED]
    inside = sum(plain) - outside
    # Look up the places only if enough is left out: on most pages it is too little to be odd.
    if _odd(proof, outside, dropped, dropped, inside) is None:
        return None
    known = Structure.of(template.structure).table()
    strange = plain_by(page.rows, why, page.places, known)
    return _odd(proof, strange[decision.OUTSIDE], strange[decision.DROPPED], dropped, inside)


def _odd(proof: Proof, outside: int, left: int, dropped: int, inside: int) -> str | None:
    """Return what is odd, given the characters outside of the block, left out of it, and in it.

    `outside` and `left` are those at strange places, `dropped` those at any place. A short article
    has a large share of text beside it, so what is left out of the block must be more than ever in
    characters as well. (Requiring this of the text outside of the block, too, loses one page in
    874: another block may hold as much.)
    """
    if outside > LEAST and outside > (proof.outside + MORE) * (outside + inside):
        return MORE_OUTSIDE
    if left > max(LEAST, proof.most_left) and left > (proof.left + MORE) * inside:
        return MORE_LEFT
    # Only for a rule that has lost a page before: six short pages do not show what is usual.
    has_more = dropped > max(LEAST, proof.most_dropped)
    if proof.loses_on_few and has_more and dropped > (proof.dropped + MORE) * inside:
        return MORE_DROPPED
    return None
