"""Which place is right for a field: what the pages of a cluster say together."""

from __future__ import annotations

from scrapy_mainblock.template.field_rules import FieldRule
from scrapy_mainblock.template.learning.field_tally import (
    KEPT_PAGES,
    FieldSeen,
    FieldsTally,
    ReadAt,
)

DATE = "datePublished"


def learnt(*pages: FieldSeen) -> FieldRule:
    tally = FieldsTally()
    for page in pages:
        tally.add([page])
    (rule,) = tally.rules()
    return rule


def at(place: str, value: int, likely: float = 0.95, *, exact: bool = False) -> ReadAt:
    return ReadAt(place, value, value, likely, exact)


def pages_with(*places: str, pages: int = 6, likely: float = 0.95) -> list[FieldSeen]:
    return [
        FieldSeen(DATE, day, tuple(at(one, day, likely) for one in places))
        for day in range(1, pages + 1)
    ]


def test_the_place_that_agrees_with_what_pages_choose_is_the_rules() -> None:
    assert learnt(*pages_with("time")) == FieldRule(DATE, "time", probability=0.95, pages=6)


def test_what_is_the_same_on_all_pages_is_no_place_of_a_date() -> None:
    """An "updated today" that pages by themselves believe."""
    today = [FieldSeen(DATE, 7, (at("p.updated", 7),)) for _ in range(8)]
    assert learnt(*today).place == ""
    both = [one._replace(at=(at("p.updated", 7), *one.at)) for one in pages_with("time")]
    assert learnt(*both).place == "time"


def test_what_hardly_changes_where_other_places_do_is_none_either() -> None:
    seen = [
        FieldSeen(DATE, day, (at("p.updated", 1 + (day > 5), 0.99), at("time", day, 0.8)))
        for day in range(1, 9)
    ]
    assert learnt(*seen).place == "time"


def test_a_place_that_disagrees_on_more_than_a_few_pages_is_none() -> None:
    seen = [FieldSeen(DATE, day, (at("time", day + (day > 8)),)) for day in range(1, 11)]
    assert learnt(*seen).place == ""
    seen = [FieldSeen(DATE, day, (at("time", day + (day > 9)),)) for day in range(1, 11)]
    assert learnt(*seen).place == "time"


def test_a_headline_is_another_on_nearly_every_page() -> None:
    """A section's name that pages by themselves believe, four pages of each section."""
    sections = [
        FieldSeen("headline", 1 + page // 4, (at("title", 1 + page // 4),)) for page in range(12)
    ]
    assert learnt(*sections).place == ""
    assert learnt(*(one._replace(field="authors") for one in sections)).place == "title"
    mostly = [
        FieldSeen("headline", max(page, 4), (at("h1", max(page, 4)),)) for page in range(1, 11)
    ]
    assert learnt(*mostly).place == "h1"


def test_few_pages_and_unlikely_values_teach_nothing() -> None:
    assert learnt(*pages_with("time", pages=3)).place == ""
    assert learnt(*pages_with("time", pages=4)).place == "time"
    assert learnt(*pages_with("time", likely=0.4)).place == ""


def test_a_place_that_most_pages_lack_is_none() -> None:
    some = pages_with("time", "span", pages=4)
    others = [FieldSeen(DATE, day, (at("span", day, 0.9),)) for day in range(10, 16)]
    assert learnt(*some, *others).place == "span"


def test_of_places_as_good_the_one_with_a_time_of_day_goes_first() -> None:
    seen = [
        FieldSeen(DATE, day, (at("span.day", day, 0.96), at("time", day, 0.95, exact=True)))
        for day in range(1, 7)
    ]
    assert learnt(*seen).place == "time"


def test_fields_that_nobody_asked_for_have_no_rule_and_no_say() -> None:
    tally = FieldsTally()
    tally.add([])
    assert tally.rules() == ()
    tally.add([FieldSeen("authors", 0, ())])
    assert tally.rules() == (FieldRule("authors", "", probability=0.0, pages=1),)
    tally.forget("authors")
    assert tally.rules() == ()


def test_what_most_pages_choose_without_being_sure_is_passed_over() -> None:
    """Linked data name the publisher as the author of all pages; the byline names who it is."""
    seen = [
        FieldSeen("authors", 99, (at("json-ld:author", 99, 0.6), at("p.byline", name, 0.3)))
        for name in range(1, 9)
    ]
    assert learnt(*seen) == FieldRule("authors", "p.byline", probability=0.75, pages=8)


def test_whom_pages_are_sure_of_is_no_publisher() -> None:
    """A blog of one: that the names of readers vary says nothing."""
    seen = [
        FieldSeen("authors", 99, (at("json-ld:author", 99, 0.97), at("p.reader", name, 0.02)))
        for name in range(1, 9)
    ]
    assert learnt(*seen).place == ""


def test_what_is_kept_is_bounded_and_the_latest() -> None:
    tally = FieldsTally()
    for page in range(1, 200):
        places = (at("time" if page > 100 else "span", page), at(f"p{page}", page))
        tally.add([FieldSeen(DATE, page, places)])
    assert tally.size == KEPT_PAGES * 3
    assert tally.rules()[0].place == "time"
    tally.thin()
    assert tally.size == KEPT_PAGES * 3 // 2
