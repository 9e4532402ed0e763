"""The title of an article, from what the page says of itself and what it shows.

A page names its title up to three times: in `<title>` (with the site's name around it), in
OpenGraph (often without), and in a heading. On most pages a first-level heading is, word for word,
what one of the other two says: that is the title. On the others each candidate is described by
some named numbers (`candidates`), which are weighed (`models/headline.json`, trained on labelled
pages of other sites by `tools/train_headline.py`), and the best is taken.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

from lxml.html import HtmlElement

from scrapy_mainblock.core.candidates import (
    MOST_H1,
    Candidate,
    Features,
    Heading,
    Said,
    candidates,
    headings,
)
from scrapy_mainblock.core.titles import Key


def find_headline(root: HtmlElement, url: str | None = None, *, site_name: str = "") -> str | None:
    """The headline of a page, None where it has nothing that could be one.

    `url` (by default the page's own word for it) and `site_name` tell the site's name from the
    article's.
    """
    said = Said(root, url, site_name)
    h1s = headings(root, "h1", MOST_H1)
    heading = confirmed(said, h1s)
    return heading.text if heading else best(candidates(said, h1s))


def confirmed(said: Said, h1s: list[Heading]) -> Heading | None:
    """The first-level heading that a title of the page repeats to the word.

    A title as a whole says most. A part of one must be the longest part, and not the site's name.
    """
    if not (said.title or said.open_graph):
        return None
    graded = [
        (grade, -heading.place, heading) for heading in h1s if (grade := _grade(said, heading.key))
    ]
    return max(graded)[2] if graded else None


def _grade(said: Said, key: Key) -> int:
    """How well the page's titles confirm a heading, 0 for not at all."""
    if len(key) < 2 or said.is_site(key):
        return 0
    if said.open_graph and key == said.open_graph.key:
        return 3
    if said.open_graph and key not in said.open_graph.runs:
        return 0
    if not said.title or key not in said.title.runs:
        return 0
    if key == said.title.key:
        return 2
    return int(len(key) >= said.longest_part)


def best(found: list[Candidate]) -> str | None:
    """The candidate with most weight; of equals the first."""
    known = weights()
    return max(found, key=lambda one: weighed(one.features, known)).text if found else None


def weighed(features: Features, known: Mapping[str, float]) -> float:
    """The sum of what is known of a candidate, weighed."""
    return sum(known.get(name, 0.0) * value for name, value in features.items())


@lru_cache(maxsize=1)
def weights() -> Mapping[str, float]:
    """The shipped weights, read when first needed."""
    text = resources.files(__package__).joinpath("models/headline.json").read_text("utf-8")
    found: dict[str, float] = json.loads(text)["weights"]
    return found
