"""The `mainblock` command line: its options, and the dispatch to the subcommands."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from typing import Any, NoReturn, TypeAlias

import scrapy_mainblock
from scrapy_mainblock import compiled
from scrapy_mainblock.cli import blocks, console, curves, extract, farsw, rules
from scrapy_mainblock.cli.files import stopping
from scrapy_mainblock.cli.files.formats import FORMATS
from scrapy_mainblock.cli.files.output import NothingReadError
from scrapy_mainblock.cli.ftr import run as ftr
from scrapy_mainblock.cli.inputs import MissingExtraError
from scrapy_mainblock.cli.jobs import MOST_JOBS
from scrapy_mainblock.cli.passes import METHODS
from scrapy_mainblock.cli.pins import change, check
from scrapy_mainblock.cli.scoring import evaluate
from scrapy_mainblock.cli.scoring.measures import GROUPS
from scrapy_mainblock.cli.scoring.peers import PEERS
from scrapy_mainblock.papers.wang14 import equations as wang14
from scrapy_mainblock.stores.whole_files import UnfinishedError
from scrapy_mainblock.template.field_rules import SPOKEN

_INPUTS_HELP = (
    "pages: .html files, a directory of them (or a mirror of wget -m, which tells their URLs),"
    " .jsonl or .jsonl.gz (rows with html, and id, url, site where known), .warc, .warc.gz or"
    " .warc.zst, or - for standard input: HTML of one page, or JSON lines"
)
_RULES_HELP = "where the rules are kept: a directory, or the address of a store"

EXAMPLES = {
    "": """
mainblock extract page.html                                read one page
mainblock extract pages.jsonl -o articles.jsonl            a row for each page
mainblock extract pages.jsonl -o articles.jsonl --rules rules/     and keep what was learnt
mainblock rules list --rules rules/
mainblock eval gold.jsonl.gz                               how right it is on labelled pages
""",
    "extract": """
mainblock extract page.html --url https://news.example/story
mainblock extract - --format html
mainblock extract mirror/ crawl.warc.gz -o articles.jsonl --jobs 4
mainblock extract today.jsonl -o articles.jsonl --rules rules/ --no-learn
""",
    "rules pin": """
mainblock rules pin news.example --class "entry post" --pages saved.jsonl --rules rules/
mainblock rules pin news.example --cluster 1f0c5e2a --rules rules/
""",
    "rules drop": """
mainblock rules drop news.example "div.share" --pages saved.jsonl --rules rules/
""",
    "rules keep": """
mainblock rules keep news.example "div.text > aside.note" --cluster 1f0c5e2a --rules rules/
""",
}
"""The examples at the end of each subcommand's help, by subcommand; "" is the command itself."""


Fetch = Callable[[str], Any]


