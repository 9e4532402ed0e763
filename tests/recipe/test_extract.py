"""`extract` and `learn`, the functions that users call."""

from __future__ import annotations

import gzip
import io
import itertools
import os
import pickle
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, get_args, get_type_hints

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import outline_of, site, story, told, told_in_html, words
from scrapy.http import HtmlResponse, Response

from scrapy_mainblock import Article, Metadata, Rules, explain, extract, learn
from scrapy_mainblock.page import page as page_module
from scrapy_mainblock.papers.methods import PAPER_METHODS, PaperMethod, extract_by
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

PAGE, URL = story()
LONG = told(120, "story0w")

# --- bad input ------------------------------------------------------------------------------------

# Sources without readable text, and damaged sources that can still be read.
NOTHING: dict[str, bytes | str] = {
    "empty": "",
    "empty bytes": b"",
    "white space": " \n\t",
    "a byte-order mark": b"\xff\xfe",
    "NULs": b"\x00" * 1000,
    "random bytes": bytes(range(256)) * 40,
    "gzip": gzip.compress(PAGE.encode()),
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9,
    "a PDF": b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n",
    "JSON": '{"a": [1, 2, 3]}',
    "plain text": words(200),
    "frameset": "<html><frameset cols=a><frame src=x><frame src=y></frameset></html>",
    "a lone declaration": "<!DOCTYPE html>",
    "XML declaration alone": '<?xml version="1.0"?>',
    "a comment that is never closed": f"<!-- {PAGE}",
    "a script that is never closed": f"<html><script>{PAGE}",
    "only less-thans": "<" * 500_000,
    "tags that are never closed": "<a " * 200_000,
    "an empty tree of tags": "<div>" * 1000,
}
READABLE: dict[str, bytes | str] = {
    "bytes": PAGE.encode(),
    "NULs within": PAGE.replace("story0w1,", "story0w1\x00,"),
    "UTF-16": PAGE.encode("utf-16"),
    "UTF-16 without a mark": PAGE.encode("utf-16-le"),
    "UTF-8 with a mark": b"\xef\xbb\xbf" + PAGE.encode(),
    "meta says UTF-16": f"<meta charset=utf-16>{PAGE}".encode(),
    "meta says hex": f"<meta charset=hex>{PAGE}".encode(),
    "meta says no such": f"<meta charset=no-such>{PAGE}".encode(),
    "XML declaration says UTF-32": f'<?xml version="1.0" encoding="utf-32"?>{PAGE}'.encode(),
    "two metas": f"<meta charset=utf-8><meta charset=big5>{PAGE}".encode(),
    "lone surrogates": PAGE.replace("Title", "Title\ud800"),
    "bidirectional controls": PAGE.replace("Title", "Title\u202e\u2066\u200f"),
    "a CDATA that is never closed": f"{PAGE}<![CDATA[",
    "a comment at the end that is never closed": f"{PAGE}<!-- ",
    "a script at the end that is never closed": f"{PAGE}<script>",
    "a long attribute": PAGE.replace("<body>", f'<body title="{"x" * 1_000_000}">'),
    "many attributes": PAGE.replace("<body>", f"<body {' '.join(f'a{n}' for n in range(9000))}>"),
    "closing tags": "</div>" * 100_000 + PAGE,
}
HEAVY: dict[str, bytes | str] = {
    "unclosed b": "<b>x" * 200_000,
    "nested div": "<div>x" * 100_000,
    "nested table": "<table><tr><td>x" * 100_000,
    "nested a": '<a href="/x">x' * 100_000,
    "nested lists": "<ul><li>x" * 100_000,
    "nested b, then text": "<div><b>" * 900 + "x<br>" * 30_000,
    "one long word": f"<p>{'x' * 5_000_000}",
    "one long line": f"<p>{'x ' * 2_500_000}",
    "links": '<a href="/x">link</a> ' * 40_000 + f"<p>{words(99)}",
    "one id for all": '<div id="x" class="x">x y</div>' * 25_000,
    "headings": "<h1>x" * 2000 + "<p>y</p>" * 25_000,
    "attributes": f"<div {' '.join(f'a{n}=1' for n in range(20_000))}>{words(99)}",
    "comments": "<p>x" + "<!-- c -->" * 200_000 + words(99),
    "instructions": "<p>x" + "<?c?>" * 200_000 + words(99),
    "entities": f"<p>{'&amp;' * 500_000}{'&' * 500_000}&#{'1' * 100_000};",
}


