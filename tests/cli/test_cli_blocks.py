"""`mainblock blocks`: the link blocks of one page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Mainblock, run

HTML = (
    "<html><body><ul>"
    + "".join(f'<li><a href="/{n}">Menu {n}</a></li>' for n in range(5))
    + "</ul><p>"
    + "word " * 100
    + '<a href="/lone">lone</a></p></body></html>'
)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "page.html").write_text(HTML)
    return tmp_path / "page.html"


def test_the_spans_and_ratios_of_a_page_are_shown(mainblock: Mainblock, page: Path) -> None:
    result = mainblock("blocks", page)
    head, line, summary = result.out.splitlines()
    assert head.split() == ["start", "end", "links", "text"]
    start, end, links, text = line.split(maxsplit=3)
    assert HTML[int(start) : int(end)].startswith("<a ")
    assert HTML[int(start) : int(end)].endswith("</a>")
    assert (links, text) == ("5", "Menu 0 Menu 1 Menu 2 Menu 3 Menu 4")
    assert summary.startswith("1 link blocks hold 5 of 6 links (LCR 0.833)")
    assert (result.code, result.err) == (0, "")


def test_json_output_has_the_same_values(mainblock: Mainblock, page: Path) -> None:
    found = json.loads(mainblock("blocks", page, "--json").out)
    ((start, end, links),) = found["link_blocks"]
    assert links == 5
    assert found["lcr"] == pytest.approx(5 / 6)
    assert found["ccr"] == pytest.approx((end - start) / len(HTML))


def test_thresholds_and_the_distance_measure_are_options(mainblock: Mainblock, page: Path) -> None:
    def count(*options: str) -> int:
        return len(json.loads(mainblock("blocks", page, "--json", *options).out)["link_blocks"])

    assert count("--links", "6") == 0
    assert count("--links", "1") == 2
    assert count("--links", "6", "--distance", "1000") == 1
    assert count("--measure", "code") == 1
    assert count("--measure", "code", "--distance", "1") == 0


def test_a_long_excerpt_is_cut(mainblock: Mainblock, page: Path) -> None:
    page.write_text(HTML.replace("Menu", "A rather long name of a section"))
    line = mainblock("blocks", page).out.splitlines()[1]
    assert line.endswith("...")
    assert len(line) < 100


def test_standard_input_is_decoded_in_any_encoding() -> None:
    result = run("blocks", "-", stdin=HTML.replace("Menu", "目录").encode("utf-16"))
    assert "目录 0" in result.stdout.decode()
    assert result.returncode == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_offsets_are_characters_of_the_decoded_source(
    mainblock: Mainblock, page: Path, encoding: str
) -> None:
    head = f"<head><meta charset={encoding}></head><body>京é"
    html = HTML.replace("Menu", "目录 \U0001f517").replace("<body>", head)
    page.write_bytes(html.encode(encoding))
    found = json.loads(mainblock("blocks", page, "--json").out)
    ((start, end, links),) = found["link_blocks"]
    assert html[start:end].startswith('<a href="/0">')
    assert html[start:end].endswith("目录 \U0001f517 4</a>")
    assert html[start:end].count("<a ") == links == 5
    assert found["ccr"] == pytest.approx((end - start) / len(html))


@pytest.mark.parametrize("name", ["noscript", "template", "button", "select", "textarea", "object"])
def test_invisible_links_are_not_counted(mainblock: Mainblock, page: Path, name: str) -> None:
    unseen = "".join(f'<a href="/x{n}">Unseen {n}</a>' for n in range(9))
    page.write_text(HTML.replace("<ul>", f"<{name}>{unseen}</{name}><ul>"))
    result = mainblock("blocks", page)
    assert "Unseen" not in result.out
    assert result.out.splitlines()[-1].startswith("1 link blocks hold 5 of 6 links")


@pytest.mark.parametrize("content", [b"", b"\x00\xff" * 100, b"<a href=" * 1000, b"text"])
def test_a_page_without_links_has_no_blocks(
    mainblock: Mainblock, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "x").write_bytes(content)
    result = mainblock("blocks", tmp_path / "x")
    assert result.code == 0
    assert result.out.splitlines()[-1].startswith("0 link blocks")


def test_a_page_that_cannot_be_read_is_named(mainblock: Mainblock, tmp_path: Path) -> None:
    for name in (tmp_path / "gone.html", tmp_path):
        result = mainblock("blocks", name)
        assert result.code == 1
        assert len(result.err.splitlines()) == 1
        assert str(name) in result.err


@pytest.mark.parametrize("options", [("--links", "0"), ("--distance", "x"), ("--measure", "mile")])
def test_wrong_usage_is_one_line(
    mainblock: Mainblock, page: Path, options: tuple[str, ...]
) -> None:
    result = mainblock("blocks", page, *options)
    assert result.code == 2
    assert len(result.err.splitlines()) == 1
