"""Facts: the short values that a template's pages have at the same places: a price, a director.

The models that judge a page alone were trained on articles, and take a table of values for noise.
The pages of a cluster know better: a place that many of them have, that holds little text, and
whose text differs on most of them, tells what each page is about, the more so the closer it is
behind the headline. Links to similar pages, and comments of readers, are farther down. Articles
have such places too, for dates, tags and the names of authors, which are not their content, so
facts are only looked for where the pages are not articles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

from scrapy_mainblock.outline.places import OF_LINKS, ROOT, UNDER
from scrapy_mainblock.template.learning.place_stats import PlaceEvidence
from scrapy_mainblock.template.learning.place_tally import Tally

MOST_PROSE = 0.65
"""Maximum mean probability of articles, threads and documentation on pages that have facts: up to
0.65 on 18 of 24 sites of products, films and books (the others are two of jobs, whose pages are
prose, three of cars and one of films), from 0.75 on 46 of 48 sites of news and blogs."""
LEAST_PROSE = 0.05
"""Pages with less than this share of their text surely content may have facts as well: the share is
0.12 and more on all 48 sites of news and blogs, and 0 on one of cars whose pages are each taken for
an article."""
LEAST_PAGES, LEAST_SHARE = 4, 0.3
"""A place of facts occurs on at least this many pages, and on this share of the cluster's pages."""
LEAST_VARYING = 0.5
"""A place of facts has on average at least this many lines that are not the same on most pages."""
MOST_LINES = 12.0
"""A place of facts has on average at most this many lines per page."""
MOST_TEXT = 0.05
"""A place of facts has at most this share of all text; a place with more is judged as prose."""
BEFORE, BEHIND = -0.05, 0.3
"""Range of the distance from the headline, as a share of the page's segments. With 0.2 fewer values
are found (by 0.07), with 0.4 no further ones, in more text (by 0.02)."""
AT_HEADLINE = 0.001
"""A place up to this distance is the headline itself."""
MOST_LINKS, LINKED = 2.5, 0.5
"""A place with more lines per page, and a greater share of text in links, is not of facts: a link
to the author is a fact; three links, with half the text in them, lead to other pages."""
LEAST_FACTS = 3
"""Minimum number of places besides those that are content anyway. An article has fewer, its
author's and its date's, and a template that the models take for another type may be one of
articles. (With 1, sites of news and blogs lose 0.002.)"""
LONGEST_LABEL = 25.0
"""Maximum mean length of a label, the text beside facts that says what they are, in characters."""


def may_have_facts(types: Mapping[str, float]) -> bool:
    """Return whether pages whose probabilities of each type sum to `types` may have facts."""
    prose = sum(types.get(kind, 0.0) for kind in ("article", "forum", "documentation"))
    return prose <= MOST_PROSE * sum(types.values()) > 0


def have_no_prose(evidence: PlaceEvidence, content: Set[str]) -> bool:
    """Return whether hardly any text is surely content, so that the pages are not articles."""
    tallies = evidence.places.values()
    places = map(evidence.places.__getitem__, content)
    sure = sum(tally.length for tally in places if tally.is_sure())
    return sure < LEAST_PROSE * sum(tally.length for tally in tallies)


def fact_places(evidence: PlaceEvidence, content: Set[str]) -> Set[str]:
    """Return the places of facts and of their labels, for pages that may have facts.

    `content` are the places that are content anyway. A list of links is never included: most lead
    to similar pages, and nothing distinguishes those that are values (genres) from these.
    """
    pages = max(LEAST_PAGES, LEAST_SHARE * evidence.pages)
    text = MOST_TEXT * sum(tally.length for tally in evidence.places.values())
    small = {
        chain: tally
        for chain, tally in evidence.places.items()
        if tally.pages >= pages
        and tally.length <= text
        and tally.lines <= MOST_LINES * tally.pages
        and BEFORE * tally.pages <= tally.behind <= BEHIND * tally.pages
        and abs(tally.behind) > AT_HEADLINE * tally.pages
        and not _is_of_links(chain, tally)
    }
    same: Counter[str] = Counter()  # occurrences of lines that are the same on most pages
    standing = evidence.lines.standing()
    numbers, pages_there = standing.numbers.tolist(), standing.pages.tolist()
    for number, times in zip(numbers, pages_there, strict=True):
        tally = small.get(standing.places[number])
        if tally is not None and 2 * times > tally.pages:
            same[standing.places[number]] += times
    facts = {
        chain
        for chain, tally in small.items()
        if tally.lines - same[chain] >= LEAST_VARYING * tally.pages
    }
    if len(facts - content) < LEAST_FACTS:
        return frozenset()
    beside = {_around(chain) for chain in facts} - {ROOT}
    return facts | {
        chain
        for chain, tally in small.items()
        if tally.length <= LONGEST_LABEL * tally.lines and _around(chain) in beside
    }


def _is_of_links(chain: str, tally: Tally) -> bool:
    is_list = tally.lines > MOST_LINKS * tally.pages
    return OF_LINKS in chain or (is_list and tally.linked > LINKED * tally.length)


def _around(chain: str) -> str:
    return chain.rpartition(UNDER)[0]
