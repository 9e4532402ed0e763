"""Pages of any depth, length and oddity keep their text, and the outline reports what was cut."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from growth import MOST_OCTETS, assert_linear, most_of
from pages import element, outline, outline_of, story, words
from shapes import shape

from scrapy_mainblock import extract, learn
from scrapy_mainblock.outline.html.scan import scan
from scrapy_mainblock.outline.outline import Outline

PAGE, URL = story()
MOST_ELEMENTS = 300_000
"""Equal to `scan.MOST_ELEMENTS`, which is not importable from the compiled module."""
MOST_SEGMENTS = 100_000
TOO_MANY = "the page has too many elements: the rest was read as plain lines"


def text_of(page: Outline) -> str:
    return "".join("".join(page.texts).split())


DEEP = {
    "unclosed inline": "<b>w{n} ",
    "unclosed blocks": "<div>w{n} ",
    "lists": "<ul><li>w{n} ",
    "tables": "<table><tr><td>w{n} ",
    "misnested": "<b><div></b>w{n} ",
    "ends that are ignored": "<div><b>w{n} </i></u>",
    "many at a time": "<b><i><u><s>w{n} </s>",
    "paragraphs": "<p><font>w{n} ",
    "quotes": "<blockquote><p>w{n} ",
    "anchors": "<a href=x><div>w{n} ",
    "objects": "<marquee>w{n} ",
}


@pytest.mark.parametrize("piece", DEEP.values(), ids=DEEP)
def test_deeply_nested_pages_keep_every_word(piece: str) -> None:
    page = outline_of("".join(piece.format(n=n) for n in range(5000)) + "<p>The end.")
    found = " ".join(page.texts)
    assert re.findall(r"w(\d+)\b", found) == [str(n) for n in range(5000)]
    assert found.endswith("The end.")
    assert page.cut is None


def test_blocks_are_recognized_at_any_depth() -> None:
    deep = "<div>" * 3000 + "<h2>one</h2><p>t<b>w</b>o</p><ul><li>three</ul>"
    assert outline_of(deep).texts == ["one", "two", "three"]
    rows = outline_of("<div>" * 40 + "<h2>one</h2><p>t<b>w</b>o</p>").rows
    assert shape(rows).endswith("div[h2[one] p[two]" + "]" * 40)


def test_page_after_deep_nesting_is_extracted_normally() -> None:
    article = extract("<div>" * 3000 + words(9) + "</div>" * 3000 + PAGE, URL)
    assert article.articleBody is not None
    assert "story0w50" in article.articleBody
    assert "\n\n" in article.articleBody


def test_two_hundred_thousand_unclosed_tags_keep_all_their_text() -> None:
    article = extract("<b>x" * 200_000, URL)
    assert "".join((article.articleBody or "").split()) == "x" * 200_000


def test_elements_beyond_the_limit_become_lines_without_losing_text() -> None:
    number = MOST_ELEMENTS + 50_000
    page = outline_of("".join(f"<p>w{n}</p>" for n in range(number)))
    assert page.cut == TOO_MANY
    assert page.rows.element_count < MOST_ELEMENTS + 10
    lines = [f"w{n}" for n in range(number)]
    last = MOST_SEGMENTS - 1
    assert page.texts[:last] == lines[:last]
    assert page.texts[last:] == [" ".join(lines[last:])]


def test_lines_beyond_the_limit_become_one() -> None:
    page = outline_of("<br>".join(f"w<b>{n}</b>" for n in range(MOST_SEGMENTS + 9)))
    assert page.cut == "the page has too many lines: the rest was read as one line"
    assert page.texts[-1] == " ".join(f"w{n}" for n in range(MOST_SEGMENTS - 1, MOST_SEGMENTS + 9))


@pytest.mark.parametrize("hidden", ["<select>", "<svg>", "<noscript>", "<head><title>t</title>"])
def test_cut_rest_does_not_vanish_in_a_hidden_element(hidden: str) -> None:
    source = f"{hidden}{'<p>x' * MOST_ELEMENTS}{hidden}<p>{words(99)}"
    assert outline_of(source).texts[-1].endswith(words(99))


def test_cut_is_reported_with_a_rule_and_without_a_main_block() -> None:
    rules = learn([story(number) for number in range(8)])
    by_rule = extract(PAGE.replace("</body>", "<i>" * MOST_ELEMENTS), URL, rules)
    assert by_rule.metadata["method"] == "rule"
    assert by_rule.metadata["reason"] == TOO_MANY
    nothing = extract("<div>" * (MOST_ELEMENTS + 1), URL)
    assert nothing.articleBody is None
    assert nothing.metadata["reason"] == f"no main block found; {TOO_MANY}"


def test_unmatched_end_tags_do_not_count_toward_the_limit() -> None:
    page = outline_of("</div>" * 2 * MOST_ELEMENTS + PAGE)
    assert page.cut is None
    assert page.texts == outline_of(PAGE).texts


@pytest.mark.parametrize("source", [PAGE, PAGE * 30, "<p>", "<b><i></b></i>", f"<!--{PAGE}"])
def test_ordinary_pages_are_not_cut(source: str) -> None:
    assert outline_of(source).cut is None


def _attributes(number: int, value: str = "") -> str:
    return " ".join(f"a{n}{value}" for n in range(number))


@pytest.mark.parametrize("value", ["", "=1", "='>'", '="<p>"', '="></script><b c="', " / "])
@pytest.mark.parametrize("tag", ["p", "script", "title", "img", "x-y"])
def test_many_attributes_hide_neither_text_nor_another_attribute(tag: str, value: str) -> None:
    end = f"</{tag}>" if tag in ("script", "title") else ""
    before, behind = _attributes(20_000, value), _attributes(20_000, value)
    page = outline_of(f"{PAGE}<{tag} {before} id=far {behind}>{end}<p>{words(9)}</p>")
    assert page.cut is None
    assert text_of(page).endswith("word8")
    assert page.rows.name(element(page, "far")) == tag


def test_a_quote_in_a_script_does_not_hide_a_tag() -> None:
    values = " ".join(f'a{n}="></script><b c="' for n in range(40_000))
    page = outline_of(f'<script>if (x<b && y="</script><p {values}>{words(9)}')
    assert page.texts == [words(9)]


def test_a_long_attribute_is_kept() -> None:
    page = outline(f'<p id=one class="{"x " * 500_000}">{words(9)}')
    assert page.cut is None
    assert len(page.rows.classes(element(page, "one"))) == 1_000_000


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>a</p></body></html><p>b</p>", "ab"),
        ("<html><body><p>a</html><html lang=x><body class=y><div>b</div></body></html>", "ab"),
        ("<head></head></HTML\n><body><p>b</p>", "b"),
        ("<p>a</html>" + "<i>" * 3000 + "b", "ab"),
        ("<p>a</p></body><div>b</div>", "ab"),
    ],
)
def test_text_after_the_end_of_the_page_is_kept(source: str, text: str) -> None:
    assert text_of(outline_of(source)) == text


REPEATED = {
    "tags cut off": "<a ",
    "open quotes": "<a '\"",
    "values cut off": '<a href="',
    "comments cut off": "<!-- -",
    "declarations": "<!",
    "instructions": "<?",
    "ends": "</",
    "end tags cut off": "</a ",
    "scripts cut off": "<script ",
    "scripts in comments": "<script><!--<script>",
    "end tags of scripts cut off": "</script ",
    "text areas": "<textarea>",
    "titles": "<title>",
    "noscripts": "<noscript><p>",
    "templates": "<template><script>",
    "ampersands": "&",
    "long numbers": "&#1",
    "long names": "&a",
    "less-thans": "<",
    "CDATA": "<svg><![CDATA[",
    "divisions": "<div>",
    "lists": "<ul><li>",
    "tables": "<table><tr><td>",
    "tables in tables": "<table>x",
    "misplaced text": "<table>x<tr>",
    "formatting that overlaps": "<b><p></b>",
    "anchors": "<a href=x><p>",
    "buttons": "<button><p>",
    "forms": "<form><div></form>",
    "headings": "<h1><b></h2>",
    "objects": "<object></p>",
    "selects": "<select><option>",
    "pictures": "<svg><g></x>",
    "integration": "<svg><desc><p>",
    "formulas": "<math><mi></a>",
    "ruby": "<ruby><rt><rp>",
    "frames": "<frameset>",
    "ends of paragraphs": "</p>",
    "ends of unknown elements": "<x-a></x-b>",
}


@pytest.mark.parametrize("piece", REPEATED.values(), ids=REPEATED)
def test_scan_takes_linear_time(piece: str) -> None:
    def work(times: int) -> Callable[[], object]:
        source = (piece * times).encode()
        return lambda: scan(source)

    has_elements = scan(piece.encode() * 9).element_count > 9
    most = most_of(piece) if has_elements else MOST_OCTETS // len(piece)
    assert_linear(work, 3000, most)


def test_long_name_is_read_in_linear_time() -> None:
    for source in (b"<" + b"a" * 3_000_000, b"</" + b"a" * 3_000_000, b"<p a" + b" " * 3_000_000):
        scan(source)
