"""Properties that hold for any input, for the property tests and the fuzzer (tools/fuzz.py)."""

from __future__ import annotations

import json
import pickle
import re
from itertools import pairwise

import lxml.html

from scrapy_mainblock import Article, Decision, Rules, explain, extract, learn
from scrapy_mainblock.cli.passes import METHODS, Extractor
from scrapy_mainblock.inputs.pages import InputPage
from scrapy_mainblock.outline.html.tags import BLOCK, FLAGS
from scrapy_mainblock.outline.layout import CLOSE, OPEN, TEXT
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import at_path, is_path, path_of, with_classes, with_id
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.source.decode import to_utf8
from scrapy_mainblock.page.source.utf8 import is_utf8
from scrapy_mainblock.papers.bu14.lines import text_lines
from scrapy_mainblock.papers.wang14.code_distance import without_attributes
from scrapy_mainblock.papers.wang14.link_blocks import LinkBlocks, lines_between, link_blocks
from scrapy_mainblock.papers.wang14.links import find_links
from scrapy_mainblock.papers.wang14.text_units import text_length
from scrapy_mainblock.papers.wang18.rules import learn_rules, seen_of
from scrapy_mainblock.stores import documents
from scrapy_mainblock.stores.directory import file_name
from scrapy_mainblock.template.rules import SiteRules

Source = bytes | str

SITE, URL = "site.example", "http://site.example/page"
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff]")
ELEMENTS = frozenset(
    "a abbr b blockquote br caption cite code dd del dl dt em figcaption figure h1 h2 h3 h4 h5 h6"
    " hr i img ins kbd li mark ol p pre q s samp small strong sub sup table tbody td tfoot th thead"
    " time tr u ul var".split()
)
DIRECTION = {"dir", "lang"}
ATTRIBUTES = {
    "a": {"href"}, "img": {"src", "alt"}, "ol": {"start"}, "code": {"class"},
    "td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan"},
}  # fmt: skip
FOOTNOTE = re.compile(r"(?=[^0-9]*[0-9])[A-Za-z_][A-Za-z0-9_:.-]{0,99}")
"""The id of an element that a link in the same HTML points to; no other element has an id."""
SAFE_URL = re.compile(r"(?:https?:|mailto:)", re.IGNORECASE)
IMAGE = re.compile(r"data:image/(?:gif|jpeg|png|webp|avif);base64,[A-Za-z0-9+/=]*\Z", re.IGNORECASE)
SCHEME = re.compile(r"[\x00-\x20]*[a-z][a-z0-9+.\-\s]*:", re.IGNORECASE)


# --- the scan -------------------------------------------------------------------------------------


def decoding_holds(body: bytes) -> None:
    """Check that any bytes become UTF-8, and that UTF-8 is recognized without decoding it."""
    try:
        body.decode()
    except UnicodeDecodeError:
        assert not is_utf8(body)
    else:
        assert is_utf8(body)
    to_utf8(body).decode()


def scanner_holds(html: Source) -> None:
    """Check that the results of one scan, its links and link blocks are in the source, in order."""
    page = Outline(Page.of(html, URL))
    _elements_hold(page.rows)
    _tape_holds(page.rows)
    _blocks_hold(page.rows)
    _segments_hold(page)
    _links_hold(page)
    _units_hold(page.rows.source.decode("utf-8", "replace"))


def _elements_hold(rows: Rows) -> None:
    size = len(rows.source)
    for element in range(rows.element_count):
        assert -1 <= rows.parent[element] < element
        assert 0 <= rows.start[element] <= rows.inner[element] <= size
        assert 0 <= rows.end[element] <= size
        for values in (
            (rows.id_at, rows.id_end),
            (rows.class_at, rows.class_end),
            (rows.href_at, rows.href_end),
        ):
            at, end = (one[element] for one in values)
            assert 0 <= at <= end <= size
    for before, behind in pairwise(zip(rows.text_start, rows.text_end, strict=True)):
        assert before[0] < before[1] <= behind[0] < behind[1] <= size


