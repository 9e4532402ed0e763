"""Whether a rule leaves out more of a page, or keeps less, than of the pages that taught it.

A rule that is right on its cluster's pages can still lose another page's article: to a block of the
same name that is only a part of it, or to a place that held nothing but noise so far. Both show in
how much text is left out at places that the cluster's first page does not have: comments have their
place, and may be as long as they like. Where a rule has lost pages to a drop before, more than ever
is odd at any place of the block. And what it keeps may be next to nothing, when a rare second
template has its text where the others have a note. That costs a sum over the segments.
Such a page is read alone as well, and `recipe.decide` chooses between the two.
"""

from __future__ import annotations

from scrapy_mainblock.judge import decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.sums import plain_by
from scrapy_mainblock.template.proof import Proof
from scrapy_mainblock.template.rule_fit import Fit
from scrapy_mainblock.template.rules import Template

MORE = 0.1
"""So much more than ever of the text, links left out, makes a page odd: 2 to 6 % of the pages that
a rule serves. (With .05 it is 4 to 10 %, and no page more is saved; with .3 a few are lost.)"""
LEAST = 40
"""Characters; with fewer there is nothing to lose."""
TIMES_LESS = 10
"""A rule that keeps so many times less than of any page that taught it is odd. The page may as well
be a very short one (with 5, a bulletin's): the rule stays, and no more is said than how sure the
page alone would be of it."""

ODD_LENGTH = "the rule's block is far shorter or longer than on the pages that taught it"
KEEPS_LITTLE = "the rule keeps far less than of the pages that taught it"
MORE_OUTSIDE = "more text stands outside of the rule's block than on the pages that taught it"
MORE_LEFT = "the rule leaves out more of its block than on the pages that taught it"
MORE_DROPPED = "the rule drops more of its block than on the pages that taught it"


def oddity(template: Template, fits: Fit, why: bytes, page: Outline) -> str | None:
    """What is odd about what the rule leaves out of a page, or keeps; None where nothing is.

    `fits` says how its block compares with those of other pages, `why` holds the reason for each
    segment.
    """
    proof = template.proof
    if proof is None or template.pinned:
        return None
    plain = plain_by(page.rows, why, None, template.places)
    if more := _more(template, proof, plain, why, page):
        return more
    kept = sum(plain[: decision.PINNED + 1])
    # A short block with no more beside it than ever is a short article's, under long comments.
    if fits == "odd length" and (
        kept > proof.least_kept or plain[decision.OUTSIDE] > proof.most_outside + LEAST
    ):
        return ODD_LENGTH
    return KEEPS_LITTLE if kept * TIMES_LESS < proof.least_kept else None


def _more(
    template: Template, proof: Proof, plain: list[int], why: bytes, page: Outline
) -> str | None:
    """What is odd about how much is left out, by the characters of each kind of segment."""
    outside, dropped = plain[decision.OUTSIDE], plain[decision.DROPPED]
    inside = sum(plain) - outside
    # Most pages leave out too little to be odd, wherever it stands: the places are not looked up.
    if _odd(proof, outside, dropped, dropped, inside) is None:
        return None
    strange = plain_by(page.rows, why, page.places, template.places)
    return _odd(proof, strange[decision.OUTSIDE], strange[decision.DROPPED], dropped, inside)


def _odd(proof: Proof, outside: int, left: int, dropped: int, inside: int) -> str | None:
    """What is odd, by the characters outside of the block, left out of it, and in it.

    `outside` and `left` are of strange places, `dropped` is of any. A short article has much beside
    it in shares: what is left out of the block must be more than ever in characters as well. (Asked
    of what stands outside of it, too, this loses one page in 874: another block may hold as much.)
    """
    if outside > LEAST and outside > (proof.outside + MORE) * (outside + inside):
        return MORE_OUTSIDE
    if left > max(LEAST, proof.most_left) and left > (proof.left + MORE) * inside:
        return MORE_LEFT
    # Only a rule that has lost a page before: of six short pages what is usual is not known.
    has_more = dropped > max(LEAST, proof.most_dropped)
    if proof.is_of_few and has_more and dropped > (proof.dropped + MORE) * inside:
        return MORE_DROPPED
    return None
