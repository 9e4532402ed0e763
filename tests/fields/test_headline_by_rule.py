"""The headline at the place that a template's rule names, and when that place is rejected."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest
from pages import told_in_html

from scrapy_mainblock import Article, Rules, explain, extract, learn
from scrapy_mainblock.fields.ruled.by_rule import read, why_no_place
from scrapy_mainblock.fields.ruled.headline import headline_seen
from scrapy_mainblock.fields.ruled.seen import LEAST_LIKELY
from scrapy_mainblock.fields.sources.page_sources import PageSources
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.template.field_rules import with_field_pin
from scrapy_mainblock.template.learning.field_tally import SURE_OF_CONSTANT
from scrapy_mainblock.template.rules import Rule, SiteRules
from scrapy_mainblock.template.selection import Selection

SITE = "hills.example"
LEARNT_FROM = 12
STORIES = [
    "Rain falls on the northern valley", "A bridge is built over the Aller",
    "Farmers count their losses in May", "New school opens after three years",
    "Old mill burns down to the ground", "Choir sings for the lost at sea",
    "Mayor resigns over the toll road", "Wolves return to the upper forest",
    "Trains stand still for two days", "Library lends out its last atlas",
    "Potters meet under the lime tree", "Harvest comes early to the south",
    "Ferry runs aground in thick fog", "Bakers agree on a common price",
]  # fmt: skip


def url(number: int) -> str:
    return f"https://{SITE}/stories/{number}"


def page(
    number: int, head: str | None = None, title: str | None = None, before: str = "", more: str = ""
) -> str:
    """Return a page; `head` is the HTML around its headline, `title` its title element."""
    story = STORIES[number]
    head = f"<h1>{story}</h1>" if head is None else head
    title = f"{story} | Hills Weekly" if title is None else title
    return (
        f"<html lang=en><head><title>{title}</title>{more}</head><body>"
        f'<div class="top"><a href="/">Home</a></div>{before}<div id="main">{head}'
        f'<div class="text">{told_in_html(120 + 10 * number, f"w{number}")}</div>'
        '<ul class="share"><li><a href="/a">Share</a></li><li><a href="/b">Print</a></li></ul>'
        "</div></body></html>"
    )


def learn_rules(pages: Iterable[str]) -> Rules:
    """Return the rules learnt from pages, with a selection that drops something.

    A rule that drops nothing would not be used.
    """
    site = learn((html, url(number)) for number, html in enumerate(pages)).sites[SITE]
    (template,) = site.templates
    rule = replace(template.rule, selection=Selection(drop=("ul.share",)))
    return Rules({SITE: replace(site, templates=(replace(template, rule=rule),))})


def without_headline_rule(rules: Rules) -> Rules:
    """Return the same rules without one for the headline."""
    site = rules.sites[SITE]
    return pin_headline(site, site.templates[0].cluster, "")


def pin_headline(site: SiteRules, cluster: str | None, at: str) -> Rules:
    return Rules({SITE: with_field_pin(site, cluster, "headline", at)})


def headline_place(rules: Rules) -> str:
    (template,) = rules.sites[SITE].templates
    return next(one.place for one in template.fields if one.field == "headline")


def headline_and_source(article: Article) -> tuple[str | None, str]:
    return article.headline, article.metadata["fields"]["headline"]["source"]


# --- the place ------------------------------------------------------------------------------------

HEAD = (
    '<meta property="og:title" content="Rain - and more of it"><script type="application/ld+json">'
    '{"@type": "NewsArticle", "headline": "Rain, again", "name": "Wet"}</script>'
)
BODY = (
    '<h1 class="logo"></h1><h1 class="story">Rain in <em>the</em> hills ¶</h1>'
    '<h2 data-title="Rain at length">Wet</h2><p itemprop="headline">Rain itself</p>'
)


@pytest.mark.parametrize(
    ("at", "headline"),
    [
        ("h1", "Rain in the hills"),
        ("h1.story > em", "the"),
        ("h2", "Wet"),
        ("h2::attr(data-title)", "Rain at length"),
        ("h3", None),
        ("h1[", None),
        ("title", "Hills: Rain | Daily"),
        ("title - Daily", "Hills: Rain"),
        ("title - Rain | Daily", "Hills"),
        ("title - Hills", "Rain | Daily"),
        ("title - Weekly", None),
        ("meta:og:title", "Rain - and more of it"),
        ("meta:og:title - Rain", "and more of it"),
        ("meta:twitter:title", None),
        ("json-ld:headline", "Rain, again"),
        ("json-ld:name", "Wet"),
        ("property:headline", "Rain itself"),
    ],
)
def test_headline_is_read_only_at_its_place(at: str, headline: str | None) -> None:
    html = f"<title>Hills: Rain | Daily</title>{HEAD}<body>{BODY}</body>"
    shown = read(PageSources(Outline(Page.of(html, url(0))), b"", -1), "headline", at)
    assert (shown.value if shown else None) == headline
    assert at == "h1[" or why_no_place("headline", at) is None


# --- learning -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "title", "at"),
    [
        ("<h1>{}</h1>", "{} | Hills Weekly", "h1"),
        ('<h1 class="head">{}</h1>', "{} | Hills Weekly", "h1.head"),
        ('<div class="head">{}</div>', "{} | Hills Weekly", "title - Hills Weekly"),
        ('<h1 class="head"><b>News</b> <span>{}</span></h1>', "{}", "title"),
        ('<h1 class="logo">Hills Weekly</h1><h2 class="head">{}</h2>', "{} | Hills", "h2.head"),
        ('<h3 class="head"><a href="/x">{}</a></h3>', "Hills Weekly", "h3.head"),
    ],
    ids=["h1", "its class", "title without the site", "part of a heading", "site on top", "alone"],
)
def test_learning_finds_the_place_of_the_headline(head: str, title: str, at: str) -> None:
    pages = [page(n, head.format(one), title.format(one)) for n, one in enumerate(STORIES)]
    rules = learn_rules(pages[:LEARNT_FROM])
    assert headline_place(rules) == at
    for number in range(LEARNT_FROM, len(STORIES)):
        article = extract(pages[number], url(number), rules)
        assert headline_and_source(article) == (STORIES[number], f"rule:{at}")
        assert STORIES[number] not in (article.articleBody or "")


def test_heading_of_the_site_or_a_sidebar_is_not_the_place() -> None:
    """A heading that is the same on all pages, and one that shows another story on each page."""

    def trap(number: int) -> str:
        aside = f"<aside><h1>{STORIES[number - 1]}</h1><p>More</p></aside>"
        logo = '<h1 class="logo">Hills Weekly</h1>'
        return page(number, f'<h1 class="story">{STORIES[number]}</h1>', before=logo + aside)

    rules = learn_rules(trap(number) for number in range(LEARNT_FROM))
    assert headline_place(rules) == "h1.story"
    assert extract(trap(13), url(13), rules).headline == STORIES[13]


def test_headings_that_are_the_same_on_all_pages_give_no_place() -> None:
    rules = learn_rules(page(n, "<h1>Stories of the week</h1>", "Hills Weekly") for n in range(12))
    assert headline_place(rules) == ""


def test_repeated_headline_is_read_at_its_first_place() -> None:
    twice = "<h1>{0}</h1><h2>{0}</h2>"
    rules = learn_rules(page(n, twice.format(one)) for n, one in enumerate(STORIES[:LEARNT_FROM]))
    html = page(13, twice.format(STORIES[13]))
    article = extract(html, url(13), rules)
    assert headline_and_source(article) == (STORIES[13], f"rule:{headline_place(rules)}")
    assert article.articleBody == extract(html, url(13), without_headline_rule(rules)).articleBody


@pytest.mark.parametrize(
    ("head", "title", "at"),
    [
        ('<h1><b>News</b> <i class="what">{}</i></h1>', "{} | Hills", "i.what"),
        ('<h1><b>News</b> <i class="what">{}</i></h1>', "{} | Hills", "h1"),
        ('<div class="head">{}</div>', "{} | Hills", "div.head"),
        ("<h1>{}</h1>", "Hills: {}", "title - Hills"),
        ("<h1>{}</h1>", "{} - News - Hills", "title - News - Hills"),
    ],
)
def test_headline_seen_lists_the_possible_places(head: str, title: str, at: str) -> None:
    reading = Reading(Outline(Page.of(page(1, head.format(STORIES[1]), title.format(STORIES[1])))))
    page_fields = reading.page_fields(reading.kept.tobytes(), reading.headline)
    seen = headline_seen(page_fields.sources, reading.titles, 0.99)
    assert reading.headline == STORIES[1]
    (one,) = [one for one in seen.at if one.place == at]
    assert (one.value == seen.chosen) == (at != "h1")
    # A place that holds the site's name gets little weight, however sure the page is.
    assert one.likely == (LEAST_LIKELY if at == "h1" else SURE_OF_CONSTANT)


# --- fallback to the page -------------------------------------------------------------------------

OPEN_GRAPH = f'<meta property="og:title" content="{STORIES[1]}">'
OTHER = "Promises that the council has kept"


@pytest.fixture(scope="module")
def rules() -> Rules:
    return learn_rules(page(number) for number in range(LEARNT_FROM))


@pytest.mark.parametrize(
    ("head", "title", "headline", "why"),
    [
        ("<p>By Anna Berg</p>", STORIES[13], STORIES[13], "missing or empty"),
        ("<h1> </h1>", STORIES[13], STORIES[13], "missing or empty"),
        (f"<h1>{OTHER}</h1><h2>{STORIES[13]}</h2>", None, STORIES[13], "title does not match"),
        (f"<h1>Hills Weekly</h1><h2>{STORIES[13]}</h2>", None, STORIES[13], "the site's name"),
        (f"<h1>Bakers agree -</h1><h2>{STORIES[13]}</h2>", None, STORIES[13], "cut off"),
    ],
    ids=["none", "empty", "a promotion", "the site", "cut off"],
)
def test_page_with_other_text_at_the_place_falls_back_with_a_reason(
    rules: Rules, head: str, title: str | None, headline: str, why: str
) -> None:
    html = page(13, head, title)
    article = extract(html, url(13), rules)
    assert (
        article.headline
        == extract(html, url(13), without_headline_rule(rules)).headline
        == headline
    )
    assert article.metadata["method"] == "rule"
    said = article.metadata["fields"]["headline"]
    assert not said["source"].startswith("rule:")
    assert why in said["reason"]
    assert "h1" in said["reason"]


def test_fallback_to_the_page_uses_the_learnt_site_names(
    rules: Rules,
) -> None:
    """Without these names, the site's name would be the heading confirmed by a title."""
    html = page(13, f"<h1>Hills Weekly</h1><h2>{STORIES[13]}</h2>")
    assert headline_and_source(extract(html, url(13), rules)) == (STORIES[13], "h2,title")


