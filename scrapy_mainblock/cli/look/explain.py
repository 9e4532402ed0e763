"""`mainblock explain PAGE`: show what became of each part of a page, why, and what to try."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace

from scrapy_mainblock.cli.console import (
    DONE,
    SOME_UNREADABLE,
    UsageError,
    complain,
    put,
    say,
    word,
)
from scrapy_mainblock.cli.files.one_page import body_of_one_page
from scrapy_mainblock.cli.rules import complain_unruled, open_store
from scrapy_mainblock.judge.decision import Decision
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page import sites
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.report.advice import Target, advice_of, is_doubtful
from scrapy_mainblock.report.fields import FieldShown, fields_of
from scrapy_mainblock.report.inspected import Inspected, inspect_page
from scrapy_mainblock.report.parts import PagePart, Run, runs_of, steps_of
from scrapy_mainblock.stores.rules import Rules, rules_for

KEPT, DROPPED, HEADING, FAINT, ALARM = "32", "31", "1", "2", "33"
"""Terminal colors: green, red, bold, faint, yellow."""
LEAST_WIDTH, MOST_WIDTH = 60, 160
"""Limits on the columns of the outline; in a pipe it has the maximum."""
SHORTEST_EXCERPT = 20
LONGEST_VALUE = 90
"""Maximum characters of a field's value."""
DEEPEST_INDENT = 16


def run_explain(options: argparse.Namespace) -> int:
    """Explain one page, and return the exit code."""
    page, trouble = read_page(options)
    if page is None:
        complain(f"{options.page}: {trouble}")
        return SOME_UNREADABLE
    return explain_page(page, options)


def read_page(options: argparse.Namespace) -> tuple[Page | None, str]:
    """Return the requested page, or None and the reason why it cannot be read."""
    name = options.page
    if name.startswith(("http://", "https://")):
        if options.fetch is None:
            raise UsageError(
                "URLs are fetched only in a Scrapy project: use scrapy mainblock explain URL"
            )
        response = options.fetch(name)
        if isinstance(response, str):
            return None, response
        if not hasattr(response, "text"):
            return None, "the response is not text"
        return Page.of(response, options.url), ""
    try:
        body = body_of_one_page(name)
    except OSError as error:
        return None, error.strerror or str(error)
    return Page.of(body, options.url), ""


def explain_page(page: Page, options: argparse.Namespace) -> int:
    """Explain a page that was read, and return the exit code."""
    rules = None
    if options.rules:
        rules = rules_at(options.rules, options.project_rules)
    if page.why_unreadable:
        decision = Decision("none", reason=page.why_unreadable)
        inspected = None
    else:
        known = rules_for(rules, page.url, options.site)
        if known is None and not page.url and not options.site:
            complain_unruled(1, rules.sites if rules else (), options.rules)
        inspected = inspect_page(Outline(page), known)
        decision = replace(inspected.decision, fields=inspected.claims)
    if options.json:
        put(json.dumps(decision.to_dict(), ensure_ascii=False, indent=2) + "\n")
        return DONE
    paint = Paint.of_terminal()
    site = options.site or site_of(page.url, rules) or sites.host(page.url)
    for line in summary(page.url, site, decision, paint):
        say_painted(line)
    if decision.reason:
        say_painted(paint(ALARM, f"{'reason':<12}{word(decision.reason)}"))
    if inspected is not None:
        show(inspected, Target(site or "SITE", options.rules or "RULES"), paint)
    return DONE


def show(inspected: Inspected, target: Target, paint: Paint) -> None:
    """Print the page as an outline, and the commands to try."""
    page, decision = inspected.page, inspected.decision
    if page.cut:
        say_painted(paint(ALARM, f"{'cut':<12}{page.cut}"))
    if decision.uses_description:
        say_painted(f"{'kept':<12}the page shows no text; its description is used instead")
    if decision.method == "rule":
        agreement = f"the result from the page alone agrees to {inspected.agreement:.0%}"
        say_painted(f"{'alone':<12}{agreement}")
    say_painted(totals(page, decision))
    for number, field in enumerate(fields_of(inspected)):
        say_painted(field_line("" if number else "fields", field, paint))
    say_painted("")
    for line in tree(page, inspected.parts, paint):
        say_painted(line)
    advice = advice_of(inspected, target)
    if advice:
        say_painted("")
        heading = "The result may be wrong. Try" if is_doubtful(decision) else "If it is wrong"
        say_painted(paint(HEADING, heading))
    for one in advice:
        say_painted(f"  {word(one.what)}:")
        say_painted(f"    {paint(HEADING, word(one.command))}")


def rules_at(address: str, of_project: str | None = None) -> Rules:
    """Return the rules of a store; a directory must exist, unless it is the project's default."""
    has_crawled = address != of_project  # a project may not have crawled yet
    return Rules(open_store(address, must_exist=has_crawled).load())


def site_of(url: str | None, rules: Rules | None) -> str | None:
    """Return the key that the page's rules are filed under, or None if it has none."""
    if rules is None:
        return None
    return next((key for key in sites.keys(url) if rules.of(key) is not None), None)


