"""Judging a page without a template: segments, their context, and the confidence in the result."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from growth import MOST_TAGS, assert_linear, most_of
from hypothesis import given, settings
from hypothesis import strategies as st
from pages import outline, words

from scrapy_mainblock.judge import confidence, judgement, models, page_type
from scrapy_mainblock.judge.content import choice
from scrapy_mainblock.judge.content.choice import expected_f1, likely_segments
from scrapy_mainblock.judge.content.lists import weighed
from scrapy_mainblock.judge.content.orphans import orphaned_headings, orphaned_introductions
from scrapy_mainblock.judge.features import segment as features
from scrapy_mainblock.judge.features.context import context
from scrapy_mainblock.judge.features.context import names as context_names
from scrapy_mainblock.judge.features.frame import Frame
from scrapy_mainblock.judge.hints import SIGNS, Hints, find_hints
from scrapy_mainblock.judge.judgement import Judgement
from scrapy_mainblock.judge.models import ModelError
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.recipe.reading import Reading

WORDS = "The council met on Monday, and it decided to build a bridge over the river this year. "
ARTICLE = (
    '<nav><ul class="menu"><li><a href="/a">Home</a><li><a href="/b">News</a></ul></nav>'
    f'<article class="post"><h1>A bridge</h1>{f"<p>{WORDS * 4}</p>" * 6}</article>'
    '<footer>© 2024 <a href="/c">Contact</a></footer>'
)
URL = "http://e.com/x"


def reading(inside: str, head: str = "") -> Reading:
    return Reading(outline(inside, URL, head=head))


def kept_texts(read: Reading) -> list[str]:
    return [text for text, keep in zip(read.page.texts, read.kept, strict=True) if keep]


def sizes(page: Outline) -> np.ndarray:
    return np.array([len(text) for text in page.texts], dtype=float)


def frame_of(page: Outline) -> Frame:
    return Frame(page.rows, page.folded, page.text_hashes)


NOTHING_KNOWN = np.zeros(len(page_type.TYPES))


# --- context --------------------------------------------------------------------------------------


def in_context(page: Outline, first: list[float]) -> dict[str, np.ndarray]:
    likely, frame = np.array(first), frame_of(page)
    own = features.features(frame, "", Hints()[1:-1])
    rows = context(frame, own, likely, expected_f1(likely, sizes(page)), NOTHING_KNOWN.tolist())
    names = context_names(page_type.TYPES)
    assert rows.shape == (len(names), len(page.texts))
    return dict(zip(names, rows, strict=True))


def test_context_has_the_odds_of_neighboring_segments() -> None:
    seen = in_context(outline("<p>aa</p><p>bb</p><p>cc</p>"), [0.5, 0.9, 0.1])
    assert seen["odds"] == pytest.approx([0, np.log(9), -np.log(9)], abs=1e-3)
    assert seen["odds+1"] == pytest.approx([np.log(9), -np.log(9), -9], abs=1e-3)
    assert seen["odds-2"] == pytest.approx([-9, -9, 0], abs=1e-3)


def test_context_has_the_content_of_enclosing_blocks() -> None:
    page = outline("<div><p>aaaa</p><p>bbbb</p></div><div><p>cccc</p></div>")
    seen = in_context(page, [0.9, 0.5, 0.2])
    assert seen["content@1"] == pytest.approx([0.9, 0.5, 0.2], abs=1e-3)
    assert seen["content@2"] == pytest.approx([0.7, 0.7, 0.2], abs=1e-3)
    assert seen["content_share@2"] == pytest.approx([1.4 / 1.6] * 2 + [0.2 / 1.6], abs=1e-3)
    assert (seen["content@6"] == -1).all()


def test_same_part_of_every_card_is_alike() -> None:
    card = '<div class="card"><h3 class="t">name</h3><p class="d">told</p></div>'
    seen = in_context(outline(card * 2), [0.2, 0.6, 0.4, 0.8])
    assert seen["alike_content"] == pytest.approx([0.3, 0.7, 0.3, 0.7], abs=1e-3)
    assert seen["alike_segments"] == pytest.approx([np.log(3)] * 4, abs=1e-3)


def test_context_has_the_content_of_the_section() -> None:
    page = outline("<p>aa</p><h2>bb</h2><p>cc</p><p>dd</p><h3>ee</h3>")
    seen = in_context(page, [0.5, 0.9, 0.1, 0.2, 0.4])
    assert seen["section_content"] == pytest.approx([0.5, 0.4, 0.4, 0.4, 0.4], abs=1e-3)
    assert seen["section_content_share"] == pytest.approx(
        [5 / 21, *[12 / 21] * 3, 4 / 21], abs=1e-3
    )
    assert seen["section_begins"] == pytest.approx([-9, *[np.log(9)] * 3, np.log(2 / 3)], abs=1e-3)


# --- the judgement --------------------------------------------------------------------------------


def test_article_is_separated_from_the_boilerplate() -> None:
    read = reading(ARTICLE)
    assert kept_texts(read) == [(WORDS * 4).strip()] * 6
    assert read.judgement.page_type == "article"
    assert read.confidence > 0.5


_INSIDES = st.lists(
    st.sampled_from(
        [
            "<p>text, of a kind.</p>",
            '<a href="/x">link</a>',
            "<div class=comment>",
            "</div>",
            "<table><tr><td>1<td>2</table>",
            "<h2>Heading</h2>",
            "价格：¥5",
            "<button>",
        ]
    ),
    max_size=12,
).map("".join)


@given(_INSIDES)
@settings(max_examples=40, deadline=None)
def test_judging_any_page_returns_probabilities(inside: str) -> None:
    read = reading(inside)
    likely = read.judgement.probability
    assert len(likely) == len(read.page.texts)
    assert ((likely >= 0) & (likely <= 1)).all()
    assert 0 <= read.confidence <= 1
    if len(likely):
        assert read.judgement.types.sum() == pytest.approx(1)


@given(_INSIDES)
@settings(max_examples=20, deadline=None)
def test_judgement_is_deterministic(inside: str) -> None:
    one, other = (judgement.judge(outline(inside, URL), "Heading") for _ in range(2))
    assert one.probability.tolist() == other.probability.tolist()
    assert one.types.tolist() == other.types.tolist()


def test_feature_vectors_have_a_value_for_each_name() -> None:
    page, hints = outline(ARTICLE), Hints("A bridge")
    frame = frame_of(page)
    rows = features.features(frame, hints.title, hints[1:-1])
    assert rows.shape == (len(features.names()), len(page.texts))
    first = np.linspace(0, 1, len(page.texts))
    described = page_type.describe(frame, hints, rows, first, (0.5, 0.5))
    assert described.shape == (len(page_type.names()),)
    about = confidence.describe(Judgement(first, NOTHING_KNOWN, sizes(page)), first > 0.5)
    assert about.shape == (len(confidence.names()),)
    assert np.isfinite(described).all()
    assert np.isfinite(about).all()


# --- documentation --------------------------------------------------------------------------------

MANUAL = """<div id="top"><a href="/a">Start</a> <a href="/b">Index</a></div>
<div id="manual"><p>The function opens a file, and says whether it could be opened at all.</p>
<dl><dt>path</dt><dd>where</dd></dl><p>It closes no file, and flushes none that is open.</p></div>
<div id="end"><p>Made by a tool</p></div>"""


def types(documentation: float) -> np.ndarray:
    share = (1 - documentation) / (len(page_type.TYPES) - 1)
    found = np.full(len(page_type.TYPES), share)
    found[page_type.TYPES.index("documentation")] = documentation
    return found


def raised(documentation: float, probability: list[float]) -> np.ndarray:
    page = outline(MANUAL)
    assert len(page.texts) == 6
    return judgement.raised(page, np.array(probability), sizes(page), types(documentation))


def test_raised_in_the_content_block_of_documentation() -> None:
    before = [0.1, 0.9, 0.1, 0.1, 0.9, 0.1]
    after = raised(0.9, before)
    assert after[[0, 5]].tolist() == [0.1, 0.1]
    assert (after[2:4] > 0.9).all()
    assert after[1] > 0.9
    assert raised(0.3, before)[2] < after[2]


def test_not_raised_without_documentation_or_contrast() -> None:
    before = [0.1, 0.9, 0.1, 0.1, 0.9, 0.1]
    assert raised(0.01, before).tolist() == before
    assert raised(1.0, [0.0] * 6) == pytest.approx([0.0] * 6, abs=1e-6)
    surest = raised(1.0, [1.0] * 6)
    assert surest.min() >= 0
    assert surest.max() <= 1


# --- confidence -----------------------------------------------------------------------------------


SURE = confidence.RulePage(0.95, 1.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "changed",
    [
        {"confidence": 0.3},
        {"left": 0.8},
        {"unknown_left": 0.8},
    ],
)
def test_signs_against_a_rule_lower_its_confidence(
    changed: dict[str, float],
) -> None:
    assert 0.9 < confidence.by_rule(SURE) < 1
    assert 0 < confidence.by_rule(SURE._replace(**changed)) < confidence.by_rule(SURE)


@pytest.mark.parametrize("changed", [{"documentation": 0.9}, {"confidence": 0.98}])
def test_lost_text_costs_more_in_documentation_and_on_sure_pages(
    changed: dict[str, float],
) -> None:
    def lost(page: confidence.RulePage) -> float:
        before, after = confidence.by_rule(page), confidence.by_rule(page._replace(left=0.4))
        return before / (1 - before) / (after / (1 - after))

    usual = SURE._replace(confidence=0.8)
    assert lost(usual._replace(**changed)) > lost(usual) > 1


def test_confidence_by_rule_is_a_probability() -> None:
    for value in (0.0, 0.5, 1.0):
        assert 0 < confidence.by_rule(confidence.RulePage(*[value] * 5)) < 1


def test_confidence_by_rule_without_model_is_the_agreement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(models._MODELS, "rule.json", ModelError("gone"))
    assert confidence.by_rule(SURE._replace(agreement=0.7)) == 0.7


def test_confidence_is_zero_if_nothing_is_kept() -> None:
    judged = Judgement(np.array([0.1, 0.2]), NOTHING_KNOWN, np.array([10.0, 10.0]))
    assert confidence.confidence(judged, np.zeros(2, dtype=bool)) == 0


def test_keeping_the_menu_has_less_confidence_than_the_article() -> None:
    read = reading(ARTICLE)
    other = confidence.confidence(read.judgement, ~read.kept)
    assert other < read.confidence / 2


# --- the threshold --------------------------------------------------------------------------------


def test_clear_page_has_a_threshold_near_one_half() -> None:
    kept = likely_segments(np.array([0.99, 0.95, 0.45, 0.02]), np.full(4, 100.0))
    assert kept.tolist() == [True, True, False, False]


def test_unclear_page_has_a_lower_threshold() -> None:
    kept = likely_segments(np.array([0.4, 0.35, 0.3, 0.0]), np.full(4, 100.0))
    assert kept.tolist() == [True, True, True, False]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_no_other_threshold_has_a_much_greater_expected_f1(likely: list[float]) -> None:
    probability, length = np.array(likely), np.linspace(1, 9, len(likely))
    best, _ = expected_f1(probability, length)
    for cut in (*likely, 0.5):
        kept = probability >= cut
        found = (probability * length) @ kept
        total = length @ kept + probability @ length
        assert best >= 2 * found / total - 1e-3 if total else best == 0


# --- hints ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "url", "sign"),
    [
        ('<meta property="og:type" content="product">', None, "says_product"),
        ('<script type="application/ld+json">{"@type": "QAPage"}</script>', None, "says_forum"),
        ('<meta name="generator" content="Discourse 3">', None, "made_for_forums"),
        ('<meta name="generator" content="Sphinx 7">', None, "made_for_manuals"),
        ("", "https://e.com/docs/intro", "address_of_manual"),
        ("", "https://docs.e.com/intro", "address_of_manual"),
        ("", "https://e.com/collections/hats", "address_of_list"),
        ("", "https://e.com/", "address_is_root"),
        ("", None, "address_is_unknown"),
        ("", "https://e.com/a-12345", "address_has_number"),
    ],
)
def test_signs_of_the_page_type(head: str, url: str | None, sign: str) -> None:
    assert signs("<p>x", head, url)[sign] == 1
    if sign != "address_is_unknown":
        assert signs("<p>x", "", "http://e.com/x")[sign] == 0


def signs(inside: str, head: str = "", url: str | None = None) -> dict[str, float]:
    page = outline(inside, head=head)
    return dict(zip(SIGNS, find_hints(page.rows, page.head, url, None).signs, strict=True))


@pytest.mark.parametrize(
    ("source", "hint"),
    [
        ('<meta property="og:type" content="article">', "article"),
        ('<script type="application/ld+json">{"@type": ["NewsArticle"]}</script>', "article"),
        ("<div itemscope itemtype=https://schema.org/QAPage>", "forum"),
        ('<meta name=og:type content="PRODUCT">', "product"),
        ('<meta property="og:type" content="website">', "listing"),
    ],
)
def test_page_type_hint_in_the_metadata(source: str, hint: str) -> None:
    page = outline("<p>x", head=source)
    found = find_hints(page.rows, page.head, None, "T")
    assert found.title == "T"
    kinds = ("article", "forum", "product", "listing")
    assert [kind for kind in kinds if getattr(found, kind)] == [hint]


def test_the_shipped_models_are_small() -> None:
    forests = (
        judgement.first_model(),
        judgement.second_model(),
        page_type.model(),
        confidence.model(),
    )
    assert sum(len(forest.to_text()) for forest in forests) < 1_500_000


# --- headings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inside", "kept", "expected"),
    [
        ("<h2>A</h2><p>text of it</p><h2>Read next</h2>", "yyy", "yyn"),
        (
            "<h2>A</h2><p>text of it</p><h2>Read next</h2><p>1</p><p>2</p><p>3</p>",
            "yyynnn",
            "yynnnn",
        ),
        (
            "<h2>A</h2><p>1</p><p>2</p><p>3</p><h2>B</h2><p>4</p><p>5</p><p>6</p>",
            "ynnnynnn",
            "ynnnynnn",
        ),
    ],
    ids=["the last", "above nothing", "nothing but headings"],
)
def test_heading_above_nothing_is_dropped_unless_all_are_headings(
    inside: str, kept: str, expected: str
) -> None:
    flags = bytearray(letter == "y" for letter in kept)
    orphaned = orphaned_headings(outline(inside).rows, flags, 0)
    left = [letter if place not in orphaned else "n" for place, letter in enumerate(kept)]
    assert "".join(left) == expected


@pytest.mark.parametrize(("kind", "stays"), [("article", False), ("index", True)])
def test_name_above_nothing_is_dropped_only_in_articles(kind: str, stays: bool) -> None:
    read = reading(f"<h1>Members</h1><p>{WORDS * 4}</p><h3>Ann Miller</h3>{'<div>More</div>' * 4}")
    likely = np.array([0.9, 0.9, 0.9, *[0.1] * 4])
    types = np.array([0.9 if one == kind else 0.02 for one in page_type.TYPES])
    read.judgement = Judgement(likely, types, sizes(read.page))
    assert ("Ann Miller" in kept_texts(read)) == stays


@pytest.mark.parametrize(
    ("line", "kept", "expected"),
    [
        ("See also:", "yynnn", "ynnnn"),
        ("\u53c2\u898b\uff1a", "yynnn", "ynnnn"),
        ("See also:", "yyynn", "yyynn"),  # its list is kept
        ("See also", "yynnn", "yynnn"),
        (f"{words(20, 'said')}:", "yynnn", "yynnn"),  # a sentence
    ],
)
def test_introduction_of_a_dropped_list_is_dropped(line: str, kept: str, expected: str) -> None:
    page = outline(f"<p>text of it</p><p><b>{line}</b></p><ul><li>1<li>2<li>3</ul>")
    flags = bytearray(letter == "y" for letter in kept)
    orphaned = orphaned_introductions(page.rows, flags, 0)
    left = [letter if place not in orphaned else "n" for place, letter in enumerate(kept)]
    assert "".join(left) == expected


LIFT = 6.0
"""Equal to `lists.LIFT`, which is not importable from the compiled module."""
TOLD = f"<p>{words(30, 'told')}</p>"
LIST = "<ul><li>one</li><li>two</li></ul>"
PICTURE = "<table><tr><td><img src=a.png><br>caption</td></tr></table>"


@pytest.mark.parametrize(
    ("inside", "of", "factor"),
    [
        (f"{TOLD}{LIST}{TOLD}", "one", LIFT),
        # behind the last paragraph, but nearly everything else around it is content
        (f"<div>{TOLD}<div>{LIST}</div></div><p>menu</p>", "one", LIFT),
        (f"<div>{TOLD}<p>menu {words(20)}</p>{LIST}</div><p>menu</p>", "one", 1),
        (f"{TOLD}<ul><li><a href=/a>one</a></li></ul>{TOLD}", "one", 1),
        (f"{TOLD}{PICTURE}{TOLD}", "caption", 1 / LIFT),
        (f"{TOLD}{PICTURE.replace('<img src=a.png>', '')}{TOLD}", "caption", 1),
        (f"{TOLD}<div class='post-signature'>one</div>", "one", 1 / LIFT),
    ],
)
def test_odds_of_lists_captions_and_signatures_are_adjusted(
    inside: str, of: str, factor: float
) -> None:
    page = outline(inside)
    first = np.array([0.9 if text.startswith("told") else 0.4 for text in page.texts])
    found = weighed(frame_of(page), first)[page.texts.index(of)]
    odds = factor * 0.4 / 0.6
    assert found == pytest.approx(odds / (1 + odds), abs=1e-6)


def test_many_lists_in_boilerplate_take_linear_time() -> None:
    def work(lists: int) -> Callable[[], object]:
        page = outline(f"{TOLD}<p>menu</p><p>menu</p>" + LIST * lists + "<p>menu</p>")
        frame = frame_of(page)
        first = np.array([0.9 if text.startswith("told") else 0.1 for text in page.texts])
        return lambda: weighed(frame, first)

    assert_linear(work, 1_000, most_of(LIST))


def test_repeated_title_is_not_kept() -> None:
    title = "Rain in May"
    aside = f"<div class=latest><ul><li>{title}</li></ul></div>"
    read = reading(
        f"<article><h1>{title}</h1>{TOLD * 3}</article>{aside}", f"<title>{title}</title>"
    )
    kept = kept_texts(read)
    assert kept
    assert title not in kept


def without_copies(texts: list[str], places: str, kept: str) -> str:
    """Return the flags of the segments that stay kept after copies are dropped."""
    page = outline("".join(f"<p>{text}" for text in texts))
    flags = np.array([one == "y" for one in kept])
    at = [ord(place) for place in places]
    again = choice.repeated_segments(flags, page.folded, page.text_hashes, at.__getitem__)
    asked = [text for text, one in zip(texts, kept, strict=True) if one == "y"]
    long = [text for text in asked if len(text.encode()) >= choice.LEAST_REPEATED]
    may_repeat = page.folded.may_repeat(flags.tobytes(), choice.LEAST_REPEATED)
    assert may_repeat == (len(set(long)) < len(long))
    return "".join("n" if number in again else one for number, one in enumerate(kept))


@pytest.mark.parametrize(
    ("texts", "places", "kept"),
    [
        ([f"a {WORDS}", f"b {WORDS}", f"a {WORDS}", f"b {WORDS}"], "ppqq", "yynn"),
        ([f"a {WORDS}", f"b {WORDS}", f"a {WORDS}"], "ppp", "yyy"),
        ([*(f"{one} {WORDS}" for one in "abcabc"), "d"], "ppppppp", "yyynnny"),
        ([*(f"{one} {WORDS}" for one in "abcdefghijkabghij")], "p" * 17, "y" * 17),
        (["12.5", "13.0", "12.5"], "ppq", "yyy"),
        (["自治区财政厅传出最新消息", "编辑", "自治区财政厅传出最新消息", "编辑"], "pqrs", "yyny"),
    ],
    ids=["a copy", "a refrain", "all of it", "verses", "numbers", "Chinese"],
)
def test_repeated_segments_are_kept_once(texts: list[str], places: str, kept: str) -> None:
    assert without_copies(texts, places, "y" * len(texts)) == kept


def test_copy_of_a_dropped_segment_is_kept() -> None:
    assert without_copies([f"a {WORDS}", f"b {WORDS}", f"a {WORDS}"], "pqr", "nyy") == "nyy"


def test_copies_take_linear_time() -> None:
    def work(copies: int) -> Callable[[], object]:
        texts = [f"a {WORDS}", f"b {WORDS}"] * copies
        return lambda: without_copies(texts, "pq" * copies, "y" * len(texts))

    assert_linear(work, 2_000, MOST_TAGS // 2)


def test_documentation_may_repeat_text() -> None:
    page = f"<div class=a><p>{WORDS * 2}</p></div><div class=b><p>{WORDS * 2}</p></div>"
    for documentation, count in ((0.0, 1), (0.5, 2)):
        read = reading(page)
        read.judgement = Judgement(np.array([0.9, 0.9]), types(documentation), sizes(read.page))
        assert len(kept_texts(read)) == count
