"""`articleBodyHtml` is safe to show: no payload survives, and a browser executes nothing."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest
from hostile_laws import is_clean
from hostile_pages import NO_COLLECTIONS, collections, directory_of_collections
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.render.render import from_segments

FIRE = "fired(1)"
PAYLOADS = [
    f"<script>{FIRE}</script>",
    f"<scr<script>ipt>{FIRE}</scr</script>ipt>",
    f"<SCRIPT/x>{FIRE}</SCRIPT >",
    f"<img src=x onerror={FIRE}>",
    f"<img src=x onerror\n=\n'{FIRE}'>",
    f'<img src="x"alt="y"onerror="{FIRE}">',
    f'<img alt="" title=\'"><img src=x onerror={FIRE}>\'>',
    f"<img src=x alt='\"><img src=x onerror={FIRE}>'>",
    f"<a href='\" onfocus={FIRE} autofocus x=\"'>x</a>",
    f"<image src=x onerror={FIRE}>",
    f"<svg onload={FIRE}>",
    f"<svg><script>{FIRE}</script></svg>",
    f"<svg><style><img src=x onerror={FIRE}></style></svg>",
    f"<svg><animate onbegin={FIRE} attributeName=x dur=1s>",
    f"<math><mtext><table><mglyph><style><img src=x onerror={FIRE}></style></table></math>",
    f"<math href=javascript:{FIRE}>x</math>",
    f"<a href=javascript:{FIRE}>x</a>",
    f"<a href='java\tscr\nipt:{FIRE}'>x</a>",
    f"<a href='&#1;&#106;avascript&colon;{FIRE}'>x</a>",
    f"<a href='\u200bjavascript:{FIRE}'>x</a>",
    f"<a href='JaVaScRiPt://%0a{FIRE}'>x</a>",
    f"<a href='data:text/html,<script>{FIRE}</script>'>x</a>",
    f"<a href='vbscript:{FIRE}'>x</a>",
    f"<a href='view-source:javascript:{FIRE}'>x</a>",
    f"<base href='javascript:{FIRE}//'><a href=x>x</a>",
    f"<img src='data:image/svg+xml,<svg onload={FIRE}>'>",
    f"<iframe srcdoc='<script>parent.{FIRE}</script>'></iframe>",
    f"<iframe src=javascript:{FIRE}></iframe>",
    f"<object data=javascript:{FIRE}></object>",
    f"<embed src=javascript:{FIRE}>",
    f"<form action=javascript:{FIRE}><input type=submit autofocus onfocus={FIRE}></form>",
    f"<button formaction=javascript:{FIRE}>x</button>",
    f"<meta http-equiv=refresh content='0;url=javascript:{FIRE}'>",
    f"<body onload={FIRE}>",
    f"<details open ontoggle={FIRE}>x</details>",
    f"<video><source onerror={FIRE}></video>",
    f"<audio src=x onerror={FIRE}></audio>",
    f"<marquee onstart={FIRE}>x</marquee>",
    f"<x onpointerenter={FIRE} style='inset:0' autofocus tabindex=1 onfocus={FIRE}>x",
    f"<style>@import 'javascript:{FIRE}';</style>",
    f"<div style='background:url(javascript:{FIRE})'>x</div>",
    f"<link rel=stylesheet href=javascript:{FIRE}>",
    f"<noscript><p title='</noscript><img src=x onerror={FIRE}>'></noscript>",
    f"<textarea><p title='</textarea><img src=x onerror={FIRE}>'>",
    f"<title><p title='</title><img src=x onerror={FIRE}>'>",
    f"<xmp><p title='</xmp><img src=x onerror={FIRE}>'>",
    f"<plaintext><img src=x onerror={FIRE}>",
    f"<template><img src=x onerror={FIRE}></template>",
    f"<!--><img src=x onerror={FIRE}>-->",
    f"<!-- --!><img src=x onerror={FIRE}>-->",
    f"<![CDATA[<img src=x onerror={FIRE}>]]>",
    f"<?xml ><img src=x onerror={FIRE}>?>",
    f"&lt;script&gt;{FIRE}&lt;/script&gt;",
    f"&lt;img src=x onerror={FIRE}&gt;",
    f"<pre>&lt;/pre&gt;&lt;img src=x onerror={FIRE}&gt;</pre>",
    f"<p>\x00<\x00script>{FIRE}</script>",
    f"<p>\ud800<img src=x onerror={FIRE}>",
    f"<a href='http://[x' onclick={FIRE}>x</a>",
    f"<table><td><img src=x onerror={FIRE}><table><img src=x onerror={FIRE}>",
    f"<p{'/x' * 50} onmouseover={FIRE}>x",
    "<form id=x><input name=attributes></form>",
    "<img name=cookie><a id=body>x</a>",
]


def _clean_html_of(payload: str) -> str:
    """Return the HTML of a page whose segments are all kept."""
    source = f"<html><body><div><p>before</p>{payload}<p>behind</p></div>"
    page = Outline(Page.of(source, "http://site.example/a/"))
    return from_segments(page, b"\x01" * page.rows.segment_count, page.rows.body).html


@pytest.mark.parametrize("payload", PAYLOADS)
def test_only_text_is_left_of_a_payload(payload: str) -> None:
    is_clean(_clean_html_of(payload))


def test_only_text_is_left_of_collected_payloads() -> None:
    path = directory_of_collections()
    if path is None:
        pytest.skip(NO_COLLECTIONS)
    for payload in collections(path)["XSS payloads"]:
        is_clean(_clean_html_of(str(payload)))


broken = st.lists(
    st.one_of(
        st.sampled_from(PAYLOADS),
        st.sampled_from(PAYLOADS).map(lambda one: one[: len(one) // 2]),
        st.sampled_from(PAYLOADS).map(lambda one: one[len(one) // 3 :]),
        st.sampled_from(["</p>", "<table>", "<pre>", "'", '"', ">", "<a href=", "<svg>", "-->"]),
        st.text(max_size=5),
    ),
    max_size=6,
).map("".join)


@given(broken)
def test_only_text_is_left_of_broken_and_combined_payloads(payload: str) -> None:
    is_clean(_clean_html_of(payload))


# --- in a browser -------------------------------------------------------------------------------

_BEFORE = """<!DOCTYPE html><meta charset="utf-8"><title>page</title><script>
var seen = [];
function fired(what) { seen.push(String(what)); return 1; }
["alert", "prompt", "confirm", "print", "open", "eval", "fetch", "setTimeout"].forEach(
  function (name) { window[name] = function () { return fired(name); }; });