def test_page_without_a_headline_has_none_by_rule_either(rules: Rules) -> None:
    html = page(13, "", "")
    article = extract(html, url(13), rules)
    assert article.headline == extract(html, url(13), without_headline_rule(rules)).headline
    assert json.dumps(article.to_dict())


def test_headline_rule_does_not_change_the_body(rules: Rules) -> None:
    """The headline's segment is dropped from the body, and so is a heading above nothing."""
    for number in range(LEARNT_FROM, len(STORIES)):
        html = page(number, more=HEAD).replace("</div></body>", "<h2>Read next</h2></div></body>")
        by_rule, before = (
            extract(html, url(number), one) for one in (rules, without_headline_rule(rules))
        )
        assert headline_and_source(by_rule)[1] == "rule:h1"
        assert not headline_and_source(before)[1].startswith("rule:")
        assert by_rule.articleBody == before.articleBody
        assert by_rule.headline == before.headline


# --- metadata and explain -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "source"),
    [
        (page(1), "h1,title"),
        (page(1, "<p>x</p>"), "title"),
        (page(1, more=OPEN_GRAPH), "h1,title,meta:og:title"),
    ],
)
def test_headline_without_rules_reports_its_sources(html: str, source: str) -> None:
    assert headline_and_source(extract(html, url(1))) == (STORIES[1], source)


