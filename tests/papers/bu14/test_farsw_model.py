"""A model: it is plain data, survives JSON, and damaged data is refused."""

from __future__ import annotations

import copy
import json

import pytest

from scrapy_mainblock.papers.bu14 import equations as bu14
from scrapy_mainblock.papers.bu14.lines import TextLine
from scrapy_mainblock.papers.bu14.model import DEFAULT_MODEL, PAPER_MODEL, FarswModel

INTRA_SITE = FarswModel(
    "intra-site",
    tuple(bu14.TABLE_3.values()),
    (("A.Middle", "B.Middle", "C.Middle", "D.High", "E.Low", "F.Low"),),
    phi=3,
)


def line(**features: int) -> TextLine:
    """Return a long line without links in the middle of a page, unless overridden."""
    usual = {
        "number": 311,
        "page_lines": 647,
        "text_length": 230,
        "output_text_length": 200,
        "link_num": 0,
        "img_num": 0,
    }
    return TextLine(**(usual | features), text="text")


@pytest.mark.parametrize("model", [DEFAULT_MODEL, PAPER_MODEL, INTRA_SITE])
def test_a_model_survives_json(model):
    assert FarswModel.from_dict(json.loads(json.dumps(model.to_dict()))) == model


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("format",), "farsw-model/2"),
        (("variant",), "both"),
        (("variant",), ["intra-site"]),
        (("spreads", "A"), [1, 2]),
        (("spreads", "A"), [1, 2, 3, 4]),
        (("spreads", "A"), [3, 2, 1]),
        (("spreads", "A"), [1, 2, "3"]),
        (("spreads", "A"), [1, 2, float("nan")]),
        (("spreads", "A"), None),
        (("spreads",), {}),
        (("spreads",), 3),
        (("rules",), []),
        (("rules",), [[]]),
        (("rules",), ["A.Middle"]),
        (("rules",), [["A.Middle'"]]),
        (("rules",), [["B.High'"]]),  # a region of the other variant
        (("rules",), [[["A.Middle"]]]),
        (("rules",), None),
        (("significance",), "0.5"),
        (("significance",), True),
        (("block_score",), None),
        (("phi",), -1),
        (("phi",), 2.5),
    ],
)
def test_damaged_data_is_refused(where, value):
    data = copy.deepcopy(INTRA_SITE.to_dict())
    inner = data
    for key in where[:-1]:
        inner = inner[key]
    inner[where[-1]] = value
    with pytest.raises(ValueError, match="not a FAR-SW model"):
        FarswModel.from_dict(data)


@pytest.mark.parametrize("key", INTRA_SITE.to_dict())
def test_missing_data_is_refused(key):
    data = {k: v for k, v in INTRA_SITE.to_dict().items() if k != key}
    with pytest.raises(ValueError, match=key):
        FarswModel.from_dict(data)


@pytest.mark.parametrize("data", [None, [], "model", 3])
def test_data_that_is_not_an_object_is_refused(data):
    with pytest.raises(ValueError, match="not a FAR-SW model"):
        FarswModel.from_dict(data)


@pytest.mark.parametrize(
    ("model", "features", "is_topical"),
    [
        (DEFAULT_MODEL, {}, True),
        (DEFAULT_MODEL, {"link_num": 1}, True),  # E.Low' is E.Low and E.Middle
        (DEFAULT_MODEL, {"link_num": 3}, False),
        (DEFAULT_MODEL, {"img_num": 1}, False),
        (DEFAULT_MODEL, {"text_length": 400}, False),  # its density is too low
        (DEFAULT_MODEL, {"text_length": 90, "output_text_length": 80}, False),
        (DEFAULT_MODEL, {"text_length": 9000, "output_text_length": 8900}, True),  # one-line site
        (DEFAULT_MODEL, {"number": 1}, True),
        (PAPER_MODEL, {}, True),
        (PAPER_MODEL, {"number": 1}, False),
        (INTRA_SITE, {}, True),
        (INTRA_SITE, {"page_lines": 10**6}, True),  # the index is not relative within a site
        (INTRA_SITE, {"text_length": 9000, "output_text_length": 8900}, False),
    ],
)
def test_which_lines_are_topical(model, features, is_topical):
    assert model.is_topical(line(**features)) is is_topical


def test_a_line_that_matches_one_of_several_rules_is_topical():
    either = FarswModel("intra-site", INTRA_SITE.spreads, (("A.Low",), ("F.Low",)))
    assert either.is_topical(line())
    assert not either.is_topical(line(img_num=5))