window.onerror = function (message) { fired("error: " + message); };
</script>"""
_BEHIND = """<script>
window.addEventListener("load", function () {
  var found = {fired: seen, elements: {}, attributes: {}, protocols: {}};
  document.querySelectorAll("section *").forEach(function (one) {
    found.elements[one.localName] = 1;
    for (var attribute of one.attributes) { found.attributes[attribute.name] = 1; }
    if (one.localName === "a") { found.protocols[one.protocol] = 1; }
  });
  document.body.replaceChildren();
  var report = document.createElement("pre");
  report.id = "report";
  report.textContent = JSON.stringify(found);
  document.body.append(report);
});
</script>"""


def _load_in_browser(pieces: Iterable[str], directory: Path) -> dict[str, list[str]]:
    """Return what a page with these pieces executes and contains in a browser."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("no browser here: install Debian's chromium")
    page = directory / "page.html"
    sections = "\n".join(f"<section>{piece}</section>" for piece in pieces)
    page.write_text(f"{_BEFORE}{sections}{_BEHIND}", "utf-8", "backslashreplace")
    command = [
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run", f"--user-data-dir={directory / 'profile'}",
        "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=5000", "--dump-dom",
        page.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    report = re.search(r'<pre id="report">(.*?)</pre>', done.stdout.decode("utf-8", "replace"))
    assert report, done.stderr.decode("utf-8", "replace")[-2000:]
    found: dict[str, list[str]] = {
        key: list(values) for key, values in json.loads(html.unescape(report[1])).items()
    }
    return found


def assert_nothing_happened(found: dict[str, list[str]]) -> None:
    assert found["fired"] == []
    listed = {"href", "src", "alt", "class", "colspan", "rowspan", "start", "dir", "lang"}
    assert set(found["attributes"]) <= listed
    assert set(found["protocols"]) <= {"http:", "https:", "mailto:", ":", "file:"}
    assert not set(found["elements"]) & {
        *("script", "style", "form", "input", "button", "iframe", "frame", "object", "embed"),
        *("meta", "link", "base", "svg", "math", "template", "textarea", "noscript", "image"),
    }


def test_no_payload_fires_in_a_browser(tmp_path: Path) -> None:
    assert_nothing_happened(_load_in_browser(map(_clean_html_of, PAYLOADS), tmp_path))


def test_uncleaned_payloads_fire_in_a_browser(tmp_path: Path) -> None:
    found = _load_in_browser([f"<img src=x onerror={FIRE}>", f"<svg onload={FIRE}>"], tmp_path)
    assert len(found["fired"]) == 2


def test_no_collected_payload_fires_in_a_browser(tmp_path: Path) -> None:
    path = directory_of_collections()
    if path is None:
        pytest.skip(NO_COLLECTIONS)
    payloads = collections(path)["XSS payloads"]
    assert_nothing_happened(_load_in_browser(map(_clean_html_of, map(str, payloads)), tmp_path))
