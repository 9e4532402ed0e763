"""Comments and teasers beside an article: rows of entries, each with a date and time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from growth import assert_linear, most_of
from pages import outline, words

from scrapy_mainblock.judge import decision
from scrapy_mainblock.judge.content.entries import row_of_entries
from scrapy_mainblock.judge.judgement import Judgement
from scrapy_mainblock.judge.page_type import TYPES
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.recipe.reading import Reading

HEADLINE = "<h1>A bridge over the river</h1>"
ARTICLE = "".join(f"<p>{words(40, stem)}.</p>" for stem in ("bridge", "river"))
STAMP = "Posted by Ann on January 10, 2008 5:58 PM"
URL = "http://e.com/x"


def thread(stamp: str = STAMP, entries: int = 4, *, as_blocks: bool = True) -> str:
    begins, ends = ('<div class="entry">', "</div>") if as_blocks else ("", "")
    return "".join(
        f'{begins}<p class="text">Answer {number}</p><p class="when">{stamp}</p>{ends}'
        for number in range(entries)
    )


def dropped_entries(
    page: Outline, headline: int = -1, *, is_article: bool = True, unlikely: tuple[str, ...] = ()
) -> list[str]:
    kept = np.array([text not in unlikely for text in page.texts], np.uint8)
    first, end = row_of_entries(page.places, page.folded, kept, headline, is_article)
    return page.texts[first:end]


@pytest.mark.parametrize("as_blocks", [True, False])
def test_comments_below_an_article_are_entries_with_their_text(as_blocks: bool) -> None:
    page = outline(f"{HEADLINE}{ARTICLE}<h3>Comments</h3>{thread(as_blocks=as_blocks)}")
    found = dropped_entries(page, 0, unlikely=("Comments",))
    assert found == [line for number in range(4) for line in (f"Answer {number}", STAMP)]


def test_article_not_separated_from_its_comments_stays() -> None:
    page = outline(f"{HEADLINE}{ARTICLE}{thread(as_blocks=False)}")
    assert dropped_entries(page, 0) == page.texts[page.texts.index(STAMP) :]


def test_text_behind_the_last_stamp_is_an_entry_too() -> None:
    inside = "".join(f"<p class=when>{STAMP}</p><p>Answer {number}</p>" for number in range(4))
    page = outline(f"{HEADLINE}{ARTICLE}{inside}")
    assert dropped_entries(page, 0)[-1] == "Answer 3"


@pytest.mark.parametrize(
    ("stamp", "is_one"),
    [
        (STAMP, True),
        ("2012-10-11 10:48", True),
        ("10:48:12 17.11.2011", True),
        ("7 января, 9:37", True),
        ("10月11日 10:48", True),
        ("Posted by Ann, today at 5:58 PM", False),
        ("Ann (00:12)", False),
        ("1:09", False),
        ("3:30 - 8:00 pm", False),
        ("26.10.2025 | 2.43 min", False),
        ("25:16 and 5:61 and 1:234 of 12", False),
        ("January 10, 2008", False),
        (f"{STAMP}, {words(20)}", False),
    ],
)
def test_stamp_is_a_short_line_with_a_time_and_a_date(stamp: str, is_one: bool) -> None:
    page = outline(f"{HEADLINE}{ARTICLE}<h3>Comments</h3>{thread(stamp)}")
    assert bool(dropped_entries(page, 0)) == is_one


@pytest.mark.parametrize(
    ("stamp", "is_one"),
    [("Today, 9:37", True), ("今天 10:48", True), (STAMP, True), ("1:09", False)],
)
def test_stamp_above_the_headline_needs_only_a_time(stamp: str, is_one: bool) -> None:
    page = outline(f"{thread(stamp)}{HEADLINE}{ARTICLE}")
    assert dropped_entries(page, 8, is_article=False) == (page.texts[:8] if is_one else [])


@pytest.mark.parametrize(
    ("inside", "is_article"),
    [
        (f"{HEADLINE}{ARTICLE}{thread()}", False),
        (f"{HEADLINE}{ARTICLE}{thread(entries=2)}", True),
        (f"{HEADLINE}{thread(entries=30)}", True),
        ("", True),
    ],
    ids=["no article", "two", "nothing beside them", "nothing"],
)
def test_pages_without_entries(inside: str, is_article: bool) -> None:
    assert dropped_entries(outline(inside), 0, is_article=is_article) == []


LIVE = '<script type="application/ld+json">{"@type": "LiveBlogPosting"}</script>'


@pytest.mark.parametrize(
    ("kind", "head", "is_dropped"),
    [("article", "", True), ("article", LIVE, False), ("forum", "", False)],
)
def test_live_blog_and_thread_stay(kind: str, head: str, is_dropped: bool) -> None:
    page = outline(f"{HEADLINE}{ARTICLE}<h3>Comments</h3>{thread()}", URL, head=head)
    read = Reading(page)
    count = len(page.texts)
    types = np.array([0.9 if one == kind else 0.02 for one in TYPES])
    read.judgement = Judgement(np.full(count, 0.9), types, np.array([*map(len, page.texts)], float))
    entries = [one for one, why in enumerate(read.why) if why == decision.ENTRY]
    assert entries == (list(range(4, 12)) if is_dropped else [])


@pytest.mark.parametrize(
    "piece",
    [
        f"<p>{STAMP}",
        f"<div><p>{STAMP}</p>",
        f"<div><b>Answer</b><p>{STAMP}</p></div>",
        f"<p>{STAMP}</p><p>Answer",
    ],
)
def test_entries_take_linear_time(piece: str) -> None:
    def work(size: int) -> Callable[[], object]:
        page = outline(f"{HEADLINE}{ARTICLE}{piece * size}")
        places, folded = page.places, page.folded
        kept = np.ones(page.rows.segment_count, np.uint8)
        return lambda: row_of_entries(places, folded, kept, 0, True)

    assert_linear(work, 1000, most_of(piece))