def _tape_holds(rows: Rows) -> None:
    """Check that each element opens and closes once, at `tape_at` and `tape_end`, and blocks nest.

    Inline elements need not nest: in ``<b><div></b>`` the ``<b>`` ends before the ``<div>``.
    """
    blocks: list[int] = []
    lines: set[int] = set()
    texts: set[int] = set()
    for place, event in enumerate(rows.tape):
        kind, number = event & 3, event >> 2
        is_block = kind != TEXT and FLAGS[rows.tag[number]] & BLOCK
        if kind == TEXT:
            assert number not in texts
            texts.add(number)
            continue
        if kind != CLOSE:
            assert rows.tape_at[number] == place
        if kind == OPEN:
            blocks.append(number) if is_block else lines.add(number)
        else:
            assert rows.tape_end[number] == place + 1
        if kind == CLOSE and is_block:
            assert blocks.pop() == number
        elif kind == CLOSE:
            lines.remove(number)
    assert not blocks
    assert not lines


def _blocks_hold(rows: Rows) -> None:
    for block in range(rows.block_count):
        parent = rows.block_parent[block]
        assert -1 <= parent < block
        first, end = rows.block_first[block], rows.block_end[block]
        assert 0 <= first <= end <= rows.segment_count
        if parent >= 0:
            assert rows.block_first[parent] <= first
            assert end <= rows.block_end[parent]


def _segments_hold(page: Outline) -> None:
    rows, texts = page.rows, page.texts
    assert len(texts) == rows.segment_count
    for segment, text in enumerate(texts):
        assert 0 <= rows.segment_block[segment] < rows.block_count
        assert rows.segment_at[segment] < rows.segment_to[segment] <= len(rows.tape)
        assert all(0 <= place <= len(rows.source) for place in rows.source_of(segment))
        assert text == " ".join(text.split(" ")).strip(" ")
        assert text
        assert not CONTROL.search(text)
        assert 0 < rows.segment_chars[segment] <= rows.segment_length[segment]
        assert 0 <= rows.segment_link_chars[segment] <= rows.segment_chars[segment]


def _links_hold(page: Outline) -> None:
    """Check that links and link blocks are in order and in the source, and ratios in 0 to 1."""
    source = page.rows.source
    links = find_links(page)
    for link in links:
        assert 0 <= link.start < link.end <= len(source)
        assert source[link.start : link.start + 2].lower() == b"<a"
    for before, behind in pairwise(links):
        assert before.start < behind.start
    for spare_prose in (False, True):
        found = link_blocks(page, spare_prose=spare_prose)
        _link_blocks_hold(found, len(source))
        characters = found.in_characters(source)
        _link_blocks_hold(characters, len(source.decode("utf-8", "replace")))
        for line in lines_between(page, found):
            assert line
            assert line == " ".join(line.split())
    link_blocks(page, measure="code")
    assert not any("\n" in line.text for line in text_lines(page))


def _link_blocks_hold(found: LinkBlocks, size: int) -> None:
    assert found.page_length == size
    for block in found.blocks:
        assert 0 <= block.start < block.end <= size
        assert block.links > 0
    for one, next_one in pairwise(found.blocks):
        assert one.end <= next_one.start
    assert 0 <= found.lcr <= 1
    assert 0 <= found.ccr <= 1


def selectors_hold(html: Source) -> None:
    """Check that a path leads back to its element, and that ids and classes find their elements."""
    rows = Outline(Page.of(html, URL)).rows
    for element in range(1, rows.element_count):
        path = path_of(rows, element)
        assert is_path(path)
        if rows.tape_at[element] < 0:
            continue
        if rows.name(element) not in {"tbody", "tr"} or rows.start[element] < rows.inner[element]:
            assert at_path(rows, path) == element
        if identifier := rows.identifier(element).encode().split():
            assert element in with_id(rows, identifier)
        if classes := rows.classes(element).encode().split():
            assert element in with_classes(rows, classes)


def _units_hold(text: str) -> None:
    """Check that the length of a text in units is at most its characters, also with a limit."""
    units = text_length(text)
    assert 0 <= units <= len(text)
    assert text_length(text, 5) == min(units, 5)
    assert len(without_attributes(text)) <= len(text)


# --- answers --------------------------------------------------------------------------------------


def answer_holds(article: Article) -> None:
    """Check that an article has a body or a reason, no control characters, and clean HTML.

    It must also survive JSON and pickling.
    """
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