def test_headline_that_is_not_requested_is_not_returned(rules: Rules) -> None:
    article = extract(page(13), url(13), rules, fields=["articleBody"])
    assert article.headline is None
    assert article.metadata["fields"] == {}


def test_explain_lists_the_other_headline_candidates(rules: Rules) -> None:
    html = page(13, f"<h1>{STORIES[13]}</h1><h2>{OTHER}</h2>")
    for one in (rules, None):
        choice = explain(html, url(13), one).fields["headline"]
        assert choice.chosen is not None
        assert choice.chosen.value == STORIES[13]
        rejected = {other.value: other for other in choice.rejected}
        assert STORIES[13] not in rejected
        assert "Hills Weekly" in rejected
        assert 0 < sum(other.probability for other in choice.rejected) < 0.5


# --- pins -----------------------------------------------------------------------------------------


def test_pin_of_a_cluster_is_used_without_plausibility_checks(rules: Rules) -> None:
    site = rules.sites[SITE]
    (template,) = site.templates
    html = page(13, f"<h1>{STORIES[13]}</h1><p class=own>{OTHER}</p>")
    article = extract(html, url(13), pin_headline(site, template.cluster, "p.own"))
    assert headline_and_source(article) == (OTHER, "rule:p.own")
    assert OTHER not in (article.articleBody or "")
    assert article.metadata["method"] == "rule"


