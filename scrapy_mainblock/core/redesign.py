"""Whether a cluster's rule still fits its pages, or the site was built anew under it.

Often a redesign changes the pages' structure, and they are another cluster of themselves. Where the
structure stays alike (few blocks, other names) they stay in their cluster, and the rule finds
nothing, or something else: the block that now stands at the old path, a menu that took the old id.
So a page is compared with what the rule was learnt from. One page that is unlike means little: an
article may be very short. Who asks has to wait for several.
"""

from __future__ import annotations

from itertools import chain
from typing import Literal, cast

from lxml.html import HtmlElement

from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.reading import Reading, reading_of
from scrapy_mainblock.core.rules import ClusterRule, Hit, Looks, apply_rule
from scrapy_mainblock.core.tags import UNPRINTED_TAGS

Fit = Literal["fits", "missed", "unlike", "odd length"]
"""A block that is unlike is another one, and no answer. One of an odd length, found by the rule's
own first selector, may well be the right one, of an article that is very short."""

TIMES = 10
"""A block found by the rule's own first selector is unlike with so many times fewer or more
characters than it ever had; articles of one site differ in length, but seldom that much."""
TIMES_AT_SECOND = 3
"""The same for a block that was found by the second or third selector, since the first is gone."""
MORE_LINKS = 0.4
"""It is unlike, too, with this much more of its text in links: an article became a menu."""
MORE_LINKS_AT_SECOND = 0.2
MOSTLY_LINKS = 0.8
"""Up to this share of links, with no more of them than usual, a block is an article's that is very
short, with the usual tags and related links in it."""


_MEMO = "fit"


def fit(cluster: ClusterRule, page: Page) -> Fit:
    """Whether the rule finds a block in the page, one like those that it was learnt from.

    A pinned rule fits: whoever wrote it knows better. A crawl asks twice of the same page.
    """
    asked, known = page.memo.get(_MEMO, (None, None))
    if asked is not cluster:
        root = page.root
        return fit_of_hit(cluster, None if root is None else apply_rule(cluster.rule, root), page)
    return cast("Fit", known)


def fit_of_hit(cluster: ClusterRule, hit: Hit | None, page: Page) -> Fit:
    """The same, where it is known already what the rule finds."""
    found = _fit(cluster, hit, page)
    page.memo[_MEMO] = cluster, found
    return found


def _fit(cluster: ClusterRule, hit: Hit | None, page: Page) -> Fit:
    if cluster.pinned:
        return "fits"
    if page.root is None or hit is None:
        return "missed"
    if cluster.looks is None:
        return "fits"
    first, _ = next(cluster.rule.selectors())
    return _compare(cluster.looks, hit, reading_of(page, page.root), is_first=hit.selector == first)


def _compare(looks: Looks, hit: Hit, reading: Reading, *, is_first: bool) -> Fit:
    times = TIMES if is_first else TIMES_AT_SECOND
    more_links = MORE_LINKS if is_first else MORE_LINKS_AT_SECOND
    if not _is_shown(hit.block):
        return "unlike"
    block = reading.under(hit.block)
    length, linked = block.length(), sum(block.link_chars)
    share = linked / length if length else 0.0
    if share > looks.link_share + more_links:
        usual = looks.link_share * looks.longest
        is_short = linked <= usual and share < MOSTLY_LINKS
        # A list of contents in an article's template: its links are what it has to say.
        is_list = reading.is_index
        return "odd length" if is_first and (is_short or is_list) else "unlike"
    if length * times < looks.shortest or length > looks.longest * times:
        return "odd length" if is_first else "unlike"
    return "fits"


def _is_shown(element: HtmlElement) -> bool:
    around = chain([element], element.iterancestors())
    return not any(one.tag in UNPRINTED_TAGS for one in around)
