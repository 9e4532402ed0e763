"""Finds the headline of an article, from the page's metadata and its headings.

A page has its headline up to three times: in `<title>` (with the site's name around it), in Open
Graph (often without it), and in a heading. On most pages a first-level heading repeats one of the
other two word for word: that is the headline. On the other pages each candidate is described by a
feature vector (`candidates`), and the candidate with the greatest weighted sum is chosen. The
weights (`models/headline.json`) were trained on labeled pages of other sites by
`tools/train_headline.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from scrapy_mainblock.fields import untitled
from scrapy_mainblock.fields.candidates import Candidate, Features, candidates, is_section
from scrapy_mainblock.fields.headings import MOST_HEADINGS, Heading, Headings
from scrapy_mainblock.fields.page_titles import PageTitles
from scrapy_mainblock.fields.titles import Key, key_of, without
from scrapy_mainblock.judge import models
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.outline import Outline

LEAST_CONFIRMED_TOKENS = 4
"""Minimum number of tokens of a title that a lower heading may confirm; the name of a section is
shorter."""
LEAST_LINKED = 2
"""Minimum number of tokens of the headline in linked data for which the text before it may be cut
off."""


class Found(NamedTuple):
    """The headline by the page's metadata and headings."""

    text: str | None
    candidates: Sequence[Candidate]
    """The candidates; empty if a confirmed heading was enough."""
    shown: Headings
    titles: PageTitles
    is_untitled: bool
    """Whether the titles hardly name the page, so that the position of a text should decide."""
    is_confirmed: bool = False
    """Whether a heading repeats a title of the page, or the headline in its JSON-LD."""

    def described_by(self, above: Sequence[untitled.Line]) -> list[Candidate]:
        """Return the candidates of an untitled page; `above` are the lines down to its content."""
        return untitled.untitled_candidates(self.candidates, self.shown, above, self.titles.is_site)


def headline_by_titles(page: Outline, names: Collection[str] = ()) -> Found:
    """Return the headline by titles and headings.

    `names` are names of the site and its sections, which are not headlines.
    """
    titles = PageTitles(page, names)
    confirmed, shown = read_headings(titles)
    if confirmed and (titles.open_graph or not is_section(confirmed.key)):
        sure = without_kicker(confirmed.text, titles.linked_headline)
        return Found(sure, (), shown, titles, is_untitled=False, is_confirmed=True)
    if confirmed:
        shown.add_first("h2")
        shown.add_first("h3")
    known = candidates(titles, shown)
    text = confirmed.text if confirmed else best(known.all)
    if text:
        text = without_kicker(text, titles.linked_headline)
    is_untitled = not known.is_named and titles.open_graph is None
    return Found(text, known.all, shown, titles, is_untitled, confirmed is not None)


def without_kicker(text: str, linked: str) -> str:
    """Return a headline without its kicker if the linked data has the headline without it.

    The kicker may be the topic, or the prefix of a forum thread.
    """
    if not linked or linked == text:
        return text
    whole, key = key_of(text), key_of(linked)
    is_end = LEAST_LINKED <= len(key) < len(whole) and whole[-len(key) :] == key
    return linked if is_end else text


def read_headings(titles: PageTitles) -> tuple[Heading | None, Headings]:
    """Return the heading that repeats a title of the page word for word, and the headings read.

    This is a first-level heading, or a lower one if no first-level heading matches; see
    `open_graph_heading` and `linked_heading`. Return None and all headings if no heading matches.
    """
    shown = Headings(titles.page)
    for element in titles.page.rows.with_tag(CODES["h1"], MOST_HEADINGS):
        heading = shown.add("h1", element)
        if heading and is_confirmed(titles, heading.key):
            return linked_second_level(titles, heading), shown
    shown.add_first("h2")
    shown.add_first("h3")
    found = open_graph_heading(titles, shown)
    if found:
        return found, shown
    parts = titles.title.runs if titles.title else {}
    if all(heading.key in parts for heading in shown.found if heading.kind == "h1"):
        for heading in shown.found:
            if heading.kind != "h1" and is_confirmed(titles, heading.key):
                return heading, shown
    return linked_heading(titles, shown), shown


def open_graph_heading(titles: PageTitles, shown: Headings) -> Heading | None:
    """Return a lower heading that ends with the Open Graph title, or None.

    A news page may have one headline for search engines and show another, with a kicker of a word
    or two before it. The kicker is left out. If a first-level heading equals the Open Graph title,
    no lower heading is needed.
    """
    if titles.open_graph is None:
        return None
    key = without(titles.open_graph, titles.is_site)
    if len(key) < LEAST_CONFIRMED_TOKENS or any(
        key == one.key for one in shown.found if one.kind == "h1"
    ):
        return None
    text = titles.open_graph.runs[key].text
    for heading in shown.found:
        if heading.kind != "h1" and heading.key[-len(key) :] == key:
            return heading._replace(key=key, text=text)
    return None


def linked_heading(titles: PageTitles, shown: Headings) -> Heading | None:
    """Return the first-level heading that is, begins or ends with the headline in linked data.

    Open Graph and ``<title>`` may share one headline, while the readers and the linked data share
    another. The heading may also contain a subtitle or the topic, which is left out. Return None if
    no heading matches.
    """
    key = titles.linked
    if len(key) < LEAST_CONFIRMED_TOKENS or titles.is_site(key):
        return None
    for heading in shown.found:
        if heading.kind == "h1" and key in (heading.key[: len(key)], heading.key[-len(key) :]):
            is_all = heading.key == key
            return heading if is_all else heading._replace(key=key, text=titles.linked_headline)
    return None


def linked_second_level(titles: PageTitles, confirmed: Heading) -> Heading:
    """Return the first second-level heading if it is the linked data's headline, else `confirmed`.

    The first-level heading and all titles may be written for search engines.
    """
    linked = titles.linked
    if len(linked) < LEAST_CONFIRMED_TOKENS or linked == confirmed.key:
        return confirmed
    lower = Headings(titles.page)
    lower.add_first("h2")
    return lower.found[0] if lower.found and lower.found[0].key == linked else confirmed


def is_confirmed(titles: PageTitles, key: Key) -> bool:
    """Return whether the page's titles confirm a heading.

    A heading is confirmed if it equals the whole Open Graph title, or if it is a run of parts of
    every title and at least as long as their longest part. The site's name is never confirmed.
    """
    if len(key) < 2:
        return False
    open_graph = titles.open_graph
    if not open_graph or key != open_graph.key:
        if open_graph and key not in open_graph.runs:
            return False
        title = titles.title
        if not title or key not in title.runs or len(key) < titles.longest_part:
            return False
    return not titles.is_site(key)


def best(found: Sequence[Candidate]) -> str | None:
    """Return the candidate with the greatest weighted sum (the first of equals), or None."""
    known = weights()
    return max(found, key=lambda one: score(one.features, known)).text if found else None


def score(features: Features, known: Mapping[str, float]) -> float:
    """Return the weighted sum of a candidate's features."""
    return sum([known.get(name, 0.0) * value for name, value in features.items()])


def weights() -> Mapping[str, float]:
    """Return the shipped weights, or none (all candidates are equal) if they cannot be loaded."""
    try:
        return models.weights("headline.json", "the first headline candidate is used")
    except models.ModelError:
        return {}
