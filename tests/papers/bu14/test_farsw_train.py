"""Training: rules are found in labeled pages and apply to unseen pages."""

from __future__ import annotations

import random

import pytest
from pages import outline, outline_of

from scrapy_mainblock.papers.bu14 import equations as bu14
from scrapy_mainblock.papers.bu14 import train
from scrapy_mainblock.papers.bu14.extract import extract_lines
from scrapy_mainblock.papers.bu14.model import FarswModel
from scrapy_mainblock.papers.bu14.train import LabeledPage, Parameters

WORDS = ("time", "clock", "team", "state", "minute", "left", "hall", "game", "city", "night")


def page(seed: int, site: str = "a.example") -> LabeledPage:
    """Return a page with a menu, an article of eight paragraphs and a footer."""
    chance = random.Random(seed)

    def words(number: int) -> str:
        return " ".join(chance.choices(WORDS, k=number))

    paragraphs = [words(chance.randint(40, 60)) for _ in range(8)]
    menu = "".join(f'<li><a href="/{words(1)}/{seed}">{words(2)}</a></li>' for _ in range(30))
    article = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    html = f"<ul>{menu}</ul><div>{article}</div><ul>{menu}</ul>"
    return LabeledPage(outline_of(html), "\n".join(paragraphs), site)


def trained(*pages: LabeledPage, **arguments: object) -> FarswModel:
    return train.train(((each.outline, each.gold) for each in pages), **arguments)


def test_a_trained_model_finds_the_article_of_another_page():
    model = trained(*map(page, range(5)))
    found = extract_lines(page(9).outline, model)
    edges = 2
    assert [line.text for line in found][1:-1] == page(9).gold.splitlines()
    assert len(found) == 8 + edges


def test_the_trained_rule_resembles_the_papers_rule():
    (rule,) = trained(*map(page, range(5))).rules
    assert rule == ("A.Middle", "B.High'", "C.High'", "D.High", "E.Low'", "F.Low")


def test_labeled_pages_from_rows_can_be_trained_on():
    markup = page(1).outline.rows.source
    rows = [{"html": markup, "gold": page(1).gold, "site": "a.example"}]
    assert train.train(train.labeled_pages(rows)) == trained(page(1))


def test_intra_site_models_use_line_numbers_and_three_regions_a_feature():
    model = trained(*map(page, range(5)), variant="intra-site")
    assert model.variant == "intra-site"
    assert model.spreads[0].maximum > 1
    assert {item for rule in model.rules for item in rule} <= {
        f"{feature}.{region}" for feature in bu14.FEATURES for region in bu14.THREE_REGIONS
    }


def test_the_model_stores_its_parameters():
    model = trained(page(1), parameters=Parameters(significance=0.4, phi=7, block_score=1.0))
    assert (model.significance, model.phi, model.block_score) == (0.4, 7, 1.0)


def test_the_order_of_pages_does_not_matter():
    forth = trained(*map(page, range(4)))
    back = trained(*map(page, reversed(range(4))))
    assert forth.rules == back.rules
    for one, other in zip(forth.spreads, back.spreads, strict=True):
        assert one == pytest.approx(other)


def test_the_mean_weights_regions_equally_and_not_lines():
    """Equation 2: 8 topical lines and 60 others have the same weight."""
    model = trained(page(1))
    links_in_article, links_in_menu = 0, 1
    assert model.spreads[4] == ((0 + 1) / 2, (links_in_article + links_in_menu) / 2, (0 + 1) / 2)


def test_pages_are_read_as_a_stream():
    read = []

    def stream():
        for number in range(3):
            read.append(number)
            yield page(number).outline, page(number).gold

    train.train(stream())
    assert read == [0, 1, 2]


def test_training_without_a_topical_line_is_refused():
    other = page(1)._replace(gold="something else entirely, on another page")
    with pytest.raises(ValueError, match="nothing to learn"):
        trained(other)
    with pytest.raises(ValueError, match="nothing to learn"):
        trained()


def test_an_unreachable_support_is_refused():
    with pytest.raises(ValueError, match="support"):
        trained(page(1), parameters=Parameters(support=1.0))


def test_a_page_of_only_main_text_can_be_trained_on():
    whole = outline("<p>one two three four five</p>")
    assert trained(LabeledPage(whole, "one two three four five")).rules


def test_rows_without_gold_or_markup_are_skipped():
    rows = [
        {"html": "<p>text</p>", "gold": "text", "site": "a.example"},
        {"html": "<p>text</p>", "gold": None, "site": "a.example"},
        {"html": "<p>text</p>"},
        {"html": "no markup", "gold": "text"},
        {"html": "<p>text</p>", "gold": "text", "site": None},
    ]
    assert [each.site for each in train.labeled_pages(rows)] == ["a.example", ""]


SITES = [page(number, site=f"{number % 4}.example") for number in range(12)]


@pytest.mark.parametrize("by", ["site", "page"])
def test_cross_validation_tests_every_page_once(by):
    results = train.cross_validate(SITES, folds=3, by=by)
    assert sum(fold.pages for fold in results) == len(SITES)
    assert all(0.9 < fold.f1 <= 1 for fold in results)
    assert all(0 <= fold.precision <= 1 and fold.recall == 1 for fold in results)


def test_cross_validation_by_site_keeps_sites_whole():
    assert [fold.pages for fold in train.cross_validate(SITES, folds=2, by="site")] == [6, 6]
    assert [fold.pages for fold in train.cross_validate(SITES, folds=10, by="site")] == [3] * 4


def test_folds_without_training_pages_are_left_out():
    lone = [page(1, site="lone.example")]
    assert train.cross_validate(lone, by="page") == []
    assert train.cross_validate(lone, by="site") == []
    assert train.cross_validate([], by="site") == []


def test_folds_without_a_trained_model_score_zero():
    unlabelled = [page(n)._replace(gold="something else entirely") for n in range(2)]
    (first, second) = train.cross_validate(unlabelled, folds=2, by="page")
    assert first == second == train.Fold(pages=1, precision=0, recall=0, f1=0)
