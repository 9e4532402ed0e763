"""Sites of the demo newspaper with planted traps, which make a learnt rule lose text.

Each trap is a site: pages that teach a rule, and pages that it is then used on, each with the text
for its readers. `python tests/planted_traps.py OUT.jsonl` writes them as labelled pages, for
`tools/learning.py`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

PAGES = 24
"""Pages of each site."""
TAUGHT = 12
"""How many of them teach the rule that is tried on all."""
LEAST_TEXT = 800
"""Least characters of an article: reading a shorter one alone cannot separate text and comments."""
_BODY = re.compile(r'(?s)(?<=<div class="article-body">).*?(?=\n    </div>\s*<ul class="tags">)')
_BLOCK = '<div class="article-body">'


class Planted(NamedTuple):
    """A page of a site with a trap; gold is None if the page has no text for readers."""

    html: str
    url: str
    gold: str | None
    is_trap: bool
    """Whether a rule learnt from the other pages goes wrong on this one."""


class Story(NamedTuple):
    """A page of the demo site, split around its text."""

    number: int
    before: str
    """The HTML up to and including the start tag of the article's block."""
    body: str
    after: str
    """The HTML from the block's end."""
    gold: str
    url: str

    def page(
        self,
        body: str | None = None,
        *,
        gold: str | None = "",
        block: str = _BLOCK,
        behind: str = "",
        is_trap: bool = False,
    ) -> Planted:
        """Return the page with another text in another block, and more HTML behind the block."""
        before = self.before.removesuffix(_BLOCK) + block
        inside = self.body if body is None else body
        after = self.after.removeprefix("\n    </div>")
        html = f"{before}{inside}\n    </div>{behind}{after}"
        return Planted(html, self.url, self.gold if gold == "" else gold, is_trap)

    @property
    def paragraphs(self) -> list[str]:
        """The paragraphs of its text."""
        return [one for one in self.gold.split("\n\n") if one]


@cache
def stories() -> tuple[Story, ...]:
    """Return articles of the demo site's newspaper."""
    import demo_site  # noqa: PLC0415 - when run as a script, this needs the path first

    site = demo_site.build(seed="traps", articles_per_template=6 * PAGES)
    # Half of the newspaper's pages have the redesign, and one in five is a line of news.
    pages = [
        page
        for page in site.pages
        if page.template == "newsroom" and page.gold and len(page.gold) > LEAST_TEXT
    ]
    found = []
    for number, page in enumerate(pages[:PAGES]):
        body = _BODY.search(page.html)
        assert body is not None, page.path
        before, after = page.html[: body.start()], page.html[body.end() :]
        found.append(Story(number, before, body[0], after, page.gold or "", site.url(page)))
    return tuple(found)


def prose(paragraphs: list[str]) -> str:
    """Return paragraphs as HTML."""
    return "".join(f"<p>{escape(one)}</p>\n" for one in paragraphs)


def is_odd(story: Story) -> bool:
    """Return whether a page has the trap: few of the teaching pages do, and more of the others."""
    return story.number >= TAUGHT and story.number % 3 == 0


def name_around_the_text() -> Iterator[Planted]:
    """`div.clearfix` holds share links on most pages, and surrounds the text on others."""
    share = '<div class="clearfix"><p>Share this story with your friends and followers</p></div>'
    for story in stories():
        if is_odd(story):
            yield story.page(f'<div class="clearfix">{story.body}</div>', is_trap=True)
        else:
            yield story.page(f"{share}{story.body}{share}")


def name_deep_in_the_text() -> Iterator[Planted]:
    """A name that is boilerplate two steps down, and the wrapper of the text one step down."""
    box = '<div class="box"><div class="detailed">Our newsletter: all that matters by 7</div></div>'
    for story in stories():
        if is_odd(story):
            yield story.page(f'<div class="detailed">{story.body}</div>{box}', is_trap=True)
        else:
            yield story.page(f"{box}{story.body}{box}")


def _of_list(story: Story, open_: str, close: str, row: str) -> Planted:
    items = [*story.paragraphs, *(f"{one} at a glance" for one in story.paragraphs)]
    lines = "".join(row.format(escape(one.split()[0]), escape(one)) for one in items)
    gold = "\n\n".join(f"{one.split()[0]} {one}" for one in items)
    return story.page(f"<p>These are the terms.</p>{open_}{lines}{close}", gold=gold)


def _taken_for_the_block(open_: str, close: str, row: str) -> Iterator[Planted]:
    for story in stories():
        if story.number < TAUGHT:
            yield _of_list(story, open_, close, row)
            continue
        extra = "".join(row.format(f"term {n}", f"what term {n} means") for n in range(3))
        gold = "\n\n".join([story.gold, *(f"term {n} what term {n} means" for n in range(3))])
        page = story.page(f"{story.body}{open_}{extra}{close}", gold=gold)
        yield page._replace(is_trap=True)


def list_as_block() -> Iterator[Planted]:
    """The teaching pages are lists; the others are prose with a short list below it."""
    return _taken_for_the_block('<ul class="itemizedlist">', "</ul>", "<li><b>{}</b> {}</li>")


