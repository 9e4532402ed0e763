"""What is asked of a whole page, found in one walk over its tree.

Right behind a parse a page's nodes have left the fastest memory, so that to go over them costs more
than what is done on the way. Only compiled code does it in one walk; without it there is no survey,
and each who asks goes over the tree as is written where the question is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lxml.html import HtmlElement

from scrapy_mainblock.core.native import compiled
from scrapy_mainblock.core.repair import IN_BUTTON, IN_NOSCRIPT, MOST_LOOKED_AT

if TYPE_CHECKING:
    from scrapy_mainblock.core.native.survey import Questions, Survey

_native = compiled("survey")

MOST_HEADINGS = 20
"""First-level headings that are read, those without a text among them."""
MOST_TITLES = 20
"""A picture has a title too, a tag of the same name."""

Question = tuple[str, list[str], Sequence[tuple[bytes, int]] | None]
"""Which elements have some words in an attribute (`rules.Rule`), and where one of them most likely
is: if it has them, the others are not asked for."""


MOST_QUESTIONS = 16


def asking(questions: Sequence[Question]) -> Questions | None:
    """Questions made ready to be put to pages; None for none, and where nothing is compiled."""
    if _native is None or not 0 < len(questions) <= MOST_QUESTIONS:
        return None
    made: Questions = _native.Questions(questions)
    return made


def survey_of(root: HtmlElement, questions: Questions | None = None) -> Survey | None:
    """The survey of a page; None where nothing is compiled, or the tree is an odd one.

    The questions are those of `asking`.
    """
    if _native is None:
        return None
    found: Survey | None = _native.survey(
        root, questions, MOST_LOOKED_AT, IN_BUTTON, IN_NOSCRIPT, MOST_HEADINGS, MOST_TITLES
    )
    return found
