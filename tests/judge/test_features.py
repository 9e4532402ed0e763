"""The features of each segment: the columns that the shipped models were trained on."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import outline

from scrapy_mainblock.judge.features import segment as features
from scrapy_mainblock.judge.features.frame import Frame
from scrapy_mainblock.judge.features.likeness import headline_position
from scrapy_mainblock.judge.hints import Hints
from scrapy_mainblock.outline.outline import Outline

PAGE = (
    '<div class="site-nav"><ul><li><a href="/">Home</a></li></ul></div>'
    '<article id="story"><h1>About trees</h1><p>Trees, of 2024: they GROW.</p>'
    '<div><p class="note">© All rights</p></div><table><tr><td>1</td><td>北京，年</td></tr></table>'
    "</article>"
)


TITLE = Hints("About trees")


def columns_of(inside: str, hints: Hints = TITLE) -> tuple[Outline, dict[str, list[float]]]:
    page = outline(inside)
    rows = features.features(
        Frame(page.rows, page.folded, page.text_hashes), hints.title, hints[1:-1]
    )
    return page, dict(zip(features.names(), rows.tolist(), strict=True))


def test_features_have_a_value_for_each_segment_and_name() -> None:
    page, columns = columns_of(PAGE)
    assert page.texts == [
        "Home", "About trees", "Trees, of 2024: they GROW.", "© All rights", "1", "北京，年",
    ]  # fmt: skip
    assert len(columns) == len(features.names()) == len(set(features.names()))
    assert {len(column) for column in columns.values()} == {len(page.texts)}


def test_values_of_the_columns() -> None:
    _, columns = columns_of(PAGE, Hints("About trees", article=True))
    expected = {
        "page_article": [1, 1, 1, 1, 1, 1],
        "page_forum": [0, 0, 0, 0, 0, 0],
        "link_share": [1, 0, 0, 0, 0, 0],
        "ends": [0, 0, 1, 0, 0, 0],
        "date": [0, 0, 1, 0, 0, 1],
        "copyright": [0, 0, 0, 1, 0, 0],
        "in_title": [0, 1, 0, 0, 0, 0],
        "is_headline": [0, 1, 0, 0, 0, 0],
        "tag_p": [0, 0, 1, 1, 0, 0],
        "tag_td": [0, 0, 0, 0, 1, 1],
        "in_article": [0, 1, 1, 1, 1, 1],
        "in_table": [0, 0, 0, 0, 1, 1],
        "depth": [3, 2, 2, 3, 4, 4],
        "name_nav": [2, 9, 9, 9, 9, 9],
        "name_article": [9, 1, 1, 2, 3, 3],
        "chars-1": [-1.0, *columns["chars"][:-1]],
        "chars+2": [*columns["chars"][2:], -1.0, -1.0],
    }
    for name, values in expected.items():
        assert np.allclose(columns[name], values), name
    assert columns["share@1"][1] < columns["share@2"][1] == columns["share@3"][3]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12:30", {"date": 1}),
        ("4 hours ago", {"date": 1}),
        ("２０１４年３月８日", {"date": 1}),
        ("one", {"date": 0, "copyright": 0}),
        ("1999x, x1999", {"date": 0}),
        ("COPYRIGHT 2014", {"copyright": 1}),
        ("ALL RIGHTS", {"copyright": 1}),
        ("(c) e.com", {"copyright": 1}),
        ("版权所有", {"copyright": 1}),
        ("copyrıght", {"copyright": 0}),
        ("ΟΔΟΣ", {"upper": 1, "wide": 0, "words": np.log(2)}),
        ("中文", {"wide": 1, "words": np.log(4)}),
        ("٣٤", {"digit": 1}),
        ("a, b; c: d", {"pauses": 3 / 7}),
        ("Is it? Yes! No… 是。", {"stops": 4 / 14, "ends": 1}),
        ("He said “yes”", {"ends": 1}),
        ("\U0001f600", {"wide": 1}),
    ],
)
def test_characters_are_counted_by_class(text: str, expected: dict[str, float]) -> None:
    _, columns = columns_of(f"<p>{text}", Hints())
    for name, value in expected.items():
        assert columns[name][0] == pytest.approx(value, abs=1e-6), name


def test_repeated_texts_are_counted() -> None:
    _, columns = columns_of("<p>one<p>two<p>one<ul><li>one</ul>")
    assert columns["repeated"] == [3, 1, 3, 3]


PIECES = (
    *"1 2 19 20 1999 2014 12 3 : . , ; ! ? … a g gh o x _ - ’ ” ) » › → $ £ ¥ €".split(),
    *"？ ， ： １ ٣ 中 年 月".split(),
    *("hour", "hours ago", "minute ago", "days ago", "day", " ", "  ", " ago", "copy", "right"),
    *(
        "COPYRIGHT",
        "(c)",
        "(C",
        "©",
        "all rights",
        "All Righ",
        "版权",
        "版",
        "权",
        "copyrıght",
        "İ",
    ),
    *("Ж", "ж", "Δ", "δ", "“", "Ω", "\u2126", "Ⱥ", "Ａ"),
    *("Σ", "ς", "ß", "µ", "²", "é", "É", "ſ", "\u212a", "\U0001f600", "\x85", "about trees"),
)
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join)


def naive_likeness(title: str, text: str) -> float:
    """Return the length ratio of title and text if one contains the other, else 0."""
    title, lowered = " ".join(title.split()).lower(), text.lower()
    if lowered not in title and title not in lowered:
        return 0.0
    return min(len(title), len(text)) / max(len(title), len(text), 1)


@given(st.lists(texts, min_size=1, max_size=12), texts)
def test_features_are_finite_and_in_title_is_the_length_ratio(lines: list[str], title: str) -> None:
    lines += [title.upper(), title[1:], lines[0] + title.lower(), title.swapcase() + lines[0]]
    page, columns = columns_of("".join(f"<p>{line}" for line in lines), Hints(title))
    assert all(np.isfinite(column).all() for column in columns.values())
    for text, found in zip(page.texts, columns["in_title"], strict=True):
        if len(text) <= 2 * len(" ".join(title.split())) + 20:
            assert found == pytest.approx(naive_likeness(title, text), abs=1e-6)


@given(st.lists(texts, min_size=1, max_size=12), texts)
def test_headline_feature_agrees_with_headline_position(lines: list[str], title: str) -> None:
    tags = ("h1", "p", "h2")
    inside = "".join(f"<{tags[n % 3]}>{line}</{tags[n % 3]}>" for n, line in enumerate(lines))
    page, columns = columns_of(inside, Hints(title))
    found = headline_position(page.folded, page.rows, title, 0, len(page.texts))
    assert headline_position(None, page.rows, title, 0, len(page.texts)) == found
    if page.texts:
        assert columns["is_headline"] == [float(at == found) for at in range(len(page.texts))]


LONGEST_DATED = 300
DATE = re.compile(
    r"[0-9]{1,2}[:.][0-9]{2}|\b(?:19|20)[0-9]{2}\b|[0-9] (?:hour|minute|day)s? ago|[年月]"
)
COPYRIGHT = re.compile(r"©|copyright|all rights|版权|\(c\)", re.IGNORECASE | re.ASCII)
PARTS_OF_DATES = (
    *"1 9 19 20 1999 2014 12 30 3 : . x _ - hour hours minute day s ago year".split(),
    *(
        " ",
        " ",
        " ago",
        " hours ago",
        "(",
        "c",
        ")",
        "Copy",
        "right",
        "COPYRIGHT",
        "all",
        " rights",
    ),
    *("年", "版", "权", "©", "x" * 250),
)


@given(st.lists(st.sampled_from(PARTS_OF_DATES), min_size=1, max_size=12).map("".join))
def test_dates_and_copyright_are_found_in_short_texts(text: str) -> None:
    page, columns = columns_of(f"<p>{text}", Hints())
    for line, dated, owned in zip(page.texts, columns["date"], columns["copyright"], strict=True):
        is_short = len(line) <= LONGEST_DATED
        assert dated == (is_short and DATE.search(line) is not None)
        assert owned == (is_short and COPYRIGHT.search(line) is not None)


def test_outer_blocks_hold_at_least_as_much_text_as_inner_ones() -> None:
    _, columns = columns_of(PAGE)
    for level in (1, 2, 3):
        for inner, outer in zip(
            columns[f"share@{level}"], columns[f"share@{level + 1}"], strict=True
        ):
            assert inner <= outer or outer == -1


CALLED = {
    "article": "article Story blog-entry post-body news",
    "comment": "comments discussion replies reviews",
    "share": "social-links share facebook followers",
    "related": "related-posts most-read read-next teaser",
    "nav": "main-nav menu breadcrumb pagination",
    "side": "sidebar right-rail widget",
    "foot": "footer copyright legal",
    "advert": "ads ad-slot sponsored",
    "meta": "byline author post-date",
    "tags": "tags categories keywords",
    "form": "newsletter-signup search login",
    "list": "card-grid list-item feed",
}
"""Class names by their meaning to the models."""


@pytest.mark.parametrize(
    ("group", "name"), [(group, name) for group, names in CALLED.items() for name in names.split()]
)
def test_usual_class_and_id_names_are_recognized(group: str, name: str) -> None:
    for attributes in (f"class='{name}'", f"class='x {name.upper()}'", f"id='{name}'"):
        _, columns = columns_of(f"<div {attributes}><section><p>text")
        assert columns[f"name_{group}"] == [2], attributes


@pytest.mark.parametrize(
    ("group", "name"), [("article", "posted posts"), ("advert", "head shadow"), ("tags", "stage")]
)
def test_names_inside_longer_words_are_not_recognized(group: str, name: str) -> None:
    _, columns = columns_of(f"<p class='{name}'>text")
    assert columns[f"name_{group}"] == [9]


def test_more_names_than_the_cache_holds_are_recognized() -> None:
    known = [(group, names.split()[0]) for group, names in CALLED.items()]
    for turn in (0, 1, 0):
        blocks = [(*known[n % len(known)], 6000 * turn + n) for n in range(6000)]
        inside = "".join(
            f'<div class="{name} n{n}" id="{n % 5 or ""}x">text</div>' for _, name, n in blocks
        )
        _, columns = columns_of(inside, Hints())
        assert all(columns[f"name_{group}"][at] == 0 for at, (group, _, _) in enumerate(blocks))


def test_long_and_non_ascii_names_are_accepted() -> None:
    _, columns = columns_of(f"<div class='{'x ' * 400} nav' id='北京&amp;nav'><p>text")
    assert columns["name_nav"] == [9]  # no name is looked for so far into the attribute
