"""The place of a field's value, decided by the pages of a cluster together."""

from __future__ import annotations

from scrapy_mainblock.template.field_rules import FieldRule
from scrapy_mainblock.template.learning.field_tally import (
    KEPT_PAGES,
    FieldSeen,
    FieldsTally,
    PackedField,
    ReadAt,
)

DATE = "datePublished"


def learn_field(*pages: FieldSeen) -> FieldRule:
    tally = FieldsTally()
    for page in pages:
        tally.add([PackedField(page)])
    (rule,) = tally.rules()
    return rule


def at(place: str, value: int, likely: float = 0.95, *, exact: bool = False) -> ReadAt:
    return ReadAt(place, value, value, likely, exact)


def pages_with(*places: str, pages: int = 6, likely: float = 0.95) -> list[FieldSeen]:
    return [
        FieldSeen(DATE, day, tuple(at(one, day, likely) for one in places))
        for day in range(1, pages + 1)
    ]


def test_place_that_agrees_with_the_pages_choices_is_learnt() -> None:
    assert learn_field(*pages_with("time")) == FieldRule(DATE, "time", probability=0.95, pages=6)


def test_place_with_the_same_date_on_all_pages_is_not_learnt() -> None:
    """An "updated today" that pages alone take for the date."""
    today = [FieldSeen(DATE, 7, (at("p.updated", 7),)) for _ in range(8)]
    assert learn_field(*today).place == ""
    both = [one._replace(at=(at("p.updated", 7), *one.at)) for one in pages_with("time")]
    assert learn_field(*both).place == "time"


def test_place_that_varies_less_than_another_is_not_learnt() -> None:
    seen = [
        FieldSeen(DATE, day, (at("p.updated", 1 + (day > 5), 0.99), at("time", day, 0.8)))
        for day in range(1, 9)
    ]
    assert learn_field(*seen).place == "time"


def test_place_that_disagrees_on_several_pages_is_not_learnt() -> None:
    seen = [FieldSeen(DATE, day, (at("time", day + (day > 8)),)) for day in range(1, 11)]
    assert learn_field(*seen).place == ""
    seen = [FieldSeen(DATE, day, (at("time", day + (day > 9)),)) for day in range(1, 11)]
    assert learn_field(*seen).place == "time"


def test_headline_must_differ_on_nearly_every_page() -> None:
    """A section's name that pages alone take for the headline, with four pages in each section."""
    sections = [
        FieldSeen("headline", 1 + page // 4, (at("title", 1 + page // 4),)) for page in range(12)
    ]
    assert learn_field(*sections).place == ""
    assert learn_field(*(one._replace(field="authors") for one in sections)).place == "title"
    mostly = [
        FieldSeen("headline", max(page, 4), (at("h1", max(page, 4)),)) for page in range(1, 11)
    ]
    assert learn_field(*mostly).place == "h1"


def test_few_pages_or_unlikely_values_give_no_place() -> None:
    assert learn_field(*pages_with("time", pages=3)).place == ""
    assert learn_field(*pages_with("time", pages=4)).place == "time"
    assert learn_field(*pages_with("time", likely=0.4)).place == ""


def test_place_that_most_pages_lack_is_not_learnt() -> None:
    some = pages_with("time", "span", pages=4)
    others = [FieldSeen(DATE, day, (at("span", day, 0.9),)) for day in range(10, 16)]
    assert learn_field(*some, *others).place == "span"


def test_place_with_a_time_of_day_wins_among_equals() -> None:
    seen = [
        FieldSeen(DATE, day, (at("span.day", day, 0.96), at("time", day, 0.95, exact=True)))
        for day in range(1, 7)
    ]
    assert learn_field(*seen).place == "time"


def test_only_tallied_fields_have_rules() -> None:
    tally = FieldsTally()
    tally.add([])
    assert tally.rules() == ()
    tally.add([PackedField(FieldSeen("authors", 0, ()))])
    assert tally.rules() == (FieldRule("authors", "", probability=0.0, pages=1),)
    tally.forget("authors")
    assert tally.rules() == ()


def test_uncertain_choice_of_most_pages_loses_to_a_varying_place() -> None:
    """Linked data names the publisher as the author on all pages; the byline names the writer."""
    seen = [
        FieldSeen("authors", 99, (at("json-ld:author", 99, 0.6), at("p.byline", name, 0.3)))
        for name in range(1, 9)
    ]
    assert learn_field(*seen) == FieldRule("authors", "p.byline", probability=0.75, pages=8)


def test_certain_choice_of_all_pages_is_not_overruled() -> None:
    """A blog of one author: that the names of readers vary proves nothing."""
    seen = [
        FieldSeen("authors", 99, (at("json-ld:author", 99, 0.97), at("p.reader", name, 0.02)))
        for name in range(1, 9)
    ]
    assert learn_field(*seen).place == ""


def test_packed_field_is_unpacked_unchanged() -> None:
    seen = FieldSeen("authors", 9, (at("p", 1, 0.3), at("a", (1 << 32) - 1)._replace(raw=7)))
    assert PackedField(seen).unpacked() == seen


def test_tally_is_bounded_and_keeps_the_latest_pages() -> None:
    tally = FieldsTally()
    for page in range(1, 200):
        places = (at("time" if page > 100 else "span", page), at(f"p{page}", page))
        tally.add([PackedField(FieldSeen(DATE, page, places))])
    assert tally.size == KEPT_PAGES * 3
    assert tally.rules()[0].place == "time"
    tally.thin()
    assert tally.size == KEPT_PAGES * 3 // 2
