"""One walk finds what Python finds in several."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import lxml.html
import made_pages
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import HtmlElement

from scrapy_mainblock.core import bounds, candidates, repair, standing, titles
from scrapy_mainblock.core.candidates import Said, shown_text
from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.rules import ClusterRule, FirstParts, Rule, SiteRules, first_hits
from scrapy_mainblock.core.survey import asking, survey_of

native = compiled("survey")
pytestmark = pytest.mark.skipif(native is None, reason="nothing is compiled")

HEADS = st.lists(
    st.sampled_from(
        [
            "<title>A story</title>",
            "<title></title>",
            "<title>B &amp; c</title>",
            "<svg><title>Icon</title></svg>",
            "<meta property=og:title content='Story'>",
            "<meta name=og:title content='Other'>",
            "<meta property=og:title>",
            "<meta property=og:site_name content=' The  Daily'>",
            "<meta name=application-name content=App>",
            "<link rel=canonical href=https://a.example/x>",
            "<link rel='canonical nofollow' href=https://b.example/x>",
            "<meta property=og:url content=https://c.example/>",
            "<meta property='og:url'>",
            "<base href=/b>",
            "<base target=_top>",
            '<script type=application/ld+json>{"headline": "A \\"story\\""}</script>',
            '<script type=application/ld+json>{"name": "x"}</script>',
            '<script type=text/json>{"headline": "No"}</script>',
            "<p>a paragraph ends the head",
            "<body>",
            "</head>",
            "<frameset>",
        ]
    ),
    max_size=8,
).map("".join)
BODIES = st.lists(
    st.sampled_from(
        [
            "<h1>A story</h1>",
            "<h1><a href=/x>A <b>story</b></a></h1>",
            "<h1><span class=line>1</span> Two<br>lines <!-- x --> ¶</h1>",
            "<h1>Usage<a class=headerlink href=#u>¶</a></h1>",
            "<h1><span>x</span><div>y</div>&nbsp;z\u00ad</h1>",
            "<h1><script>x</script>Text <img alt=y></h1>",
            "<h1>",
            "<div id=main class='a b'>x</div>",
            "<div class='b a'>x</div>",
            "<p class='a\u00a0b c'>x</p>",
            "<p id=' main '>x</p>",
            "<p id='main x' class=ab>x</p>",
            "<ul class=a><li class=a></ul>",
            "<button><main>x</main></button>",
            "<noscript><p>a<p>b<p>c d e f</noscript>",
            "some text here",
            "<title>In the body</title>",
            "<meta property=og:title content=Misplaced>",
            "</body></html>",
            "<!-- behind -->",
            "<h1 class=a>x</h1>",
        ]
    ),
    max_size=8,
).map("".join)
RULES = [
    Rule(id="main"),
    Rule(id="main", path="body1/div1"),
    Rule(classes=("a",), path="body1/ul1/li1"),
    Rule(classes=("a", "b")),
    Rule(id="main x"),
    Rule(path="body1/p1"),
    Rule(classes=("nowhere",)),
]
SAID = ("open_graph", "title", "address", "linked")


def trees(source: str | bytes) -> Iterator[HtmlElement]:
    """A page as it is parsed here, and as others parse it."""
    given = source.encode("utf-8", "replace") if isinstance(source, str) else source
    for parser in (bounds.new_parser(), lxml.html.html_parser):
        try:
            yield lxml.html.document_fromstring(given, parser=parser)
        except (lxml.etree.LxmlError, ValueError):
            return


def check(root: HtmlElement) -> None:
    assert native is not None
    parts = FirstParts(RULES)
    survey = survey_of(root, parts.questions)
    assert bounds.is_whole(root) == (not (bounds.ends_early(root) or bounds.is_cut(root)))
    for heading in root.iter("h1", "h2", "div", "b"):
        check_shown_text(heading)
    if survey is None:
        return
    assert native.texts_of(root) == standing._TEXTS(root)
    assert parts.hits(root, survey) == first_hits(RULES, root)
    assert survey.may_hide or not repair._hidden_pages(root)
    assert survey.has_body == (root.find("body") is not None)
    told, looked_up = Said(root, survey=survey), Said(root)
    for name in SAID:
        found, expected = getattr(told, name), getattr(looked_up, name)
        assert getattr(found, "text", found) == getattr(expected, "text", expected), name
    for part in ("the daily", "app", "a story"):
        assert told.is_site(titles.key_of(part)) == looked_up.is_site(titles.key_of(part))
    assert list(told.headings) == list(looked_up.headings)
    page = Page.parsed("", root)
    page.__dict__["root"] = root
    page.url = "https://site.example/a/b"
    expected_base = page.base
    del page.__dict__["base"]
    page.survey = survey
    assert page.base == expected_base


def check_shown_text(heading: HtmlElement) -> None:
    found = shown_text(heading)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(candidates, "_surveying", None)
        assert found == shown_text(heading)


@given(HEADS, BODIES)
def test_a_survey_finds_what_python_finds(head: str, body: str) -> None:
    for source in (f"<html><head>{head}</head><body>{body}", f"{head}{body}"):
        for root in trees(source):
            check(root)


@pytest.mark.parametrize("name", sorted(made_pages.sources()))
def test_so_it_does_in_whole_pages(name: str) -> None:
    for root in trees(made_pages.sources()[name]):
        check(root)


def test_a_tree_with_namespaces_has_no_survey() -> None:
    source = b"<html xmlns='http://www.w3.org/1999/xhtml'><body><h1>x</h1></body></html>"
    assert survey_of(lxml.etree.fromstring(source)) is None


def test_the_block_at_the_path_is_the_only_answer() -> None:
    root = lxml.html.document_fromstring("<div class=a><p class=a></div><div class=a></div>")
    questions = asking([("class", ["a"], ((b"body", 1), (b"div", 2)))])
    survey = survey_of(root, questions)
    assert survey is not None
    assert survey.found == [[root[0][1]]]
    elsewhere = survey_of(root, asking([("class", ["a"], ((b"body", 1), (b"p", 2)))]))
    assert elsewhere is not None
    assert len(elsewhere.found[0]) == 3


def test_nothing_is_asked_where_there_is_nothing_to_ask() -> None:
    assert asking([]) is None
    assert asking([("class", ["a"], None)] * 17) is None
    assert FirstParts([Rule(id="a"), Rule(id=" ")]).questions is None
    assert FirstParts([Rule(id="a\x01")]).questions is None


@given(st.text(alphabet="ab \t\u00a0é\x01\x1f\u00ad~", max_size=8))
def test_what_is_folded_needs_no_folding(text: str) -> None:
    assert native is not None
    found = titles.folded(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(titles, "_native", None)
        assert found == titles.folded(text)
    if native.is_folded(text):
        assert text == found


def test_rules_are_copied_without_what_was_worked_out() -> None:
    rules = SiteRules("a.example", (ClusterRule("c", Rule(id="main"), frozenset({1, 2, 3})),))
    rules.memo["plan"] = FirstParts(RULES)
    for other in (pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)):
        assert other == rules
        assert other.memo == {}
