"""Items that wait on disk are restored unchanged, or are not stored at all."""

from __future__ import annotations

import dataclasses
import json
from collections import OrderedDict, defaultdict
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from uuid import UUID
from zoneinfo import ZoneInfo

import attrs
import pytest
import scrapy
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.crawl.durable import items


class AnItem(scrapy.Item):
    a = scrapy.Field()
    b = scrapy.Field()


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: int
    b: object = None


@dataclasses.dataclass
class Counting:
    a: int
    doubled: int = dataclasses.field(init=False, default=0)

    def __post_init__(self) -> None:
        self.doubled = 2 * self.a


@attrs.define
class Slotted:
    a: int
    _private: int = 3
    made: list = attrs.field(factory=list, init=False)


class Colour(Enum):
    RED = 1


class OwnDict(dict):
    """A dict by another name."""


class Folding(dict):
    """A dict that stores other keys than it was given."""

    def __setitem__(self, name: str, value: object) -> None:
        super().__setitem__(name.lower(), value)


class Text(str):
    """A subclass of str: it would be restored as another class."""


PLAIN = [
    {"a": [1, 2.5, None, True, "ü\ud800\x00"], "b": {"c": {}}},
    {1: "a number for a key", ("a", "tuple"): 2},
    {"$": "our own mark", "v": 1},
    {"set": {1, 2}, "frozen": frozenset("ab"), "tuple": (1, (2,)), "bytes": b"\x00\xff"},
    {"date": date(2026, 1, 2), "time": time(3, 4), "delta": timedelta(1, 2, 3)},
    {"at": datetime(2026, 1, 2, 3, 4, 5, 6, timezone.utc), "naive": datetime(2026, 1, 2)},
    {"price": Decimal("1.50"), "id": UUID(int=7)},
    AnItem(a=1, b=[AnItem(a=Frozen(1))]),
    Frozen(1, b=Frozen(2)),
    Counting(2),
    Slotted(1, 4),
    OrderedDict(b=1, a={2}),
    OwnDict(a=OwnDict(b=1)),
]

NOT_PLAIN = [
    {"a": object()},
    {"a": Colour.RED},
    {"a": Text("x")},
    {"a": lambda: 1},
    datetime(2026, 1, 2, tzinfo=ZoneInfo("Europe/Berlin")),
    dataclasses.make_dataclass("Unfindable", ["a"])(1),
    defaultdict(list, a=[1]),
    OwnDict({1: 2}),
    Folding(a=1),
]


@pytest.mark.parametrize("value", PLAIN)
def test_a_plain_value_is_restored(value: object) -> None:
    back = items.loads(items.dumps(value))
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize("value", NOT_PLAIN, ids=lambda value: type(value).__name__)
def test_a_value_that_is_not_plain_is_refused(value: object) -> None:
    with pytest.raises(items.NotPlainError):
        items.dumps(value)


def test_an_item_that_holds_more_than_its_fields_is_refused() -> None:
    item = Counting(1)
    item.more = 1  # type: ignore[attr-defined]
    with pytest.raises(items.NotPlainError, match="an attribute that is not a field: more"):
        items.dumps(item)


def test_endless_nesting_is_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(items.NotPlainError):
        items.dumps({"a": endless})


def test_a_pydantic_item_is_restored() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Model", a=(int, 1), b=(str | None, None), __module__=__name__)
    globals()["Model"] = model
    back = items.loads(items.dumps(model(a=2)))
    assert back == model(a=2, b=None)
    assert back.model_dump() == {"a": 2, "b": None}


_SCALARS = st.none() | st.booleans() | st.integers() | st.text() | st.binary() | st.dates()
_VALUES = st.recursive(
    _SCALARS
    | st.decimals(allow_nan=False)
    | st.datetimes().map(lambda at: at.replace(fold=0))
    | st.timedeltas(),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(max_size=2), inside),
    max_leaves=10,
)


@given(_VALUES)
def test_any_plain_value_is_restored(value: object) -> None:
    assert items.loads(items.dumps(value)) == value


_DAMAGED = [
    '{"$": "item", "v": {"class": "os:system", "fields": {}}}',
    '{"$": "item", "v": {"class": "subprocess:Popen", "fields": {"args": "true"}}}',
    '{"$": "item", "v": {"class": "not.loaded:Item", "fields": {}}}',
    '{"$": "item", "v": {}}',
    '{"$": "item", "v": 1}',
    '{"$": "decimal", "v": "x"}',
    '{"$": "nothing", "v": 1}',
    '{"$": "set", "v": [[1]]}',
    '{"$": []}',
    "[" * 100_000,
    "",
]


@pytest.mark.parametrize("text", _DAMAGED, ids=lambda text: text[:50])
def test_damaged_and_malicious_documents_are_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - any message is fine
        items.loads(text)


@given(st.integers(min_value=0))
def test_every_prefix_of_a_document_is_refused(cut: int) -> None:
    text = items.dumps(PLAIN)
    cut %= len(text)
    with pytest.raises(ValueError):  # noqa: PT011 - any message is fine
        items.loads(text[:cut])


def test_the_document_is_readable_json() -> None:
    assert json.loads(items.dumps({"a": (1,), "b": "x"})) == {
        "a": {"$": "tuple", "v": [1]},
        "b": "x",
    }
