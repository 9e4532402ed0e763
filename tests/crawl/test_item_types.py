"""Each item class gets the fields that it has, in the types that it declares."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from typing import Any

import pytest
import scrapy
from scrapy.settings import Settings
from zyte_common_items import Article, Author, Image

from scrapy_mainblock.crawl.items.filling import fill
from scrapy_mainblock.crawl.items.item_types import fitted
from scrapy_mainblock.crawl.settings import Options
from scrapy_mainblock.render.article import FIELDS

NAMES = {name: name for name in FIELDS}
AUTHORS = [{"name": "Anna Berg", "nameRaw": "By Anna Berg"}]
FOUND: dict[str, Any] = {
    "headline": "Rain",
    "authors": AUTHORS,
    "mainImage": {"url": "https://news.example/a.jpg"},
    "images": [{"url": "https://news.example/a.jpg"}],
    "datePublished": "2014-03-08T00:00:00Z",
    "breadcrumbs": None,
}


@dataclasses.dataclass
class Person:
    name: str


@dataclasses.dataclass
class Story:
    headline: str | None = None
    authors: list[Person] | None = None
    datePublished: str | None = None


class Item(scrapy.Item):
    headline = scrapy.Field()
    authors = scrapy.Field()


def room_in(item: Any, *, overwrite: bool = False) -> frozenset[str]:
    """Return the names of the results that an item can take."""
    return Options.of(Settings({"MAINBLOCK_OVERWRITE": overwrite})).room_in(item)


def put_into(item: Any) -> dict[str, Exception]:
    return fill(item, FOUND, NAMES, room_in(item)).refused


def test_a_zyte_article_gets_values_of_its_own_classes() -> None:
    article = Article(url="https://news.example/a")
    assert put_into(article) == {}
    assert article.authors == [Author(name="Anna Berg", nameRaw="By Anna Berg")]
    assert article.mainImage == Image(url="https://news.example/a.jpg")
    assert article.images == [Image(url="https://news.example/a.jpg")]
    assert article.datePublished == "2014-03-08T00:00:00Z"
    assert article.breadcrumbs is None


def test_a_dataclass_gets_its_declared_types() -> None:
    story = Story()
    put_into(story)
    assert story == Story("Rain", [Person("Anna Berg")], "2014-03-08T00:00:00Z")


@pytest.mark.parametrize("item", [{}, Item()])
def test_dicts_and_items_get_plain_data(item: Any) -> None:
    put_into(item)
    assert item["authors"] == AUTHORS


def test_fields_filled_by_the_spider_are_kept_and_not_computed() -> None:
    story = Story(headline="Mine", authors=[Person("Me")])
    assert room_in(story) == {"datePublished"}
    put_into(story)
    assert story == Story("Mine", [Person("Me")], "2014-03-08T00:00:00Z")
    assert room_in(story, overwrite=True) == {"headline", "authors", "datePublished"}


def test_a_class_with_unresolvable_annotations_gets_plain_data() -> None:
    class Odd:
        authors: Nowhere  # type: ignore[name-defined] # noqa: F821

    assert fitted(AUTHORS, Odd, "authors") == AUTHORS


def test_dict_fields_have_the_same_order_in_every_process() -> None:
    code = (
        "from scrapy.settings import Settings; from scrapy_mainblock.crawl.items.filling "
        "import fill;"
        "from scrapy_mainblock.crawl.settings import Options;"
        "options = Options.of(Settings({'MAINBLOCK_RULES_DIR': 'r'})); item = {'i': 1};"
        "fill(item, dict.fromkeys(options.fields), options.fields, options.room_in(item));"
        "print(list(item) == ['i', *(one for one in options.fields if one in item)], len(item))"
    )
    for seed in "12":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split()[0] == "True"
        assert int(done.stdout.split()[1]) > 10
