"""ftr-site-config files: what becomes a pinned rule, and that every other line is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Mainblock
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector

from scrapy_mainblock import Rules, extract
from scrapy_mainblock.cli.ftr.site_config import (
    TAGS,
    Element,
    NotExpressibleError,
    convert,
    element_of,
)
from scrapy_mainblock.cli.ftr.xpath import css_of
from scrapy_mainblock.outline.css import find_all, selector
from scrapy_mainblock.outline.outline import rows_of
from scrapy_mainblock.template.field_rules import FieldRule
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

ELEMENTS = {
    "//div[@id='content']": Element("div", "content"),
    '//div[ @id = "content" ]': Element("div", "content"),
    ".//DIV[@id='content']": Element("div", "content"),
    "//*[@id='toc']": Element("*", "toc"),
    "id('main')": Element("*", "main"),
    "//div[@class='entry']": Element("div", classes=("entry",)),
    "//div[@class='entry post']": Element("div", classes=("entry", "post")),
    "//div[contains(@class, 'entry')]": Element(
        "div", classes=("entry",), why="as a complete class"
    ),
    "//div[contains(concat(' ',normalize-space(@class),' '),' entry ')]": Element(
        "div", classes=("entry",)
    ),
    "//h1[contains(concat(' ', @class, ' '), ' top ')]": Element("h1", classes=("top",)),
}
NOT_SAID = [
    "//article",
    "//div[@id='a']//div[@class='b']",
    "//div[@id='a'] | //div[@id='b']",
    "//div[@id='a' and @class='b']",
    "//div[@itemprop='articleBody']",
    "//div[starts-with(@class, 'b')]",
    "//div[@id='a']/following-sibling::*",
    "//div[3]",
    "//div[contains(@class, 'a b')]",
    "//div[contains(concat(' ',normalize-space(@class),' '),'entry-')]",
    "//div[@id='']",
    "//div[@id='it''s']",
    "/html/body/div[2]",
    "//a[@id='x']/@href",
    "",
]


@pytest.mark.parametrize("xpath", ELEMENTS)
def test_an_element_selected_by_id_or_class_is_converted(xpath: str) -> None:
    assert element_of(xpath) == ELEMENTS[xpath]


@pytest.mark.parametrize("xpath", NOT_SAID)
def test_any_other_xpath_is_refused(xpath: str) -> None:
    with pytest.raises(NotExpressibleError):
        element_of(xpath)


def _rule(*lines: str) -> Rule | None:
    return convert("\n".join(lines)).rule


def test_bodies_are_tried_in_the_files_order_or_not_at_all() -> None:
    by_id, by_class = "body: //div[@id='a']", "body: //div[@class='b c']"
    assert _rule(by_id, by_class) == Rule("a", ("b", "c"))
    assert _rule(by_class, by_id) == Rule("", ("b", "c"))
    assert _rule(by_id, "body: //div[@id='z']") == Rule("a")
    assert _rule("body: //article", by_id) is None
    assert _rule(by_id, "body: //article") == Rule("a")
    assert _rule("strip: //div[@id='a']") is None


def test_strip_lines_become_drop_selectors() -> None:
    rule = _rule(
        "body: //div[@id='a']",
        "strip: //div[@id='share']",
        "strip: //p[@class='byline']",
        "strip: //div[@class='entry wide']",
        "strip: //div[@id='ad-7']",
        "strip: //h2",
        "strip_id_or_class: 'related'",
    )
    assert rule is not None
    named = tuple(f"{tag}{kind}related" for kind in "#." for tag in TAGS)
    assert rule.selection.drop == ("div#share", "p.byline", *named)


def test_every_line_but_comments_is_reported() -> None:
    text = """