def assert_article_is_valid(article: Article) -> None:
    """Check that an article has content, or none with a reason, and that it can be pickled."""
    assert (article.articleBody is None) == (article.metadata["method"] == "none")
    assert (article.articleBody is None) == (article.articleBodyHtml is None)
    if article.articleBody is None:
        assert article.metadata["reason"]
        assert "could not be processed" not in article.metadata["reason"]
    else:
        assert article.articleBody.strip()
    assert pickle.loads(pickle.dumps(article)) == article


@pytest.mark.parametrize("name", NOTHING)
def test_page_without_text_has_no_body_but_a_reason(name: str) -> None:
    article = extract(NOTHING[name], URL)
    assert_article_is_valid(article)
    assert article.articleBody is None
    assert article.url == URL


@pytest.mark.parametrize("name", READABLE)
def test_damaged_page_is_read(name: str) -> None:
    article = extract(READABLE[name], URL)
    assert_article_is_valid(article)
    assert article.articleBody is not None
    assert article.articleBody.split()[5:] == LONG.split()[5:]


def test_a_lone_surrogate_in_the_url_costs_no_page() -> None:
    html = PAGE.replace("story0w5", '<a href="?y">story0w5</a>')
    assert html != PAGE
    article = extract(html, "http://a.example/\udc80/p")
    assert article.metadata["method"] == "page"
    assert '<a href="http://a.example/' in (article.articleBodyHtml or "")
    assert "\udc80" not in (article.articleBodyHtml or "")


@pytest.mark.heavy
@pytest.mark.parametrize("name", HEAVY)
def test_hostile_page_takes_seconds_at_most(name: str) -> None:
    before = time.process_time()
    assert_article_is_valid(extract(HEAVY[name], URL))
    learn([(HEAVY[name], URL)])
    assert time.process_time() - before < 20  # about two seconds on an idle machine


@pytest.mark.parametrize("method", PAPER_METHODS)
@pytest.mark.parametrize("name", [*NOTHING, *READABLE])
def test_methods_of_the_papers_accept_any_page(method: PaperMethod, name: str) -> None:
    page = outline_of({**NOTHING, **READABLE}[name][:20_000], URL)
    assert_article_is_valid(extract_by(method, page))


@pytest.mark.parametrize("name", [*NOTHING, *READABLE])
def test_explain_accepts_any_page(name: str) -> None:
    page = {**NOTHING, **READABLE}[name]
    decision, article = explain(page, URL), extract(page, URL)
    assert decision.method == article.metadata["method"]
    assert decision.reason == article.metadata["reason"]


def test_page_cut_off_anywhere_is_accepted() -> None:
    short, url = story(body=40)
    body = short.replace("Title", "Tïtle ☃").encode()
    for end in range(len(body) + 1):
        assert_article_is_valid(extract(body[:end], url))


@given(st.one_of(st.binary(max_size=300), st.text(max_size=300)), st.text(max_size=20))
def test_any_bytes_or_text_with_any_url_is_accepted(page: bytes | str, url: str) -> None:
    assert_article_is_valid(extract(page, url))
    assert_article_is_valid(extract(page, f"http://{url}"))
    learn([(page, url)])


def test_random_bytes_inside_markup_are_accepted() -> None:
    for seed in range(20):
        noise = bytes((seed * 7 + n * n * 31) % 256 for n in range(500))
        assert_article_is_valid(extract(PAGE.encode().replace(b"story0w50", noise), URL))


