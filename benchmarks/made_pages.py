"""Pages of the bundled demo site, as heavy as real pages and with titles that vary like theirs.

The demo site's pages repeat their headline verbatim three times: as ``<h1>``, as Open Graph's
title, and as the beginning of ``<title>``. Real pages do so less than half the time, and pages with
such a confirmed headline are the quick ones. So some titles are changed here, as often as was
counted on 1,250 pages of 1,000 sites (news, blogs, 2005 to 2026).

The counted pages have 86 KB and 770 elements on average, the pages made here 81 KB and 680.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "example_project"))

from demo_site.build import build  # noqa: E402
from demo_site.dice import Dice  # noqa: E402
from demo_site.model import Page  # noqa: E402
from demo_site.site import Site  # noqa: E402

PADDING_KB = 62
NO_HEADING = 0.2
"""The share of the templates whose headline is a ``<div>``."""
OPEN_GRAPH = {
    "the same": 0.43,
    "none": 0.3,
    "cut off": 0.13,
    "in other letters": 0.04,
    "another": 0.1,
}
"""The share of the pages for each relation of Open Graph's title to the one that is shown. If it is
another title, ``<title>`` has it as well: it is for search engines."""
_META = '<meta property="og:title" content="'
_OPEN_GRAPH = re.compile(f'{_META}[^"]*">\n?')
_LINKED_HEADLINE = re.compile(r'"headline": "(?:[^"\\]|\\.)*", ')
_FIRST_LEVEL = re.compile(r"(</?)h1\b")


def site(
    seed: int | str = "speed",
    articles_per_template: int = 18,
    *,
    padding_kb: float = PADDING_KB,
    base_url: str = "https://demo.example/",
) -> Site:
    """Return the demo site, its pages heavy and with titles as on real pages."""
    built = build(
        seed=seed,
        articles_per_template=articles_per_template,
        padding_kb=padding_kb,
        base_url=base_url,
    )
    return Site(built.base_url, [with_real_titles(page, seed) for page in built.pages])


def pages(built: Site) -> Iterator[Page]:
    """Return the pages that have a main text."""
    return (page for page in built.pages if page.gold is not None)


def with_real_titles(page: Page, seed: int | str) -> Page:
    """Return the page with its titles or its heading changed or removed, or unchanged."""
    html, headline, dice = page.html, escape(page.headline), Dice(seed, "titles", page.path)
    kind = _drawn(dice)
    if kind != "the same":
        # Otherwise the linked data would give the headline that Open Graph does not.
        html = _LINKED_HEADLINE.sub("", html)
        shown = _open_graph(kind, page.headline)
        html = _OPEN_GRAPH.sub(lambda _: shown and f'{_META}{escape(shown)}">\n', html, count=1)
        if kind == "another":
            html = html.replace(f"<title>{headline}", f"<title>{escape(shown)}", 1)
    if Dice(seed, "heading", page.template).chance(NO_HEADING):
        html = _FIRST_LEVEL.sub(r"\1div", html)
    return replace(page, html=html)


def _drawn(dice: Dice) -> str:
    left = dice.random()
    for kind, share in OPEN_GRAPH.items():
        left -= share
        if left < 0:
            return kind
    return "the same"


def _open_graph(kind: str, headline: str) -> str:
    """Return the Open Graph title of a kind for a headline."""
    third = len(headline) // 3
    return {
        "none": "",
        "cut off": f"{headline[: 2 * third].rstrip()}...",
        "in other letters": f"\u201c{headline.upper()}\u201d",
        "another": f"{headline[third:].strip().capitalize()}: what is known",
    }[kind]