# a comment
title: //h1
body: //div[@id='a']   
strip: //div[@class='b']
prune: no
autodetect_on_failure: yes
autodetect_on_failure: no
http_header(user-agent): Mozilla/5.2
find_string: <b
new_directive: of some later year
test_url: http://example.com/a: b
no directive
empty:
"""  # noqa: W291
    fates = convert(text).fates
    assert [(one.line.key, one.carried) for one in fates] == [
        ("title", True),
        ("body", True),
        ("strip", True),
        ("autodetect_on_failure", False),
        ("http_header", False),
        ("find_string", False),
        ("new_directive", False),
    ]
    assert all(one.why for one in fates[1:])
    assert fates[0].why == ""
    assert fates[1].line.number == 4


@given(st.text(max_size=200) | st.lists(st.sampled_from(
    ["body: ", "strip: ", "//div[", "@id='", "a", "']", "contains(@class,", "\n", "'", ")", "|"]
), max_size=30).map("".join))  # fmt: skip
def test_any_file_content_is_converted_without_an_error(text: str) -> None:
    converted = convert(text)
    if converted.rule is not None:
        assert any(converted.rule.selectors)
    else:
        assert not any(one.carried for one in converted.fates)


PAGE = (
    "<html><body><div id=menu>Menu</div><div id=text><p>A paragraph of the article.</p>"
    "<div class=related><p>Something else to be read.</p></div></div><div id=foot>Foot</div>"
)


def _write(directory: Path, **files: str) -> Path:
    directory.mkdir()
    for name, text in files.items():
        (directory / f"{name.replace('_', '.')}.txt").write_text(text)
    return directory


def test_a_directory_becomes_pinned_rules(mainblock: Mainblock, tmp_path: Path) -> None:
    text = "body: //div[@id='text']\nstrip_id_or_class: related\ntitle: //h1\n"
    files = _write(
        tmp_path / "ftr",
        example_com=text,
        _example_com="body: //div[@id='menu']",
        sport_example_com="body: //div[@id='foot']",
        www_other_org="body: //article\nstrip: //div[@id='a']",
    )
    rules = tmp_path / "rules"
    done = mainblock("rules", "import", "--rules", rules, "--ftr", files)
    assert done.code == 0
    assert ".example.com.txt:1: not carried over: body: //div[@id='menu'] (another file" in done.out
    assert "www.other.org.txt:1: not carried over: body: //article (" in done.out
    assert "www.other.org.txt:2: not carried over: strip: //div[@id='a'] (" in done.out
    assert "example.com.txt:2: in part: strip_id_or_class: related (as a complete name" in done.out
    assert done.out.splitlines()[-1] == (
        f"2 rules and 1 places of fields pinned from 4 files in {rules}; of 7 lines 1 carried over,"
        " 3 in part, 3 not"
    )
    known = Rules.load(rules)
    assert list(known.sites) == ["example.com", "sport.example.com"]
    article = extract(PAGE, url="https://www.example.com/1", rules=known)
    assert article.articleBody == "A paragraph of the article."
    assert article.metadata["method"] == "rule"
    assert known.sites["example.com"].fields == (FieldRule("headline", "h1", pinned=True),)
    assert extract(PAGE, url="https://sport.example.com/1", rules=known).articleBody == "Foot"
    # A second import changes nothing.
    again = mainblock("rules", "import", "--rules", rules, "--ftr", files)
    assert again.out == done.out
    assert Rules.load(rules) == known


AUTHOR, DATE = "//a[@rel='author']", "//span[contains(@class, 'date')]"


def test_author_and_date_lines_become_pinned_places(mainblock: Mainblock, tmp_path: Path) -> None:
    files = _write(
        tmp_path / "ftr",
        a_com=f"body: //article\nauthor: {AUTHOR}\nauthor: //b\ndate: {DATE}\n",
        b_com=f"body: //div[@id='text']\ndate: substring-after({DATE}, ':')\n",
    )
    rules = tmp_path / "rules"
    done = mainblock("rules", "import", "--rules", rules, "--ftr", files)
    counted = "of 6 lines 2 carried over, 1 in part, 3 not"
    no_element = "(only an XPath of elements by their tags and attributes can be carried over)"
    assert done.out.splitlines()[1:] == [
        "a.com.txt:3: not carried over: author: //b (a rule has one place per field: the first)",
        "b.com.txt:1: in part: body: //div[@id='text'] (with any tag, not only div)",
        f"b.com.txt:2: not carried over: date: substring-after({DATE}, ':') {no_element}",
        f"1 rules and 2 places of fields pinned from 2 files in {rules}; {counted}",
    ]
    known = Rules.load(rules)
    assert known.sites["a.com"].fields == (
        FieldRule("authors", 'a[rel="author"]', pinned=True),
        FieldRule("datePublished", 'span[class*="date"]', pinned=True),
    )
    page = '<p>Today <a rel=author>Anna Berg</a> <span class="the-date">8 March 2014</span>' + PAGE
    article = extract(page, url="https://a.com/1", rules=known)
    assert [one["name"] for one in article.authors or ()] == ["Anna Berg"]
    assert (article.datePublished or "")[:10] == "2014-03-08"
    again = mainblock("rules", "import", "--rules", rules, "--ftr", files)
    assert again.out == done.out
    assert Rules.load(rules) == known


@pytest.mark.parametrize(
    ("xpath", "place"),
    [
        ("//h1[@class='head']", 'h1[class="head"]'),
        ("//title", "title"),
        ("//meta[@property='og:title']/@content", 'meta[property="og:title"]::attr(content)'),
    ],
)
def test_a_title_line_becomes_the_place_of_the_headline(
    mainblock: Mainblock, tmp_path: Path, xpath: str, place: str
) -> None:
    files = _write(tmp_path / "ftr", a_com=f"title: {xpath}\n")
    done = mainblock("rules", "import", "--rules", tmp_path / "rules", "--ftr", files)
    assert "1 places of fields pinned from 1 files" in done.out
    known = Rules.load(tmp_path / "rules")
    assert known.sites["a.com"].fields == (FieldRule("headline", place, pinned=True),)
    page = (
        '<title>Rain</title><meta property="og:title" content=Rain><h2>Hail</h2><h1 class="head">'
    )
    article = extract(f"{page}Rain</h1>{PAGE}", url="https://a.com/1", rules=known)
    assert article.headline == "Rain"
    assert article.metadata["fields"]["headline"]["source"] == f"rule:{place}"


def test_a_manually_pinned_place_is_kept(mainblock: Mainblock, tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    own = FieldRule("authors", "b.own", pinned=True)
    Rules({"a.com": SiteRules("a.com", (), (own,))}).save(rules)
    files = _write(tmp_path / "ftr", a_com=f"body: //div[@id='text']\nauthor: {AUTHOR}\n")
    done = mainblock("rules", "import", "--rules", rules, "--ftr", files)
    assert "not carried over: author: //a[@rel='author'] (a.com already has a pin" in done.out
    known = Rules.load(rules).sites["a.com"]
    assert known.fields == (own,)
    assert [one.rule.id for one in known.templates] == ["text"]


CSS = {
    "//a[@rel='author']": 'a[rel="author"]',
    "//div[@class='byline']/a": 'div[class="byline"] > a',
    "//div[@id='x']//span[@class=\"d\"]": 'div[id="x"] span[class="d"]',
    "//*[@itemprop='author']": '[itemprop="author"]',
    "//meta[@name='author']/@content": 'meta[name="author"]::attr(content)',
    "//p[2]/text()": "p:nth-of-type(2)",
    "//time[@datetime and starts-with(@class, 'd')]": 'time[datetime][class^="d"]',
    "//p[contains(concat(' ',normalize-space(@class),' '),' by ')]": 'p[class~="by"]',
    "//h1": "h1",
    "//div[@class='a'] | //div[@class='b']": None,
    "substring-after(//p, 'By')": None,
    "//p/following-sibling::a": None,
    "//p[@class='a'][1]": None,
    "(//p)[1]": None,
    "//p[last()]": None,
    "/div/p": None,
    "": None,
}


@pytest.mark.parametrize("xpath", CSS)
def test_an_xpath_of_tags_and_attributes_becomes_a_selector(xpath: str) -> None:
    assert css_of(xpath) == CSS[xpath]


PEOPLE = (
    '<html><head><meta name="author" content="x"></head><body><div id="x"><div class="byline">'
    '<a rel="author">1</a><a>2</a>'
    '<span class="d">3</span></div><p class="by me">4</p><p>5</p></div><h1 itemprop="author">6</h1>'
    '<time datetime="7" class="d7">7</time></body></html>'
)  # fmt: skip


@pytest.mark.parametrize("xpath", [one for one, css in CSS.items() if css])
def test_a_converted_selector_matches_the_same_element_as_its_xpath(xpath: str) -> None:
    css = css_of(xpath)
    assert css is not None
    tree = Selector(PEOPLE)
    found = [one.strip() for one in tree.xpath(f"string(({xpath})[1])").getall()]
    rows = rows_of(PEOPLE.encode())
    wanted = selector(css)
    first = find_all(rows, wanted)[0]
    assert found == [rows.attribute(first, b"content") or rows.line_of(first, 100).strip()]


def test_manual_pins_and_learned_rules_are_kept(mainblock: Mainblock, tmp_path: Path) -> None:
    own = Template("site", Rule("own"), frozenset(), pinned=True)
    learnt = Template("c", Rule("main"), frozenset([1, 2]))
    rules = tmp_path / "rules"
    Rules({"a.com": SiteRules("a.com", (own,)), "b.com": SiteRules("b.com", (learnt,))}).save(rules)
    files = _write(tmp_path / "ftr", a_com="body: //div[@id='a']", b_com="body: //div[@id='b']")
    done = mainblock("rules", "import", "--rules", rules, "--ftr", files)
    assert (
        "a.com.txt:1: not carried over: body: //div[@id='a'] (a.com already has a pin" in done.out
    )
    known = Rules.load(rules).sites
    assert known["a.com"].templates == (own,)
    assert [(one.rule.id, one.pinned) for one in known["b.com"].templates] == [
        ("b", True),
        ("main", False),
    ]


def test_wrong_usage_of_ftr_import_is_reported(mainblock: Mainblock, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for words, says in (
        (("--ftr", tmp_path / "none"), "no directory"),
        (("--ftr", tmp_path / "empty"), "no .txt files in"),
        (("file.jsonl", "--ftr", tmp_path / "empty"), "leave out file.jsonl"),
    ):
        done = mainblock("rules", "import", "--rules", tmp_path / "rules", *words)
        assert done.code == 2
        assert says in done.err