@pytest.mark.parametrize("wrong", [None, 5, ["<p>"]])
def test_page_of_another_type_is_refused(wrong: object) -> None:
    with pytest.raises(TypeError):
        extract(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        learn([(wrong, URL)])  # type: ignore[list-item]


A_NUMBER: Any = 5
NO_PAIRS: Any = "abc"
WRONG_ARGUMENTS: dict[str, tuple[Callable[[], object], str]] = {
    "url": (lambda: extract(PAGE, A_NUMBER), "url must be str, not int"),
    "url, with rules": (lambda: extract(PAGE, A_NUMBER, Rules()), "url must be str, not int"),
    "site": (lambda: extract(PAGE, URL, Rules(), site=A_NUMBER), "site must be str, not int"),
    "fields": (lambda: extract(PAGE, fields=[A_NUMBER]), "fields must be names, not int"),
    "pages without urls": (lambda: learn([NO_PAIRS]), "pairs of (html, url), not str"),
    "pages in one text": (lambda: learn(NO_PAIRS), "pairs of (html, url), not str"),
}


@pytest.mark.parametrize(("call", "says"), WRONG_ARGUMENTS.values(), ids=WRONG_ARGUMENTS)
def test_error_names_the_wrong_argument(call: Callable[[], object], says: str) -> None:
    with pytest.raises(TypeError) as caught:
        call()
    assert says in str(caught.value)


@pytest.mark.parametrize("wrong", [5, ["x"], {"news.example": None}, learn, SiteRules("a"), Rules])
@pytest.mark.parametrize("page", [PAGE, "", b"\x00\xff" * 99])
@pytest.mark.parametrize("answer", [extract, explain])
def test_rules_of_another_type_are_refused(
    wrong: object, page: bytes | str, answer: Callable[..., Any]
) -> None:
    with pytest.raises(TypeError) as caught:
        answer(page, URL, wrong)
    message = str(caught.value)
    assert "rules" in message
    assert type(wrong).__name__ in message
    assert "\n" not in message


READERS: dict[str, Callable[[str], object]] = {
    "extract": lambda address: extract(PAGE, URL, address),
    "extract of an empty page": lambda address: extract("", URL, address),
    "explain": lambda address: explain(PAGE, URL, address),
    "Rules.load": Rules.load,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("typo", "no directory {}: make one with mainblock learn --rules"),
        ("rules/news.example.json", "{} is a file, not a directory of rules"),
        ("pages.html", "{} is a file, not a directory of rules"),
    ],
)
def test_missing_rules_directory_is_refused(
    tmp_path: Path, reader: str, name: str, says: str
) -> None:
    learn(site(8)).save(tmp_path / "rules")
    (tmp_path / "pages.html").write_text(PAGE)
    path = str(tmp_path / name)
    for _ in range(2):  # the second call behaves like the first
        with pytest.raises(FileNotFoundError) as caught:
            READERS[reader](path)
        assert str(caught.value) == says.format(path)
    assert not (tmp_path / "typo").exists()


@pytest.mark.parametrize("reader", READERS)
def test_rules_url_of_an_unknown_scheme_is_refused(reader: str) -> None:
    with pytest.raises(ValueError, match="rules must be in a directory or at redis://") as caught:
        READERS[reader]("reddis://me:secret@host:6379/0")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("reader", READERS)
def test_directory_without_rules_is_reported_once(
    tmp_path: Path, reader: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "README.md").write_text("No rules are here.")
    READERS[reader](str(tmp_path))
    assert [record.getMessage() for record in caplog.records] == [
        f"rules: {tmp_path} contains no rules"
    ]
    extract(PAGE, URL, tmp_path)
    assert len(caplog.records) <= 2  # `Rules.load` does not share the record of what was reported


def test_pages_are_read_alone_while_the_directory_is_missing(tmp_path: Path) -> None:
    """A deployment may replace the directory while pages keep coming."""
    rules = tmp_path / "rules"
    learn(site(8)).save(rules)
    assert extract(*story(50), rules).metadata["method"] == "rule"
    rules.rename(tmp_path / "away")
    assert extract(*story(50), rules).metadata["method"] == "page"
    (tmp_path / "away").rename(rules)
    assert extract(*story(50), rules).metadata["method"] == "rule"


@pytest.mark.parametrize("as_path", [str, Path])
def test_rules_may_be_given_as_a_path(
    tmp_path: Path, as_path: Callable[[Path], str | Path]
) -> None:
    rules = learn(site(8))
    rules.save(as_path(tmp_path / "rules"))
    assert Rules.load(as_path(tmp_path / "rules")) == rules
    page = story(50)
    found = extract(*page, rules=as_path(tmp_path / "rules"))
    assert found == extract(*page, rules=rules)
    assert found.metadata["method"] == "rule"


