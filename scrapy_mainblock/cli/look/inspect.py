"""`mainblock inspect`: write or serve a report of what was extracted, and from where."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from scrapy_mainblock.cli.console import (
    DONE,
    SOME_UNREADABLE,
    Problems,
    Progress,
    UsageError,
    say,
)
from scrapy_mainblock.cli.files import stopping
from scrapy_mainblock.cli.files.output import STANDARD_OUTPUT, NothingReadError, output
from scrapy_mainblock.cli.look.explain import rules_at
from scrapy_mainblock.cli.passes import learn_auto
from scrapy_mainblock.cli.rules import complain_unruled, open_store
from scrapy_mainblock.inputs.pages import InputPage, Inputs
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.report.document import SAMPLE, ReportInfo, ReportPage, write_report
from scrapy_mainblock.stores.whole_files import NotMadeError


def run_inspect(options: argparse.Namespace) -> int:
    """Learn or load the rules, then write the report."""
    if options.edit:
        return run_edit(options)
    if not options.output:
        raise UsageError("give a file for the report: -o report.html")
    opened = partial(output, options.output, "-o", options.inputs)
    problems = Problems()
    inputs = Inputs(options.inputs, problems, None, options.site)
    inputs.spool_standard_input()
    try:
        if options.rules:
            rules = rules_at(options.rules, options.project_rules)
            origin = f"by the rules in {options.rules}"
        else:
            rules = learn_auto(inputs, 1)
            origin = "by rules learned from these pages"
        named = ", ".join(map(str, options.inputs[:3])) + (" …" if len(options.inputs) > 3 else "")
        info = ReportInfo("What was extracted", f"{named}, {origin}", options.rules or "RULES")
        labels = iter(("looking", "drawing"))

        def pages() -> Iterator[ReportPage]:
            with Progress(next(labels), inputs) as progress:
                for page in progress.over(inputs):
                    yield report_page(page)

        try:
            survey = write_report(opened, pages, rules, info, options.sample or SAMPLE)
        except NotMadeError:
            raise NothingReadError(problems, options.output) from None
    finally:
        inputs.close()
    problems.summary()
    if options.rules and not survey.ruled:
        complain_unruled(len(survey.rows), rules.sites, options.rules)
    worth = sum(bool(row.review_reasons) for row in survey.rows)
    if options.output != STANDARD_OUTPUT:
        say(f"{options.output}: {len(survey.rows)} pages, {worth} of them worth a look")
    return SOME_UNREADABLE if problems.count else DONE


def run_edit(options: argparse.Namespace) -> int:
    """Serve the report on loopback, as an editor of the rules, until Ctrl-C."""
    from scrapy_mainblock.cli.look.edit import Editor, EditServer  # noqa: PLC0415

    if not options.rules:
        raise UsageError("give the rules to change: --rules DIR")
    if options.output:
        raise UsageError("--edit serves the report and writes no file: leave out -o")
    problems = Problems()
    inputs = Inputs(options.inputs, problems, None, options.site)
    named = ", ".join(map(str, options.inputs[:3])) + (" …" if len(options.inputs) > 3 else "")
    info = ReportInfo(
        "What was extracted", f"{named}, by the rules in {options.rules}", options.rules
    )
    store = open_store(options.rules, must_exist=options.rules != options.project_rules)
    with Progress("reading", inputs) as progress:
        editor = Editor((report_page(page) for page in progress.over(inputs)), store, info)
    problems.summary()
    if not editor.ruled:
        complain_unruled(len(editor.pages), editor.rules.sites, options.rules)
    try:
        server = EditServer(editor, options.port or 0)
    except OSError as error:
        raise UsageError(f"cannot listen on port {options.port}: {error.strerror}") from None
    with server, asked_to_end() as is_asked:
        say(f"{server.address}  (only from this machine; stop it with Ctrl-C)")
        sys.stdout.flush()
        server.serve_until(is_asked)
    say("stopped")
    return SOME_UNREADABLE if problems.count else DONE


@contextmanager
def asked_to_end() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether SIGINT, SIGTERM or SIGHUP has arrived.

    A KeyboardInterrupt could be raised anywhere, even where Python drops exceptions (in a callback
    of the garbage collector), and be lost: the handlers only record the signal. A signal that this
    process was started to ignore, as by a shell for a background job, stays ignored.
    """
    asked: list[int] = []
    before = {
        one: signal.signal(one, lambda number, _: asked.append(number))
        for one in stopping.SIGNALS
        if signal.getsignal(one) is not signal.SIG_IGN
    }
    try:
        yield lambda: bool(asked)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def report_page(page: InputPage) -> ReportPage:
    """Return a page of the input in the form that the report takes."""
    label: Any = page.meta.get("page_type")
    name = "" if page.id is None else str(page.id)
    kind = label if isinstance(label, str) else None
    if page.html is None:
        return ReportPage(None, page.site, name, f"the page could not be read: {page.trouble}")
    return ReportPage(Page.of(page.html, page.url), page.site, name, page_type=kind)
