"""The fields of a page in the report: value, sources, and the segment that shows each."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Tab
from command import Mainblock
from drawn_report import frame, open_view, write_report
from pages import outline_of, row, told_in_html

from scrapy_mainblock.report.fields import FieldShown, fields_of
from scrapy_mainblock.report.inspected import inspect_page
from scrapy_mainblock.template.field_rules import with_field_pin
from scrapy_mainblock.template.rules import SiteRules

LINKED = (
    '<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2024-03-08",'
    ' "author": {"@type": "Person", "name": "Mara Winter"}}</script>'
)
PAGE = (
    f"<html lang=en><head><title>The weir is open - News</title>{LINKED}</head><body>"
    "<p class=top>Mara Winter writes</p><div id=content><h1>The weir is open</h1>"
    "<p class=byline>By <a>Mara Winter</a>, 8 March 2024</p>"
    f"{told_in_html(90, 'weir')}</div><div class=comments><p>Mara Winter</p><p>8 March 2024</p>"
)
URL = "http://news.example/weir"


def _fields_by_name() -> dict[str, FieldShown]:
    return {one.name: one for one in fields_of(inspect_page(outline_of(PAGE, URL), None))}


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("headline", "The weir is open", "The weir is open"),
        ("datePublished", "2024-03-08T00:00:00Z", "By Mara Winter, 8 March 2024"),
        ("authors", "Mara Winter", "Mara Winter"),
        ("inLanguage", "en", ""),
    ],
)
def test_a_field_is_marked_at_the_segment_that_shows_it(name: str, value: str, text: str) -> None:
    field, texts = _fields_by_name()[name], outline_of(PAGE, URL).texts
    assert field.value == value
    assert (texts[field.segment] if field.segment >= 0 else "") == text


def test_the_segment_nearest_to_the_headline_is_marked() -> None:
    texts = list(outline_of(PAGE, URL).texts)
    assert _fields_by_name()["datePublished"].segment == texts.index("The weir is open") + 1


def test_the_source_of_a_field_is_shown() -> None:
    assert "json-ld:datePublished" in _fields_by_name()["datePublished"].source
    assert 0.5 < (_fields_by_name()["authors"].probability or 0) <= 1


def test_a_field_shows_the_value_of_its_rule() -> None:
    page = outline_of(PAGE.replace("<h1>", "<p class=editor>Jan Summer</p><h1>"), URL)
    rules = with_field_pin(SiteRules("news.example"), None, "authors", "p.editor")
    (authors,) = [one for one in fields_of(inspect_page(page, rules)) if one.name == "authors"]
    assert authors.value == "Jan Summer"
    assert page.texts[authors.segment] == "Jan Summer"


def test_explain_lists_the_fields(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    mainblock = Mainblock(capsys)
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    out = mainblock("explain", file, "--url", URL).out
    assert "fields      headline The weir is open  0.96 h1,title\n" in out
    assert "            datePublished 2024-03-08T00:00:00Z  " in out
    assert "json-ld:datePublished" in out
    assert '"authors": {' in mainblock("explain", file, "--url", URL, "--json").out


def test_the_report_marks_the_fields(tab: Tab, folder: Path) -> None:
    report = write_report(folder, "fields", [row(PAGE, URL)])
    open_view(tab, report, "page/0")
    drawn = tab.run(frame("[...document.querySelectorAll('mb-s.field')].map(e => e.innerText)"))
    assert {"The weir is open", "Mara Winter", ", 8 March 2024"} <= set(drawn)
    fields = tab.run("[...document.querySelectorAll('.field')].map((one) => one.innerText)")
    assert fields[0] == "headline\nThe weir is open\n0.96 · h1, title"
    assert fields[1].startswith("datePublished\n2024-03-08T00:00:00Z\n")
    assert "json-ld:datePublished" in fields[1]
