"""A page with two decisions: the actual one, and the one made from the page alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrapy_mainblock.judge.claims import Choice
from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.lazy import cached
from scrapy_mainblock.recipe.claims import claims
from scrapy_mainblock.recipe.decide import Decided, decide, without_rule
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.render.article import ALL_FIELDS
from scrapy_mainblock.report.parts import PagePart, parts_of
from scrapy_mainblock.template.rules import SiteRules


@dataclass(frozen=True)
class Inspected:
    """A page, the Decision that `extract` makes on it, and what the reports derive from both."""

    page: Outline
    decision: Decision
    alone: Decision
    """The Decision without rules; the same object as `decision` if no rule was used."""
    decided: Decided
    """The Decision together with its headline."""
    reading: Reading
    rules: SiteRules | None

    @property
    def headline(self) -> str | None:
        """The page's headline."""
        return self.decided.headline

    @cached
    def claims(self) -> dict[str, Choice]:
        """The choices that fill the article's fields other than the body."""
        return claims(self.reading, self.decided, ALL_FIELDS, self.rules, explained=True)

    @cached
    def likely(self) -> Sequence[float] | None:
        """Probability of each segment being content, from the page alone; None if no model ran."""
        return self.decision.likely or self.alone.likely

    @cached
    def parts(self) -> list[PagePart]:
        """The segments as `decision` judged them."""
        return parts_of(self.page, self.decision, self.likely)

    @cached
    def agreement(self) -> float:
        """F1, in characters, between what the rule keeps and what the page alone would keep."""
        both = rule = alone = 0
        sizes = list(self.page.rows.segment_chars)
        for size, by_rule, by_page in zip(sizes, self.decision.kept, self.alone.kept, strict=False):
            rule += size * by_rule
            alone += size * by_page
            both += size * (by_rule & by_page)
        return 2 * both / (rule + alone) if rule + alone else 1.0


def inspect_page(page: Outline, rules: SiteRules | None) -> Inspected:
    """Decide on a page both with its rules and without them."""
    reading = Reading(page)
    decided = decide(reading, rules)
    decision = decided.decision
    alone = decision if decision.method != "rule" else without_rule(reading).decision
    return Inspected(page, decision, alone, decided, reading, rules)
