"""Pages out of nothing that weigh what real ones weigh, for any number of sites.

    site = Site(3)
    url, html = site.page(17)

Every site has layouts of its own (names, nesting, how much stands around the article), and the
same numbers give the same bytes anywhere. What a page weighs is set so that the profile over many
sites (`python -m benchmarks.speed --parts profile`) is that of the pages of 48 news sites and
blogs: on average 88 KB, 783 elements, of these 365 blocks, and 185 segments of text. The texts are
the demo site's.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "example_project"))

from demo_site.dice import Dice  # noqa: E402
from demo_site.prose import Writer, topics  # noqa: E402

TEMPLATES = 3
"""Layouts of a site: two that look alike would be one cluster."""
SITE_SPREAD, PAGE_SPREAD = 0.55, 0.25
"""Standard deviations of the logarithm of size, over sites and over the pages of a site."""
SMALLEST, LARGEST = 0.25, 2.6
"""How far a page's weight goes from that of the middle one: 20 to 200 KB."""
WORDS = "main inner box grid row col list item card head title link text media thumb".split()
PREFIXES = ("", "c-", "td-", "site-", "u-", "news-", "wp-", "m_", "x-")
SUFFIXES = ("", " clearfix", " col-md-8 col-sm-12", " js-track", " has-border theme-light")
PARAGRAPHS = (("fact", "said"), ("history", "numbers", "fact"), ("said",), ("fact", "fact", "said"))


class Page(NamedTuple):
    """A page as it is served."""

    url: str
    html: str


class Site:
    """One site; `size` is how heavy its pages are, 1 for the middle of the web."""

    def __init__(self, number: int, size: float | None = None) -> None:
        self.host = f"site{number}.example"
        self._number = number
        drawn = math.exp(SITE_SPREAD * _normal(Dice("size", number)))
        self._size = drawn if size is None else size
        self._spread = PAGE_SPREAD if size is None else 0.0
        self._layouts = [_Layout(number, template, self._size) for template in range(TEMPLATES)]

    def page(self, number: int) -> Page:
        """One page of it."""
        dice = Dice("page", self._number, number)
        weight = self._size * math.exp(self._spread * _normal(dice))
        weight = min(max(weight, SMALLEST), LARGEST) if self._spread else weight
        layout = self._layouts[dice.below(TEMPLATES)]
        return Page(
            f"https://{self.host}/{layout.section}/{number}.html",
            layout.page(number, weight, dice),
        )

    def pages(self, count: int) -> Iterator[Page]:
        """The first ones."""
        return map(self.page, range(count))


def pages(sites: int, pages_a_site: int) -> Iterator[Page]:
    """The pages of several sites, in turn, as a crawl of them would bring them."""
    built = [Site(number) for number in range(sites)]
    for number in range(pages_a_site):
        for site in built:
            yield site.page(number)


def _normal(dice: Dice) -> float:
    return math.sqrt(-2 * math.log(1 - dice.random())) * math.cos(2 * math.pi * dice.random())


_SINGLE_QUOTED = re.compile("='([^'<>]*)'")


def _double_quoted(html: str) -> str:
    """Attributes as most of the web writes them; here they stand in Python's own quotes."""
    return _SINGLE_QUOTED.sub(r'="\1"', html)


@lru_cache(maxsize=100_000)
def _headline(site: int, number: int) -> str:
    dice = Dice("headline", site, number)
    return Writer("en", dice, dice.pick(topics("en"))).fresh("headline")


