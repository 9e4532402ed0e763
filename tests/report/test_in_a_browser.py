"""The report in a real browser: it opens from a file, loads nothing else, and works."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from accessibility import violations
from browser import Tab
from drawn_report import frame, open_view, write_report
from hostile.test_clean_html import PAYLOADS
from hostile_pages import FIXED, GROWING, WORDS
from pages import row, site, story, told_in_html

from scrapy_mainblock.report.document import ReportInfo, overview, write_detail, write_head
from scrapy_mainblock.report.survey import ClusterCount, PageRow, Survey

CHINESE = (
    "<html lang=zh><head><title>北京天气 - 新闻网</title></head><body><ul><li><a href=/a>首页</a>"
    "</ul><h1>北京天气</h1><div id=content>"
    f"{'<p>今天天气很好，北京市民都到公园里去散步了。</p>' * 6}</div>"
)
ARABIC = (
    "<html lang=ar dir=rtl><head><title>الطقس</title></head><body><h1>الطقس اليوم</h1>"
    "<div id=content>"
    f"{'<p>كان الطقس جميلا اليوم، وخرج الناس إلى الحدائق العامة.</p>' * 6}</div>"
)
VIEWS = ("", "pages", "figures", "site/0", "cluster/0", "page/3")


@pytest.fixture(scope="module")
def report(folder: Path) -> str:
    share = '<div class="share"><p>Share this story with your friends</p></div>'
    pages = [
        *site(12, above=share),
        story(50, body=8),
        (CHINESE, "http://zh.example/1"),
        (ARABIC, "http://ar.example/1"),
        ("<title>Empty</title><p>", "http://empty.example/"),
    ]
    return write_report(folder, "report", [row(html, url) for html, url in pages])


def number_of(tab: Tab, url: str) -> int:
    return int(tab.run(f"pages.find((page) => page.url === {json.dumps(url)}).number"))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("dark", [False, True])
def test_every_view_opens_and_fits_the_width(
    tab: Tab, report: str, view: str, width: int, dark: bool
) -> None:
    tab.resize(width, 900, dark=dark)
    open_view(tab, report, view)
    assert tab.run("document.documentElement.scrollWidth <= innerWidth")
    assert tab.run("document.querySelectorAll('main h1').length") == 1


def test_the_overview_begins_with_the_most_doubtful(tab: Tab, report: str) -> None:
    open_view(tab, report, "")
    first = tab.run("document.querySelector('ol.pages li').innerText")
    assert "nothing was found" in first
    assert tab.run("document.querySelector('.tile b').innerText") == "16"


def test_keyboard_shortcuts(tab: Tab, report: str) -> None:
    open_view(tab, report, "cluster/0")
    tab.run("document.querySelector('ol.pages a').click()")
    tab.wait("shownPage && shownPage === list[0] && current && current.method")
    tab.press("j")
    tab.wait("shownPage === list[1] && current && current.method")
    tab.press("k")
    tab.wait("shownPage === list[0] && current && current.method")
    tab.press("k")
    assert "first page" in tab.run("document.getElementById('live').textContent")
    tab.press("m")
    assert tab.run("current.method.name") == "alone"
    tab.press("t")
    assert tab.run("document.querySelector('[aria-selected=true]').innerText") == "Parts"
    tab.press("?")
    assert tab.run("document.getElementById('keys').open")
    tab.press("j")
    assert tab.run("shownPage === list[0]")  # the dialog is open
    tab.run("document.getElementById('keys').close()")
    tab.run("openPage(list[5])")
    tab.wait(
        "shownPage === list[5] && !shownPage.reviewReasons.length && current && current.method"
    )
    tab.press("n")
    tab.wait("shownPage && shownPage.reviewReasons.length")
    tab.press("c")
    tab.wait("document.querySelector('.tree')")
    tab.press("o")
    tab.wait("document.querySelector('.tiles')")


def test_a_page_is_marked_with_the_reasons_of_its_parts(tab: Tab, report: str) -> None:
    open_view(tab, report, "page/3")
    kept = tab.run(frame("[...document.querySelectorAll('mb-s.kept')].map(e => e.innerText)"))
    assert len(kept) == 3
    assert kept[0].startswith("story3w0")
    title = tab.run(frame("document.querySelector('.share mb-s').title"))
    assert title.startswith("Dropped: outside of the rule's block; before the content")
    assert tab.run(frame("document.querySelector('.main').id")) == "content"
    assert tab.run(frame("document.querySelector('mb-s.field').innerText")) == "Title of story 3"
    assert tab.run(frame("document.querySelectorAll('.menu mb-s.links').length")) == 8
    tab.run(frame("document.querySelector('.menu mb-s').dispatchEvent("
                  "new MouseEvent('mouseover', {bubbles: true}))"))  # fmt: skip
    says = tab.run("document.getElementById('says').innerText")
    assert "Dropped: outside of the rule's block; in a block of 8 links" in says
    assert "div.menu > ul:links > li" in says


def test_methods_can_be_switched_and_layers_hidden(tab: Tab, report: str) -> None:
    open_view(tab, report, "page/3")
    count = frame("document.querySelectorAll('mb-s.kept').length")
    by_rule = tab.run(count)
    names = tab.run("[...document.querySelectorAll('[data-method]')].map(e => e.dataset.method)")
    papers = ["cluster", "density", "linkdensity", "linkblocks", "farsw", "wpmte"]
    assert names == ["auto", "alone", *papers]
    tab.run("document.querySelector('[data-method=linkblocks]').click()")
    assert tab.run("document.querySelector('[data-method=linkblocks]').ariaPressed") == "true"
    assert tab.run(count) > by_rule  # with the heading and the comments
    assert "comment0" in tab.run("document.querySelector('.body').innerText")
    colour = frame("getComputedStyle(document.querySelector('mb-s.kept')).backgroundColor")
    assert tab.run(colour) == "rgb(201, 236, 221)"
    tab.run("document.querySelector('input[name=kept]').click()")
    assert tab.run(colour) != "rgb(201, 236, 221)"


def test_parts_and_why_are_shown_beside_the_page(tab: Tab, report: str) -> None:
    open_view(tab, report, "page/3")
    tab.run("document.querySelector('[data-tab=parts]').click()")
    parts = tab.run("[...document.querySelectorAll('ul.parts button')].map(e => e.innerText)")
    assert len(parts) == 15
    assert sum("Kept: the rule knows this place as content" in part for part in parts) == 3
    tab.run("document.querySelectorAll('ul.parts button')[10].click()")
    assert tab.run(frame("document.querySelectorAll('.here').length")) == 1
    tab.run("document.querySelector('[data-tab=why]').click()")
    why = tab.run("document.getElementById('tab').innerText")
    assert "tried id" in why
    assert "content: 1 element" in why
    assert "mainblock rules pin news.example --cluster" in why


def test_direction_and_language_of_a_page_are_kept(tab: Tab, report: str) -> None:
    open_view(tab, report, "")
    arabic, chinese = (number_of(tab, f"http://{host}.example/1") for host in ("ar", "zh"))
    open_view(tab, report, f"page/{arabic}")
    assert tab.run(frame("getComputedStyle(document.body).direction")) == "rtl"
    assert tab.run("getComputedStyle(document.querySelector('.body')).direction") == "rtl"
    open_view(tab, report, f"page/{chinese}")
    assert tab.run("document.querySelector('.body').lang") == "zh"
    assert "今天天气很好" in tab.run("document.querySelector('.body').innerText")


def test_pages_are_filtered(tab: Tab, report: str) -> None:
    open_view(tab, report, "pages")
    assert tab.run("document.querySelector('[role=status]').innerText") == "16 pages"
    tab.run("const box = document.querySelector('input[name=words]'); box.value = 'STORY 1';"
            "box.dispatchEvent(new Event('input'))")  # fmt: skip
    assert tab.run("document.querySelector('[role=status]').innerText") == "3 pages"  # 1, 10, 11


def test_only_a_sample_of_the_pages_is_drawn(tab: Tab, folder: Path) -> None:
    report = write_report(folder, "few", [row(*page) for page in site(12)], "--sample", "4")
    tab.open(report, until="document.querySelector('main h1')")
    assert tab.run("document.querySelectorAll('script[id^=page-]').length") == 4
    number = tab.run("pages.find((page) => !page.drawn).number")
    tab.open("about:blank")
    tab.open(f"{report}#/page/{number}", until="document.querySelector('.notice')")
    assert "--sample" in tab.run("document.querySelector('.notice').innerText")


def test_a_page_can_be_printed(tab: Tab, report: str) -> None:
    open_view(tab, report, "page/3")
    assert len(tab.send("Page.printToPDF")["data"]) > 10_000


def test_print_is_black_on_white_and_includes_the_page(tab: Tab, report: str) -> None:
    open_view(tab, report, "page/3")
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    tab.send("Emulation.setEmulatedMedia", media="print", features=dark)
    tab.run("window.dispatchEvent(new Event('beforeprint'))")
    colours = "(style => [style.color, style.backgroundColor])(getComputedStyle(document.body))"
    assert tab.run(colours) == ["rgb(29, 28, 25)", "rgb(255, 255, 255)"]
    copy = "document.querySelector('.printed').shadowRoot"
    kept = f"[...{copy}.querySelectorAll('mb-s.kept')].map((one) => one.innerText)"
    printed = tab.run(kept)
    assert [one.partition(",")[0] for one in printed] == ["story3w0", "story3w40", "story3w80"]
    assert tab.run(f"getComputedStyle({copy}.querySelector('.kept')).display") == "inline"
    assert tab.run("document.querySelector('iframe').getClientRects().length") == 0
    tab.run("window.dispatchEvent(new Event('afterprint'))")
    assert tab.run("document.querySelectorAll('.printed').length") == 0


def test_columns_are_stacked_in_a_narrow_window(tab: Tab, folder: Path) -> None:
    side = "<div class=side style='float:right;width:400px'><p>aside</div>"
    page = f"{side}<div class=text style='margin-right:420px'>{told_in_html(60, 'seen')}</div>"
    report = write_report(folder, "columns", [row(page, "http://c.example/1")])
    wide = frame("document.querySelector('.text').clientWidth")
    for width, least in ((1280, 200), (400, 300)):
        tab.resize(width, 900)
        open_view(tab, report, "page/0")
        assert tab.run(wide) >= least


def test_a_url_is_shown_decoded(tab: Tab, folder: Path) -> None:
    url = "http://zh.example/%E5%8C%97%E4%BA%AC/100%25/%FF"
    report = write_report(folder, "address", [row(CHINESE, url)])
    open_view(tab, report, "page/0")
    shown = tab.run("document.querySelector('.address').innerText")
    assert shown == "http://zh.example/北京/100%25/%FF"


# --- hostile pages ------------------------------------------------------------------------------

OVERLAYS = [
    "<style>*{position:fixed!important;inset:0;z-index:99999;background:red}</style>",
    "<style>mb-s{display:none!important} body{visibility:hidden}</style>",
    "<div style='position:fixed;inset:0;z-index:2147483647;background:red'>over all</div>",
    "<style>@keyframes x{from{left:0}to{left:9999px}} p{animation:x 1s infinite}</style>",
]
LOADS = [
    "<img src=http://x.example/a.png><img srcset='http://x.example/b.png 2x'>",
    "<link rel=stylesheet href=http://x.example/a.css><link rel=prefetch href=http://x.example/b>",
    "<style>@import url(http://x.example/c.css); p{background:url(http://x.example/d.png)}</style>",
    "<style>p{background:\\75rl(http://x.example/e.png)}</style>",
    "<p style='background:url(http://x.example/f.png)'>x</p><video poster=http://x.example/g>",
    "<iframe src=http://x.example/></iframe><object data=http://x.example/h></object>",
    "<meta http-equiv=refresh content='0;url=http://x.example/'>",
    "<base href=http://x.example/><body background=http://x.example/i.png>",
    "<svg><image href=http://x.example/j.png /><use href=http://x.example/k#l /></svg>",
]


def test_hostile_pages_run_and_load_nothing(tab: Tab, folder: Path) -> None:
    text = f"<p>{WORDS * 4}</p>"
    sources = [f"<title>{one}</title><div>{text}{one}{text}</div>" for one in PAYLOADS]
    sources += [f"<div>{one}{text}</div>" for one in (*OVERLAYS, *LOADS)]
    heavy = [make(15_000) for make in GROWING.values()]
    sources += [one for one in (*FIXED.values(), *heavy) if isinstance(one, str)]
    pages = [
        row(source, f"http://h{number % 7}.example/{number}?<script>fired(1)</script>")
        for number, source in enumerate(sources)
    ]
    report = write_report(folder, "hostile", pages)
    open_view(tab, report, "")
    tab.run("window.firings = []; window.fired = (what) => firings.push(what); 1")
    for number in range(len(pages)):
        tab.run(f"location.hash = '#/page/{number}'")
        tab.wait(f"main.dataset.ready === '{number}' || document.querySelector('.notice')")
    for view in VIEWS[:-1]:
        tab.run(f"location.hash = '#/{view}'")
        tab.wait("document.querySelector('main h1')")
    assert tab.run("firings") == []
    assert tab.run("location.href").startswith(report)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_styles_of_a_page_cannot_hide_the_report(tab: Tab, folder: Path, overlay: str) -> None:
    pages = [row(f"<div>{overlay}{told_in_html(60, 'seen')}</div>", "http://o.example/1")]
    report = write_report(folder, "overlay", pages)
    open_view(tab, report, "page/0")
    seen = frame("(mark => {const box = mark.getBoundingClientRect(); mark.scrollIntoView();"
                 "return box.width > 10 && getComputedStyle(mark).visibility === 'visible'})"
                 "(document.querySelector('mb-s.kept'))")  # fmt: skip
    assert tab.run(seen)
    assert tab.run("document.querySelector('h1').getBoundingClientRect().width > 10")


# --- many pages ---------------------------------------------------------------------------------

SECONDS_TO_OPEN = 3.0


def test_a_report_of_five_thousand_pages_opens_fast(tab: Tab, tmp_path: Path) -> None:
    survey = Survey()
    for number in range(5000):
        name, cluster = f"site{number % 100}.example", f"c{number % 3}"
        survey.rows.append(
            PageRow(number, str(number), f"https://{name}/news/2024/03/a-story-{number}.html", name,
                    cluster, "rule", 0.9, "article", None, f"A headline of some length {number}",
                    900, 4000, 0.97)
        )  # fmt: skip
        survey.clusters.setdefault((name, cluster), ClusterCount()).pages += 1
    survey.rate()
    chosen = survey.sample(500)
    noise = os.urandom(9000).hex()  # a drawn page has about 12 KB
    file = tmp_path / "many.html"
    with file.open("w") as stream:
        write_head(stream, overview(survey, chosen, ReportInfo("Many", "", "R")), "Many")
        for number in sorted(chosen):
            write_detail(stream, f"page-{number}", {"copy": noise})
    tab.open(
        file.as_uri(),
        until="document.querySelector('.tiles') && document.readyState === 'complete'",
    )
    seconds = tab.run("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000
    assert seconds < SECONDS_TO_OPEN
    assert tab.run("document.querySelectorAll('tbody tr').length") == 50


# --- accessibility ------------------------------------------------------------------------------


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_no_violation(tab: Tab, axe: str, report: str, view: str, dark: bool) -> None:
    tab.resize(1280, 900, dark=dark)
    open_view(tab, report, view)
    assert violations(tab, axe) == []
    for name in ("parts", "why") if view.startswith("page/") else ():
        tab.run(f"document.querySelector('[data-tab={name}]').click()")
        assert violations(tab, axe) == []
