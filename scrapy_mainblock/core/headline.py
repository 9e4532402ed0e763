"""The title of an article, from what the page says of itself and what it shows.

A page names its title up to three times: in `<title>` (with the site's name around it), in
OpenGraph (often without), and in a heading. On most pages a first-level heading is, word for word,
what one of the other two says: that is the title. On the others each candidate is described by
some named numbers (`candidates`), which are weighed (`models/headline.json`, trained on labelled
pages of other sites by `tools/train_headline.py`), and the best is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lxml.html import HtmlElement

from scrapy_mainblock.core import shipped, unnamed
from scrapy_mainblock.core.candidates import (
    Candidate,
    Features,
    Heading,
    Headings,
    Said,
    candidates,
    is_section,
)
from scrapy_mainblock.core.titles import Key, key_of, without

if TYPE_CHECKING:
    from scrapy_mainblock.core.native.survey import Survey

LEAST_TOLD = 4
"""Tokens of a title that a lower heading may confirm; a section's name is shorter."""
LEAST_LINKED = 2
"""Tokens of linked data's headline that what stands before it may be cut off for."""


def find_headline(
    root: HtmlElement,
    url: str | None = None,
    names: Collection[str] = (),
    survey: Survey | None = None,
) -> str | None:
    """The headline of a page, None where it has nothing that could be one.

    `url` (by default the page's own word for it) and `names` (of the site, and its sections) tell
    the site's name from the article's.
    """
    return look(root, url, names, survey).text


class Found(NamedTuple):
    """The headline by what the page says of itself and its headings."""

    text: str | None
    candidates: Sequence[Candidate]
    """All that it could be, where no heading is confirmed."""
    shown: Headings
    said: Said
    is_unnamed: bool
    """Whether the page's titles hardly name it, so that where it stands should be asked."""
    is_confirmed: bool = False
    """Whether a heading says what a title of the page says."""

    def described_by(self, above: Sequence[unnamed.Line]) -> list[Candidate]:
        """The candidates of an unnamed page that has these lines up to where its content begins."""
        return unnamed.beside(self.candidates, self.shown, above, self.said.is_site)


def look(
    root: HtmlElement,
    url: str | None = None,
    names: Collection[str] = (),
    survey: Survey | None = None,
) -> Found:
    """`find_headline`, and what else it could be."""
    said = Said(root, url, names, survey)
    confirmed, shown = read_headings(said)
    if confirmed and (said.open_graph or not is_section(confirmed.key)):
        sure = without_kicker(confirmed.text, said.linked_headline)
        return Found(sure, (), shown, said, is_unnamed=False, is_confirmed=True)
    if confirmed:
        shown.add_first(said.root, "h2")
        shown.add_first(said.root, "h3")
    known = candidates(said, shown)
    text = confirmed.text if confirmed else best(known.all)
    if text:
        text = without_kicker(text, said.linked_headline)
    is_unnamed = not known.is_named and said.open_graph is None
    return Found(text, known.all, shown, said, is_unnamed, confirmed is not None)


def without_kicker(text: str, linked: str) -> str:
    """A headline without what stands before it, if it is so in the page's linked data.

    Before it may stand what it is about, or the prefix of a thread.
    """
    if not linked or linked == text:
        return text
    whole, key = key_of(text), key_of(linked)
    is_end = LEAST_LINKED <= len(key) < len(whole) and whole[-len(key) :] == key
    return linked if is_end else text


def read_headings(said: Said) -> tuple[Heading | None, Headings]:
    """The heading that a title of the page repeats to the word; else all headings.

    It is of the first level, or of a lower one where none of the first is the same; see `told`.
    """
    shown = Headings()
    for element in said.headings:
        heading = shown.add("h1", element)
        if heading and is_confirmed(said, heading.key):
            return shown_for_readers(said, heading), shown
    shown.add_first(said.root, "h2")
    shown.add_first(said.root, "h3")
    found = told(said, shown)
    if found:
        return found, shown
    parts = said.title.runs if said.title else {}
    if all(heading.key in parts for heading in shown.found if heading.tag == "h1"):
        for heading in shown.found:
            if heading.tag != "h1" and is_confirmed(said, heading.key):
                return heading, shown
    return None, shown


def told(said: Said, shown: Headings) -> Heading | None:
    """A lower heading that ends with OpenGraph's title, where no first-level heading is it.

    Pages of news have one headline for search engines, and show another, with a word or two on
    what it is about before it. Those are left out.
    """
    if said.open_graph is None:
        return None
    key = without(said.open_graph, said.is_site)
    if len(key) < LEAST_TOLD or any(key == one.key for one in shown.found if one.tag == "h1"):
        return None
    text = said.open_graph.runs[key].text
    for heading in shown.found:
        if heading.tag != "h1" and heading.key[-len(key) :] == key:
            return heading._replace(key=key, text=text)
    return None


def shown_for_readers(said: Said, confirmed: Heading) -> Heading:
    """The first second-level heading that is the headline by linked data; else the confirmed one.

    The first level and all titles may be for search engines together.
    """
    linked = said.linked
    if len(linked) < LEAST_TOLD or linked == confirmed.key:
        return confirmed
    lower = Headings()
    lower.add_first(said.root, "h2")
    return lower.found[0] if lower.found and lower.found[0].key == linked else confirmed


def is_confirmed(said: Said, key: Key) -> bool:
    """Whether the page's titles confirm a heading.

    OpenGraph's title as a whole does. A part of a title does when it is its longest part and not
    the site's name.
    """
    if len(key) < 2:
        return False
    open_graph = said.open_graph
    if not open_graph or key != open_graph.key:
        if open_graph and key not in open_graph.runs:
            return False
        title = said.title
        if not title or key not in title.runs or len(key) < said.longest_part:
            return False
    return not said.is_site(key)


def best(found: Sequence[Candidate]) -> str | None:
    """The candidate with most weight; of equals the first."""
    known = weights()
    return max(found, key=lambda one: weighed(one.features, known)).text if found else None


def weighed(features: Features, known: Mapping[str, float]) -> float:
    """The sum of what is known of a candidate, weighed."""
    return sum(known.get(name, 0.0) * value for name, value in features.items())


def weights() -> Mapping[str, float]:
    """The shipped weights; none, so that all candidates are equal, where they cannot be read."""
    try:
        return shipped.weights(
            "headline.json", "the first that could be a headline is taken for it"
        )
    except shipped.ModelError:
        return {}