class _Parser(argparse.ArgumentParser):
    """A parser that reports an error in one line and points to --help."""

    def format_help(self) -> str:
        """Return the help with the examples at the end, where they are closest to the prompt."""
        text = super().format_help()
        examples = EXAMPLES.get(self.prog.partition("mainblock")[2].strip(), "").strip()
        lines = "".join(f"  {line}\n" for line in examples.splitlines())
        return f"{text}\nexamples:\n{lines}" if lines else text

    def error(self, message: str) -> NoReturn:
        self.exit(console.WRONG_USAGE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def build_parser(
    program: str = "mainblock", rules_dir: str | None = None, fetch: Fetch | None = None
) -> argparse.ArgumentParser:
    """Return the parser with every subcommand.

    `rules_dir` is the default of --rules. `fetch` returns the response at a URL, or the reason why
    there is none.
    """
    parser = _Parser(
        prog=program,
        description="Extract the main content of web pages."
        " mainblock COMMAND --help says more of each subcommand.",
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"mainblock {scrapy_mainblock.__version__} ({compiled.describe()})",
    )
    commands = parser.add_subparsers(title="subcommands", required=True, metavar="COMMAND")
    _add_extract(commands)
    _add_learn(commands, rules_dir)
    _add_rules(commands, rules_dir)
    _add_explain(commands, rules_dir, fetch)
    _add_inspect(commands, rules_dir)
    _add_blocks(commands)
    _add_curves(commands)
    _add_eval(commands)
    _add_farsw(commands)
    return parser


def main(
    arguments: Sequence[str] | None = None,
    program: str = "mainblock",
    rules_dir: str | None = None,
    fetch: Fetch | None = None,
) -> int:
    """Run the command and return its exit code."""
    with stopping.by_exceptions():
        return _run(arguments, program, rules_dir, fetch)


def _run(
    arguments: Sequence[str] | None, program: str, rules_dir: str | None, fetch: Fetch | None
) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # the terminal's encoding may lack characters
            stream.reconfigure(errors="backslashreplace")
    try:
        options = build_parser(program, rules_dir, fetch).parse_args(arguments)
        code: int = options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return console.SOME_UNREADABLE
    except BaseException as error:
        code, line = _ending(error)
        if line:
            with suppress(OSError):  # the terminal may be closed
                console.complain(line)
    return code


def _ending(error: BaseException) -> tuple[int, str]:
    """Return the exit code and message for an error; raise an unexpected error again."""
    if isinstance(error, UnfinishedError) and error.__cause__ is not None:
        code, line = _ending(error.__cause__)
        return code, f"{line}; {error.where()}"
    if isinstance(error, (console.UsageError, MissingExtraError)):
        return console.WRONG_USAGE, str(error)
    if isinstance(error, NothingReadError):
        return console.SOME_UNREADABLE, str(error)
    if isinstance(error, OSError):  # such as a full disk, or an output that was closed
        return console.SOME_UNREADABLE, f"stopped: {error.strerror or error}"
    if isinstance(error, BrokenExecutor):
        return console.SOME_UNREADABLE, "stopped: a process of --jobs was killed (out of memory?)"
    if isinstance(error, KeyboardInterrupt):
        return stopping.code_and_word(error)
    raise error


Run: TypeAlias = Callable[[argparse.Namespace], int]
_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1 up")
    return number


_positive.__name__ = "number"  # argparse uses the name in its own error message


def _at_most(most: int, least: int = 1) -> Callable[[str], int]:
    def number(text: str) -> int:
        found = int(text)
        if not least <= found <= most:
            raise argparse.ArgumentTypeError(f"{text} is not a whole number from {least} to {most}")
        return found

    return number


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="IN", help=_INPUTS_HELP)


def _add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        type=_at_most(MOST_JOBS),
        default=1,
        metavar="N",
        help="processes to work in (default 1)",
    )


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model", metavar="MODEL", help="for --method farsw: one of mainblock farsw train"
    )


def _add_learning(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--learn",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="group the pages by site, learn where their content is, then extract (default);"
        " or look at each page alone, or only by the rules in --rules",
    )


def _add_extract(commands: _Commands) -> None:
    parser = commands.add_parser("extract", help="write the main content of each page")
    _add_inputs(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="where to write (default: standard output)"
    )
    parser.add_argument(
        "--format",
        choices=list(FORMATS),
        help="jsonl: a row of JSON for each page; text, html: to read"
        " (default: jsonl, but text for one page that goes to the terminal or a pipe)",
    )
    parser.add_argument("--url", metavar="U", help="the URL of the page, where IN is one page")
    parser.add_argument("--site", metavar="S", help="take all pages for pages of this site")
    _add_learning(parser)
    parser.add_argument(
        "--rules",
        metavar="DIR",
        help="rules of earlier runs: start from them, and keep in here what is learnt",
    )
    parser.add_argument(
        "--fields", metavar="NAMES", help="only these fields, like headline,datePublished"
    )
    parser.add_argument(
        "--markdown", action="store_true", help="fill articleBodyMarkdown in the rows, too"
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        default="auto",
        help="auto (default), or a paper's method as the paper has it, for comparison:"
        " cluster, density [Wang18], linkdensity [Guna12], farsw [Bu14], linkblocks [Wang14]",
    )
    _add_model(parser)
    _add_jobs(parser)
    parser.set_defaults(run=extract.run_extract)


def _add_rules_dir(parser: argparse.ArgumentParser, rules_dir: str | None) -> None:
    where = _RULES_HELP + (" (default: the project's)" if rules_dir else "")
    required = rules_dir is None
    parser.add_argument("--rules", metavar="DIR", required=required, default=rules_dir, help=where)