def test_rules_survive_pickling_and_saving(tmp_path: Path) -> None:
    rules = learn([*site(8), *site(8, host="b.example", attributes='class="entry post"')])
    again = pickle.loads(pickle.dumps(rules))
    again.save(tmp_path)
    kept = Rules.load(tmp_path)
    assert again == rules
    assert len(again) == len(kept) == len(rules)
    for page in (story(50), story(51, url="http://b.example/x", attributes='class="post entry"')):
        assert extract(*page, rules=again) == extract(*page, rules=rules)
        assert extract(*page, rules=kept) == extract(*page, rules=rules)


def _pin(directory: Path, site_name: str, name: str) -> None:
    pinned = Template("hand", Rule(classes=(name,)), frozenset(), pinned=True)
    Rules({site_name: SiteRules(site_name, (pinned,))}).save(directory)


def test_rules_of_www_are_saved_under_the_domain(tmp_path: Path) -> None:
    """Rules of a host, saved separately, would take precedence over the pins of its domain."""
    _pin(tmp_path, "daily.com", "comments")
    learnt = learn([*site(8, host="www.daily.com"), *site(8, host="daily.com")])
    assert sorted(learnt.sites) == ["daily.com", "www.daily.com"]
    learnt.save(tmp_path)
    assert list(Rules.load(tmp_path).sites) == ["daily.com"]
    assert len(Rules.load(tmp_path)) == 2
    for host in ("www.daily.com", "daily.com", "m.daily.com"):
        page = story(50, url=f"http://{host}/{{number}}")
        assert extract(*page, tmp_path).articleBody == told(15, "comment")


def test_pin_under_www_has_its_own_document(tmp_path: Path) -> None:
    learn(site(8, host="daily.com")).save(tmp_path)
    _pin(tmp_path, "www.daily.com", "comments")
    assert sorted(Rules.load(tmp_path).sites) == ["daily.com", "www.daily.com"]
    for host, pinned in (
        ("www.daily.com", True),
        ("a.www.daily.com", True),
        ("m.daily.com", False),
    ):
        found = extract(*story(50, url=f"http://{host}/{{number}}"), tmp_path)
        assert (found.articleBody == told(15, "comment")) is pinned
        assert found.metadata["method"] == "rule"


def test_copy_of_a_directory_has_the_same_rules(tmp_path: Path) -> None:
    learn([*site(8, host="www.daily.com"), *site(8, host="daily.com")]).save(tmp_path / "a")
    learn([("<p>no host</p>", None)] * 8).save(tmp_path / "a")
    for _ in range(2):
        Rules.load(tmp_path / "a").save(tmp_path / "b")
        assert Rules.load(tmp_path / "b") == Rules.load(tmp_path / "a")


@pytest.mark.parametrize("page", [PAGE, "", "<p>"])
@pytest.mark.parametrize("rules", [None, learn(site(8))])
def test_metadata_has_the_declared_type(page: str, rules: Rules | None) -> None:
    found = extract(page, URL, rules).metadata
    assert get_type_hints(Metadata).keys() == found.keys()
    assert found["method"] in get_args(get_type_hints(Metadata)["method"])
    assert 0 <= found["probability"] <= 1
    for key in ("cluster", "pageType", "reason"):
        assert isinstance(found[key], str | None)
    assert isinstance(found["rule"], dict | None)
    assert isinstance(found["ruleVersion"], int | None)


def test_page_over_the_size_limit_is_cut_and_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_module, "LARGEST", len(PAGE) - 200)
    article = extract(PAGE, URL)
    assert article.articleBody is not None
    assert f"the page has more than {len(PAGE) - 200:,} bytes" in (article.metadata["reason"] or "")


# --- rules ----------------------------------------------------------------------------------------


def test_page_without_rules_is_judged_alone() -> None:
    article = extract(PAGE, URL)
    assert article.articleBody == LONG
    assert article.metadata["method"] == "page"
    assert article.metadata["cluster"] is None


def test_page_of_a_learnt_cluster_is_read_by_its_rule() -> None:
    rules = learn(site(8))
    html, url = story(99, body=20)
    article = extract(html, url, rules)
    assert article.articleBody == told(20, "story99w")
    assert article.articleBodyHtml == told_in_html(20, "story99w")
    assert article.headline == "Title of story 99"
    (template,) = rules.sites["news.example"].templates
    assert 0.5 < article.metadata["probability"] < 1
    assert article.metadata == {
        "method": "rule",
        "probability": article.metadata["probability"],
        "rule": {"id": "content"},
        "ruleVersion": 1,
        "cluster": template.cluster,
        "pageType": "article",
        "fields": article.metadata["fields"],
        "reason": None,
    }


