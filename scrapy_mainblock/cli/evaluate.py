"""`mainblock eval`: token precision, recall and F1 against gold texts, by set or site.

The yardstick is the one of `core.tokens`, a page at a time, averaged over pages. Where the gold
texts of a set begin with the pages' titles, an extractor is scored on its headline followed by its
body, else on its body alone; which of the two a set does is read off its own gold.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from scrapy_mainblock.cli.console import DONE, SOME_UNREADABLE, Troubles, UsageError, put, say
from scrapy_mainblock.cli.farsw import read_model
from scrapy_mainblock.cli.passes import Extracted, extract_pages, learn_rules
from scrapy_mainblock.core.mainblock import LEARNERS
from scrapy_mainblock.core.tokens import Score, score, token_list, tokens
from scrapy_mainblock.inputs import Inputs

GOOD, WRONG = 0.9, 0.5
"""A page is good from the one F1 up, and wrong below the other."""
TITLE_LIKENESS = 0.6
"""A gold text begins with the title when its first line is this much like it (token F1)."""


@dataclass
class _Group:
    """The pages of one set or site."""

    with_title: list[Score] = field(default_factory=list)
    without_title: list[Score] = field(default_factory=list)
    gold_begins_with_title: int = 0
    methods: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, extracted: Extracted, gold: str) -> None:
        article = extracted.article
        body, headline = article.articleBody or "", article.headline or ""
        gold_bag = tokens(gold)
        self.without_title.append(score(tokens(body), gold_bag))
        self.with_title.append(score(tokens(f"{headline}\n{body}"), gold_bag))
        self.gold_begins_with_title += _begins_with_title(extracted, gold)
        self.methods[article.metadata["method"]] += 1

    def scores(self) -> list[Score]:
        begins = 2 * self.gold_begins_with_title > len(self.with_title)
        return self.with_title if begins else self.without_title


def _begins_with_title(extracted: Extracted, gold: str) -> bool:
    title = extracted.page.meta.get("title") or extracted.article.headline or ""
    wanted = token_list(str(title))
    first_line = next((line for line in gold.split("\n") if line.strip()), "")
    begins = token_list(first_line[:2000])[: max(len(wanted), 1)]
    return score(tokens(" ".join(begins)), tokens(" ".join(wanted))).f1 >= TITLE_LIKENESS


def run_eval(options: argparse.Namespace) -> int:
    """Score one or more methods on labelled pages."""
    troubles = Troubles()
    inputs = Inputs(options.inputs, troubles)
    model = read_model(options.model) if options.model else None
    report = {}
    try:
        inputs.spool_standard_input()
        for method in options.method or ["auto"]:
            rules = None
            if options.learn and method in LEARNERS:
                rules = learn_rules(inputs, method, options.jobs)
            extracted = extract_pages(inputs, rules, method, jobs=options.jobs, model=model)
            report[method] = table_of(extracted, options.by)
    finally:
        inputs.close()
        troubles.summary()
    if not troubles.count and not any(table[-1]["pages"] for table in report.values()):
        raise UsageError('no row of the input has a text in "gold" to compare with')
    if options.json:
        put(json.dumps(report, ensure_ascii=False, indent=2) + "\n")
    else:
        for method, table in report.items():
            print_table(method, table)
    return SOME_UNREADABLE if troubles.count else DONE


def table_of(extracted: Iterable[Extracted], by: str) -> list[dict[str, Any]]:
    """The rows of the table: one a group, and one over all pages."""
    groups: dict[str, _Group] = defaultdict(_Group)
    by_set: dict[str, _Group] = defaultdict(_Group)
    for one in extracted:
        if one.page.gold is None:
            continue
        set_name = str(one.page.meta.get("set") or "-")
        by_set[set_name].add(one, one.page.gold)
        if by == "site":
            groups[one.page.site].add(one, one.page.gold)
    if by == "set":
        groups = by_set
    rows = [_row(name, group.scores(), group.methods) for name, group in sorted(groups.items())]
    everything = [score for group in by_set.values() for score in group.scores()]
    methods: dict[str, int] = defaultdict(int)
    for group in by_set.values():
        for method, pages in group.methods.items():
            methods[method] += pages
    return [*rows, _row("all", everything, methods)]


def _row(name: str, scores: list[Score], methods: dict[str, int]) -> dict[str, Any]:
    pages = len(scores)
    return {
        "group": name,
        "pages": pages,
        "precision": _share(sum(one.precision for one in scores), pages),
        "recall": _share(sum(one.recall for one in scores), pages),
        "f1": _share(sum(one.f1 for one in scores), pages),
        "good": _share(sum(one.f1 >= GOOD for one in scores), pages),
        "wrong": _share(sum(one.f1 < WRONG for one in scores), pages),
        "byRule": _share(methods["rule"], pages),
    }


def _share(part: float, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def print_table(title: str, table: list[dict[str, Any]]) -> None:
    """Print such a table."""
    width = max([len("group"), *(len(row["group"]) for row in table)])
    say(f"\n{title}: token F1, a page at a time (good >= {GOOD}, wrong < {WRONG})")
    say(f"{'group':{width}}  pages  precision  recall     F1   good  wrong  by rule")
    for row in table:
        say(
            f"{row['group']:{width}}  {row['pages']:5}  {row['precision']:9.3f}"
            f"  {row['recall']:6.3f}  {row['f1']:5.3f}  {row['good']:5.2f}"
            f"  {row['wrong']:5.3f}  {row['byRule']:7.2f}"
        )
