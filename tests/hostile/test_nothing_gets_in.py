"""A page's ids, classes, texts and hosts stay data: never code, XPath, paths or log lines."""

from __future__ import annotations

import ast
import json
import logging
import re
import time
from pathlib import Path

import pytest
from command import Mainblock
from hostile_laws import answer_holds, page_holds, rule_holds, rules_hold
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pages import row, site, story, told, write_rows

import scrapy_mainblock
from scrapy_mainblock import Rules, extract, learn
from scrapy_mainblock.crawl.stats import word
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.outline.selectors import at_path, path_of
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.stores import documents
from scrapy_mainblock.stores.directory import RulesDirectory
from scrapy_mainblock.template.rules import Rule, SiteRules, Template

HOSTILE_NAMES = [
    "'] | //script[text()='",
    '"] | //*[@x="',
    "x' or '1'='1",
    "$value",
    "{__import__('os').system('x')}",
    "%s%n%(levelname)s",
    "../../etc/passwd",
    "a\nCRITICAL: b",
    "\x1b[2J\x1b]0;owned\x07",
    "\u202eevil\u2066",
    "\x9b31m",
    "</td><script>alert(1)</script>",
    "北京 ☃ \u00e9",
    "x" * 4096,
    "a b\tc\x0cd",
    "-->",
    "&lt;",
]
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
HOSTS = [
    "..",
    ".",
    "CON",
    "con.example",
    "nul.",
    "a/../../b",
    "a\\..\\b",
    "a\x00b",
    "[::1]:8080",
    "xn--bcher-kva.example",
    "bücher.example",
    "UPPER.example",
    "a" * 300 + ".example",
    "trailing.example...",
    "-rf",
    "~root",
    "a\nb",
    "%2e%2e",
    "a:b@c.example:99999",
    "",
    " ",
]


def attribute(name: str) -> str:
    return name.replace("&", "&amp;").replace('"', "&quot;")


@pytest.mark.parametrize("kind", ["id", "class"])
@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_name_that_looks_like_code_is_only_a_name(name: str, kind: str, tmp_path: Path) -> None:
    """A rule for such a block is learned, saved, loaded and applied, and finds the block."""
    attributes = f'{kind}="{attribute(name)}"'
    rules = learn(site(8, attributes=attributes.replace("{", "{{").replace("}", "}}")))
    html, url = story(99, body=30, attributes=attributes)
    assert extract(html, url, rules).articleBody == told(30, "story99w")
    directory = RulesDirectory(tmp_path)
    for one in rules.sites.values():
        directory.save(one)
    assert directory.load() == rules.sites
    assert directory.troubles == 0


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_rule_with_a_hostile_name_matches_nothing_else(name: str) -> None:
    for rule in (Rule(id=name), Rule(classes=tuple(name.split())), Rule(path=name)):
        template = Template("x", rule, frozenset(), pinned=True)
        html, url = story()
        rules = Rules({"news.example": SiteRules("news.example", (template,))})
        article = extract(html, url, rules)
        answer_holds(article)
        assert article.metadata["method"] == "page"


@pytest.mark.parametrize("tag", ["x'y", 'x"y', "x]|//*[1", "x" * 9000, "x:y", "h1.2.3", "xü"])
def test_the_path_of_an_element_with_any_tag_name_finds_it(tag: str) -> None:
    html, url = story()
    page = html.replace('<div id="content">', f"<{tag}><div>").replace(
        "</body>", f"</{tag}></body>"
    )
    page_holds(page, url)
    rows = Outline(Page.of(page, url)).rows
    shown = [element for element in range(1, rows.element_count) if rows.tape_at[element] >= 0]
    assert tag.partition("/")[0] in map(rows.name, shown)
    for element in shown:
        assert at_path(rows, path_of(rows, element)) == element


@pytest.mark.parametrize("host", HOSTS)
def test_no_host_name_escapes_the_rules_directory(host: str, tmp_path: Path) -> None:
    inside = tmp_path / "rules"
    directory = RulesDirectory(inside)
    for url in (f"http://{host}/page", host):
        rules = learn([(html, url) for html, _ in site(8)])
        for one in rules.sites.values():
            directory.save(one)
            directory.save(SiteRules(host, one.templates))
        assert extract(story()[0], url, rules).metadata["method"] == "rule"
    assert [file.name for file in tmp_path.iterdir()] == ["rules"]
    names = [file.name for file in inside.iterdir() if file.name not in (".lock", ".good")]
    assert names
    assert {file.name for file in (inside / ".good").iterdir()} == {*names, ".gitignore"}
    assert all(re.fullmatch(r"[A-Za-z0-9.%~-]{1,130}\.json", name) for name in names)
    assert not any(re.match(r"(?i)(?:con|nul|aux|prn)\.", name) for name in names)


def test_hosts_ignore_case_but_site_names_differing_in_case_do_not(
    tmp_path: Path,
) -> None:
    pages = [(html, f"http://{'NEWS' if n % 2 else 'news'}.example/") for n, (html, _) in
             enumerate(site(8))]  # fmt: skip
    rules = learn(pages)
    assert list(rules.sites) == ["news.example"]
    directory = RulesDirectory(tmp_path)
    (one,) = rules.sites.values()
    for name in ("news", "NEWS", "News"):
        directory.save(SiteRules(name, one.templates))
    files = {file.name.lower() for file in tmp_path.iterdir()} - {".lock", ".good"}
    assert len(files) == 3


# --- output -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_hostile_name_is_logged_as_one_short_ascii_word(name: str) -> None:
    shown = word(name)
    assert shown.isascii()
    assert shown.isprintable()
    assert len(shown) <= 80


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Mainblock:
    return Mainblock(capsys)