def glossary_as_block() -> Iterator[Planted]:
    """Like `list_as_block`, with a glossary."""
    return _taken_for_the_block('<dl class="variablelist">', "</dl>", "<dt>{}</dt><dd>{}</dd>")


def table_as_block() -> Iterator[Planted]:
    """Like `list_as_block`, with a table."""
    row = "<tr><td>{}</td><td>{}</td></tr>"
    return _taken_for_the_block('<table class="simplelist">', "</table>", row)


def teaser_and_full() -> Iterator[Planted]:
    """Each article is there twice: its beginning as a teaser, and all of it."""
    for story in stories():
        cut = prose(story.paragraphs[: max(1, len(story.paragraphs) // 2)])
        full = prose(story.paragraphs)
        body = f'<div class="teaser">{cut}</div><div class="full">{full}</div>'
        yield story.page(body, is_trap=True)


def phone_and_desk() -> Iterator[Planted]:
    """Each article is there for phones and for desktops, at places of the same name."""
    for story in stories():
        text = f'<div class="text">{prose(story.paragraphs)}</div>'
        yield story.page(text + text, is_trap=True)


def text_to_print() -> Iterator[Planted]:
    """Each article is there again behind its block, for printing."""
    for story in stories():
        again = f'<div class="for-print">{prose(story.paragraphs)}</div>'
        yield story.page(behind=again, is_trap=True)


def pages_not_found() -> Iterator[Planted]:
    """Half of the teaching pages are errors in the layout of an article."""
    sorry = (
        "<p>The page that you asked for was not found. It may have been moved or deleted.</p>"
        "<p>Please check the address, or begin at the front page of the newspaper.</p>"
    )
    for story in stories():
        if story.number < TAUGHT and story.number % 2 == 0:
            before = re.sub("(?s)<h1>.*?</h1>", "<h1>Page not found</h1>", story.before)
            yield story._replace(before=before).page(sorry, gold=None)
        else:
            yield story.page(is_trap=True)


def redesigned() -> Iterator[Planted]:
    """In the middle of the crawl the block is renamed, and an offer gets its old name."""
    offer = "<p>Subscribe for a year and save. You can cancel at any time.</p></div>"
    for story in stories():
        if story.number < TAUGHT:
            yield story.page(behind=f'<div class="offer">{offer}')
        else:
            behind = f"{_BLOCK}{offer}"
            yield story.page(block='<div class="prose-wrap">', behind=behind, is_trap=True)


def two_templates() -> Iterator[Planted]:
    """One page in four has another template with the same blocks: its text is in another block."""
    for story in stories():
        transcript = f'<div class="transcript">{prose(story.paragraphs)}</div>'
        note = '<div class="transcript"><p>There is no transcript of this story.</p></div>'
        if story.number % 4 == 3:
            short = "<p>Watch the report, or read below what is said in it.</p>"
            yield story.page(short, behind=transcript, is_trap=True)
        else:
            yield story.page(behind=note)


def readers_additions() -> Iterator[Planted]:
    """The comments of readers have between nothing and several times the text of the article."""
    for story in stories():
        quotes = story.paragraphs
        comments = "".join(
            f'<li class="reader"><p class="who">reader{n} wrote:</p><div class="said">'
            f"<blockquote>{escape(quotes[n % len(quotes)])}</blockquote>"
            f"<p>I am reader {story.number * PAGES + n}, and I do not think that it was so at all."
            " Has anybody here ever been to one of those meetings?</p></div></li>"
            for n in range((0, 2, 40)[story.number % 3])
        )
        behind = f'<ol class="readers">{comments}</ol>'
        yield story.page(behind=behind, is_trap=story.number % 3 == 2)


def few_lost_pages() -> Iterator[Planted]:
    """On a few pages, all of the text but its first line is behind the block."""
    for story in stories():
        if is_odd(story):
            first, *rest = [*story.paragraphs, *(f"{one} So it was." for one in story.paragraphs)]
            behind = f'<div class="longread">{prose(rest)}</div>'
            gold = "\n\n".join([first, *rest])
            yield story.page(prose([first]), gold=gold, behind=behind, is_trap=True)
        else:
            yield story.page()


TRAPS: dict[str, Callable[[], Iterator[Planted]]] = {
    trap.__name__: trap
    for trap in (
        name_around_the_text,
        name_deep_in_the_text,
        list_as_block,
        glossary_as_block,
        table_as_block,
        teaser_and_full,
        phone_and_desk,
        text_to_print,
        pages_not_found,
        redesigned,
        two_templates,
        readers_additions,
        few_lost_pages,
    )
}


def labelled() -> Iterator[dict[str, object]]:
    """Yield all pages that have a text, as labelled rows; each trap is its own set and site."""
    for name, trap in TRAPS.items():
        for number, page in enumerate(trap()):
            if page.gold is not None:
                yield {
                    "id": f"{name}-{number}",
                    "url": page.url,
                    "site": f"{name.replace('_', '-')}.example",
                    "html": page.html,
                    "gold": page.gold,
                    "meta": {"set": name},
                }


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent / "example_project"))
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in labelled())
    Path(sys.argv[1]).write_text(text, "utf-8")