def _add_learn(commands: _Commands, rules_dir: str | None) -> None:
    parser = commands.add_parser("learn", help="learn the rules of sites from their pages")
    _add_inputs(parser)
    _add_rules_dir(parser, rules_dir)
    _add_jobs(parser)
    parser.set_defaults(run=extract.run_learn)


def _add_rules(commands: _Commands, rules_dir: str | None) -> None:
    group = commands.add_parser(
        "rules",
        help="look at the rules, try them, change one by hand, move them",
        description="The rules that learning has found, one document a site: see docs/rules.md.",
    )
    actions = group.add_subparsers(title="actions", required=True, metavar="ACTION")

    def action(name: str, run: Run, text: str) -> argparse.ArgumentParser:
        parser = actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        _add_rules_dir(parser, rules_dir)
        parser.set_defaults(run=run, action=name)
        return parser

    action("list", rules.run_list, "a line for each rule")
    show = action("show", rules.run_show, "the document of a site")
    show.add_argument("site", metavar="SITE")
    test = action("test", rules.run_test, "apply the rules to pages and count what came of it")
    _add_inputs(test)
    action(
        "check", check.run_check, "look for what is wrong in any document, or for rules in its way"
    )
    pin = action("pin", change.run_pin, "set a rule by hand, which then wins over what is learnt")
    _add_change(pin, "the cluster it is for (default: all pages of the site)")
    pin.add_argument("--id", metavar="ID", help="the main block's id, as in the page: content")
    pin.add_argument(
        "--class", dest="css_class", metavar="CLASSES", help='its class or classes: "entry post"'
    )
    pin.add_argument("--path", metavar="PATH", help="where it stands, like body1/div2/div1")
    for option, field in SPOKEN.items():
        pin.add_argument(
            f"--{option}",
            metavar="CSS",
            help=f"where its pages have {field}: a CSS selector, or a source as metadata.fields"
            " names it",
        )
    unpin = action("unpin", change.run_unpin, "let learning have a rule again that was pinned")
    unpin.add_argument("site", metavar="SITE")
    unpin.add_argument("--cluster", metavar="NAME", help="default: all that are pinned")
    for name, run, text in (
        ("drop", change.run_drop, "leave a part of the main block out, and pin the rule"),
        ("keep", change.run_keep, "take a part of the main block for content, and pin the rule"),
    ):
        parser = action(name, run, text)
        _add_change(parser, "the cluster whose rule it is (default: the only one)")
        parser.add_argument(
            "selector",
            metavar="SELECTOR",
            help='from the main block down, "div.text > p", or one named step, "div.share",'
            " wherever it stands",
        )
    export = action("export", rules.run_export, "write all rules to one file")
    export.add_argument("file", metavar="FILE", nargs="?", default="-")
    importing = action("import", ftr.run_import, "merge the rules of such a file")
    importing.add_argument("file", metavar="FILE", nargs="?", default="-")
    importing.add_argument(
        "--ftr", metavar="DIR", help="pin the rules of a directory of ftr-site-config files instead"
    )


def _add_change(parser: argparse.ArgumentParser, cluster: str) -> None:
    parser.add_argument("site", metavar="SITE", help="a host, as mainblock rules list has it")
    parser.add_argument("--cluster", metavar="NAME", help=cluster)
    parser.add_argument(
        "--pages",
        metavar="IN",
        action="append",
        default=[],
        help="try it on these pages first, and write nothing if it matches none"
        " (any input that extract takes; may be given more than once)",
    )
    parser.add_argument("--force", action="store_true", help="write it although it matches nothing")


def _add_explain(commands: _Commands, rules_dir: str | None, fetch: Fetch | None) -> None:
    parser = commands.add_parser("explain", help="what became of each part of a page, and why")
    parser.add_argument(
        "page",
        metavar="PAGE",
        help=f"{'a URL, ' if fetch else ''}an HTML file, or - for standard input",
    )
    parser.add_argument("--url", help="the page's URL: tells which site's rules are for it")
    parser.add_argument("--site", metavar="SITE", help="the site, where the URL does not tell it")
    parser.add_argument("--rules", metavar="DIR", default=rules_dir, help="where the rules are")
    parser.add_argument("--json", action="store_true", help="the whole decision as JSON")
    parser.set_defaults(run=_explain, fetch=fetch, project_rules=rules_dir)


