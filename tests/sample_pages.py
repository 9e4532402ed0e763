"""Builders of sample pages: a test states only what matters to it."""

from __future__ import annotations

FIGURE_2 = (
    "而部分城市出现的开发商打折售楼,并不是特别的新闻,前几年多个城市都已出现过,它们大都("
    '<a href="http://ads.example.net/1">价格</a> <a href="http://ads.example.net/2">动态</a> '
    '<a href="http://ads.example.net/3">户型图</a> <a href="http://ads.example.net/4">论坛</a>'
    ")是在银根收紧的压力下,部分开发商资金链出现断裂后的无奈之举,但这样的情况并不多见,也不会长久,"
    "多数城市的房价仍然平稳,买家可以从容选择,不必着急,市场人士这样表示,记者随后走访了几处楼盘。"
)
"""The advert inside a sentence of [Wang14], figure 2."""


def words(count: int, word: str = "word") -> str:
    """Return a text of so many units."""
    return " ".join(f"{word}{number}" for number in range(count))


def link(text: str = "link", href: str = "/page", attributes: str = "") -> str:
    return f'<a href="{href}"{attributes}>{text}</a>'


def menu(links: int, *, between: int = 0, element: str = "li") -> str:
    """Return links one after another, with so many words of text behind each."""
    text = f" {words(between, 'teaser')} " if between else ""
    return "\n".join(
        f'<{element} class="item">{link(f"Link {number}", f"/{number}")}{text}</{element}>'
        for number in range(links)
    )


def paragraphs(count: int, length: int = 60, word: str = "body") -> str:
    return "\n".join(f"<p>{words(length, f'{word}{number}n')}.</p>" for number in range(count))


def page(*parts: str, title: str = "A page") -> str:
    inside = "\n".join(parts)
    return f"<!DOCTYPE html><html><head><title>{title}</title></head>\n<body>{inside}</body></html>"


def content_page(
    *,
    nav: int = 12,
    footer: int = 8,
    body: int = 8,
    length: int = 60,
    adverts: int = 0,
    lone_links: int = 0,
    teasers: int = 4,
) -> str:
    """Return a page with a menu, paragraphs, related links with teasers, a sentence and a footer.

    `adverts` is the number of runs of four links inside a sentence, `lone_links` that of single
    links in the body.
    """
    inside = [paragraphs(1, length, f"part{number}n") for number in range(body)]
    for number in range(adverts):
        inside.insert(2 * number + 1, f"<p>{FIGURE_2}</p>")
    for number in range(lone_links):
        lone = f"<p>{words(length)} {link('lone')} {words(length)}</p>"
        inside.insert(3 * number + 1, lone)
    return page(
        f"<ul>{menu(nav)}</ul>",
        f"<article>{''.join(inside)}</article>",
        f"<aside>{menu(4, between=teasers)}</aside><p>{words(20, 'imprint')}</p>",
        f"<footer>{menu(footer)}</footer>",
    )


def index_page(*, sections: int = 6, links: int = 20, between: int = 2, intro: int = 12) -> str:
    """Return sections of links with little text between them.

    Each section has an introduction whose length grows with its number, by `intro` words up to 40.
    """
    return page(
        *(
            f"<section><h2>{words(min(40, intro * (number % 4)), 'intro')}</h2>"
            f"<ul>{menu(links, between=between)}</ul></section>"
            for number in range(sections)
        )
    )
