"""Facts: the short values that a template's pages have at the same places, a price, a director.

What judges a page alone was taught by articles, and takes a table of values for noise. The pages of
a cluster know better: a place that many of them have, that holds little, and that says something
else on most of them, says what each of them is about; the more so the nearer it stands behind the
headline. Links to other pages of the kind, and what readers said, stand farther down. Articles
have such places too, for dates, tags and the names of authors, which are not what they say: facts
are asked for where pages are no articles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

from scrapy_mainblock.outline.places import OF_LINKS, ROOT, UNDER
from scrapy_mainblock.template.learning.place_stats import PlaceEvidence, Tally

MOST_PROSE = 0.65
"""How likely the pages may be articles, threads or documentation, on average, and still have facts:
up to 0.65 on 18 of 24 sites of products, films and books (the others are two of jobs, whose pages
are prose, three of cars and one of films), from 0.75 on 46 of 48 sites of news and blogs."""
LEAST_PROSE = 0.05
"""Or how much of their text is surely content, at most: 0.12 and more on all 48 sites of news and
blogs, none of it on one of cars whose pages are each taken for an article."""
LEAST_PAGES, LEAST_SHARE = 4, 0.3
"""How many pages, and which share of the cluster's, have the place;"""
LEAST_VARYING = 0.5
"""how many lines stand there on average that are not the same on most pages;"""
MOST_LINES = 12.0
"""how many lines at all;"""
MOST_TEXT = 0.05
"""and how much of all text. What holds more is judged as prose is."""
BEFORE, BEHIND = -0.05, 0.3
"""How far from the headline, in shares of the page's segments. With 0.2 fewer values are found (by
0.07), with 0.4 none more in more text (by 0.02)."""
AT_HEADLINE = 0.001
"""Up to here it is the headline itself."""
MOST_LINKS, LINKED = 2.5, 0.5
"""A link to the author is a fact; three links, with half the text in them, lead to other pages."""
LEAST_FACTS = 3
"""Places beside those that are content anyway. An article has fewer, its author's and its date's;
and a template that the models take for something else may be one of articles. (With 1, sites of
news and blogs lose 0.002.)"""
LONGEST_LABEL = 25.0
"""Characters of what stands beside facts and says which they are, on average."""


def may_have_facts(types: Mapping[str, float]) -> bool:
    """Whether pages that are so likely of some types, in all, say what they say in values."""
    prose = sum(types.get(kind, 0.0) for kind in ("article", "forum", "documentation"))
    return prose <= MOST_PROSE * sum(types.values()) > 0


def have_no_prose(evidence: PlaceEvidence, content: Set[str]) -> bool:
    """Whether hardly any of their text is surely content: no articles, whatever each looks like."""
    tallies = evidence.places.values()
    places = map(evidence.places.__getitem__, content)
    sure = sum(tally.length for tally in places if tally.is_sure())
    return sure < LEAST_PROSE * sum(tally.length for tally in tallies)


def fact_places(evidence: PlaceEvidence, content: Set[str]) -> Set[str]:
    """The places of facts and their labels, by what pages that may have some say together.

    `content` are the places that are content anyway. A list of links is none: most lead to other
    pages of the kind, and nothing tells those that are values (genres) from them.
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
    same: Counter[str] = Counter()  # how often a line stood there that is the same on most pages
    for chain, _, standing in evidence.lines.standing():
        if chain in small and 2 * standing > small[chain].pages:
            same[chain] += standing
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
