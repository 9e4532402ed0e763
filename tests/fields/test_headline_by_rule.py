"""The headline at the one place that its template's rule names, and when that is not believed."""

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
    """A page; `head` is what shows the headline, `title` what the page calls itself."""
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


def taught(pages: Iterable[str]) -> Rules:
    """What pages teach, but for what their rule drops: a rule that drops nothing is no choice."""
    site = learn((html, url(number)) for number, html in enumerate(pages)).sites[SITE]
    (template,) = site.templates
    rule = replace(template.rule, selection=Selection(drop=("ul.share",)))
    return Rules({SITE: replace(site, templates=(replace(template, rule=rule),))})


def unruled(rules: Rules) -> Rules:
    """The same rules without one for the headline."""
    site = rules.sites[SITE]
    return pinned(site, site.templates[0].cluster, "")


def pinned(site: SiteRules, cluster: str | None, at: str) -> Rules:
    return Rules({SITE: with_field_pin(site, cluster, "headline", at)})


def place(rules: Rules) -> str:
    (template,) = rules.sites[SITE].templates
    return next(one.place for one in template.fields if one.field == "headline")


def found(article: Article) -> tuple[str | None, str]:
    return article.headline, article.metadata["fields"]["headline"]["source"]


# --- the place ----------------------------------------------------------------------------------

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
def test_a_headline_is_read_at_its_place_alone(at: str, headline: str | None) -> None:
    html = f"<title>Hills: Rain | Daily</title>{HEAD}<body>{BODY}</body>"
    shown = read(PageSources(Outline(Page.of(html, url(0))), b"", -1), "headline", at)
    assert (shown.value if shown else None) == headline
    assert at == "h1[" or why_no_place("headline", at) is None


# --- learning -----------------------------------------------------------------------------------


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
def test_learning_finds_where_the_headlines_stand(head: str, title: str, at: str) -> None:
    pages = [page(n, head.format(one), title.format(one)) for n, one in enumerate(STORIES)]
    rules = taught(pages[:LEARNT_FROM])
    assert place(rules) == at
    for number in range(LEARNT_FROM, len(STORIES)):
        article = extract(pages[number], url(number), rules)
        assert found(article) == (STORIES[number], f"rule:{at}")
        assert STORIES[number] not in (article.articleBody or "")


def test_a_heading_of_the_site_or_of_a_sidebar_is_no_place() -> None:
    """A constant one, and one that names another story on each page."""

    def trap(number: int) -> str:
        aside = f"<aside><h1>{STORIES[number - 1]}</h1><p>More</p></aside>"
        logo = '<h1 class="logo">Hills Weekly</h1>'
        return page(number, f'<h1 class="story">{STORIES[number]}</h1>', before=logo + aside)

    rules = taught(trap(number) for number in range(LEARNT_FROM))
    assert place(rules) == "h1.story"
    assert extract(trap(13), url(13), rules).headline == STORIES[13]


def test_headings_that_are_the_same_on_all_pages_teach_nothing() -> None:
    rules = taught(page(n, "<h1>Stories of the week</h1>", "Hills Weekly") for n in range(12))
    assert place(rules) == ""


def test_a_headline_that_stands_twice_is_the_first_of_them() -> None:
    twice = "<h1>{0}</h1><h2>{0}</h2>"
    rules = taught(page(n, twice.format(one)) for n, one in enumerate(STORIES[:LEARNT_FROM]))
    html = page(13, twice.format(STORIES[13]))
    article = extract(html, url(13), rules)
    assert found(article) == (STORIES[13], f"rule:{place(rules)}")
    assert article.articleBody == extract(html, url(13), unruled(rules)).articleBody


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
def test_what_is_kept_of_a_page_are_the_places_that_may_be_it(
    head: str, title: str, at: str
) -> None:
    reading = Reading(Outline(Page.of(page(1, head.format(STORIES[1]), title.format(STORIES[1])))))
    page_fields = reading.page_fields(reading.kept.tobytes(), reading.headline)
    seen = headline_seen(page_fields.sources, reading.titles, 0.99)
    assert reading.headline == STORIES[1]
    (one,) = [one for one in seen.at if one.place == at]
    assert (one.value == seen.chosen) == (at != "h1")
    # However sure a page is: a constant is a name.
    assert one.likely == (LEAST_LIKELY if at == "h1" else SURE_OF_CONSTANT)


# --- a page whose place is not believed ---------------------------------------------------------

OPEN_GRAPH = f'<meta property="og:title" content="{STORIES[1]}">'
OTHER = "Promises that the council has kept"


@pytest.fixture(scope="module")
def rules() -> Rules:
    return taught(page(number) for number in range(LEARNT_FROM))


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
def test_a_page_with_another_text_there_is_read_by_itself_and_says_so(
    rules: Rules, head: str, title: str | None, headline: str, why: str
) -> None:
    html = page(13, head, title)
    article = extract(html, url(13), rules)
    assert article.headline == extract(html, url(13), unruled(rules)).headline == headline
    assert article.metadata["method"] == "rule"
    said = article.metadata["fields"]["headline"]
    assert not said["source"].startswith("rule:")
    assert why in said["reason"]
    assert "h1" in said["reason"]