def test_pages_cannot_inject_lines_or_control_sequences_into_output(
    tmp_path: Path, run: Mainblock
) -> None:
    rules = tmp_path / "rules"
    rows = []
    for number, name in enumerate(HOSTILE_NAMES):
        attributes = f'id="{attribute(name)}"'.replace("{", "{{").replace("}", "}}")
        for html, url in site(7, attributes=attributes):
            rows.append(row(html.replace("Title", name), url, site=f"{number}{name}"))
    file = write_rows(tmp_path / "in\n\x1b[2J.jsonl", rows)
    outputs = [
        run("learn", str(file), "--rules", str(rules)),
        run("rules", "list", "--rules", str(rules)),
        run("rules", "test", str(file), "--rules", str(rules)),
        run("eval", str(file), "--by", "site"),
        run("extract", str(tmp_path / "no\nsuch\x1b[2J.html"), "-o", "-"),
        run("rules", "show", "0" + HOSTILE_NAMES[0], "--rules", str(rules)),
    ]
    for done in outputs:
        assert not CONTROLS.search(done.out + done.err)
        assert not [line for line in done.out.splitlines() if line.startswith(("CRITICAL", "b"))]
    listed = outputs[1].out.splitlines()
    assert len(listed) == 1 + len(HOSTILE_NAMES)
    assert outputs[0].code == 0


def test_link_text_is_printed_without_control_sequences(tmp_path: Path, run: Mainblock) -> None:
    page = tmp_path / "page.html"
    page.write_text("".join(f"<a href=x>\x1b[31mred\x07\u202e \x9b2J {n}</a> " for n in range(9)))
    done = run("blocks", str(page))
    assert done.code == 0
    assert "red" in done.out
    assert not CONTROLS.search(done.out)


def test_each_log_message_of_the_rules_directory_is_one_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    directory = RulesDirectory(tmp_path)
    for name in ("a\nCRITICAL: b", "\x1b[2J", "x" * 3000):
        document = {"format": documents.FORMAT, "site": name, "clusters": 3}
        (tmp_path / "site.json").write_text(json.dumps(document))
        with caplog.at_level(logging.WARNING):
            directory.load()
    assert caplog.messages
    assert not any("\n" in message or CONTROLS.search(message) for message in caplog.messages)


# --- rules are data -----------------------------------------------------------------------------


def test_the_package_never_unpickles_or_evaluates_code() -> None:
    banned = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib", "yaml"}
    calls = {"eval", "exec", "compile", "__import__"}
    for file in Path(scrapy_mainblock.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
                assert not names & banned, file
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in calls, file


names = st.one_of(st.sampled_from(HOSTILE_NAMES), st.text(max_size=30))
selectors = st.one_of(
    names,
    st.sampled_from(
        ["div.menu", " > ", "text()", "div[1] > p", "ul:links", "#", "*", "p > text()"]
    ),
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "id": names,
            "class": names,
            "path": st.one_of(names, st.sampled_from(["body1", "body1/div2", "body1/" * 50])),
            "keep": st.lists(selectors, max_size=4).map("\n".join),
            "drop": st.lists(selectors, max_size=4).map("\n".join),
            "dropLines": st.lists(names, max_size=4).map("\n".join),
        },
    )
)
def test_a_rule_with_arbitrary_texts_is_harmless(fields: dict[str, str]) -> None:
    rule_holds(fields, story(body=30)[0])


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=10)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.data())
def test_a_document_with_an_arbitrary_value_is_refused_or_harmless(data: st.DataObject) -> None:
    (rules,) = learn(site(7)).sites.values()
    document = documents.site_to_document(rules)
    places = [document, document["clusters"][0], document["clusters"][0]["rule"]]
    place = data.draw(st.sampled_from(places))
    place[data.draw(st.sampled_from(sorted(place)))] = data.draw(json_values)
    rules_hold(json.dumps(document), story()[0])


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60), json_values.map(json.dumps)))
def test_data_that_is_not_a_document_is_refused(text: bytes | str) -> None:
    assert not rules_hold(text, story()[0])


def _document(**rule: object) -> str:
    cluster = {"cluster": "x", "pinned": True, "rule": {"id": "content", **rule}}
    return json.dumps({"format": documents.FORMAT, "site": "x", "clusters": [cluster]})


@pytest.mark.parametrize(
    "text",
    [
        _document(drop=["div.a"] * 1_000_000),
        _document(dropLines=["x" * 10_000_000]),
        _document(**{"class": "a " * 1_000_000}),
        _document(path="/".join(["div1"] * 100_000)),
        json.dumps(
            {
                "format": documents.FORMAT,
                "site": "x",
                "clusters": [json.loads(_document())["clusters"][0]] * 100_000,
            }
        ),
        " " * 40_000_000,
        "[" * 1_000_000,
        '{"format": ' + "9" * 100_000 + "}",
        '{"format": 2, "site": "x", "clusters": [{"pages": 1e999}]}',
    ],
    ids=[
        "selectors",
        "a line",
        "classes",
        "a path",
        "clusters",
        "space",
        "depth",
        "digits",
        "1e999",
    ],
)
def test_an_oversized_document_is_refused_quickly(text: str) -> None:
    start = time.process_time()
    with pytest.raises((documents.DamagedDocumentError, documents.NewerDocumentError)):
        documents.site_from_text(text)
    assert time.process_time() - start < 3


def test_the_largest_accepted_document_slows_extraction_little() -> None:
    selectors = [f"div.a{n} > p" for n in range(documents.MOST_SELECTORS)]
    rules = documents.site_from_text(_document(drop=selectors, keep=["p"], dropLines=selectors))
    html, url = story()
    start = time.process_time()
    answer_holds(extract(html, url, Rules({"x": rules}), site="x"))
    assert time.process_time() - start < 1
