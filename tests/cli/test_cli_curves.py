"""`mainblock curves`: one HTML file of plots (tests/papers/wang14/curves tests its content)."""

from __future__ import annotations

from pathlib import Path

from command import Mainblock
from pages import rows, site, write_rows


def test_a_report_is_written_over_all_pages(mainblock: Mainblock, tmp_path: Path) -> None:
    index = "<html><body>" + '<li><a href="/x">Some link</a></li>' * 60 + "</body></html>"
    some = rows([*site(3), (index, "http://news.example/")])
    file, out = write_rows(tmp_path / "in.jsonl", some), tmp_path / "curves.html"
    result = mainblock("curves", file, "-o", out)
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{out}: figures 4 to 8 over 1 index and 3 content pages\n"
    text = out.read_text()
    assert text.lstrip().lower().startswith("<!doctype html>")
    assert "<svg" in text
    assert "http://" not in text.replace("http://www.w3.org/", "")


def test_a_rows_label_sets_the_page_type(mainblock: Mainblock, tmp_path: Path) -> None:
    some = rows(site(3), meta={"page_type": "index"})
    file = write_rows(tmp_path / "in.jsonl", some)
    result = mainblock("curves", file, "-o", tmp_path / "c.html")
    assert "3 index and 0 content" in result.out


def test_unreadable_input_is_named_and_the_rest_is_plotted(
    mainblock: Mainblock, tmp_path: Path
) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(2)))
    with file.open("a") as stream:
        stream.write("{\n")
    result = mainblock("curves", file, tmp_path / "gone.jsonl", "-o", tmp_path / "c.html")
    assert result.code == 1
    assert len(result.err.splitlines()) == 2
    assert "2 content pages" in result.out


def test_a_writable_output_is_required(mainblock: Mainblock, tmp_path: Path) -> None:
    file = write_rows(tmp_path / "in.jsonl", rows(site(2)))
    for options in ((), ("-o", tmp_path), ("-o", tmp_path / "none" / "c.html")):
        result = mainblock("curves", file, *options)
        assert result.code == 2
        assert len(result.err.splitlines()) == 1