def _explain(options: argparse.Namespace) -> int:
    from scrapy_mainblock.cli.look.explain import run_explain  # noqa: PLC0415 - rarely needed

    return run_explain(options)


def _add_inspect(commands: _Commands, rules_dir: str | None) -> None:
    parser = commands.add_parser("inspect", help="write a report to look at what was extracted")
    _add_inputs(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="the report, one HTML file")
    parser.add_argument(
        "--rules", metavar="DIR", default=rules_dir, help="look at these rules; else learn some"
    )
    parser.add_argument("--site", metavar="S", help="take all pages for pages of this site")
    parser.add_argument(
        "--sample", type=_positive, metavar="N", help="pages that are drawn in full (default 500)"
    )
    parser.add_argument(
        "--edit",
        action="store_true",
        help="change the rules of --rules by pointing at pages, in a browser on this machine",
    )
    parser.add_argument(
        "--port", type=_at_most(65535), metavar="N", help="for --edit (default: any)"
    )
    parser.set_defaults(run=_inspect, project_rules=rules_dir)


def _inspect(options: argparse.Namespace) -> int:
    from scrapy_mainblock.cli.look.inspect import run_inspect  # noqa: PLC0415

    return run_inspect(options)


def _add_blocks(commands: _Commands) -> None:
    parser = commands.add_parser("blocks", help="the logical link blocks of a page [Wang14]")
    parser.add_argument("page", metavar="PAGE", help="an HTML file, or - for standard input")
    parser.add_argument("--measure", choices=list(wang14.THRESHOLD), default="text")
    parser.add_argument(
        "--links", type=_positive, default=wang14.C_T, metavar="C_T", help="least links of a block"
    )
    parser.add_argument(
        "--distance", type=_positive, metavar="D_T", help="the distance that parts two blocks"
    )
    parser.add_argument(
        "--spare-prose",
        action="store_true",
        help="runs of inner links within sentences are no blocks (encyclopedias)",
    )
    parser.add_argument("--url", help="the page's URL: tells which links lead to other sites")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=blocks.run_blocks)


def _add_curves(commands: _Commands) -> None:
    parser = commands.add_parser("curves", help="figures 4 to 8 of [Wang14] over pages")
    _add_inputs(parser)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="an HTML file")
    parser.set_defaults(run=curves.run_curves)


def _add_eval(commands: _Commands) -> None:
    parser = commands.add_parser("eval", help="score methods on labelled pages")
    parser.add_argument(
        "inputs", nargs="+", metavar="GOLD", help="rows with html and gold (see docs/command.md)"
    )
    parser.add_argument(
        "--method", choices=METHODS, action="append", help="may be given more than once"
    )
    _add_model(parser)
    parser.add_argument("--by", choices=list(GROUPS), default="set")
    parser.add_argument(
        "--peers",
        nargs="?",
        const="all",
        metavar="NAMES",
        help=f"other extractors beside ours: all that are installed, or some of {','.join(PEERS)}",
    )
    parser.add_argument(
        "--json",
        nargs="?",
        const="-",
        metavar="FILE",
        help="write the figures to a file; with no FILE, print them instead of the tables",
    )
    _add_learning(parser)
    _add_jobs(parser)
    parser.set_defaults(run=evaluate.run_eval)


def _add_farsw(commands: _Commands) -> None:
    group = commands.add_parser("farsw", help="the fuzzy association rules of [Bu14]")
    actions = group.add_subparsers(title="actions", required=True, metavar="ACTION")
    parser = actions.add_parser("train", help="find the rules of labelled pages")
    parser.add_argument("inputs", nargs="+", metavar="GOLD", help="rows with html and gold")
    parser.add_argument("-o", "--output", metavar="MODEL", help="a JSON file")
    parser.add_argument(
        "--variant",
        choices=("inter-site", "intra-site"),
        default="inter-site",
        help="rules for sites not seen before, or for the site of the pages (default: inter-site)",
    )
    parser.add_argument(
        "--cross-validate",
        type=_at_most(farsw.MOST_FOLDS, least=2),
        nargs="?",
        const=farsw.FOLDS,
        metavar="K",
        help=f"print the scores of a K-fold cross-validation (default {farsw.FOLDS})",
    )
    parser.set_defaults(run=farsw.run_train)


if __name__ == "__main__":
    sys.exit(main())
