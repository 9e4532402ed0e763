"""What must hold of any input: for the property tests, and for the fuzzer (tools/fuzz.py)."""

from __future__ import annotations

import json
import pickle
import random
import re
from itertools import pairwise

import lxml.html

from scrapy_mainblock import METHODS, Article, Rules, extract
from scrapy_mainblock.core import bounds, markup
from scrapy_mainblock.core.evidence import SiteEvidence
from scrapy_mainblock.core.linkblocks import (
    LinkBlocks,
    find_links,
    link_blocks,
    text_between_blocks,
)
from scrapy_mainblock.core.mainblock import page_features
from scrapy_mainblock.core.page import Page, decode
from scrapy_mainblock.core.rules import SiteRules
from scrapy_mainblock.core.textlength import text_length
from scrapy_mainblock.stores import documents
from scrapy_mainblock.stores.directory import file_name

URL = "http://site.example/page"
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
ELEMENTS = frozenset(
    "a abbr b blockquote br caption cite code dd del dl dt em figcaption figure h1 h2 h3 h4 h5 h6"
    " hr i img ins kbd li mark ol p pre q s samp small strong sub sup table tbody td tfoot th thead"
    " time tr u ul var".split()
)
ATTRIBUTES = {"a": {"href"}, "img": {"src", "alt"}}
SAFE_URL = re.compile(r"(?:https?:|mailto:)", re.IGNORECASE)
IMAGE = re.compile(r"data:image/(?:gif|jpeg|png|webp|avif);base64,[A-Za-z0-9+/=]*\Z", re.IGNORECASE)
SCHEME = re.compile(r"[\x00-\x20]*[a-z][a-z0-9+.\-\s]*:", re.IGNORECASE)


def scanner_holds(source: str) -> None:
    """Links are in order, within the source and apart; blocks are made of them; ratios are ones."""
    links = find_links(source)
    for link in links:
        assert 0 <= link.start < link.end <= len(source)
        assert source[link.start : link.start + 2].lower() == "<a"
    for before, behind in pairwise(links):
        assert before.end <= behind.start
    for spare_prose in (False, True):
        blocks = link_blocks(source, spare_prose=spare_prose, url=URL)
        _blocks_hold(blocks, source)
    link_blocks(source, measure="code")
    text = text_between_blocks(source, blocks)
    assert not any("\n" in line for line in markup.lines_of_text(text))
    units = text_length(markup.without_markup(source))
    assert 0 <= units <= len(source)
    assert text_length(markup.without_markup(source), 5) == min(units, 5)
    assert len(markup.without_attributes(source)) <= len(source)


def _blocks_hold(found: LinkBlocks, source: str) -> None:
    for block in found.blocks:
        assert 0 <= block.start < block.end <= len(source)
        assert block.links > 0
    for one, next_one in pairwise(found.blocks):
        assert one.end <= next_one.start
    assert 0 <= found.lcr <= 1
    assert 0 <= found.ccr <= 1


def answer_holds(article: Article) -> None:
    """Content or a reason, nothing that went wrong, no control, clean HTML, data for JSON."""
    found = article.metadata
    assert "could not be processed" not in (found["reason"] or ""), found["reason"]
    assert (article.articleBody is None) == (found["method"] == "none")
    assert (article.articleBody is None) == (article.articleBodyHtml is None)
    assert found["reason"] or article.articleBody is not None
    assert 0 <= found["probability"] <= 1
    assert article.headline is None or article.headline.strip()
    assert not CONTROL.search(article.headline or "")
    if article.articleBody is not None:
        assert article.articleBody.strip()
        assert not CONTROL.search(article.articleBody)
        is_clean(article.articleBodyHtml or "")
    assert json.loads(json.dumps(article.to_dict()))["metadata"] == found
    assert pickle.loads(pickle.dumps(article)) == article


def is_clean(html: str) -> None:
    """Nothing in the HTML but the elements and attributes that we write, and safe addresses."""
    assert not CONTROL.search(html)
    if not html.strip():
        return
    for element in lxml.html.fragment_fromstring(html, create_parent="main").iterdescendants():
        assert element.tag in ELEMENTS, element.tag
        assert set(element.attrib) <= ATTRIBUTES.get(element.tag, set()), element.attrib
        for name in ("href", "src"):
            value = element.get(name)
            if value is not None and SCHEME.match(value):
                is_image = element.tag == "img" and IMAGE.match(value)
                assert SAFE_URL.match(value) or is_image, value


def page_holds(html: bytes | str, url: str | None = URL) -> None:
    """Every method has an answer, with and without what was learnt from the page itself."""
    for method in METHODS:
        answer_holds(extract(html, url, method=method))
    for learned_by in ("auto", "cluster"):
        site = SiteEvidence("site.example", learned_by)
        for _ in range(7):
            site.add(page_features(html, learned_by, url))
        rules = site.rules()
        document_holds(rules)
        for method in ("auto", "cluster"):
            answer_holds(
                extract(html, url, Rules({rules.site: rules}), site=rules.site, method=method)
            )


def document_holds(rules: SiteRules) -> None:
    """Rules written down are the same when read."""
    text = documents.site_to_text(rules)
    assert documents.site_to_text(documents.site_from_text(text)) == text
    assert re.fullmatch(r"[a-z0-9.%A-Z~-]{1,130}\.json", file_name(rules.site))


def rules_hold(text: bytes | str, page: bytes | str) -> bool:
    """A document is refused by one of our own errors, or is used and does no harm."""
    try:
        rules = documents.site_from_text(text)
    except (documents.DamagedDocumentError, documents.NewerDocumentError):
        return False
    document_holds(rules)
    for method in ("auto", "cluster"):
        answer_holds(extract(page, URL, Rules({"x": rules}), site="x", method=method))
    return True


def rule_holds(fields: dict[str, str], page: bytes | str) -> bool:
    """The same of a pinned rule for any page, by what a hand may write into it."""
    rule = {
        **{key: fields.get(key, "") for key in ("id", "class", "path")},
        **{key: fields.get(key, "").split("\n") for key in ("keep", "drop", "dropLines")},
    }
    cluster = {"cluster": "x", "pinned": True, "rule": rule}
    return rules_hold(json.dumps({"format": 1, "site": "x", "clusters": [cluster]}), page)


def bounds_hold(html: bytes | str) -> None:
    """Made shallow or flat, a page keeps the text that a parser sees in it."""
    source = decode(html)
    page = Page(source)
    if page.root is None or page.cut:
        return
    for depth in (0, 2):
        bounds._made_fit(source, depth)
    bounds.flat(source)


def compiled_says_the_same(source: str) -> None:
    """What is compiled reads a page as Python does; see tests/native."""
    import test_linkscan  # noqa: PLC0415 - of tests/native
    import test_walk  # noqa: PLC0415

    if test_walk.walk is not None and test_linkscan.linkscan is not None:
        test_walk.assert_same_page(source, random.Random(len(source)))
        test_linkscan.assert_same(source)
