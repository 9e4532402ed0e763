"""Scores of an extractor: for one page against its gold row, and for many pages together.

The measure is the one of `page.tokens`, averaged over pages. Where the gold texts of a set begin
with the pages' titles, an extractor is scored on its headline followed by its body, otherwise on
its body alone; which of the two applies follows from the set's gold, and is the same for every
extractor. The other labels of a row are measured too: see docs/command.md for the gold format.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scrapy_mainblock.inputs.pages import InputPage
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.tokens import Score, headline_matches, score, token_list

GOOD, WRONG = 0.9, 0.5
"""A page is good from the first F1 up, and wrong below the second."""
TITLE_LIKENESS = 0.6
"""A text begins with a title if its first line is at least this similar to it (token F1)."""
MOST_TITLES = 5
"""How many titles and headings of a page are compared for that."""
LONGEST_TITLE = 2000
BINS = 10
"""Bins of the reliability table; one page in BINS, the least sure ones, is checked for errors."""
LISTINGS = frozenset({"collection", "index", "listing"})
"""Names that data sets use for the same page type: lists of other pages."""
TYPES = LISTINGS | {"article", "documentation", "empty", "forum", "other", "product", "service"}
"""Page types that can be right or wrong; a row may instead name a template of its site."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What an extractor returned for a page."""

    body: str = ""
    headline: str = ""
    probability: float | None = None
    page_type: str | None = None
    cluster: str | None = None
    by_rule: bool = False
    failed: bool = False


class Texts(NamedTuple):
    """The comparison of an answer with a gold text."""

    score: Score
    is_exact: bool


class Values(NamedTuple):
    """How many attribute values should be in the main text, are on the page, and were found."""

    all: int
    on_page: int
    found: int
    taken: float
    """The share of the page's tokens that the extractor took."""


class Measured(NamedTuple):
    """One page: its groups, and the scores of the answer. None: the row has no such label."""

    set: str
    site: str
    type: str
    by_rule: bool
    failed: bool
    begins_with_title: bool = False
    body: Texts | None = None
    titled: Texts | None = None
    headline_is_right: bool | None = None
    probability: float | None = None
    types: tuple[str, str] | None = None
    cluster: str | None = None
    values: Values | None = None


def is_gold(page: InputPage) -> bool:
    """Return whether a row has any label to measure against."""
    if page.html is None:
        return False
    return page.gold is not None or bool(_values(page) or _label(page, "page_type"))


def measure(page: InputPage, answer: Answer) -> Measured:
    """Measure one page; an answer that failed is an empty one."""
    page_type = _label(page, "page_type")
    title = _label(page, "title")
    body = token_list(answer.body)
    with_title = _with_title(token_list(answer.headline), body)
    found = Measured(
        set=_label(page, "set") or "-",
        site=page.site,
        type=page_type or "-",
        by_rule=answer.by_rule,
        failed=answer.failed,
        headline_is_right=headline_matches(answer.headline, title) if title else None,
        probability=answer.probability,
        types=(page_type, answer.page_type) if page_type and answer.page_type else None,
        cluster=answer.cluster,
        values=_values_found(page, with_title) if _values(page) else None,
    )
    if page.gold is None:
        return found
    gold = token_list(page.gold)
    return found._replace(
        begins_with_title=_begins_with_title(page, title, page.gold),
        body=_compared(body, gold),
        titled=_compared(with_title, gold),
    )


def _label(page: InputPage, key: str) -> str:
    value = page.meta.get(key)
    return value if isinstance(value, str) else ""


def _compared(found: Sequence[str], gold: Sequence[str]) -> Texts:
    return Texts(score(Counter(found), Counter(gold)), found == gold)


def _likeness(a: Sequence[str], b: Sequence[str]) -> float:
    return score(Counter(a), Counter(b)).f1


def _with_title(headline: list[str], body: list[str]) -> list[str]:
    """Return the headline followed by the body, unless the body begins with it."""
    begins = body[: len(headline)]
    return body if _likeness(begins, headline) >= TITLE_LIKENESS else headline + body


