"""Which cluster a page is of: found from a part of it where that is enough, and rightly so."""

from __future__ import annotations

import pytest
from pages import site, story, told_in_html

from scrapy_mainblock.core.mainblock import learn
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.reading import Reading
from scrapy_mainblock.core.recognition import recognize
from scrapy_mainblock.core.rules import ClusterRule, Rule, SiteRules

HOST = "news.example"


def reading(html: str) -> Reading:
    page = Page.of(html, f"http://{HOST}/")
    assert page.root is not None
    return Reading(page, page.root)


def rules_of(*templates: list[tuple[str, str]]) -> SiteRules:
    rules = learn(page for template in templates for page in template).of(HOST)
    assert rules is not None
    return rules


def is_read_as_a_whole(read: Reading) -> bool:
    return "structure" in read.__dict__


FRAME = '<div class="{0}-head"><p>{0}</p></div><div class="{0}-side"><ul><li>x</li></ul></div>'


def other_template(number: int, frame: str) -> tuple[str, str]:
    """A page of the same block, in another frame, and with lists in its article."""
    entries = "".join(
        f"<dl><dt>t{number}</dt><dd>{told_in_html(30, f'o{n}')}</dd></dl>" for n in "abc"
    )
    html = f"<html><body>{FRAME.format(frame)}<div id=content>{entries}</div></body></html>"
    return html, f"http://{HOST}/{frame}{number}"


def test_a_page_of_the_template_is_known_by_its_block() -> None:
    rules = rules_of(site(8))
    read = reading(story(99, body=300, comments=60)[0])
    known = recognize(read, rules)
    assert known is not None
    assert known.cluster == rules.clusters[0]
    assert known.hit is not None
    assert known.hit.block.get("id") == "content"
    assert not is_read_as_a_whole(read)


@pytest.mark.parametrize("comments", [0, 15, 400])
def test_what_is_sure_is_what_the_whole_page_says(comments: int) -> None:
    rules = rules_of(site(8), [other_template(number, "wiki") for number in range(8)])
    assert len(rules.clusters) == 2
    for html in (story(50, comments=comments)[0], other_template(50, "wiki")[0]):
        known, whole = recognize(reading(html), rules), reading(html)
        assert known is not None
        assert known.cluster == rules.cluster_of(whole.structure, "auto")


def test_a_page_of_another_template_with_a_block_of_the_same_name_is_read_as_a_whole() -> None:
    rules = rules_of(site(8))
    read = reading(other_template(1, "wiki")[0])
    assert recognize(read, rules) is None
    assert is_read_as_a_whole(read)


def test_a_rule_for_every_page_needs_no_look() -> None:
    pinned = ClusterRule("hand", Rule("content"), frozenset(), pinned=True)
    read = reading(story()[0])
    known = recognize(read, SiteRules(HOST, (*rules_of(site(8)).clusters, pinned)))
    assert known is not None
    assert known.cluster is pinned
    assert not is_read_as_a_whole(read)


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
def test_unusual_pages_are_judged_as_a_whole_or_as_the_whole(html: str) -> None:
    rules = rules_of(site(8))
    known, whole = recognize(reading(html), rules), reading(html)
    assert (known and known.cluster) == rules.cluster_of(whole.structure, "auto")
