"""Output formats of `mainblock extract`, HTML or rows on standard input, and mirrored sites."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Mainblock, run
from pages import read_rows, rows, site, story, told, told_in_html, write_rows

from scrapy_mainblock.cli.files.formats import FORMATS
from scrapy_mainblock.inputs.pages import Inputs

HTML = story(7)[0]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "page.html").write_text(HTML)
    return tmp_path / "page.html"


def test_one_page_is_printed_as_text(mainblock: Mainblock, page: Path) -> None:
    result = mainblock("extract", page, "--url", "http://news.example/7")
    headline, about, *text = result.out.rstrip("\n").split("\n\n")
    assert (result.code, result.err) == (0, "")
    assert headline == "Title of story 7"
    assert about.startswith("http://news.example/7 | article | from the page alone | ")
    assert "\n\n".join(text).startswith(told(120, "story7w"))


def test_text_output_names_the_rule_or_the_reason_for_no_content(
    mainblock: Mainblock, page: Path, tmp_path: Path
) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(8)))
    mainblock("learn", file, "--rules", tmp_path / "rules")
    words = ("extract", page, "--rules", tmp_path / "rules")
    for more in (("--url", "http://news.example/9"), ("--site", "news.example")):
        about = mainblock(*words, *more).out.split("\n\n")[1]
        assert "| by the rule id=content |" in about
    (tmp_path / "empty.html").write_text(" ")
    result = mainblock("extract", tmp_path / "empty.html")
    assert result.out == f"{tmp_path / 'empty.html'} | no main content | the page is empty\n"


@pytest.mark.parametrize("options", [("-o", "-"), ("--format", "jsonl")])
def test_one_page_is_a_row_if_an_output_or_format_is_given(
    mainblock: Mainblock, page: Path, tmp_path: Path, options: tuple[str, str]
) -> None:
    (row,) = map(json.loads, mainblock("extract", page, *options).out.splitlines())
    assert row["headline"] == "Title of story 7"
    mainblock("extract", page, "-o", tmp_path / "out.jsonl")
    assert read_rows(tmp_path / "out.jsonl") == [row]


def test_several_pages_are_rows_unless_another_format_is_given(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(8)))
    assert len([json.loads(line) for line in mainblock("extract", file).out.splitlines()]) == 8
    text = mainblock("extract", file, "--format", "text").out
    assert text.count("-" * 72) == 7
    found = mainblock("extract", file, "--format", "html", "--jobs", "2").out
    assert found.startswith("<!doctype html>")
    assert found.endswith("</body></html>\n")
    assert found.count("<article>") == found.count("</article>") == 8
    assert told_in_html(120, "story3w") in found


@pytest.mark.parametrize("form", ["text", "html"])
def test_page_text_is_escaped_for_the_terminal_and_the_browser(
    mainblock: Mainblock, tmp_path: Path, form: str
) -> None:
    title = "\x1b[2J&lt;script&gt;alert(1)&lt;/script&gt;"
    (tmp_path / "x.html").write_text(f"<title>{title}</title><h1>{title}</h1><p>{told(90, 'w')}")
    out = mainblock("extract", tmp_path / "x.html", "--format", form).out
    assert "w0, w1" in out
    assert "\x1b" not in out
    assert form == "text" or "<script" not in out


def test_the_help_lists_all_formats(mainblock: Mainblock) -> None:
    text = mainblock("extract", "--help").out
    assert "{" + ",".join(FORMATS) + "}" in text


# --- standard input -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        HTML.encode(),
        b"\n \r\n\t" + HTML.encode(),
        b"\xef\xbb\xbf" + HTML.encode(),
        HTML.encode("utf-16"),
        HTML.replace("<p>", "\n<p>").encode(),
        b"\n" * 100_000 + HTML.encode(),
    ],
)
@pytest.mark.parametrize("option", ["--learn", "--no-learn"])
def test_html_on_standard_input_is_one_page(data: bytes, option: str) -> None:
    result = run("extract", "-", option, "--url", "http://news.example/7", stdin=data)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.startswith(b"Title of story 7\n\nhttp://news.example/7 | ")
    assert result.stdout.count(b"story7w0,") == 1
    as_row = run("extract", "-", "-o", "-", option, stdin=data)
    (row,) = map(json.loads, as_row.stdout.splitlines())
    assert (row["id"], row["url"], row["headline"]) == ("-", None, "Title of story 7")


@pytest.mark.parametrize("option", ["--learn", "--no-learn"])
def test_html_on_standard_input_can_be_mixed_with_files(tmp_path: Path, option: str) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(8)))
    result = run("extract", file, "-", file, option, stdin=HTML.encode())
    assert (result.returncode, result.stderr) == (0, b"")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["id"] for row in found] == [*"01234567", "-", *"01234567"]
    assert found[8]["headline"] == "Title of story 7"


@pytest.mark.parametrize("before", [b"", b"\n\n", b"  "])
def test_rows_on_standard_input_are_read_as_rows(tmp_path: Path, before: bytes) -> None:
    data = before + write_rows(tmp_path / "in.jsonl", rows(site(8))).read_bytes()
    for option in ("--learn", "--no-learn"):
        found = run("extract", "-", option, stdin=data).stdout.splitlines()
        assert [json.loads(line)["id"] for line in found] == list("01234567")


def test_a_url_for_several_pages_is_wrong_usage(mainblock: Mainblock, tmp_path: Path) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(1)))
    result = mainblock("extract", file, "--url", "http://a.example/")
    assert (result.code, len(result.err.splitlines())) == (2, 1)


def test_the_site_option_sets_the_site_of_all_rows(mainblock: Mainblock, tmp_path: Path) -> None:
    some = [page for name in "abcd" for page in site(2, host=f"{name}.example")]
    file, out = write_rows(tmp_path / "in.jsonl", rows(some)), tmp_path / "out.jsonl"
    for jobs in ("1", "2"):
        mainblock("extract", file, "-o", out, "--site", "all", "--jobs", jobs)
        found = read_rows(out)
        assert {row["site"] for row in found} == {"all"}
        assert {row["metadata"]["method"] for row in found} == {"rule"}  # from eight pages in total


# --- mirrors -------------------------------------------------------------------------------------

PLACES = {
    "www.news.com/index.html": "https://www.news.com/",
    "www.news.com/2026/index.htm": "https://www.news.com/2026/",
    "www.news.com/2026/a b.html": "https://www.news.com/2026/a%20b.html",
    "www.news.com/story.php?id=5&x=1": "https://www.news.com/story.php?id=5&x=1",
    "www.news.com/about": "https://www.news.com/about",
    "www.news.com/100%25.html": "https://www.news.com/100%25.html",
    "News.co.uk:8080/ä.html": "https://news.co.uk:8080/%C3%A4.html",
}


def mirror(folder: Path) -> Path:
    for place in PLACES:
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"\n<!-- x -->\n<!DOCTYPE html>{HTML}")
    (folder / "www.news.com" / "style.css").write_text("p { color: red }")
    (folder / "www.news.com" / "data").write_text("no page")
    (folder / "notes").mkdir()
    (folder / "notes" / "own.html").write_text(HTML)
    return folder


def test_pages_of_a_mirror_take_host_and_url_from_their_paths(tmp_path: Path) -> None:
    folder = mirror(tmp_path / "mirror")
    found = {page.id: page for page in Inputs([str(folder)], pytest.fail)}
    own = found.pop(str(folder / "notes" / "own.html"))
    assert (own.url, own.site) == (None, "mirror")
    assert {name: page.url for name, page in found.items()} == {
        str(folder / place): url for place, url in PLACES.items()
    }
    assert {page.site for page in found.values()} == {"www.news.com", "news.co.uk"}


def test_the_folder_of_a_single_host_is_a_mirror_too(tmp_path: Path) -> None:
    folder = mirror(tmp_path) / "www.news.com"
    found = {page.url for page in Inputs([str(folder)], pytest.fail)}
    assert found == {url for url in PLACES.values() if "www." in url}


@pytest.mark.parametrize("name", ["pages", "v1.2", "2026.11", "a.html", "notes.txt", ".hidden"])
def test_a_folder_whose_name_is_not_a_host_sets_no_url(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "all" / name
    folder.mkdir(parents=True)
    (folder / "a.html").write_text(HTML)
    (page,) = Inputs([str(tmp_path / "all")], pytest.fail)
    assert (page.url, page.site) == (None, "all")
