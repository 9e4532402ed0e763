"""Whether what a rule leaves out of a page is more than it left out of the pages that taught it.

A rule that is right on its cluster's pages can still lose another page's article: to a block of the
same name that is only a part of it, or to a place that held nothing but noise so far. Both show in
how much text is left out at places that the cluster's first page does not have: comments have their
place, and may be as long as they like. Where a rule has lost pages to a drop before, more than ever
is odd at any place of the block. That costs a sum over the segments.
Such a page is read alone as well, and `recipe.decide` chooses between the two.
"""

from __future__ import annotations

from scrapy_mainblock.judge import decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.sums import plain_by
from scrapy_mainblock.template.proof import Proof
from scrapy_mainblock.template.rules import Template

MORE = 0.1
"""So much more than ever of the text, links left out, makes a page odd: 2 to 6 % of the pages that
a rule serves. (With .05 it is 4 to 10 %, and no page more is saved; with .3 a few are lost.)"""
LEAST = 40
"""Characters; with fewer there is nothing to lose.

Nor is there where a rule leaves out no more characters than on the pages that taught it, however
short the article beside them is. (Asked of what stands outside of the block, too, this loses one
page in 874: another block may hold just as much.)"""

MORE_OUTSIDE = "more text stands outside of the rule's block than on the pages that taught it"
MORE_LEFT = "the rule leaves out more of its block than on the pages that taught it"
MORE_DROPPED = "the rule drops more of its block than on the pages that taught it"


def oddity(template: Template, why: bytes, page: Outline) -> str | None:
    """What is odd about how much the rule leaves out of a page; None where nothing is.

    `why` holds the reason for each segment.
    """
    proof = template.proof
    if proof is None or template.pinned:
        return None
    known = template.places
    plain = plain_by(page.rows, why, None, known)
    outside, dropped = plain[decision.OUTSIDE], plain[decision.DROPPED]
    inside = sum(plain) - outside
    # Most pages leave out too little to be odd, wherever it stands: the places are not looked up.
    if _odd(proof, outside, dropped, dropped, inside) is None:
        return None
    strange = plain_by(page.rows, why, page.places, known)
    return _odd(proof, strange[decision.OUTSIDE], strange[decision.DROPPED], dropped, inside)


def _odd(proof: Proof, outside: int, left: int, dropped: int, inside: int) -> str | None:
    """What is odd, by the characters outside of the block, left out of it, and in it.

    `outside` and `left` are of strange places, `dropped` is of any.
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