def decision_holds(decision: Decision, article: Article) -> None:
    """Check that a decision agrees with the article, and survives JSON and pickling."""
    found = decision.to_dict()
    assert found["method"] == article.metadata["method"]
    assert found["rule"] == article.metadata["rule"]
    assert json.loads(json.dumps(found)) == found
    again = pickle.loads(pickle.dumps(decision))
    assert again == decision
    assert again.to_dict() == found
    assert all(part.reason for part in decision.parts)


def is_clean(html: str) -> None:
    """Check that HTML has only the elements and attributes that we write, and safe URLs."""
    assert not CONTROL.search(html)
    if not html.strip():
        return
    content = lxml.html.fragment_fromstring(html, create_parent="main")
    names = [element.get("id") for element in content.iterdescendants() if "id" in element.attrib]
    linked = {element.get("href") for element in content.iterdescendants("a")}
    assert len(set(names)) == len(names), "a name is of one element"
    assert all(FOOTNOTE.fullmatch(name or "") and f"#{name}" in linked for name in names), names
    for element in content.iterdescendants():
        assert element.tag in ELEMENTS, element.tag
        listed = ATTRIBUTES.get(element.tag, set()) | DIRECTION | {"id"}
        assert set(element.attrib) <= listed, element.attrib
        for name in ("href", "src"):
            value = element.get(name)
            if value is not None and SCHEME.match(value):
                is_image = element.tag == "img" and IMAGE.match(value)
                assert SAFE_URL.match(value) or is_image, value


def alone_holds(html: Source, url: str | None = URL) -> None:
    """Check the article and the decision of a page without rules."""
    article = extract(html, url)
    answer_holds(article)
    decision_holds(explain(html, url), article)


def every_method_holds(html: Source, url: str | None = URL) -> None:
    """Check the articles of the recipe and of each method of the papers."""
    for method in METHODS:
        answer_holds(Extractor(method).article(InputPage("1", url, SITE, html)))


def page_holds(html: Source, url: str | None = URL) -> None:
    """Check the articles of every method, with and without rules learnt from the page itself."""
    every_method_holds(html, url)
    by_recipe = learn([(html, url)] * 7)
    for rules in by_recipe.sites.values():
        document_holds(rules)
        rules_are_used(rules, html, url)
    alone_holds(html, url)
    page = Page.of(html, url)
    if not page.why_unreadable:
        by_paper = learn_rules([seen_of(Outline(page))] * 7)
        extractor = Extractor("cluster", clusters={SITE: by_paper})
        answer_holds(extractor.article(InputPage("1", url, SITE, html)))


def rules_are_used(rules: SiteRules, html: Source, url: str | None = URL) -> None:
    """Check the article and the decision of a page with some rules."""
    kept = Rules({SITE: rules})
    article = extract(html, url, kept, site=SITE)
    answer_holds(article)
    decision_holds(explain(html, url, kept, site=SITE), article)


# --- documents ------------------------------------------------------------------------------------


def document_holds(rules: SiteRules) -> None:
    """Check that rules survive serialization."""
    text = documents.site_to_text(rules)
    assert documents.site_to_text(documents.site_from_text(text)) == text
    assert re.fullmatch(r"[a-z0-9.%A-Z~-]{1,130}\.json", file_name(rules.site))


def rules_hold(text: Source, page: Source) -> bool:
    """Check that a document is refused by one of our own errors, or can be used without harm.

    Return whether it was used.
    """
    try:
        rules = documents.site_from_text(text)
    except (documents.DamagedDocumentError, documents.NewerDocumentError):
        return False
    document_holds(rules)
    rules_are_used(rules, page)
    return True


def rule_holds(fields: dict[str, str], page: Source) -> bool:
    """Check a pinned rule for any page in the same way, with fields as a person may type them."""
    rule = {
        **{key: fields.get(key, "") for key in ("id", "class", "path")},
        **{key: fields.get(key, "").split("\n") for key in ("keep", "drop", "dropLines")},
    }
    cluster = {"cluster": "x", "pinned": True, "rule": rule}
    document = {"format": documents.FORMAT, "site": "x", "clusters": [cluster]}
    return rules_hold(json.dumps(document), page)
