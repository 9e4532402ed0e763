"""Generates the content of a template's pages from its recipe, without any markup.

There are two steps, because pages link to each other: `announce` returns what other pages show of a
page (path, headline, teaser), `write` its whole content. Both start from the same dice, so nothing
has to be kept between them.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .dice import Dice
from .model import (
    Block,
    Code,
    Comment,
    Heading,
    Listing,
    Paragraph,
    Quote,
    Ref,
    Story,
    Table,
)
from .prose import Writer, topics

FIRST_DAY = datetime.date(2021, 3, 1)
CLAUSE_END = re.compile(r"[.,;:?!“”]")
BYLINES, UNSIGNED, OF_TWO = 6, 4, 1
"""Of every BYLINES stories, number UNSIGNED has no author and number OF_TWO has two."""
NOT_IN_SLUG = re.compile(r"[^a-z0-9]+")
PARAGRAPH_PATTERNS = (
    ("fact", "fact", "said"),
    ("said",),
    ("history", "history", "numbers"),
    ("numbers", "fact"),
    ("fact", "numbers", "said", "fact"),
    ("said", "outlook"),
    ("fact",),
    ("history", "fact", "fact", "said", "numbers"),
    ("outlook", "fact", "said"),
    ("history", "said"),
)


@dataclass(frozen=True)
class Recipe:
    """What the pages of a template are about, and how long they are."""

    form: str
    """The kind of text: news, docs, forum or shop."""
    words: str = "en"
    short_share: float = 0.0
    """The share of articles that are one or two sentences long."""
    silent_share: float = 0.3
    """The share of the other articles that have few comments or none."""
    commented: bool = True
    inline_adverts: bool = False
    long_form: bool = False
    is_signed: bool = False
    """Whether every page names exactly one author."""


@dataclass(frozen=True)
class Company:
    """The other pages to which a page shows links."""

    section: Sequence[Ref]
    most_read: tuple[Ref, ...]


def announce(
    recipe: Recipe, key: tuple[object, ...], number: int, path: Callable[[Ref, str], str]
) -> Ref:
    """Return what is known of a page before it is written; `path` makes its path."""
    _, ref = _begin(recipe, key, number)
    slug = NOT_IN_SLUG.sub("-", ref.headline.lower()).strip("-")[:60].strip("-")
    named = _named(recipe, key, ref)
    return Ref(**{**vars(ref), "path": path(ref, slug or f"a{number}"), **named})


def _named(recipe: Recipe, key: tuple[object, ...], ref: Ref) -> dict[str, object]:
    """Return the people that a page names, drawn by separate dice that do not affect its text."""
    if recipe.form != "news":
        return {"authors": (ref.author,) if recipe.form == "forum" else ()}
    writer = Writer(recipe.words, Dice(*key, ref.number, "names"), ref.topic)
    second, photographer = writer.phrase("anyone"), writer.phrase("anyone")
    place = ref.number % BYLINES
    if recipe.is_signed:
        authors: tuple[str, ...] = (ref.author,)
    elif place == UNSIGNED:
        authors = ()
    elif place == OF_TWO and second != ref.author:
        authors = (ref.author, second)
    else:
        authors = (ref.author,)
    return {"authors": authors, "photographer": photographer}


def write(recipe: Recipe, key: tuple[object, ...], ref: Ref, company: Company) -> Story:
    """Write the content of a page that was announced."""
    writer, _ = _begin(recipe, key, ref.number)
    dice = writer.dice
    related = tuple(
        other for other in dice.sample(company.section, dice.between(4, 7)) if other != ref
    )
    if recipe.form == "forum":
        posts = _thread(writer, ref)
        return Story(
            ref,
            tuple(Paragraph(text) for post in posts for text in post.paragraphs),
            comments=posts,
            related=related,
            most_read=company.most_read,
        )
    short = dice.chance(recipe.short_share)
    blocks = _FORMS[recipe.form](writer, ref, recipe, short)
    position = ref.number
    return Story(
        ref,
        tuple(_linked(writer, blocks, related)),
        comments=_comments(writer, ref, recipe, short),
        tags=_tags(writer) if recipe.form == "news" else (),
        captions=tuple(writer.fresh("caption") for _ in range(2)) if recipe.form == "news" else (),
        related=related,
        most_read=company.most_read,
        previous=company.section[position - 1] if position > 0 else None,
        following=company.section[position + 1] if position + 1 < len(company.section) else None,
    )


def _begin(recipe: Recipe, key: tuple[object, ...], number: int) -> tuple[Writer, Ref]:
    dice = Dice(*key, number)
    writer = Writer(recipe.words, dice, dice.pick(topics(recipe.words)))
    if recipe.form == "forum":
        writer.keep("object", "object")
        writer.keep("symptom", "symptom")
    if recipe.form == "shop":
        for role in ("brand", "model", "kind"):
            writer.keep(role, role)
    return writer, Ref(
        number=number,
        path="",
        headline=writer.fresh("headline"),
        teaser=writer.fresh("opening"),
        author=writer.phrase("nick" if recipe.form == "forum" else "anyone"),
        # Two or three pages a week: a section has a past, and its numbers increase with time.
        date=FIRST_DAY + datetime.timedelta(days=(number * 5 + dice.below(4)) // 2),
        topic=writer.topic,
    )


def _news(writer: Writer, ref: Ref, recipe: Recipe, short: bool) -> list[Block]:
    dice = writer.dice
    if short:
        more = [writer.fresh("fact")] if dice.chance(0.5) else []
        return [Paragraph(writer.join(ref.teaser, *more))]
    opening = [ref.teaser, *(writer.fresh("fact") for _ in range(dice.below(3)))]
    blocks: list[Block] = [Paragraph(writer.join(*opening))]
    divided = recipe.long_form or dice.chance(0.5)
    count = dice.between(18, 28) if recipe.long_form else dice.between(4, 13)
    inserted = dice.shuffled(range(1, count))
    extras = {
        position: extra
        for position, extra, probability in zip(
            inserted,
            (_list_with_lead, _quote, _table_with_lead),
            (0.4, 0.4, 0.25),
            strict=False,  # a story of few paragraphs has room for only some of them
        )
        if dice.chance(1 if recipe.long_form else probability)
    }
    for position in range(1, count):
        if divided and position % 4 == 3:
            blocks.append(Heading(writer.fresh("subheading")))
        blocks.append(_paragraph(writer, recipe))
        if position in extras:
            blocks.extend(extras[position](writer))
    return blocks


def _paragraph(writer: Writer, recipe: Recipe) -> Paragraph:
    sentences = [writer.fresh(symbol) for symbol in writer.dice.pick(PARAGRAPH_PATTERNS)]
    advert = recipe.inline_adverts and len(sentences) > 2 and writer.dice.chance(0.25)
    return Paragraph(writer.join(*sentences), advert_after=sentences[0] if advert else None)


def _list_with_lead(writer: Writer) -> list[Block]:
    items = tuple(writer.fresh("point") for _ in range(writer.dice.between(3, 6)))
    return [Paragraph(writer.fresh("listlead")), Listing(items, ordered=writer.dice.chance(0.3))]


def _quote(writer: Writer) -> list[Block]:
    return [Quote(writer.fresh("pullquote"))]


def _table_with_lead(writer: Writer) -> list[Block]:
    dice = writer.dice
    year = dice.between(2014, 2021)
    name = "地区" if writer.chinese else "Place"
    rows: list[tuple[str, ...]] = [(name, str(year), str(year + 1), str(year + 2))]
    for _ in range(dice.between(3, 6)):
        place = writer.phrase("anytown")
        rows.append((place, *(f"{dice.between(1, 48)},{dice.between(100, 999)}" for _ in range(3))))
    return [Paragraph(writer.fresh("tablelead")), Table(tuple(rows))]


def _docs(writer: Writer, ref: Ref, _recipe: Recipe, short: bool) -> list[Block]:
    dice = writer.dice
    blocks: list[Block] = [Paragraph(writer.join(ref.teaser, writer.fresh("explain")))]
    for section in range(dice.between(1, 2) if short else dice.between(3, 5)):
        if section:
            blocks.append(Heading(writer.fresh("heading")))
        for _ in range(dice.between(1, 3)):
            sentences = [writer.fresh("explain") for _ in range(dice.between(1, 4))]
            blocks.append(Paragraph(writer.join(*sentences)))
        blocks.append(dice.pick((_code, _code, _steps, _options))(writer))
    if not any(isinstance(block, Code) for block in blocks):
        blocks.append(_code(writer))
    return blocks


def _code(writer: Writer) -> Block:
    writer.keep("nounid", "nounid")
    text = writer.phrase("code").replace("~", "\n")
    del writer.cast["nounid"]
    return Code(text)


def _steps(writer: Writer) -> Block:
    count = writer.dice.between(3, 5)
    return Listing(tuple(writer.fresh("step") for _ in range(count)), ordered=True)


def _options(writer: Writer) -> Block:
    rows = [("Option", "Default", "Meaning")]
    for _ in range(writer.dice.between(3, 6)):
        option = writer.phrase("option")
        rows.append((option, str(writer.dice.between(1, 600)), writer.phrase("optionmeaning")))
    return Table(tuple(rows))


def _shop(writer: Writer, ref: Ref, _recipe: Recipe, short: bool) -> list[Block]:
    dice = writer.dice
    blocks: list[Block] = [Paragraph(writer.join(ref.teaser, writer.fresh("describe")))]
    for _ in range(0 if short else dice.between(1, 3)):
        sentences = [writer.fresh("describe") for _ in range(dice.between(2, 4))]
        blocks.append(Paragraph(writer.join(*sentences)))
    blocks.append(Listing(tuple(writer.fresh("feature") for _ in range(dice.between(3, 7)))))
    specification = dict(writer.fresh("spec").split(": ", 1) for _ in range(dice.between(5, 9)))
    blocks.append(Table(tuple(specification.items())))
    return blocks


_FORMS: dict[str, Callable[[Writer, Ref, Recipe, bool], list[Block]]] = {
    "news": _news,
    "docs": _docs,
    "shop": _shop,
}


def _thread(writer: Writer, ref: Ref) -> tuple[Comment, ...]:
    dice = writer.dice
    first = [ref.teaser, *(writer.fresh("question") for _ in range(dice.between(1, 3)))]
    answers = dice.between(2, 5) if dice.chance(0.25) else dice.between(5, 18)
    opened, *clocks = _clocks(dice, ref.date, answers + 1, a_day=3)
    posts = [Comment(ref.author, opened, (writer.join(*first),), _signature(writer))]
    for number, when in enumerate(clocks):
        asker = number % 4 == 3
        symbol = "reply" if asker else "answer"
        paragraphs = tuple(
            writer.join(*(writer.fresh(symbol) for _ in range(dice.between(1, 3))))
            for _ in range(dice.between(1, 2))
        )
        author = ref.author if asker else writer.phrase("nick")
        posts.append(Comment(author, when, paragraphs, _signature(writer)))
    return tuple(posts)


def _signature(writer: Writer) -> str:
    return writer.phrase("signature") if writer.dice.chance(0.4) else ""


def _clocks(dice: Dice, day: datetime.date, count: int, a_day: int) -> list[str]:
    """Draw the times at which `count` comments were written, in order."""
    return sorted(
        f"{day + datetime.timedelta(days=number // a_day)} "
        f"{dice.between(7, 23):02d}:{dice.below(60):02d}"
        for number in range(count)
    )


def _comments(writer: Writer, ref: Ref, recipe: Recipe, short: bool) -> tuple[Comment, ...]:
    dice = writer.dice
    if not recipe.commented:
        return ()
    if short:
        count = dice.between(12, 45)
    elif dice.chance(recipe.silent_share):
        count = dice.below(3)
    else:
        count = dice.between(4, 9) if dice.chance(0.5) else dice.between(20, 40)
    comments = []
    for when in _clocks(dice, ref.date, count, a_day=6):
        sentences = (writer.fresh("comment") for _ in range(1 + dice.below(3)))
        comments.append(Comment(writer.phrase("nick"), when, (writer.join(*sentences),)))
    return tuple(comments)


def _tags(writer: Writer) -> tuple[str, ...]:
    drawn = (writer.phrase("tag") for _ in range(writer.dice.between(3, 6)))
    return tuple(dict.fromkeys(drawn))


def _linked(writer: Writer, blocks: list[Block], related: Sequence[Ref]) -> list[Block]:
    """Return the blocks with a few words of some paragraphs turned into links, as editors do."""
    dice = writer.dice
    linked = list(blocks)
    for position, block in enumerate(blocks):
        if isinstance(block, Paragraph) and dice.chance(0.3):
            phrase = _some_words(writer, block.text)
            if dice.chance(0.6) and related:
                target = dice.pick(related).path
            else:
                target = f"https://archive.example.org/records/{dice.between(10000, 99999)}"
            linked[position] = Paragraph(block.text, (phrase, target), block.advert_after)
    return linked


def _some_words(writer: Writer, text: str) -> str:
    dice = writer.dice
    if writer.chinese:
        start = dice.below(max(1, len(text) - 12))
        return text[start : start + dice.between(4, 8)]
    words = text.split(" ")
    start = dice.below(max(1, len(words) - 5))
    drawn = " ".join(words[start : start + dice.between(2, 4)])
    return max(CLAUSE_END.split(drawn), key=len).strip()
