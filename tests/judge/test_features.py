"""What is known of each segment: the columns that the shipped model was trained on."""

from __future__ import annotations

import numpy as np
from pages import tree

from scrapy_mainblock.core import content, features
from scrapy_mainblock.core.forest import Forest
from scrapy_mainblock.core.hints import Hints
from scrapy_mainblock.core.segments import Segments, segment

PAGE = (
    '<div class="site-nav"><ul><li><a href="/">Home</a></li></ul></div>'
    '<article id="story"><h1>About trees</h1><p>Trees, of 2024: they GROW.</p>'
    '<div><p class="note">© All rights</p></div><table><tr><td>1</td><td>北京，年</td></tr></table>'
    "</article>"
)


TITLE = Hints("About trees")


def columns_of(inside: str, hints: Hints = TITLE) -> tuple[Segments, dict[str, list]]:
    page = segment(tree(inside).find("body"))
    rows = features.matrix(page, hints)
    return page, dict(zip(features.names(), rows.T.tolist(), strict=True))


def test_each_segment_has_a_row_and_each_name_a_column() -> None:
    page, columns = columns_of(PAGE)
    assert page.texts == [
        "Home", "About trees", "Trees, of 2024: they GROW.", "© All rights", "1", "北京，年",
    ]  # fmt: skip
    assert len(columns) == len(features.names()) == len(set(features.names()))
    assert {len(column) for column in columns.values()} == {len(page)}


def test_what_stands_in_the_columns() -> None:
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


def test_a_forest_gives_each_row_the_leaves_that_its_answers_lead_to() -> None:
    model = content.first_model()
    dice = np.random.default_rng(1)
    rows = dice.normal(size=(50, len(model.names))).astype(np.float32)
    rows[:, ::3] = np.round(rows[:, ::3])
    expected = []
    for row in rows:
        score = model.bias.item()
        for which, thresholds, leaves in zip(
            model.features, model.thresholds, model.leaves, strict=True
        ):
            answers = row[which] > thresholds
            score += leaves[sum(int(one) << bit for bit, one in enumerate(answers))].item()
        expected.append(1 / (1 + np.exp(-score)))
    assert np.allclose(model.probability(rows), expected)
    assert np.allclose(model.probability(np.asfortranarray(rows).astype(float)), expected)


def test_a_page_of_many_segments_is_scored_in_parts() -> None:
    model: Forest = content.first_model()
    rows = np.random.default_rng(2).normal(size=(4100, len(model.names)))
    assert np.allclose(model.probability(rows)[4050:], model.probability(rows[4050:]))
    assert len(model.probability(rows[:0])) == 0
