"""Pins of a headline, date or author, made by pointing at it on one page (`inspect --edit`).

The place becomes a CSS selector, which is pinned in the rules of the page's template or site.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scrapy_mainblock.fields.ruled.by_rule import (
    LONGEST_PLACE,
    LONGEST_VALUE,
    MOST_MATCHES,
    end_of_list,
    read,
)
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.fields.values.dates import first_day
from scrapy_mainblock.judge.claims import Claim
from scrapy_mainblock.outline import css
from scrapy_mainblock.outline.html.tags import BLOCK, FLAGS
from scrapy_mainblock.outline.layout import TEXT
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.places import step_of
from scrapy_mainblock.recipe.claims import claims
from scrapy_mainblock.recipe.decide import Decided, decide
from scrapy_mainblock.report.edit import Difference, EditError, kept_otherwise, refuse_elsewhere
from scrapy_mainblock.report.inspected import Inspected
from scrapy_mainblock.template.field_rules import SPOKEN, with_field_as_in, with_field_pin
from scrapy_mainblock.template.rules import SITE_CLUSTER, SiteRules

EMPTY = "(empty)"
"""Shown in place of a value if the field is empty."""


@dataclass(frozen=True)
class FieldChange:
    """A change that pins the place of a field."""

    cluster: str
    """`SITE_CLUSTER` for all pages of the site."""
    spoken: str
    """The field by its everyday name, a key of `SPOKEN`."""
    place: str
    """A CSS selector."""

    @property
    def words(self) -> str:
        """The change in words."""
        return f"the {self.spoken} is at {self.place}"

    @property
    def field(self) -> str:
        """The field by its name in an Article."""
        return SPOKEN[self.spoken]

    def changed(self, known: SiteRules | None, site: str, note: str = "") -> SiteRules:
        """Return the rules of a site after the change."""
        rules = known or SiteRules(site)
        try:
            return with_field_pin(rules, self._pinned_to, self.field, self.place, note)
        except LookupError:
            raise self._missing_template() from None

    def restored(self, former: SiteRules | None, now: SiteRules | None, site: str) -> SiteRules:
        """Return the rules with the change undone; `former` are the rules before the change."""
        none = SiteRules(site)
        try:
            return with_field_as_in(former or none, now or none, self._pinned_to, self.field)
        except LookupError:
            raise self._missing_template() from None

    def difference(self, before: Inspected, after: SiteRules) -> Difference:
        """Return how the value on a page differs before and after the change."""

        def value(decided: Decided, rules: SiteRules | None) -> str:
            return _in_words(
                claims(before.reading, decided, (self.field,), rules)[self.field].chosen
            )

        # The content depends on the headline: the segment that shows it is not part of the body.
        is_needed = self.field == "headline"
        then = decide(before.reading, after) if is_needed else before.decided
        was, will_be = value(before.decided, before.rules), value(then, after)
        lines = [("-", was), ("+", will_be)] if was != will_be else []
        if is_needed:
            lines += kept_otherwise(before, then.decision)
        return Difference(lines, read(_sources(before), self.field, self.place) is None)

    @property
    def _pinned_to(self) -> str | None:
        return None if self.cluster == SITE_CLUSTER else self.cluster

    def _missing_template(self) -> EditError:
        return EditError(f"template {self.cluster} no longer exists")


def _in_words(claim: Claim | None) -> str:
    value = claim.value if claim is not None else ""
    return (", ".join(value) if isinstance(value, list) else value) or EMPTY


def _sources(inspected: Inspected) -> PageSources:
    return inspected.reading.page_fields(inspected.decision.kept, inspected.headline).sources


def field_change_at(
    inspected: Inspected, spoken: str, segment: int, place: str, text: int = -1
) -> FieldChange:
    """Return the change for a user who points at a text of a segment and says, "this is the date".

    `text` is the index of that text within the segment, or -1 for any; `place` is the segment's own
    place or one around it. The selector is made for the innermost element around the text that has
    a value. Raises EditError if there is no such element.
    """
    refuse_elsewhere(inspected.page, segment, place)
    sources, field = _sources(inspected), SPOKEN[spoken]
    elements = dict.fromkeys(_elements(inspected.page, segment, place, text))
    if spoken == "author":
        # A date often stands next to a name, and may itself be misread as a name.
        elements = dict.fromkeys(sorted(elements, key=lambda one: _has_day(sources, one)))
    if spoken == "headline":
        # A word in italics is not a headline; an element with a name, or the whole line, may be.
        elements = dict.fromkeys(sorted(elements, key=lambda one: _is_part(inspected.page, one)))
    for element in elements:
        selector = _selector(sources, field, element)
        if selector:
            return FieldChange(inspected.decision.cluster or SITE_CLUSTER, spoken, selector)
    raise EditError(f"no {spoken} found at this place")


def _elements(page: Outline, segment: int, place: str, text: int) -> Iterator[int]:
    """Yield the candidate elements: first those within the segment's line, then its block."""
    rows = page.rows
    block = rows.segment_block[segment]
    if place and place != page.chains[block]:
        while block >= 0 and page.chains[block] != place:
            block = rows.block_parent[block]
        if block >= 0:
            yield rows.block_element[block]
        return
    around = rows.block_element[block]
    texts = _texts(page, segment)
    for one in texts[text : text + 1] if 0 <= text < len(texts) else texts:
        element = rows.text_owner[one]
        while element > rows.body and element != around:
            yield element
            element = rows.parent[element]
    yield around


def _is_part(page: Outline, element: int) -> bool:
    """Return whether an element is inline and has neither a usable id nor a usable class."""
    rows = page.rows
    is_inline = not FLAGS[rows.tag[element]] & BLOCK
    return is_inline and step_of(rows, element) == rows.name(element)


def _has_day(sources: PageSources, element: int) -> bool:
    return first_day(sources.page.rows.line_of(element, LONGEST_VALUE)) is not None


def _texts(page: Outline, segment: int) -> list[int]:
    """Return the numbers of a segment's texts, in the order in which the page's copy marks them."""
    rows = page.rows
    events = rows.tape[rows.segment_at[segment] : rows.segment_to[segment]]
    numbers = (event >> 2 for event in events if event & 3 == TEXT)
    return [one for one in numbers if rows.text_segment[one] == segment and rows.text_chars[one]]


def _selector(sources: PageSources, field: str, element: int) -> str | None:
    """Return the simplest selector that reads the field at an element, or None."""
    siblings = css.Siblings(sources.page.rows)
    for numbered in range(css.MOST_STEPS_MADE + 1):
        selector = css.selector_of(siblings, element, numbered)
        if not selector or len(selector) > LONGEST_PLACE:
            continue
        if _means(sources, field, selector, element) and read(sources, field, selector) is not None:
            return selector
    return None


def _means(sources: PageSources, field: str, selector: str, element: int) -> bool:
    """Return whether a selector reads the field at an element, or at the list that holds it."""
    found = css.find_all(sources.page.rows, css.selector(selector), MOST_MATCHES)
    if element not in found:
        return False
    is_in_list = sources.page.rows.start[element] < end_of_list(sources, found[0])
    return element == found[0] or (field == "authors" and is_in_list)
