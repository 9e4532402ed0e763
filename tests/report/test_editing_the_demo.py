"""End to end on the demo site: the command learns, a click in its editor pins, and it extracts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager
from html import unescape
from pathlib import Path
from typing import Any

import demo_site
import pytest
from browser import Tab
from command import run
from editing import Serving, click_part, open_page, ours, preview, save, serving_command

HOST = "demo.example"
SPECS = re.compile(r'<table class="product-specs">.*?</table>', re.DOTALL)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """The site as files, written by the site's own command."""
    subprocess.run(
        [sys.executable, "-m", "demo_site", "--html", tmp_path / "pages",
         "--articles-per-template", "8"],
        cwd=Path(demo_site.__file__).parents[1],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return tmp_path / "pages"


@pytest.fixture
def rules(tmp_path: Path, pages: Path) -> Path:
    done = run(
        "extract", pages, "--site", HOST, "--rules", tmp_path / "rules", "-o", tmp_path / "learnt"
    )
    assert done.returncode == 0, done.stderr.decode()
    return tmp_path / "rules"


def _extract_by_name(pages: Path, rules: Path) -> dict[str, dict[str, Any]]:
    """Extract every file with the current rules; return the rows by file name."""
    out = rules.parent / "out.jsonl"
    done = run("extract", pages, "--no-learn", "--site", HOST, "--rules", rules, "-o", out)
    assert done.returncode == 0, done.stderr.decode()
    found = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return {Path(one["id"]).name: one for one in found}


def editing(pages: Path, rules: Path) -> AbstractContextManager[Serving]:
    return serving_command(pages, "--site", HOST, "--rules", rules)


def _magazine_pages(names: Iterable[str]) -> set[str]:
    """Return the pages of one template."""
    found = {name for name in names if name.startswith("magazine-2021-")}
    assert len(found) == 8
    return found


def entry_date(page: Path) -> str:
    """Return the date that readers of a page see."""
    html = page.read_text("utf-8")
    shown = re.search(r'<time class="entry-date published">(.*?)</time>', html)
    assert shown
    return shown[1]


def number_of(tab: Tab, server: Serving, name: str) -> int:
    """Return the number of the first page in the overview whose file name has this prefix."""
    tab.open(server.address, until="document.querySelector('main h1')")
    found: int = tab.run(
        f"pages.find((one) => (one.id || '').split('/').pop().startsWith('{name}')).number"
    )
    return found


def changes(tab: Tab) -> str:
    text: str = tab.run("document.getElementById('changes').innerText")
    return text


def lines(row: dict[str, Any]) -> list[str]:
    return [line for line in row["articleBody"].splitlines() if line]


def specifications(page: Path) -> list[str]:
    """Return the rows of a page's specification tables, as in the extracted text."""
    tables = SPECS.findall(page.read_text("utf-8"))
    rows = [re.findall(r"<td>(.*?)</td>", row) for row in "".join(tables).split("</tr>")]
    return [unescape(" | ".join(row)) for row in rows if row]


def test_two_clicks_drop_only_the_specification_tables(tab: Tab, pages: Path, rules: Path) -> None:
    before = _extract_by_name(pages, rules)
    with editing(pages, rules) as server:
        open_page(tab, server, number_of(tab, server, "shop-p-"))
        click_part(tab, "table.product-specs td mb-s")
        up = "[...document.getElementById('place').options].findIndex(one => one.value.endsWith("
        tab.run(f"document.getElementById('place').selectedIndex = {up}'table.product-specs'))")
        preview(tab, "drop")
        # The products and their index, which had no rule before and now uses the pinned one.
        assert changes(tab) == "9 of 9 pages change."
        assert _extract_by_name(pages, rules) == before  # nothing is saved yet
        save(tab)
        ours(tab, server)
    after = _extract_by_name(pages, rules)
    shop = {name for name in before if name.startswith("shop-p-")}
    assert len(shop) == 8
    for name in shop:
        specs = specifications(pages / name)
        assert specs
        assert [one for one in lines(before[name]) if one not in specs] == lines(after[name])
        assert not set(specs) & set(lines(after[name]))
        assert set(specs) <= set(lines(before[name]))
    assert {name for name in before if before[name] != after[name]} == {*shop, "shop.html"}
    said = [before["shop.html"], after["shop.html"]]
    assert [one["metadata"]["method"] for one in said] == ["page", "rule"]
    for name in shop:
        parts = ("articleBody", "articleBodyHtml", "articleBodyMarkdown", "metadata")
        for key in before[name].keys() - set(parts):
            assert before[name][key] == after[name][key], (name, key)


def test_two_clicks_pin_only_the_date_of_a_template(tab: Tab, pages: Path, rules: Path) -> None:
    before = _extract_by_name(pages, rules)
    with editing(pages, rules) as server:
        open_page(tab, server, number_of(tab, server, "magazine-2021-"))
        click_part(tab, "time.entry-date mb-s")
        preview(tab, "date")
        assert changes(tab) == "8 of 9 pages change."  # the index has no such place
        save(tab)
        ours(tab, server)
    after = _extract_by_name(pages, rules)
    own = _magazine_pages(before)
    for name in own:
        assert before[name]["datePublished"].endswith("T08:00:00Z")  # from the metadata
        assert after[name]["datePublishedRaw"] == entry_date(pages / name)
    names = ("datePublished", "datePublishedRaw")
    for name, one in after.items():
        ours_of = (*names, "metadata") if name in own else ()
        for key in one.keys() - set(ours_of):
            assert one[key] == before[name][key], (name, key)


def test_two_clicks_pin_only_the_headline_of_a_template(tab: Tab, pages: Path, rules: Path) -> None:
    """The headline becomes the visible date of the entry instead of the title above the article."""
    before = _extract_by_name(pages, rules)
    with editing(pages, rules) as server:
        open_page(tab, server, number_of(tab, server, "magazine-2021-"))
        click_part(tab, "time.entry-date mb-s")
        preview(tab, "headline")
        words = tab.run("document.querySelector('#result h2').innerText")
        assert words.endswith("time.entry-date")
        assert changes(tab) == "8 of 9 pages change."  # the index has no such place
        assert _extract_by_name(pages, rules) == before  # nothing is saved yet
        save(tab)
        ours(tab, server)
    after = _extract_by_name(pages, rules)
    own = _magazine_pages(before)
    for name in own:
        assert after[name]["headline"] == entry_date(pages / name)
        assert before[name]["metadata"]["fields"]["headline"]["source"].startswith("rule:")
        assert after[name]["metadata"]["fields"]["headline"]["source"].endswith("time.entry-date")
        # The old headline is not in the body either: its place is dropped.
        assert after[name]["articleBody"] == before[name]["articleBody"]
    assert all(after[name] == before[name] for name in before.keys() - own - {"magazine.html"})