def test_what_a_page_by_itself_calls_itself_is_told_with_the_names_of_its_site(
    rules: Rules,
) -> None:
    """Without them, the site's name would be the heading that a title confirms."""
    html = page(13, f"<h1>Hills Weekly</h1><h2>{STORIES[13]}</h2>")
    assert found(extract(html, url(13), rules)) == (STORIES[13], "h2,title")


def test_a_page_without_any_headline_has_none_by_rule_either(rules: Rules) -> None:
    html = page(13, "", "")
    article = extract(html, url(13), rules)
    assert article.headline == extract(html, url(13), unruled(rules)).headline
    assert json.dumps(article.to_dict())


def test_a_rule_gives_the_page_the_body_that_it_has_without(rules: Rules) -> None:
    """The headline's segment is left out of it, and a heading above nothing is too."""
    for number in range(LEARNT_FROM, len(STORIES)):
        html = page(number, more=HEAD).replace("</div></body>", "<h2>Read next</h2></div></body>")
        by_rule, before = (extract(html, url(number), one) for one in (rules, unruled(rules)))
        assert found(by_rule)[1] == "rule:h1"
        assert not found(before)[1].startswith("rule:")
        assert by_rule.articleBody == before.articleBody
        assert by_rule.headline == before.headline


# --- what is said of it -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "source"),
    [
        (page(1), "h1,title"),
        (page(1, "<p>x</p>"), "title"),
        (page(1, more=OPEN_GRAPH), "h1,title,meta:og:title"),
    ],
)
def test_the_headline_of_a_page_alone_says_where_it_is_from(html: str, source: str) -> None:
    assert found(extract(html, url(1))) == (STORIES[1], source)


def test_a_headline_that_nobody_wants_is_not_told(rules: Rules) -> None:
    article = extract(page(13), url(13), rules, fields=["articleBody"])
    assert article.headline is None
    assert article.metadata["fields"] == {}


def test_explain_shows_what_else_the_headline_might_have_been(rules: Rules) -> None:
    html = page(13, f"<h1>{STORIES[13]}</h1><h2>{OTHER}</h2>")
    for one in (rules, None):
        choice = explain(html, url(13), one).fields["headline"]
        assert choice.chosen is not None
        assert choice.chosen.value == STORIES[13]
        rejected = {other.value: other for other in choice.rejected}
        assert STORIES[13] not in rejected
        assert "Hills Weekly" in rejected
        assert 0 < sum(other.probability for other in choice.rejected) < 0.5


# --- pins ---------------------------------------------------------------------------------------


def test_a_pin_of_a_cluster_is_believed_whatever_speaks_against_it(rules: Rules) -> None:
    site = rules.sites[SITE]
    (template,) = site.templates
    html = page(13, f"<h1>{STORIES[13]}</h1><p class=own>{OTHER}</p>")
    article = extract(html, url(13), pinned(site, template.cluster, "p.own"))
    assert found(article) == (OTHER, "rule:p.own")
    assert OTHER not in (article.articleBody or "")
    assert article.metadata["method"] == "rule"


def test_a_pin_of_all_pages_needs_no_other_rule() -> None:
    html = page(13, f"<h1>{STORIES[13]}</h1><p class=own>{OTHER}</p>")
    article = extract(html, url(13), pinned(SiteRules(SITE), None, "p.own"))
    assert found(article) == (OTHER, "rule:p.own")
    assert OTHER not in (article.articleBody or "")
    assert article.metadata["method"] == "page"
    assert article.metadata["fields"]["headline"]["probability"] == 1.0


def test_where_a_pin_finds_nothing_the_page_is_read_by_itself() -> None:
    article = extract(page(13), url(13), pinned(SiteRules(SITE), None, "p.own"))
    assert found(article)[0] == STORIES[13]
    assert "place p.own is missing or empty" in article.metadata["fields"]["headline"]["reason"]


def test_a_page_that_its_rule_does_not_serve_keeps_its_clusters_pin(rules: Rules) -> None:
    site = rules.sites[SITE]
    (template,) = site.templates
    gone = replace(site, templates=(replace(template, rule=Rule("gone")),))
    html = page(13, f"<h1>{STORIES[13]}</h1><p class=own>{OTHER}</p>")
    article = extract(html, url(13), pinned(gone, template.cluster, "p.own"))
    assert article.metadata["method"] == "page"
    assert article.metadata["cluster"] == template.cluster
    assert found(article) == (OTHER, "rule:p.own")


def test_a_learnt_place_is_not_asked_where_the_block_is_gone(rules: Rules) -> None:
    site = rules.sites[SITE]
    (template,) = site.templates
    gone = replace(site, templates=(replace(template, rule=Rule("gone")),))
    article = extract(page(13), url(13), Rules({SITE: gone}))
    assert article.metadata["method"] == "page"
    assert found(article) == (STORIES[13], "h1,title")


def test_a_rule_of_no_place_has_each_page_read_by_itself(rules: Rules) -> None:
    article = extract(page(13), url(13), unruled(rules))
    assert found(article) == (STORIES[13], "h1,title")
