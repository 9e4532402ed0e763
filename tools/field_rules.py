"""Test field rules on pages that they were not learned from, beside each page read alone.

    python tools/field_rules.py FIELDS.jsonl.gz [--folds 5] [--least 2] [--each]

Each page of a site is left out in turn; the other pages of its template tell where its fields are
(`template.learning.field_tally`), and it is read at these places. For the pages that have gold and
a rule, this prints how many are right and wrong alone and by rule, and for how many the rule's own
value is used (the others are read alone: the rule's place is missing, or something contradicts it).
The labeled sites have few pages: `--least` is how many pages must have a place, fewer than the
product requires. Weights are fitted on other sites, as in `fields.py`.
"""

from __future__ import annotations

import argparse
import logging
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fields import VERDICTS, plain, read
from train_fields import of_other_sites

from scrapy_mainblock.fields.about.page_fields import PageFields, claim_of
from scrapy_mainblock.fields.ruled.by_rule import ByRule, by_rule
from scrapy_mainblock.judge.claims import Choice, Claim
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.headline import Headline, headline_choice, ruled_headline
from scrapy_mainblock.recipe.learn import evidence_of_reading
from scrapy_mainblock.recipe.reading import Reading
from scrapy_mainblock.render.article import filled_by
from scrapy_mainblock.template.field_rules import RULED, FieldRule
from scrapy_mainblock.template.learning.evidence import PageEvidence
from scrapy_mainblock.template.learning.field_tally import FieldsTally, PackedField, rule_of
from scrapy_mainblock.template.rules import SiteRules
from scrapy_mainblock.template.similarity import SAME_CLUSTER, similarity

LEAST_OF_SITE = 3
"""Minimum labeled pages of a site: of two pages, only one teaches, which shows nothing."""


class Known(NamedTuple):
    """A labeled page that was read alone."""

    row: Mapping[str, Any]
    reading: Reading
    page_fields: PageFields
    evidence: PageEvidence


def main() -> None:
    """Count over all sites, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("gold", metavar="FIELDS", type=Path)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--least", type=int, default=2, metavar="N")
    parser.add_argument("--each", action="store_true", help="print the pages where they differ")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    rows = list(read(options.gold))
    choose_model = of_other_sites(rows, options.folds) if options.folds else None
    by_site: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_site[row["site"]].append(row)
    counts: dict[str, Counter[str]] = {field: Counter() for field in RULED}
    for some in by_site.values():
        if len(some) >= LEAST_OF_SITE:
            if choose_model:
                choose_model(some[0].get("url"))
            known = list(read_alone(some))
            for number in range(len(known)):
                count(known, number, counts, options)
    print_table(counts)


def read_alone(rows: Sequence[Mapping[str, Any]]) -> Iterator[Known]:
    """Yield the pages of a site, each read alone."""
    for row in rows:
        page = Page.of(row["html"], row.get("url"))
        if not page.why_unreadable:
            reading = Reading(Outline(page))
            evidence = evidence_of_reading(reading)
            page_fields = reading.page_fields(reading.kept.tobytes(), reading.headline)
            yield Known(row, reading, page_fields, evidence)


def count(
    known: Sequence[Known], number: int, counts: dict[str, Counter[str]], options: Any
) -> None:
    """Read one page by what the others teach, and count the outcome."""
    page = known[number]
    tally = FieldsTally()
    for place, other in enumerate(known):
        structure = other.evidence.structure
        if place != number and similarity(page.evidence.structure, structure) > SAME_CLUSTER:
            tally.add(map(PackedField, other.evidence.fields))
    for field in RULED:
        if field not in page.row["gold_fields"]:
            continue
        counts[field]["gold"] += 1
        rule = rule_of(field, tally.fields[field], options.least) if tally.fields else None
        if rule is None or not rule.place:
            continue
        count_page(page, rule, counts[field], each=options.each)


def count_page(page: Known, rule: FieldRule, counts: Counter[str], *, each: bool) -> None:
    """Count the outcome for a page and one of its fields that has a rule."""
    found: ByRule | Headline
    if rule.field == "headline":
        page_alone = Headline(None)
        alone = headline_choice(
            page_alone, page.reading.headline, lambda: page.reading.titles
        ).chosen
        rules = SiteRules(page.row["site"], fields=(rule,))
        found = ruled_headline(page.reading.page, rules, None) or page_alone
        claim = found.by_rule
    else:
        alone = claim_of(page.page_fields, rule.field).chosen
        found = by_rule(page.page_fields.sources, rule)
        claim = found.claim
    by_both = claim or alone
    verdicts = [verdict(page.row, rule.field, one) for one in (alone, by_both)]
    counts["ruled"] += 1
    counts["served"] += claim is not None
    counts[f"alone {verdicts[0]}"] += 1
    counts[f"rule {verdicts[1]}"] += 1
    if verdicts[0] != verdicts[1]:
        counts[
            "better" if verdicts[1] == "right" else "worse" if verdicts[0] == "right" else "else"
        ] += 1
    if each and (verdicts[0] != verdicts[1] or claim is None):
        print(
            page.row.get("url"), "|", page.row["gold_fields"][rule.field], "|", rule, found.why_not
        )
        print("    ", verdicts, alone and alone.value, "|", by_both and by_both.value)


def verdict(row: Mapping[str, Any], field: str, claim: Claim | None) -> str:
    """Return whether a field's claim is "right" or "wrong", or "empty" if there is none."""
    if claim is None:
        return "empty"
    article = dict.fromkeys(
        ("datePublished", "dateModified", "authors", "mainImage", "inLanguage", "description",
         "headline")
    ) | filled_by({field: Choice(claim)})  # fmt: skip
    is_right = VERDICTS[field](plain(article)[field], row["gold_fields"][field], row)
    return "right" if is_right else "wrong"


def print_table(counts: Mapping[str, Counter[str]]) -> None:
    """Print the table in the format of the docs."""
    print("| | pages with gold | with a rule | served by its place | alone | by rule |")
    print("|---|---|---|---|---|---|")
    for field, one in counts.items():
        ruled = one["ruled"] or 1
        cells = [
            f"{one[f'{how} right'] / ruled:.3f} / {one[f'{how} wrong'] / ruled:.3f}"
            for how in ("alone", "rule")
        ]
        print(
            f"| {field} | {one['gold']} | {one['ruled']} | {one['served'] / ruled:.2f} |"
            f" {cells[0]} | {cells[1]} |"
        )
    for field, one in counts.items():
        print(f"{field}: {one['better']} pages better, {one['worse']} worse, {one['else']} else")


if __name__ == "__main__":
    main()
