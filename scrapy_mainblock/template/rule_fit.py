"""Whether a template's rule still fits its pages, or the site was redesigned.

A redesign often changes the structure of the pages, so that they form another cluster by
themselves. If the structure stays similar (few blocks, other names), the pages stay in their
cluster, and the rule finds nothing or something else: the block that is now at the old path, or a
menu that took over the old id. So a page's block is compared with those that the rule was learned
from. One page that is unlike them means little, since an article may be very short. The caller has
to wait for several.
"""

from __future__ import annotations

from typing import Literal

from scrapy_mainblock.judge.page_type import by_links
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.sums import lengths
from scrapy_mainblock.template.rules import BlockStats, Hit, Template

Fit = Literal["fits", "missed", "unlike", "odd length"]
"""An "unlike" block is a different one, and is not used. A block of an "odd length", found by the
rule's own first selector, may well be the right one, of a very short article."""

TIMES = 10
"""A block found by the rule's own first selector has an odd length if it is this many times shorter
or longer than any that the rule was learned from: articles of one site seldom differ so much."""
TIMES_AT_SECOND = 3
"""From this factor on, a block found by the second or third selector is unlike, because the first
selector matches nothing."""
MORE_LINKS = 0.4
"""A block is also unlike if its share of links is greater by this: an article became a menu."""
MORE_LINKS_AT_SECOND = 0.2
MOSTLY_LINKS = 0.8
"""Below this share of links, and with no more linked text than usual, a block is that of a very
short article with the usual tags and related links."""


def fit(template: Template, hit: Hit | None, page: Outline) -> Fit:
    """Return how the block that a rule found compares with those that it was learned from.

    A pinned rule always fits, because its author knows better. The block of a rule that has failed
    in use is not used, whatever it looks like.
    """
    if template.pinned:
        return "fits"
    if hit is None:
        return "missed"
    if template.has_failed:
        return "unlike"
    if template.looks is None:
        return "fits"
    first, _ = template.rule.selectors[0]
    return _compare(template.looks, hit, page, is_first=hit.selector == first)


def _compare(looks: BlockStats, hit: Hit, page: Outline, *, is_first: bool) -> Fit:
    times = TIMES if is_first else TIMES_AT_SECOND
    more_links = MORE_LINKS if is_first else MORE_LINKS_AT_SECOND
    length, linked = lengths(page.rows, hit.under.first, hit.under.end)
    share = linked / length if length else 0.0
    if share > looks.link_share + more_links:
        usual = looks.link_share * looks.longest
        is_short = linked <= usual and share < MOSTLY_LINKS
        # A table of contents in an article's template: its links are its content.
        is_list = by_links(page.rows) == "index"
        return "odd length" if is_first and (is_short or is_list) else "unlike"
    if length * times < looks.shortest or length > looks.longest * times:
        return "odd length" if is_first else "unlike"
    return "fits"
