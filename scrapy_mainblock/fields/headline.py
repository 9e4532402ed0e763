"""The title of an article, from what the page says of itself and what it shows.

A page names its title up to three times: in `<title>` (with the site's name around it), in
OpenGraph (often without), and in a heading. On most pages a first-level heading is, word for word,
what one of the other two says: that is the title. On the others each candidate is described by
some named numbers (`candidates`), which are weighed (`models/headline.json`, trained on labelled
pages of other sites by `tools/train_headline.py`), and the best is taken.
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

LEAST_TOLD = 4
"""Tokens of a title that a lower heading may confirm; a section's name is shorter."""
LEAST_LINKED = 2
"""Tokens of linked data's headline that what stands before it may be cut off for."""


class Found(NamedTuple):
    """The headline by what the page says of itself and its headings."""

    text: str | None
    candidates: Sequence[Candidate]
    """All that it could be, where no heading is confirmed."""
    shown: Headings
    titles: PageTitles
    is_untitled: bool
    """Whether the page's titles hardly name it, so that where it stands should be asked."""
    is_confirmed: bool = False
    """Whether a heading says what a title of the page says."""

    def described_by(self, above: Sequence[untitled.Line]) -> list[Candidate]:
        """The candidates of an unnamed page that has these lines up to where its content begins."""
        return untitled.beside(self.candidates, self.shown, above, self.titles.is_site)


def headline_by_titles(page: Outline, names: Collection[str] = ()) -> Found:
    """The headline by titles and headings; `names` (of the site, and its sections) are none."""
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
    """A headline without what stands before it, if it is so in the page's linked data.

    Before it may stand what it is about, or the prefix of a thread.
    """
    if not linked or linked == text:
        return text
    whole, key = key_of(text), key_of(linked)
    is_end = LEAST_LINKED <= len(key) < len(whole) and whole[-len(key) :] == key
    return linked if is_end else text


def read_headings(titles: PageTitles) -> tuple[Heading | None, Headings]:
    """The heading that a title of the page repeats to the word; else all headings.

    It is of the first level, or of a lower one where none of the first is the same; see `told`.
    """
    shown = Headings(titles.page)
    for element in titles.page.rows.with_tag(CODES["h1"], MOST_HEADINGS):
        heading = shown.add("h1", element)
        if heading and is_confirmed(titles, heading.key):
            return shown_for_readers(titles, heading), shown
    shown.add_first("h2")
    shown.add_first("h3")
    found = told(titles, shown)
    if found:
        return found, shown
    parts = titles.title.runs if titles.title else {}
    if all(heading.key in parts for heading in shown.found if heading.kind == "h1"):
        for heading in shown.found:
            if heading.kind != "h1" and is_confirmed(titles, heading.key):
                return heading, shown
    return linked_heading(titles, shown), shown


def told(titles: PageTitles, shown: Headings) -> Heading | None:
    """A lower heading that ends with OpenGraph's title, where no first-level heading is it.

    Pages of news have one headline for search engines, and show another, with a word or two on
    what it is about before it. Those are left out.
    """
    if titles.open_graph is None:
        return None
    key = without(titles.open_graph, titles.is_site)
    if len(key) < LEAST_TOLD or any(key == one.key for one in shown.found if one.kind == "h1"):
        return None
    text = titles.open_graph.runs[key].text
    for heading in shown.found:
        if heading.kind != "h1" and heading.key[-len(key) :] == key:
            return heading._replace(key=key, text=text)
    return None


def linked_heading(titles: PageTitles, shown: Headings) -> Heading | None:
    """A first-level heading that is, begins or ends with the headline by linked data.

    OpenGraph and ``<title>`` may have another headline than readers and linked data together. A
    subtitle, or what the page is about, may stand in the heading as well; it is left out.
    """
    key = titles.linked
    if len(key) < LEAST_TOLD or titles.is_site(key):
        return None
    for heading in shown.found:
        if heading.kind == "h1" and key in (heading.key[: len(key)], heading.key[-len(key) :]):
            is_all = heading.key == key
            return heading if is_all else heading._replace(key=key, text=titles.linked_headline)
    return None


def shown_for_readers(titles: PageTitles, confirmed: Heading) -> Heading:
    """The first second-level heading that is the headline by linked data; else the confirmed one.

    The first level and all titles may be for search engines together.
    """
    linked = titles.linked
    if len(linked) < LEAST_TOLD or linked == confirmed.key:
        return confirmed
    lower = Headings(titles.page)
    lower.add_first("h2")
    return lower.found[0] if lower.found and lower.found[0].key == linked else confirmed


def is_confirmed(titles: PageTitles, key: Key) -> bool:
    """Whether the page's titles confirm a heading.

    OpenGraph's title as a whole does. A part of a title does when it is its longest part and not
    the site's name.
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
    """The candidate with most weight; of equals the first."""
    known = weights()
    return max(found, key=lambda one: weighed(one.features, known)).text if found else None


def weighed(features: Features, known: Mapping[str, float]) -> float:
    """The sum of what is known of a candidate, weighed."""
    return sum([known.get(name, 0.0) * value for name, value in features.items()])


def weights() -> Mapping[str, float]:
    """The shipped weights; none, so that all candidates are equal, where they cannot be read."""
    try:
        return models.weights("headline.json", "the first that could be a headline is taken for it")
    except models.ModelError:
        return {}
