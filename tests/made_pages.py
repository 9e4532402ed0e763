"""Whole pages that exercise the compiled loops: generated, multilingual, deep or large."""

from __future__ import annotations

from functools import cache

import demo_site

CHINESE = (
    "<html><head><title>北京天气 - 新闻网</title></head><body><h1>北京天气</h1><ul class='nav'>"
    "<li><a href='/a'>首页</a></li><li>２０１４年３月８日</li></ul><div id=content>"
    "<p>今天，天气很好！“是吗？”：他说…</p><p>版权所有 © 2014 新闻网，保留一切权利。</p>"
    "<p>一２:３０ ４ hours ago</p></div>"
)
MANY_SCRIPTS = (
    "<html><head><title>ΟΔΟΣ İstanbul ŽLUŤOUČKÝ</title></head><body>"
    "<h2>οδος i̇stanbul žluťoučký</h2>"
    "<p>ΟΔΟΣ</p><p>Žluťoučký — kůň</p><p>مرحبا ١٢:٣٤ العالم ٢٠١٤</p><p>COPYRİGHT (C) ALL RİGHTS</p>"
    "<p>€ 5 → £ 3 ¥ ？ $ › »</p><p>\U0001f600 1999\U0001f600 x1999 1999x 1999</p><p>ｗｉｄｅ</p>"
)
TABLES = (
    "<html><head><title>Things</title></head><body><div class=main><p>A sentence of some length, "
    "which goes on. And another one, which does not end.</p><table><tr><td>a<td>b<tr><td>c<td>d"
    "</table><p>What stands behind the table, as a sentence.</p><table><tr><td><img src=a.png>a "
    "caption</table><ul><li>one<li><a href=/>two</a></ul><p>More, that is long enough to be the "
    "text of somebody.</p><dl><dt>x<dd>y</dl><p class='user SIGNATURE'>Yours, the author</p></div>"
)
OWN = {
    "chinese": CHINESE,
    "scripts": MANY_SCRIPTS,
    "tables": TABLES,
    "one line": "<p>.",
    "deep": "<div class=a><section id=b>" * 200 + "text",
    "many texts": "<body>" + "".join(f"<p class=c{one % 7}>Text {one % 50}." for one in range(700)),
}


URL = "https://news.example/2014/03/a-story-of-trees.html"


@cache
def sources() -> dict[str, str]:
    """Return all sources by name."""
    demo = demo_site.build(seed="made", articles_per_template=2, padding_kb=20)
    return {**{one.path: one.html for one in demo.pages}, **OWN}