class _Layout:
    """What the pages of one template of a site have in common."""

    def __init__(self, site: int, template: int, size: float) -> None:
        dice = Dice("layout", site, template)
        self._site = site
        self.section = dice.pick(("news", "blog", "local", "sport", "culture", "science"))
        self._dice = dice
        self._names: dict[str, str] = {}
        self._container = dice.pick(("div", "div", "section", "main"))
        self._article = dice.pick(("div", "div", "article"))
        self._wrappers = dice.between(1, 5)
        self._comments = dice.pick((0, 0, 3, 8))
        self._sidebar_first = dice.chance(0.3)
        self._boxes = dice.between(3, 6)
        self._nested_cards = dice.between(3, 5)
        links = min(max(size, 0.3), 2.5)
        header = self._header(int(links * dice.between(30, 75)))
        self._top = _double_quoted(self._head(size) + header)
        self._bottom = _double_quoted(self._footer(int(links * dice.between(25, 60)), size))

    def _name(self, role: str) -> str:
        """An attribute list for an element, the same each time."""
        if role not in self._names:
            dice = self._dice
            name = f"{dice.pick(PREFIXES)}{role}-{dice.pick(WORDS)}"
            attributes = f' class="{name}{dice.pick(SUFFIXES)}"'
            if dice.chance(0.5):
                attributes += f' data-{dice.pick(WORDS)}="{{&quot;id&quot;:{dice.below(10**9)}}}"'
            self._names[role] = attributes
        return self._names[role]

    def _head(self, size: float) -> str:
        dice = self._dice
        metas = "".join(
            f'<meta property="x:{word}" content="{self._headline(dice.below(1000))}">\n'
            for word in WORDS
        )
        files = "".join(
            f'<link rel="{kind}" href="/assets/{dice.below(10**8):08x}/{kind}-{n}.css">\n'
            for n, kind in enumerate(("stylesheet",) * 8 + ("preload",) * 4 + ("icon",) * 3)
        )
        style = "".join(
            f".{dice.pick(PREFIXES)}{dice.pick(WORDS)}{{margin:{dice.below(64)}px;padding:"
            f"{dice.below(64)}px;color:#{dice.below(1 << 24):06x}}}\n"
            for _ in range(int(size * 100))
        )
        return f"{metas}{files}<style>\n{style}</style>\n{self._script(int(size * 9000))}"

    def _script(self, characters: int) -> str:
        dice = self._dice
        calls = "".join(
            f'_q.push(["slot{dice.below(10**6)}",{{"w":{dice.below(970)},"h":{dice.below(600)}}}]);'
            for _ in range(characters // 45)
        )
        return f"<script>\nvar _q=_q||[];if(1<2){{{calls}}}\n</script>\n"

    def _header(self, links: int) -> str:
        columns = "".join(
            f"\t\t\t<li{self._name('menu')} id='menu-item-{self._dice.below(10**5)}'>\n"
            f"\t\t\t\t<a{self._name('menu-link')} title='Go there' href='/{self._dice.pick(WORDS)}/"
            f"{n}/'><span>{self._dice.pick(WORDS).title()} {n}</span></a>"
            + ("<ul><li><a href='/all/'>All</a></li></ul>" if n % 5 == 0 else "")
            + "</li>\n"
            for n in range(links)
        )
        return (
            f"</head>\n<body{self._name('page')}>\n<!-- header -->\n<header{self._name('header')}>"
            f"<div{self._name('logo')}><a href='/'><img src='/logo.svg' alt=''>The site</a></div>"
            f"<form action='/search'><input name='q'><button>Search</button></form>"
            f"<nav{self._name('nav')}><ul>\n{columns}</ul></nav></header>\n"
        )

    def _footer(self, links: int, size: float) -> str:
        rows = "".join(
            f"<li{self._name('foot')}><a href='/about/{n}/'>{self._dice.pick(WORDS).title()} "
            f"{self._dice.pick(WORDS)}</a></li>\n"
            for n in range(links)
        )
        tail = "".join(self._script(int(size * 4300)) for _ in range(3))
        return (
            f"<footer{self._name('footer')}><div{self._name('foot-in')}><ul>\n{rows}</ul>"
            "<p>All rights reserved. Printed on imaginary paper.</p></div></footer>\n"
            f"<!-- tail -->\n{tail}</body>\n</html>\n"
        )

    def _headline(self, number: int) -> str:
        return _headline(self._site, number)

    def page(self, number: int, weight: float, dice: Dice) -> str:
        """Write a page."""
        title = self._headline(number)
        opening = "".join(f"<div{self._name(f'wrap{n}')}>\n" for n in range(self._wrappers))
        closing = "</div>\n" * self._wrappers
        parts = [self._story(number, title, weight, dice), self._sidebar(number, weight, dice)]
        if self._sidebar_first:
            parts.reverse()
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f"<title>{title} - The site</title>\n"
            f'<meta property="og:title" content="{title}">\n{self._top}{opening}'
            f"<{self._container}{self._name('content')}>\n{_double_quoted(''.join(parts))}"
            f"</{self._container}>\n{closing}{self._bottom}"
        )

    def _story(self, number: int, title: str, weight: float, dice: Dice) -> str:
        writer = Writer("en", dice, dice.pick(topics("en")))
        paragraphs = []
        for place in range(max(2, int(weight * dice.between(5, 22)))):
            sentences = writer.join(*(writer.fresh(kind) for kind in dice.pick(PARAGRAPHS)))
            if dice.chance(0.3):
                sentences += f" <a href='/{self.section}/{dice.below(10**6)}.html'>More here</a>."
            paragraphs.append(f"<p>{sentences}</p>\n")
            if place % 4 == 3:
                paragraphs.append(f"<h2>{writer.fresh('subheading')}</h2>\n")
        shares = "".join(
            f"\t\t\t<li{self._name('share')}><a href='https://{word}.example/?u={number}'><i></i>"
            f"<span>{word}</span></a></li>\n"
            for word in ("post", "chirp", "mail", "pin", "save")
        )
        comments = "".join(
            f"<div id='comment-{number}{n}'{self._name('comment')}><div{self._name('comment-by')}>"
            f"<b>{writer.phrase('nick')}</b> <time>{dice.between(7, 23)}:{dice.between(10, 59)}"
            f"</time></div><p>{writer.fresh('comment')}</p><div{self._name('reply')}>"
            f"<a href='#r{n}'>Reply</a></div></div>\n"
            for n in range(int(weight * self._comments * dice.random() * 2))
        )
        return (
            f"<{self._article}{self._name('article')}>\n<h1{self._name('title')}>{title}</h1>\n"
            f"<div{self._name('byline')}>By <a href='/staff/'>{writer.phrase('anyone')}</a>"
            f" <time datetime='2024-05-01'>{dice.between(1, 28)} May 2024</time></div>\n"
            f"<ul{self._name('shares')}>\n{shares}</ul>\n<figure{self._name('figure')}><img src="
            f"'/media/{number}.jpg' width='720' height='405' alt=''><figcaption>"
            f"{writer.fresh('caption')}</figcaption></figure>\n<div{self._name('body')}>\n"
            f"{''.join(paragraphs)}</div>\n</{self._article}>\n"
            f"<div{self._name('comments')}>{comments}</div>\n"
        )

    def _sidebar(self, number: int, weight: float, dice: Dice) -> str:
        inner = "".join(f"<div{self._name(f'card{n}')}>" for n in range(self._nested_cards))
        ends = "</div>" * self._nested_cards
        boxes = []
        for box in range(self._boxes):
            cards = "".join(
                f"\t\t\t\t<li{self._name('card')} data-id='{other}'>\n\t\t\t\t\t{inner}\n"
                f"\t\t\t\t\t\t<a{self._name('card-link')} data-track='click|teaser|{other}' "
                f"href='/{self.section}/{other}.html?utm_source=box{box}&amp;utm_medium=teaser'>"
                f"<img src='/media/{other}-320x180.jpg' srcset='/media/{other}-640x360.jpg 2x, "
                f"/media/{other}-960x540.jpg 3x' loading='lazy' width='320' height='180' alt=''>"
                f"<span{self._name('card-title')}><b>{self._headline(other)}</b></span><i></i></a>{ends}</li>\n"
                for other in (
                    max(0, number - dice.between(1, 60)) for _ in range(int(weight * 7) + 1)
                )
            )
            boxes.append(
                f"<div{self._name(f'box{box}')}><h3{self._name('box-title')}>Most read {box}</h3>"
                f"<ul>\n{cards}</ul></div>\n"
            )
        return f"<aside{self._name('aside')}>\n{''.join(boxes)}</aside>\n"
