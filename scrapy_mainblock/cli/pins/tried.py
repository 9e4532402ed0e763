"""Trial of a rule, or of one of its selectors, on pages before it is saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from scrapy_mainblock.cli.console import Problems, Progress, UsageError
from scrapy_mainblock.inputs.pages import InputPage, Inputs
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.template.rules import Rule, SiteRules, Template, find_block
from scrapy_mainblock.template.selection import Selection
from scrapy_mainblock.template.verdicts import DROPPED

Match = Callable[[Outline], bool]


class Tried(NamedTuple):
    """The number of pages that something was tried on, and of those that it matched."""

    matched: int
    pages: int

    def in_words(self) -> str:
        """Return the text that follows a rule in the output."""
        if not self.pages:
            return "not tested; use --pages IN to test it"
        return f"matches {self.matched} of {self.pages} pages"


def tried_on(
    names: list[str], site: str, template: Template | None, match: Match, problems: Problems
) -> Tried:
    """Try a match on the given pages of a site and, if a template is given, of its cluster.

    A page without a URL counts as of the site: the user passes it for this purpose.
    """
    if not names:
        return Tried(0, 0)
    matched = pages = others = 0
    inputs = Inputs(names, problems)
    with Progress("testing", inputs) as progress:
        for page in progress.over(inputs):
            if page.html is None:
                continue
            if not _is_of(page, site):
                others += 1
                continue
            outline = Outline(Page.of(page.html, page.url))
            if template is None or template.is_similar(outline.structure):
                pages += 1
                matched += match(outline)
    if not pages:
        whose = f"of {site}" + (f", cluster {template.cluster}" if template else "")
        raise UsageError(f"no page {whose} in --pages ({others} of other sites)")
    return Tried(matched, pages)


def _is_of(page: InputPage, site: str) -> bool:
    return not page.url or site in page.rule_keys()


def finds_block(rule: Rule) -> Match:
    """Return a test of whether a rule finds a block with text in it on a page."""

    def match(page: Outline) -> bool:
        hit = find_block(rule, page).hit
        return hit is not None and hit.under.first < hit.under.end

    return match


def finds_place(rule: Rule, selector: str) -> Match:
    """Return a test of whether a selector matches something with text in a rule's block."""
    selection = Selection(drop=(selector,))

    def match(page: Outline) -> bool:
        hit = find_block(rule, page).hit
        if hit is None:
            return False
        verdicts: Iterable[int] = selection.apply(page, hit.under).verdict
        return DROPPED in verdicts or bool(selection.inline_drops(page, hit.under))

    return match


def known_by(rules: SiteRules, rule: Rule) -> int:
    """Return on how many pages of a site a learned rule, current or former, has these names."""
    return sum(
        template.pages
        for template in rules.templates
        if any(
            _has(one, rule)
            for one in (template.rule, *(former.rule for former in template.history))
        )
    )


def _has(learned: Rule, rule: Rule) -> bool:
    return (
        bool(rule.id and rule.id == learned.id)
        or bool(rule.classes and set(rule.classes) <= set(learned.classes))
        or bool(rule.path and rule.path == learned.path)
    )
