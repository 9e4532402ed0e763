"""`mainblock inspect`: how the site of pages is chosen, and the message if no rule applies."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Mainblock, run
from pages import row, site, story, write_rows


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Files without a URL, as `wget` and test sets produce them."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, (html, _) in enumerate(site(4)):
        (folder / f"{number}.html").write_text(html)
    return folder


@pytest.fixture
def rules(tmp_path: Path, mainblock: Mainblock) -> Path:
    learnt = write_rows(tmp_path / "p.jsonl", [row(html, url) for html, url in site(12)])
    assert mainblock("learn", learnt, "--rules", tmp_path / "rules").code == 0
    return tmp_path / "rules"


def test_the_site_option_applies_to_all_pages(
    mainblock: Mainblock, rules: Path, pages: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    done = mainblock("inspect", pages, "--rules", rules, "-o", report, "--site", "news.example")
    assert (done.code, done.err) == (0, "")
    assert '"sites":["news.example"]' in report.read_text()


def test_pages_without_a_site_with_rules_give_a_message(
    mainblock: Mainblock, rules: Path, pages: Path, tmp_path: Path
) -> None:
    done = mainblock("inspect", pages, "--rules", rules, "-o", tmp_path / "report.html")
    assert done.code == 0
    assert done.err == (
        f"mainblock: none of 4 pages belongs to a site with rules in {rules} (news.example):"
        " use --site to name their site\n"
    )


def test_without_rules_no_message_is_printed(
    mainblock: Mainblock, pages: Path, tmp_path: Path
) -> None:
    (tmp_path / "none").mkdir()
    for more in ((), ("--rules", tmp_path / "none")):
        done = mainblock("inspect", pages, "-o", tmp_path / "report.html", *more)
        assert (done.code, done.err) == (0, "")


def test_html_on_standard_input_is_reported_as_a_page(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    done = run("inspect", "-", "-o", report, stdin=story(7)[0].encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Title of story 7" in report.read_text()
