"""The template that a page matches, and the place of its rule's block."""

from __future__ import annotations

import pytest
from pages import outline_of, site, story, told_in_html

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.recipe.learn import learn
from scrapy_mainblock.template.match import best_match, matches
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

HOST = "news.example"


def page(html: str) -> Outline:
    return outline_of(html, f"http://{HOST}/")


def rules_of(*templates: list[tuple[str, str]]) -> SiteRules:
    rules = learn(one for template in templates for one in template).of(HOST)
    assert rules is not None
    return rules


FRAME = '<div class="{0}-head"><p>{0}</p></div><div class="{0}-side"><ul><li>x</li></ul></div>'


def other_template(number: int, frame: str) -> tuple[str, str]:
    """Return a page with the same block in another frame, and with lists in its article."""
    entries = "".join(
        f"<dl><dt>t{number}</dt><dd>{told_in_html(30, f'o{n}')}</dd></dl>" for n in "abc"
    )
    html = f"<html><body>{FRAME.format(frame)}<div id=content>{entries}</div></body></html>"
    return html, f"http://{HOST}/{frame}{number}"


@pytest.mark.parametrize(("body", "comments"), [(120, 15), (300, 60), (120, 0), (20, 400)])
def test_page_of_the_template_matches_at_any_length(body: int, comments: int) -> None:
    rules = rules_of(site(8))
    found = best_match(page(story(99, body=body, comments=comments)[0]), rules)
    assert found is not None
    assert found.template == rules.templates[0]
    hit = found.search.hit
    assert hit is not None
    assert (hit.selector, hit.value) == ("id", "content")


def test_two_templates_are_distinguished() -> None:
    rules = rules_of(site(8), [other_template(number, "wiki") for number in range(8)])
    assert len(rules.templates) == 2
    for html in (story(50)[0], other_template(50, "wiki")[0]):
        found, whole = best_match(page(html), rules), page(html)
        assert found is not None
        assert found.template == rules.template_of(whole.structure)
    assert best_match(page(story(50)[0]), rules) != best_match(
        page(other_template(50, "wiki")[0]), rules
    )


def test_other_template_with_the_same_block_name_does_not_match() -> None:
    rules = rules_of(site(8))
    assert best_match(page(other_template(1, "wiki")[0]), rules) is None


def test_rule_for_every_page_precedes_that_of_the_cluster() -> None:
    learnt = rules_of(site(8))
    pinned = Template("hand", Rule("content"), frozenset(), pinned=True)
    rules = SiteRules(HOST, (*learnt.templates, pinned))
    found = [match.template.cluster for match in matches(page(story()[0]), rules)]
    assert found == ["hand", learnt.templates[0].cluster]
    assert [match.template for match in matches(page("<p>nothing"), rules)] == [pinned]
    assert list(matches(page(story()[0]), None)) == []


def test_page_near_a_cluster_is_tried_with_its_rule() -> None:
    rules = rules_of(site(8))
    html, _ = story(99)
    more = "".join(f"<section class={name}><p>x</p></section>" for name in ("aa", "bb"))
    near = page(
        html.replace('<div class="menu">', f"{more}<div class=menu>").replace("menu", "nav")
    )
    assert rules.template_of(near.structure) is None
    assert rules.nearest(near.text_places) is rules.templates[0]
    found = best_match(near, rules)
    assert found is not None
    assert found.template is rules.templates[0]
    other = html.replace("menu", "nav").replace("content", "gone")
    unlike = page(other.replace('class="main">', 'class="main"><div></div>'))
    assert rules.nearest(unlike.text_places) is rules.templates[0]
    assert best_match(unlike, rules) is None


@pytest.mark.parametrize(
    "html",
    [
        "<body><span><div id=content><p>a</p></div></span></body>",
        "<body><div id=content>" + "<p>a</p>" * 300 + "</div>" + "<p>b</p>" * 300 + "</body>",
        "<body>" + "<div>" * 60 + "<div id=content>a</div></body>",
        "<body id=content><p>a</p></body>",
        "<body><!-- a --><div id=content>a<!-- b --></div><?c?></body>",
        "<p>nothing</p>",
    ],
)
def test_unusual_pages_match_by_structure(html: str) -> None:
    rules = rules_of(site(8))
    found = best_match(page(html), rules)
    assert (found and found.template) == rules.template_of(page(html).structure)