def test_pin_of_the_site_needs_no_other_rule() -> None:
    html = page(13, f"<h1>{STORIES[13]}</h1><p class=own>{OTHER}</p>")
    article = extract(html, url(13), pin_headline(SiteRules(SITE), None, "p.own"))
    assert headline_and_source(article) == (OTHER, "rule:p.own")
    assert OTHER not in (article.articleBody or "")
    assert article.metadata["method"] == "page"
    assert article.metadata["fields"]["headline"]["probability"] == 1.0


def test_pin_that_finds_nothing_falls_back_to_the_page() -> None:
    article = extract(page(13), url(13), pin_headline(SiteRules(SITE), None, "p.own"))
    assert headline_and_source(article)[0] == STORIES[13]
    assert "place p.own is missing or empty" in article.metadata["fields"]["headline"]["reason"]


def test_page_whose_block_is_missing_keeps_the_cluster_pin(rules: Rules) -> None:
    site = rules.sites[SITE]
    (template,) = site.templates
    gone = replace(site, templates=(replace(template, rule=Rule("gone")),))
    html = page(13, f"<h1>{STORIES[13]}</h1><p class=own>{OTHER}</p>")
    article = extract(html, url(13), pin_headline(gone, template.cluster, "p.own"))
    assert article.metadata["method"] == "page"
    assert article.metadata["cluster"] == template.cluster
    assert headline_and_source(article) == (OTHER, "rule:p.own")


def test_learnt_place_is_not_used_if_the_block_is_missing(rules: Rules) -> None:
    site = rules.sites[SITE]
    (template,) = site.templates
    gone = replace(site, templates=(replace(template, rule=Rule("gone")),))
    article = extract(page(13), url(13), Rules({SITE: gone}))
    assert article.metadata["method"] == "page"
    assert headline_and_source(article) == (STORIES[13], "h1,title")


def test_empty_place_reads_the_headline_from_the_page(rules: Rules) -> None:
    article = extract(page(13), url(13), without_headline_rule(rules))
    assert headline_and_source(article) == (STORIES[13], "h1,title")
