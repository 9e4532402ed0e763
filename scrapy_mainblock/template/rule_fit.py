"""Whether a template's rule still fits its pages, or the site was built anew under it.

Often a redesign changes the pages' structure, and they are another cluster of themselves. Where the
structure stays alike (few blocks, other names) they stay in their cluster, and the rule finds
nothing, or something else: the block that now stands at the old path, a menu that took the old id.
So a page is compared with what the rule was learnt from. One page that is unlike means little: an
article may be very short. The caller has to wait for several.
"""

from __future__ import annotations

from typing import Literal

from scrapy_mainblock.judge.page_type import by_links
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.sums import lengths
from scrapy_mainblock.template.rules import Hit, Looks, Template

Fit = Literal["fits", "missed", "unlike", "odd length"]
"""A block that is unlike is another one, and no answer. One of an odd length, found by the rule's
own first selector, may well be the right one, of an article that is very short."""

TIMES = 10
"""A block found by the rule's own first selector has an odd length when it is so many times shorter
or longer than any block that the rule was learnt from: articles of one site seldom differ so."""
TIMES_AT_SECOND = 3
"""From here on a block that the second or third selector found is unlike: the first is gone."""
MORE_LINKS = 0.4
"""It is unlike, too, with this much more of its text in links: an article became a menu."""
MORE_LINKS_AT_SECOND = 0.2
MOSTLY_LINKS = 0.8
"""Up to this share of links, with no more of them than usual, a block is an article's that is very
short, with the usual tags and related links in it."""


def fit(template: Template, hit: Hit | None, page: Outline) -> Fit:
    """Whether the block that a rule found in a page is like those that it was learnt from.

    A pinned rule fits: whoever wrote it knows better. The block of a rule that has failed in use is
    no answer, whatever it looks like.
    """
    if template.pinned:
        return "fits"
    if hit is None:
        return "missed"
    if template.has_failed:
        return "unlike"
    if template.looks is None:
        return "fits"
    first, _ = next(template.rule.selectors())
    return _compare(template.looks, hit, page, is_first=hit.selector == first)


def _compare(looks: Looks, hit: Hit, page: Outline, *, is_first: bool) -> Fit:
    times = TIMES if is_first else TIMES_AT_SECOND
    more_links = MORE_LINKS if is_first else MORE_LINKS_AT_SECOND
    length, linked = lengths(page.rows, hit.under.first, hit.under.end)
    share = linked / length if length else 0.0
    if share > looks.link_share + more_links:
        usual = looks.link_share * looks.longest
        is_short = linked <= usual and share < MOSTLY_LINKS
        # A list of contents in an article's template: its links are what it has to say.
        is_list = by_links(page.rows) == "index"
        return "odd length" if is_first and (is_short or is_list) else "unlike"
    if length * times < looks.shortest or length > looks.longest * times:
        return "odd length" if is_first else "unlike"
    return "fits"
