"""The headline of a page."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pytest
from growth import assert_linear, most_of
from hypothesis import given
from hypothesis import strategies as st
from pages import outline_of

from scrapy_mainblock import extract
from scrapy_mainblock.fields.candidates import candidates
from scrapy_mainblock.fields.headline import headline_by_titles, read_headings, weights
from scrapy_mainblock.fields.page_titles import PageTitles
from scrapy_mainblock.fields.titles import folded

RAIN = "Rain in May falls on Rome"


def page(  # the page's metadata, and its visible text
    body: str = "", *, title: str = "", og: str = "", site: str = "", canonical: str = ""
) -> str:
    head = f'<meta property="og:title" content="{og}">' if og else ""
    head += f'<meta property="og:site_name" content="{site}">' if site else ""
    head += f'<link rel="canonical" href="{canonical}">' if canonical else ""
    head += f"<title>{title}</title>" if title else ""
    return f"<html><head>{head}</head><body>{body}<p>x</p></body>"


def headline(source: str, url: str | None = None, *names: str) -> str | None:
    return headline_by_titles(outline_of(source, url), names).text


CONFIRMED = {
    "by a part of the title": page(f"<h1>{RAIN}</h1>", title=f"{RAIN} - News"),
    "by a part behind the site's name": page(f"<h1>{RAIN}</h1>", title=f"News.com: {RAIN}"),
    "by OpenGraph": page(f"<h1>{RAIN}</h1>", title="News", og=RAIN),
    "by both": page(f"<h1>{RAIN}</h1>", title=f"{RAIN} | News", og=RAIN),
    "behind the site's name": page(f"<h1>The News</h1><h1>{RAIN}</h1>", title=RAIN, og=RAIN),
    "in two lines": page("<h1>Rain in May<br>falls on Rome</h1>", title=RAIN),
    "with a comment": page(f"<h1><!-- c -->{RAIN}</h1>", title=RAIN),
    "with a picture": page(f"<h1><svg><text>s</text></svg>{RAIN}</h1>", title=RAIN),
    "with a script": page("<h1>Rain<script>x()</script> in May falls on Rome</h1>", title=RAIN),
    "with a link to itself": page(f'<h1>{RAIN}<a href="#r">¶</a></h1>', title=RAIN),
    "with soft hyphens": page("<h1>Rain in May falls on Ro&shy;me</h1>", title=RAIN),
    "twice": page(f"<h1>{RAIN}</h1><h1>{RAIN}</h1>", title=RAIN),
    "in a picture's title": page(f"<svg><title>Logo</title></svg><h1>{RAIN}</h1>"),
    "in a head that ends too early": "<title>News</title><p>stray</p>"
    f'<meta property="og:title" content="{RAIN}"><h1>{RAIN}</h1>',
}


@pytest.mark.parametrize("source", CONFIRMED.values(), ids=CONFIRMED)
def test_heading_repeated_by_a_title_is_the_headline(source: str) -> None:
    assert headline(source) == RAIN


def test_lower_heading_under_the_site_name_is_the_headline() -> None:
    source = page(
        "<h1>The Forum</h1><h2>Rain in May - has anyone seen it?</h2>",
        title="Rain in May - has anyone seen it? - The Forum",
    )
    assert headline(source) == "Rain in May - has anyone seen it?"


CHOSEN = {
    "og against a heading that is unlike": page("<h1>Weather</h1>", title="News", og=RAIN),
    "a lower heading that is a part of the title": page(
        "<h1>News</h1><h3>Rain in <b>May</b> falls on Rome</h3>", title=f"{RAIN} | News"
    ),
    "no heading: the part that is not the site's name": page(title=f"{RAIN} - News"),
    "no heading: the site's name first": page(title=f"News | Weather | {RAIN} again"),
    "no heading: the site's name by its word for it": page(
        title=f"{RAIN} - The Daily Planet of New Rome", site="The Daily Planet of New Rome"
    ),
    "no heading: the part that stands in the page": page(
        f"<div><b>{RAIN}</b></div>", title=f"All of the news of the whole wide world - {RAIN}"
    ),
    "a class, where the title is the site's name": page(
        f"<div class=box>Menu</div><span class=headline>{RAIN}</span>", title="News"
    ),
    "the only heading": page(f"<h1>{RAIN}</h1>"),
    "a lower one": page(f"<h3>{RAIN}</h3>"),
    "the first level before the second": page(f"<h2>Second of all of them</h2><h1>{RAIN}</h1>"),
    "a title that is never closed": f"<title>{RAIN}<script>" + "x();" * 200,
}


@pytest.mark.parametrize("source", CHOSEN.values(), ids=CHOSEN)
def test_best_candidate_is_the_headline_without_a_confirmed_heading(source: str) -> None:
    found = headline(source)
    assert found is not None
    assert found.removesuffix(" again") == RAIN


TWO_HEADLINES = {
    "a lower heading is the one that is shared": page(
        f"<h1>Rome: all about the weather of May</h1><h2>{RAIN}</h2>",
        title="Rome: all about the weather of May",
        og=RAIN,
    ),
    "with a word on what it is about": page(
        f"<h1>Rome: all about the weather of May</h1><h2><i>Weather</i> {RAIN}</h2>",
        title="Rome: all about the weather of May | News",
        og=f"{RAIN} | News",
        site="News",
    ),
    "the first level and both titles are for search engines": page(
        f'<script type="application/ld+json">{{"headline": "{RAIN}"}}</script>'
        f"<h1>Rome: all about the weather of May</h1><h2>{RAIN}</h2>",
        title="Rome: all about the weather of May",
        og="Rome: all about the weather of May",
    ),
}


@pytest.mark.parametrize("source", TWO_HEADLINES.values(), ids=TWO_HEADLINES)
def test_headline_for_readers_precedes_one_for_search_engines(source: str) -> None:
    assert headline(source) == RAIN


@pytest.mark.parametrize(
    "linked",
    ["", "{", '"headline": 5', '"headline": "\\ud800"', '"headline": "Something else entirely"'],
)
def test_linked_data_headline_without_a_heading_is_ignored(linked: str) -> None:
    script = f'<script type="application/ld+json">{linked}</script>'
    assert headline(page(f"{script}<h1>{RAIN}</h1><h2>Sun</h2>", title=RAIN)) == RAIN


@pytest.mark.parametrize("shown", [RAIN, f"{RAIN} and why it is here to stay", f"Rome: {RAIN}"])
def test_heading_in_linked_data_is_the_headline_without_a_title(
    shown: str,
) -> None:
    script = f'<script type="application/ld+json">{{"headline": "{RAIN}"}}</script>'
    other = "Rome: all about the weather of May"
    assert headline(page(f"{script}<h1>{shown}</h1>", title=other, og=other)) == RAIN


def test_ruby_annotations_are_not_part_of_the_headline() -> None:
    rain = "<ruby>雨<rt>あめ</rt></ruby>"
    heading = f"<ruby>山<rp>(</rp><rt><b>やま</b></rt><rp>)</rp></ruby>に{rain}が続く"
    text = "".join(
        f"<p>今日は雨が降りましたが、明日は晴れるでしょう。{day}</p>" for day in range(9)
    )
    article = extract(
        f"<title>山に雨が続く | 新聞</title><article><h1>{heading}</h1>{text}</article>"
    )
    assert article.headline == "山に雨が続く"
    assert "やま" not in (article.articleBody or "")


@pytest.mark.parametrize("kicker", ["Weather", "News: ", "<span>[Solved]</span>", "Local news -"])
def test_kicker_is_cut_off_if_linked_data_lacks_it(
    kicker: str,
) -> None:
    script = f'<script type="application/ld+json">{{"headline": "{RAIN}"}}</script>'
    shown = page(f"{script}<h1>{kicker} {RAIN}</h1>", title=f"{kicker} {RAIN}")
    assert headline(shown) == RAIN
    behind = page(f"{script}<h1>{RAIN}, again</h1>", title=f"{RAIN}, again")
    assert headline(behind) == f"{RAIN}, again"


@pytest.mark.parametrize(
    "line",
    [f"<p><b>{RAIN}</b></p>", f"<td><font size=4>{RAIN}</font></td>", f"<h4>{RAIN}</h4>"],
)
def test_bold_line_is_the_headline_without_a_title(line: str) -> None:
    prose = "A sentence of an article, which is longer than the name of any section. " * 5
    body = f"<b>Search</b><table>{line}</table><p>{prose}</p><p>{prose}</p>"
    assert headline(page(body, title="News", canonical="https://news.com/1")) == RAIN


PLANET = "The Planet Gazette"
LOGO = page(f"<h1>{PLANET}</h1>", title=f"{PLANET} - Rain falls")


@pytest.mark.parametrize(
    ("source", "url", "names"),
    [
        (LOGO, "https://www.planetgazette.com/1", ()),
        (LOGO, None, (PLANET,)),
        (page(f"<h1>{PLANET}</h1>", title=f"{PLANET} - Rain falls", site=PLANET), None, ()),
        (
            page(
                f"<h1>{PLANET}</h1>",
                title=f"{PLANET} - Rain falls",
                canonical="http://planetgazette.com",
            ),
            None,
            (),
        ),
    ],
    ids=["by its host", "by the caller", "by its own word", "by its own address"],
)
def test_heading_with_the_site_name_is_not_confirmed(
    source: str, url: str | None, names: tuple[str, ...]
) -> None:
    def confirmed(url: str | None = None, names: tuple[str, ...] = ()) -> bool:
        return headline_by_titles(outline_of(source, url), names).is_confirmed

    assert source is not LOGO or confirmed()
    assert not confirmed(url, names)


def test_given_site_name_is_the_headline_only_if_alone() -> None:
    assert headline(page("<h1>Planet</h1><h2>Rain falls</h2>", title="Planet"), None, "Planet") == (
        "Rain falls"
    )
    assert headline(page("<h1>Planet</h1>", title="Planet"), None, "Planet") == "Planet"


def test_chinese_title_is_split_at_underscores() -> None:
    assert headline(page(title="北京今天下雨了_新闻频道_新浪网")) == "北京今天下雨了"


@pytest.mark.parametrize(
    "source",
    [
        page(),
        page("<h1></h1><h2> </h2>"),
        page(title="  "),
        page(title="|||"),
        page(f"<h1>{'word ' * 500}"),
    ],
)
def test_a_page_without_a_title_or_heading_has_no_headline(source: str) -> None:
    assert headline(source) is None


def test_every_feature_has_a_weight() -> None:
    """A feature that is renamed without retraining would have no weight."""
    seen: set[str] = set()
    for source in (*CONFIRMED.values(), *CHOSEN.values()):
        titles = PageTitles(outline_of(source))
        for candidate in candidates(titles, read_headings(titles)[1]).all:
            seen |= set(candidate.features)
    assert seen <= set(weights())
    assert len(seen) > 25


# --- properties of any page -----------------------------------------------------------------------

_WORDS = st.sampled_from(
    [
        "Rain",
        "in",
        "May",
        "News",
        " - ",
        " | ",
        ": ",
        "_",
        "雨",
        "«",
        "--",
        "…",
        "\u00ad",
        "\x01",
        " ",
        "é",
    ]
)
_TEXT = st.lists(_WORDS, max_size=8).map("".join)
_TAGS = st.sampled_from(
    ["h1", "h2", "h3", "div class=title", "p", "nav", "a href=x", "svg", "title"]
)
_PIECES = st.lists(st.tuples(_TAGS, _TEXT), max_size=6)


@given(
    _TEXT, _TEXT, _PIECES, st.sampled_from([None, "http://[", "https://news.com/rain-in-may", "x"])
)
def test_headline_is_text_of_the_page_with_folded_whitespace(
    title: str, og: str, pieces: list[tuple[str, str]], url: str | None
) -> None:
    body = "".join(f"<{tag}>{text}</{tag.split()[0]}>" for tag, text in pieces)
    source = page(body, title=title, og=og)
    found = headline(source, url)
    if found is not None:
        assert found == folded(found) != ""
        shown = folded(html.unescape(re.sub(r'<[^>]*content="([^"]*)">|<[^>]*>', r" \1 ", source)))
        assert found.replace(" ", "") in shown.replace(" ", "")


@given(st.text(max_size=300))
def test_any_source_can_be_read(source: str) -> None:
    for text in (source, f"<title>{source}", f"<h1>{source}<h2>{source}"):
        headline(text, source)


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        ("<title>t</title>" + "<h1>" * 60, "<b></b>"),
        ("<title>", "a - "),
        ("<title>a | b</title>", "<p>a</p>x"),
        ("<title>", " - | : _"),
        ("<title>News</title>", "<p class=title>"),
        ("<title>News</title>", "<p class=title>x"),
        ("<title>News</title>", "<b>x</b><br>"),
        ("", "<h1>x</h1>"),
        ("", "<h1>"),
        ("<title>News</title>", "<h1><b>x"),
        ("<title>a - b</title>", "<svg><title>a - b</title></svg>"),
        ("<title>News and more</title>", "News and more "),
    ],
    ids=[
        *("unclosed", "parts", "places", "separators", "classes", "classes of texts", "bold"),
        *("headings", "nested headings", "nested texts", "pictures", "mentions"),
    ],
)
def test_headline_takes_linear_time(head: str, piece: str) -> None:
    def work(times: int) -> Callable[[], object]:
        outline = outline_of(head + piece * times, "https://example.com/")
        outline.rows  # noqa: B018 - the scan is not measured
        return lambda: headline_by_titles(outline)

    assert_linear(work, 2000, most_of(piece))