class Paint:
    """Colors on a terminal that supports them, and none in a pipe."""

    def __init__(self, *, is_coloured: bool, width: int = MOST_WIDTH) -> None:
        self.is_coloured = is_coloured
        self.width = width

    @classmethod
    def of_terminal(cls) -> Paint:
        """Return the paint for standard output, honoring NO_COLOR and TERM=dumb."""
        is_terminal = sys.stdout.isatty()
        wants_none = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        columns = shutil.get_terminal_size().columns if is_terminal else MOST_WIDTH
        width = min(max(columns, LEAST_WIDTH), MOST_WIDTH)
        return cls(is_coloured=is_terminal and not wants_none, width=width)

    def __call__(self, colour: str, text: str) -> str:
        """Return a text in a color."""
        return f"\x1b[{colour}m{text}\x1b[0m" if self.is_coloured and text else text


def say_painted(line: str) -> None:
    """Write a line whose untrusted texts went through `word` already; its colors are ours."""
    if "\x1b" in line:
        sys.stdout.write(line + "\n")
    else:
        say(line)


def summary(url: str | None, site: str | None, decision: Decision, paint: Paint) -> list[str]:
    """Return the lines on the page as a whole."""
    colour = ALARM if is_doubtful(decision) else KEPT
    how = {
        "rule": "by the rule of its template",
        "page": "from the page alone",
        "none": "nothing found",
    }
    lines = [paint(HEADING, word(url or "a page without a URL"))]
    method = f"{how[decision.method]}, probability {decision.probability:.2f}"
    lines.append(f"{'method':<12}{paint(colour, method)}")
    if decision.page_type:
        lines.append(f"{'page type':<12}{word(decision.page_type)}")
    if site:
        lines.append(f"{'site':<12}{word(site)}")
    if decision.cluster:
        origin = ""
        if decision.rule_pages:
            origin = f", rule version {decision.rule_version}"
            origin += f", learned from {decision.rule_pages} pages"
        elif decision.rule:
            origin = f", rule version {decision.rule_version}, written by hand"
        lines.append(f"{'cluster':<12}{word(decision.cluster)}{origin}")
    for number, one in enumerate(decision.tried):
        found = f"{one.matches} element{'' if one.matches == 1 else 's'}"
        took = "  <- the main block" if decision.rule and one.matches else ""
        name = "selectors" if not number else ""
        lines.append(f"{name:<12}{one.selector} {word(one.value)}: {found}{took}")
    return lines


def totals(page: Outline, decision: Decision) -> str:
    """Return a line with the amount of parts and characters kept."""
    sizes = list(page.rows.segment_length)
    kept = sum(size for size, one in zip(sizes, decision.kept, strict=False) if one)
    parts = sum(decision.kept)
    return f"{'kept':<12}{parts:,} of {len(sizes):,} parts, {kept:,} of {sum(sizes):,} characters"


def field_line(label: str, field: FieldShown, paint: Paint) -> str:
    """Return a line with a field's value, its probability, and its source on the page."""
    value = word(field.value)
    if len(value) > LONGEST_VALUE:
        value = f"{value[: LONGEST_VALUE - 3]}..."
    head = f"{label:<12}{field.name} {value}"
    return head + paint(FAINT, f"  {field.probability:.2f} {word(field.source)}")


def tree(page: Outline, parts: Sequence[PagePart], paint: Paint) -> list[str]:
    """Return the page as an outline: one line for each run of parts with the same outcome."""
    lines: list[str] = []
    above: list[str] = []
    for run in runs_of(parts):
        steps = steps_of(run.place)
        common = 0
        while common < min(len(steps), len(above)) and steps[common] == above[common]:
            common += 1
        lines += [
            paint(FAINT, f"  {_indent(depth)}{word(steps[depth])}")
            for depth in range(common, len(steps) - 1)
        ]
        above = steps
        lines.append(line_of(page, run, paint))
    return lines


def _indent(depth: int) -> str:
    return "  " * min(depth, DEEPEST_INDENT)


def line_of(page: Outline, run: Run, paint: Paint) -> str:
    """Return the line of a run: sign, place, count, probability, reason, beginning of the text."""
    steps = steps_of(run.place)
    last = steps[-1] if steps else "body"
    times = f" x{len(run.parts)}" if len(run.parts) > 1 else ""
    likely = "" if run.probability is None else f" {run.probability:.2f}"
    sign = "+" if run.kept else "-"
    head = f"{sign} {_indent(max(len(steps) - 1, 0))}{word(last)}{times}{likely}"
    why = f"  {word(run.why)}"
    left = paint.width - len(head) - len(why) - 4
    text = word(page.texts[run.parts[0].segment])
    shown = ""
    if left >= SHORTEST_EXCERPT:
        shown = f'  "{text if len(text) <= left else text[: left - 3] + "..."}"'
    return paint(KEPT if run.kept else DROPPED, head) + paint(FAINT, why) + shown