def test_rule_without_its_block_falls_back_with_a_reason() -> None:
    (template,) = learn(site(8)).sites["news.example"].templates
    missing = replace(template, rule=Rule("gone", ("gone",), "body1/div9"))
    html, url = story(99)
    article = extract(html, url, Rules({"news.example": SiteRules("news.example", (missing,))}))
    assert article.articleBody == told(120, "story99w")
    assert article.metadata["method"] == "page"
    assert article.metadata["reason"] == "the rule's block was not found"
    assert article.metadata["cluster"] == template.cluster


def test_page_of_another_structure_has_no_reason() -> None:
    rules = learn(site(8, attributes=""))
    html, url = story(99, attributes="")
    moved = html.replace('<div class="main"><div', '<div class="main"><section').replace(
        '</div></div><div class="comments">', '</section></div><div class="comments">'
    )
    article = extract(moved, url, rules)
    assert article.articleBody == told(120, "story99w")
    assert (article.metadata["method"], article.metadata["reason"]) == ("page", None)


def test_rule_with_an_empty_block_falls_back_with_a_reason() -> None:
    rules = learn(site(8))
    article = extract(story(99, body=0, comments=200)[0], URL, rules)
    assert article.metadata["method"] == "page"
    assert article.metadata["reason"] == "the rule's block is empty"


@pytest.mark.parametrize(
    "attributes", ['id="post-{number}"', 'class="post-{number} entry"', 'id="p{number}" class="e"']
)
def test_rules_do_not_contain_running_numbers(attributes: str) -> None:
    rules = learn(site(8, attributes=attributes))
    for number in range(100, 103):
        html, url = story(number, body=15, attributes=attributes.format(number=number))
        article = extract(html, url, rules)
        assert article.articleBody == told(15, f"story{number}w")
        assert not any(part.isdigit() for part in str(article.metadata["rule"].get("id", "")))


def test_id_finds_the_block_below_an_advert() -> None:
    rules = learn(site(8))
    html, url = story(99, above="<table><tr><td>advert</td></tr></table><p>more</p>")
    assert extract(html, url, rules).articleBody == told(120, "story99w")


def test_pages_of_another_template_or_site_are_read_alone() -> None:
    rules = learn(site(8))
    other = "<html><body><table><tr><td>" + words(90) + "</td></tr></table></body></html>"
    assert extract(other, URL, rules).metadata["method"] == "page"
    assert extract(*story(99, url="http://other.example/"), rules).metadata["method"] == "page"


def test_site_argument_replaces_the_host() -> None:
    rules = learn(site(8))
    html, _ = story(99)
    assert extract(html, "http://mirror.example/", rules, site="news.example").metadata[
        "method"
    ] == ("rule")
    assert extract(html, None, rules, site="news.example").metadata["method"] == "rule"


@pytest.mark.parametrize("method", PAPER_METHODS)
def test_methods_of_the_papers_use_no_rules(method: PaperMethod) -> None:
    assert extract_by(method, outline_of(PAGE, URL)).metadata["method"] != "rule"


def test_tree_and_response_are_extracted_like_their_source() -> None:
    expected = extract(PAGE, URL)
    tree = lxml.html.document_fromstring(PAGE, base_url=URL)
    before = lxml.html.tostring(tree)
    assert extract(tree) == expected
    assert lxml.html.tostring(tree) == before
    assert extract(HtmlResponse(URL, body=PAGE.encode(), encoding="utf-8")) == expected
    whole = lxml.html.parse(io.BytesIO(PAGE.encode()), base_url=URL)
    assert extract(whole) == expected


def test_binary_response_is_accepted() -> None:
    found = extract(Response(URL, body=bytes(range(256)) * 9))
    assert (found.url, found.articleBody) == (URL, None)
    assert found.metadata["reason"] == "the page is binary"
    assert extract(Response(URL, body=PAGE.encode())) == extract(PAGE, URL)


# --- learning -------------------------------------------------------------------------------------