def _begins_with_title(page: InputPage, title: str, gold: str) -> bool:
    """Return whether a gold text begins with the title, or one on the page if the row has none.

    The headline that we find is not used: the measure must not depend on what it measures.
    """
    first_line = next((line for line in gold.split("\n") if line.strip()), "")
    begins = token_list(first_line[:2000])
    for wanted in map(token_list, [title] if title else _titles(page)):
        if wanted and _likeness(begins[: len(wanted)], wanted) >= TITLE_LIKENESS:
            return True
    return False


def _titles(page: InputPage) -> list[str]:
    """Return the page's `<title>` and its first headings."""
    outline = Outline(Page.of(page.html or "", page.url))
    rows = outline.rows
    headings = sorted(one for tag in ("h1", "h2", "h3") for one in rows.with_tag(CODES[tag]))
    shown = (rows.line_of(one, LONGEST_TITLE).strip() for one in headings[: MOST_TITLES - 1])
    return [outline.head.title[:LONGEST_TITLE], *shown]


# --- values of attributes ------------------------------------------------------------------------


def whole_text(html: bytes | str) -> str:
    """Return all text of a page that a reader sees."""
    return "\n".join(Outline(Page.of(html)).texts)


def _values(page: InputPage) -> list[str]:
    attributes = page.meta.get("attrs")
    if not isinstance(attributes, Mapping):
        return []
    lists = (value if isinstance(value, list) else [value] for value in attributes.values())
    return [value for values in lists for value in values if isinstance(value, str) and value]


def _values_found(page: InputPage, taken: Sequence[str]) -> Values:
    shown = token_list(whole_text(page.html or ""))
    on_page, answered = _phrase(shown), _phrase(taken)
    values = [_phrase(tokens) for tokens in map(token_list, _values(page)) if tokens]
    overlap = (Counter(taken) & Counter(shown)).total()
    return Values(
        all=len(values),
        on_page=sum(value in on_page for value in values),
        found=sum(value in answered for value in values),
        taken=overlap / len(shown) if shown else 0.0,
    )


def _phrase(tokens: Sequence[str]) -> str:
    return f" {' '.join(tokens)} "


# --- tables --------------------------------------------------------------------------------------

GROUPS: Mapping[str, Callable[[Measured], str]] = {
    "set": lambda page: page.set,
    "site": lambda page: page.site,
    "type": lambda page: page.type,
}


def sets_with_title(pages: Iterable[Measured]) -> frozenset[str]:
    """Return the sets in which most gold texts begin with the title of their page."""
    votes: Counter[str] = Counter()
    for page in pages:
        if page.body:
            votes[page.set] += 1 if page.begins_with_title else -1
    return frozenset(name for name, vote in votes.items() if vote > 0)


