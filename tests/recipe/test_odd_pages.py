"""Pages unlike those that taught a rule are also read alone, and the decision reports that."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pages import words

from scrapy_mainblock import Rules, explain, extract, learn
from scrapy_mainblock.recipe import decide
from scrapy_mainblock.template.oddity import (
    KEEPS_LITTLE,
    MORE_DROPPED,
    MORE_LEFT,
    MORE_OUTSIDE,
    ODD_LENGTH,
)

URL = "https://news.example/{}"
MENU = "".join(f"<li><a href=/{n}>Section {n} of the paper</a>" for n in range(20))


def article(number: int, *, inside: str = "", outside: str = "", paragraphs: int = 6) -> str:
    """Return a news page, with a subscription offer below the text."""
    text = "".join(f"<p>{sentence(f'{number}x{n}')}</p>" for n in range(paragraphs))
    return (
        f"<html><head><title>Story {words(4, f't{number}')}</title></head><body>"
        f"<ul id=menu>{MENU}</ul>"
        f"<div id=post class=post><h1>Story {words(4, f't{number}')}</h1>{text}{inside}"
        "<div class=offer><p>Subscribe now and read all</p><a href=/o>Offer</a></div></div>"
        f"{outside}<div id=foot>Published by the Example Company, 12 Long Street.</div>"
        "</body></html>"
    )


def sentence(word: str) -> str:
    """Return a paragraph of prose."""
    return f"The council {words(18, word)}, said the mayor, and {words(14, word + 'y')}."


@pytest.fixture(scope="module")
def rules() -> Rules:
    return learn((article(n), URL.format(n)) for n in range(12))


def test_usual_page_is_read_by_its_rule(rules: Rules) -> None:
    found = extract(article(99), URL.format(99), rules)
    assert (found.metadata["method"], found.metadata["reason"]) == ("rule", None)


def test_article_outside_the_block_is_found(rules: Rules) -> None:
    body = "".join(f"<p>{sentence(f'elsewhere{n}')}</p>" for n in range(14))
    page = article(99, paragraphs=1, outside=f"<div class=longread>{body}</div>")
    found = extract(page, URL.format(99), rules)
    assert found.metadata["method"] == "page"
    assert MORE_OUTSIDE in found.metadata["reason"]
    assert found.metadata["cluster"] is not None
    assert "elsewhere7" in found.articleBody


def test_article_at_a_dropped_place_is_found(rules: Rules) -> None:
    body = "".join(f"<p>{sentence(f'inoffer{n}')}</p>" for n in range(14))
    page = article(99, paragraphs=0).replace("<p>Subscribe now and read all</p>", body)
    (template,) = rules.sites["news.example"].templates
    assert "> div.offer" in template.rule.selection.drop
    found = extract(page, URL.format(99), rules)
    assert "inoffer7" in (found.articleBody or "")
    assert found.metadata["reason"]


def test_rule_stays_with_a_reason_if_the_page_alone_is_unsure(
    rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decide, "SURE_ENOUGH", 1.0)
    noise = "".join(
        f"<div><p>Offer {n}: subscribe now, cancel at any time. Terms apply.</p></div>"
        for n in range(40)
    )
    page = article(99, paragraphs=12).replace("<p>Subscribe now and read all</p>", noise)
    decided = explain(page, URL.format(99), rules)
    assert decided.method == "rule"
    assert decided.reason == MORE_LEFT
    text = extract(page, URL.format(99), rules).articleBody or ""
    assert "cancel at any time" not in text
    usual = extract(article(98), URL.format(98), rules).metadata["probability"]
    assert decided.probability <= usual


@pytest.mark.parametrize(
    ("most", "reason"),
    [
        pytest.param({}, MORE_DROPPED, id="more than ever, in shares and in characters"),
        pytest.param({"most_dropped": 2000}, None, id="no more than ever, of a short article"),
    ],
)
def test_dropped_text_beside_a_short_article_may_be_usual(
    rules: Rules, most: dict[str, int], reason: str | None
) -> None:
    (site,) = rules.sites.values()
    (template,) = site.templates
    assert template.proof is not None
    proof = template.proof._replace(losing=2, dropped=0.1, most_dropped=0)._replace(**most)
    doubted = replace(site, templates=(replace(template, proof=proof),))
    offer = "<p>" + "Subscribe now, cancel at any time. " * 20 + "</p>"
    page = article(99, paragraphs=1).replace("<p>Subscribe now and read all</p>", offer)
    assert explain(page, URL.format(99), Rules({"news.example": doubted})).reason == reason


def test_rare_template_with_text_at_a_known_place_is_found() -> None:
    """The place is known and may vary in size: the odd value is the length of the block."""
    transcript = "<div class=transcript>{}</div>"
    note = transcript.format("<p>There is no transcript of this story.</p>")
    body = "".join(f"<p>{sentence(f'transcript{n}')}</p>" for n in range(14))
    rules = learn((article(n, outside=note), URL.format(n)) for n in range(12))
    rare = article(99, paragraphs=0, outside=transcript.format(body))
    short = rare.replace("<div class=offer>", "<p>Watch it, or read it below.</p><div class=offer>")
    found = extract(short, URL.format(99), rules)
    assert found.metadata["method"] == "page"
    assert ODD_LENGTH in found.metadata["reason"]
    assert "transcript7" in found.articleBody


def test_block_that_is_nearly_all_dropped_lowers_the_confidence(
    rules: Rules,
) -> None:
    """As much was dropped before, but with more kept text beside it."""
    (site,) = rules.sites.values()
    (template,) = site.templates
    assert template.proof is not None
    used_to_it = template.proof._replace(left=1.0, dropped=1.0)
    doubted = replace(site, templates=(replace(template, proof=used_to_it),))
    body = "".join(f"<p>{sentence(f'inoffer{n}')}</p>" for n in range(14))
    page = article(99, paragraphs=0).replace("<p>Subscribe now and read all</p>", body)
    page = page.replace("<div class=offer>", "<p>Watch it, or read it below.</p><div class=offer>")
    found = extract(page, URL.format(99), Rules({"news.example": doubted}))
    assert (found.metadata["method"], found.metadata["reason"]) == ("rule", KEEPS_LITTLE)
    usual = extract(article(98), URL.format(98), rules).metadata["probability"]
    assert found.metadata["probability"] < usual / 2


def test_pinned_rule_is_not_doubted(rules: Rules) -> None:
    (site,) = rules.sites.values()
    pinned = replace(site, templates=tuple(replace(one, pinned=True) for one in site.templates))
    body = "".join(f"<p>{sentence(f'elsewhere{n}')}</p>" for n in range(14))
    page = article(99, paragraphs=1, outside=f"<div class=longread>{body}</div>")
    found = extract(page, URL.format(99), Rules({"news.example": pinned}))
    assert found.metadata["method"] == "rule"
    assert "elsewhere7" not in found.articleBody


def test_proof_is_saved_with_the_rules(rules: Rules, tmp_path: object) -> None:
    rules.save(str(tmp_path))
    again = Rules.load(str(tmp_path))
    (template,) = again.sites["news.example"].templates
    assert template.proof is not None
    assert template.proof.pages == 12
    assert template.proof.losing == 0
    assert template.proof == rules.sites["news.example"].templates[0].proof