def test_pages_of_several_sites_may_be_mixed() -> None:
    sites = [site(7, host=f"{name}.example") for name in "abc"]
    mixed = list(itertools.chain(*zip(*sites, strict=True)))
    rules = learn(mixed)
    assert list(rules.sites) == ["a.example", "b.example", "c.example"]
    assert len(rules) == 3
    for pages in sites:
        assert rules.sites == {**rules.sites, **learn(pages).sites}


def test_pages_are_consumed_once_as_a_stream() -> None:
    read = []

    def stream() -> Iterator[tuple[str, str]]:
        for page in site(8):
            read.append(page[1])
            yield page

    pages = stream()
    assert len(learn(pages)) == 1
    assert read == [url for _, url in site(8)]
    assert next(pages, None) is None


def test_learning_is_deterministic() -> None:
    pages = site(9) + site(9, host="other.example", attributes='class="a b"')
    assert learn(pages) == learn(iter(pages))
    assert pickle.dumps(learn(pages)) == pickle.dumps(learn(pages))


def test_pages_without_a_url_are_one_site() -> None:
    rules = learn([(html, None) for html, _ in site(8)])
    assert list(rules.sites) == [""]
    assert extract(PAGE, rules=rules).metadata["method"] == "rule"


def test_broken_pages_do_not_affect_the_rules() -> None:
    broken = [(page, URL) for page in list(NOTHING.values())[:14]]
    rules = learn(broken + site(8) + broken)
    assert extract(PAGE, URL, rules).articleBody == LONG


def test_no_or_few_pages_give_no_rules() -> None:
    assert learn([]) == Rules()
    assert learn(site(5)) == Rules()


# --- concurrency ----------------------------------------------------------------------------------


def test_rules_and_articles_can_be_sent_between_processes() -> None:
    rules = learn(site(8))
    assert pickle.loads(pickle.dumps(rules)) == rules
    work = partial(_extract_with, rules)
    pages = site(6)
    with ProcessPoolExecutor(2) as pool:
        assert list(pool.map(work, pages)) == [work(page) for page in pages]


def _extract_with(rules: Rules, page: tuple[str, str]) -> Article:
    return extract(*page, rules)


def test_threads_give_the_same_articles_as_a_loop() -> None:
    rules = learn(site(8))
    pages = [story(number, body=20 + number % 50) for number in range(120)]
    work = partial(_extract_with, rules)
    with ThreadPoolExecutor(min(8, 4 * (os.cpu_count() or 1))) as pool:
        assert list(pool.map(work, pages)) == [work(page) for page in pages]


def test_rule_of_the_cluster_is_used_if_the_pinned_rule_misses() -> None:
    pages = site(8)
    (learnt,) = learn(pages).sites["news.example"].templates
    by_hand = Template("site", Rule("content-by-hand"), frozenset(), pinned=True)
    rules = Rules({"news.example": SiteRules("news.example", (learnt, by_hand))})
    html, url = pages[1]
    found = extract(html, url=url, rules=rules)
    assert (found.metadata["method"], found.metadata["cluster"]) == ("rule", learnt.cluster)
    found = extract(html.replace("content", "content-by-hand"), url=url, rules=rules)
    assert (found.metadata["method"], found.metadata["cluster"]) == ("rule", "site")
    only_by_hand = Rules({"news.example": SiteRules("news.example", (by_hand,))})
    found = extract(html, url=url, rules=only_by_hand)
    reason = "the rule's block was not found"
    assert (found.metadata["method"], found.metadata["reason"]) == ("page", reason)


def test_markdown_is_written_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    html = PAGE.replace("</p>", " <b>and more.</b></p>", 1)
    assert extract(html, URL).articleBodyMarkdown is None
    assert "**and more.**" in (extract(html, URL, markdown=True).articleBodyMarkdown or "")
    assert extract("", URL, markdown=True).articleBodyMarkdown is None

    def breaks(html: str) -> str:
        raise ValueError(html)

    monkeypatch.setattr("scrapy_mainblock.render.render.markdown", breaks)
    article = extract(html, URL, markdown=True)
    assert article.articleBodyMarkdown is None
    assert article.articleBodyHtml
    assert "Markdown could not be written (ValueError)" in (article.metadata["reason"] or "")