class Report:
    """The tables over one extractor's pages, each a list of rows; empty without such labels."""

    def __init__(self, pages: Iterable[Measured]) -> None:
        self._pages = list(pages)
        self._titled = sets_with_title(self._pages)

    def to_dict(self, by: str = "set") -> dict[str, Any]:
        """Return all tables, ready for JSON; scores by set and by type are always among them."""
        return {
            "groups": self.groups(by),
            "sets": self.groups("set"),
            "types": self.groups("type"),
            "reliability": self.reliability(),
            "wrongInLeastSureTenth": self.wrong_in_least_sure(),
            "pageTypes": self.page_types(),
            "clusters": self.clusters(),
            "attributes": self.attributes(by),
        }

    def groups(self, by: str = "set") -> list[Row]:
        """Return rows of token scores: one for each group, and one over all pages."""
        scored = [page for page in self._pages if page.body]
        return [self._scores(name, pages) for name, pages in _grouped(scored, by)]

    def attributes(self, by: str = "set") -> list[Row]:
        """Return rows of attribute values found, in the same groups, for pages that have some."""
        valued = [page for page in self._pages if page.values]
        return [_values_row(name, pages) for name, pages in _grouped(valued, by)]

    def reliability(self) -> list[Row]:
        """Return a row for each bin of `metadata.probability`, with the share of good pages."""
        bins: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for probability, f1 in self._predicted():
            bins[min(int(probability * BINS), BINS - 1)].append((probability, f1))
        return [
            {
                "from": place / BINS,
                "pages": len(inside),
                "probability": _mean(probability for probability, _ in inside),
                "good": _mean(f1 >= GOOD for _, f1 in inside),
            }
            for place, inside in sorted(bins.items())
        ]

    def wrong_in_least_sure(self) -> Row | None:
        """Return how many of the wrong pages are in the tenth with the lowest probability."""
        predicted = sorted(self._predicted())
        wrong = [f1 < WRONG for _, f1 in predicted]
        if not any(wrong):
            return None
        held = wrong[: -(-len(predicted) // BINS)]
        return {"pages": len(held), "wrong": sum(held), "ofWrong": sum(wrong)}

    def page_types(self) -> list[Row]:
        """Return a row for each labeled page type, with the types that the extractor gave."""
        called: dict[str, Counter[str]] = defaultdict(Counter)
        for page in self._pages:
            if page.types:
                called[page.types[0]][page.types[1]] += 1
        return [
            {
                "type": wanted,
                "pages": counts.total(),
                "right": _right(wanted, counts),
                "called": dict(counts.most_common()),
            }
            for wanted, counts in sorted(called.items())
        ]

    def clusters(self) -> Row | None:
        """Return how well clusters match the page types of sites, over pairs of pages of one site.

        None if no two pages of a site share a type.
        """
        typed = [page for page in self._pages if page.types and page.cluster]
        by_type = _pairs(Counter((page.site, page.type) for page in typed).values())
        by_cluster = _pairs(Counter((page.site, page.cluster) for page in typed).values())
        both = _pairs(Counter((page.site, page.type, page.cluster) for page in typed).values())
        if not by_type:
            return None
        return {
            "pages": len(typed),
            "clusters": len({(page.site, page.cluster) for page in typed}),
            "types": len({(page.site, page.type) for page in typed}),
            "precision": _share(both, by_cluster),
            "recall": _share(both, by_type),
        }

    def _texts(self, page: Measured) -> Texts:
        texts = page.titled if page.set in self._titled else page.body
        assert texts is not None
        return texts

    def _predicted(self) -> list[tuple[float, float]]:
        return [
            (page.probability, self._texts(page).score.f1)
            for page in self._pages
            if page.body and page.probability is not None
        ]

    def _scores(self, name: str, pages: Sequence[Measured]) -> Row:
        texts = [self._texts(page) for page in pages]
        f1 = [each.score.f1 for each in texts]
        titles = [page.headline_is_right for page in pages if page.headline_is_right is not None]
        return {
            "group": name,
            "pages": len(pages),
            "precision": _mean(each.score.precision for each in texts),
            "recall": _mean(each.score.recall for each in texts),
            "f1": _mean(f1),
            "good": _mean(each >= GOOD for each in f1),
            "wrong": _mean(each < WRONG for each in f1),
            "exact": _mean(each.is_exact for each in texts),
            "headline": _mean(titles) if titles else None,
            "byRule": _mean(page.by_rule for page in pages),
            "failed": sum(page.failed for page in pages),
        }


def _right(wanted: str, counts: Counter[str]) -> float | None:
    if wanted not in TYPES:
        return None
    same = LISTINGS if wanted in LISTINGS else {wanted}
    return _share(sum(counts[name] for name in same), counts.total())


def _pairs(counts: Iterable[int]) -> int:
    return sum(count * (count - 1) // 2 for count in counts)


def _grouped(pages: Sequence[Measured], by: str) -> list[tuple[str, Sequence[Measured]]]:
    groups: dict[str, list[Measured]] = defaultdict(list)
    for page in pages:
        groups[GROUPS[by](page)].append(page)
    return [*sorted(groups.items()), ("all", pages)] if pages else []


def _values_row(name: str, pages: Sequence[Measured]) -> Row:
    values = [page.values for page in pages if page.values]
    count = sum(each.all for each in values)
    return {
        "group": name,
        "pages": len(pages),
        "values": count,
        "onPage": _share(sum(each.on_page for each in values), count),
        "found": _share(sum(each.found for each in values), count),
        "taken": _mean(each.taken for each in values),
        "failed": sum(page.failed for page in pages),
    }


def _mean(numbers: Iterable[float]) -> float:
    each = list(numbers)
    return _share(sum(each), len(each))


def _share(part: float, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
