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
from scrapy_mainblock.cli.jobs import MOST_JOBS
from scrapy_mainblock.cli.memory import give_back_large_blocks
from scrapy_mainblock.cli.passes import METHODS
from scrapy_mainblock.cli.pins import change, check
from scrapy_mainblock.cli.scoring import evaluate
from scrapy_mainblock.cli.scoring.measures import GROUPS
from scrapy_mainblock.cli.scoring.peers import PEERS
from scrapy_mainblock.inputs.pages import MissingExtraError
from scrapy_mainblock.papers.wang14 import equations as wang14
from scrapy_mainblock.stores.whole_files import UnfinishedError
from scrapy_mainblock.template.field_rules import SPOKEN

_INPUTS_HELP = (
    "pages: .html files, a directory of them (in a mirror made by wget -m, the paths give the"
    " URLs), .jsonl or .jsonl.gz (rows with html and, if known, id, url and site), .warc, .warc.gz"
    " or .warc.zst, or - for standard input (the HTML of one page, or JSON lines)"
)
_RULES_HELP = "where the rules are stored: a directory, or the address of a store"

EXAMPLES = {
    "": """
mainblock extract page.html                                extract one page
mainblock extract pages.jsonl -o articles.jsonl            a row for each page
mainblock extract pages.jsonl -o articles.jsonl --rules rules/     and save the rules
mainblock rules list --rules rules/
mainblock eval gold.jsonl.gz                               measure accuracy on labeled pages
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
        " See mainblock COMMAND --help for each subcommand.",
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
    give_back_large_blocks()
    with stopping.by_exceptions(exits=True):
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
        return console.SOME_UNREADABLE, "stopped: a worker of --jobs was killed (out of memory?)"
    if isinstance(error, KeyboardInterrupt):
        return stopping.code_and_word(error)
    raise error


Run: TypeAlias = Callable[[argparse.Namespace], int]
_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number of at least 1")
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
        help="number of worker processes (default 1)",
    )


def _add_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help="for --method farsw: a model file written by mainblock farsw train",
    )


def _add_learning(parser: argparse.ArgumentParser, *, or_else: str = "") -> None:
    parser.add_argument(
        "--learn",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="group the pages by site, learn their rules, then extract (default); with --no-learn,"
        f" extract each page alone{or_else}",
    )


def _add_extract(commands: _Commands) -> None:
    parser = commands.add_parser("extract", help="write the main content of each page")
    _add_inputs(parser)
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="the output file (default: standard output)"
    )
    parser.add_argument(
        "--format",
        choices=list(FORMATS),
        help="jsonl: a row of JSON for each page; text, markdown, html: readable documents"
        " (default: jsonl, or text for a single page without -o)",
    )
    parser.add_argument("--url", metavar="U", help="the URL of the page, if IN is a single page")
    parser.add_argument("--site", metavar="S", help="treat all pages as pages of this site")
    _add_learning(parser, or_else=", or only with the rules in --rules")
    parser.add_argument(
        "--rules",
        metavar="DIR",
        help="rules of earlier runs: start from them, and save the learned rules there",
    )
    parser.add_argument(
        "--fields",
        metavar="NAMES",
        help="fill only these fields, for example headline,datePublished",
    )
    parser.add_argument(
        "--markdown", action="store_true", help="also fill articleBodyMarkdown in the rows"
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        default="auto",
        help="auto (default), or the method of a paper, for comparison: cluster, density [Wang18],"
        " linkdensity [Guna12], farsw [Bu14], linkblocks [Wang14], wpmte [Zhou09]",
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
        help="list, test, change, export and import rules",
        description="The learned rules, one document per site: see docs/rules.md.",
    )
    actions = group.add_subparsers(title="actions", required=True, metavar="ACTION")

    def action(name: str, run: Run, text: str) -> argparse.ArgumentParser:
        parser = actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        _add_rules_dir(parser, rules_dir)
        parser.set_defaults(run=run, action=name)
        return parser

    action("list", rules.run_list, "print a line for each rule")
    show = action("show", rules.run_show, "print the document of a site")
    show.add_argument("site", metavar="SITE")
    test = action("test", rules.run_test, "apply the rules to pages and count the outcomes")
    _add_inputs(test)
    test.add_argument("--site", metavar="S", help="treat all pages as pages of this site")
    action("check", check.run_check, "check all documents for errors and conflicting rules")
    pin = action(
        "pin", change.run_pin, "set a rule by hand, which takes precedence over learned rules"
    )
    _add_change(pin, "the cluster that the rule is for (default: all pages of the site)")
    pin.add_argument("--id", metavar="ID", help="the id of the main block, such as content")
    pin.add_argument(
        "--class",
        dest="css_class",
        metavar="CLASSES",
        help='its class or classes, such as "entry post"',
    )
    pin.add_argument("--path", metavar="PATH", help="its path, such as body1/div2/div1")
    for option, field in SPOKEN.items():
        pin.add_argument(
            f"--{option}",
            metavar="CSS",
            help=f"the place of {field}: a CSS selector, or a source as named in metadata.fields",
        )
    unpin = action("unpin", change.run_unpin, "unpin rules, so that learning can change them again")
    unpin.add_argument("site", metavar="SITE")
    unpin.add_argument(
        "--cluster",
        metavar="NAME",
        help="the cluster to unpin (default: everything that is pinned)",
    )
    for name, run, text in (
        ("drop", change.run_drop, "drop a part of the main block, and pin the rule"),
        ("keep", change.run_keep, "keep a part of the main block as content, and pin the rule"),
    ):
        parser = action(name, run, text)
        _add_change(parser, "the cluster whose rule to change (default: the only one)")
        parser.add_argument(
            "selector",
            metavar="SELECTOR",
            help='a path from the main block down, such as "div.text > p", or a single step with'
            ' an id or class, such as "div.share", which matches anywhere in the block',
        )
    export = action("export", rules.run_export, "write all rules to one file")
    export.add_argument("file", metavar="FILE", nargs="?", default="-")
    importing = action("import", ftr.run_import, "merge rules from an exported file")
    importing.add_argument("file", metavar="FILE", nargs="?", default="-")
    importing.add_argument(
        "--ftr", metavar="DIR", help="pin the rules of a directory of ftr-site-config files instead"
    )


def _add_change(parser: argparse.ArgumentParser, cluster: str) -> None:
    parser.add_argument("site", metavar="SITE", help="a host, as shown by mainblock rules list")
    parser.add_argument("--cluster", metavar="NAME", help=cluster)
    parser.add_argument(
        "--pages",
        metavar="IN",
        action="append",
        default=[],
        help="test the change on these pages first, and write nothing if it matches none"
        " (any input that extract takes; may be given more than once)",
    )
    parser.add_argument(
        "--force", action="store_true", help="write the change even if it matches nothing"
    )


def _add_explain(commands: _Commands, rules_dir: str | None, fetch: Fetch | None) -> None:
    parser = commands.add_parser("explain", help="show which parts of a page are content, and why")
    parser.add_argument(
        "page",
        metavar="PAGE",
        help=f"{'a URL, ' if fetch else ''}an HTML file, or - for standard input",
    )
    parser.add_argument("--url", help="the page's URL, which selects the site's rules")
    parser.add_argument("--site", metavar="SITE", help="the site, if the URL does not give it")
    parser.add_argument("--rules", metavar="DIR", default=rules_dir, help=_RULES_HELP)
    parser.add_argument("--json", action="store_true", help="print the whole decision as JSON")
    parser.set_defaults(run=_explain, fetch=fetch, project_rules=rules_dir)


def _explain(options: argparse.Namespace) -> int:
    from scrapy_mainblock.cli.look.explain import run_explain  # noqa: PLC0415 - rarely needed

    return run_explain(options)


def _add_inspect(commands: _Commands, rules_dir: str | None) -> None:
    parser = commands.add_parser("inspect", help="write a report on what was extracted, and why")
    _add_inputs(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="the report, a single HTML file")
    parser.add_argument(
        "--rules",
        metavar="DIR",
        default=rules_dir,
        help="use these rules; without them, learn rules from the pages",
    )
    parser.add_argument("--site", metavar="S", help="treat all pages as pages of this site")
    parser.add_argument(
        "--sample",
        type=_positive,
        metavar="N",
        help="number of pages to draw in full (default 500)",
    )
    parser.add_argument(
        "--edit",
        action="store_true",
        help="change the rules in --rules by pointing at parts of pages in a local browser",
    )
    parser.add_argument(
        "--port",
        type=_at_most(65535),
        metavar="N",
        help="the port for --edit (default: any free port)",
    )
    parser.set_defaults(run=_inspect, project_rules=rules_dir)


def _inspect(options: argparse.Namespace) -> int:
    from scrapy_mainblock.cli.look.inspect import run_inspect  # noqa: PLC0415

    return run_inspect(options)


def _add_blocks(commands: _Commands) -> None:
    parser = commands.add_parser("blocks", help="show the logical link blocks of a page [Wang14]")
    parser.add_argument("page", metavar="PAGE", help="an HTML file, or - for standard input")
    parser.add_argument("--measure", choices=list(wang14.THRESHOLD), default="text")
    parser.add_argument(
        "--links",
        type=_positive,
        default=wang14.C_T,
        metavar="C_T",
        help="minimum links of a block",
    )
    parser.add_argument(
        "--distance", type=_positive, metavar="D_T", help="the distance that separates two blocks"
    )
    parser.add_argument(
        "--spare-prose",
        action="store_true",
        help="runs of inner links within sentences are not blocks (encyclopedias)",
    )
    parser.add_argument("--url", help="the page's URL, to recognize links to other sites")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=blocks.run_blocks)


def _add_curves(commands: _Commands) -> None:
    parser = commands.add_parser("curves", help="draw figures 4 to 8 of [Wang14] for pages")
    _add_inputs(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the HTML file to write"
    )
    parser.set_defaults(run=curves.run_curves)


def _add_eval(commands: _Commands) -> None:
    parser = commands.add_parser("eval", help="score methods on labeled pages")
    parser.add_argument(
        "inputs", nargs="+", metavar="GOLD", help="rows with html and gold (see docs/command.md)"
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        action="append",
        help="the method to score (default: auto); may be given more than once",
    )
    _add_model(parser)
    parser.add_argument("--by", choices=list(GROUPS), default="set")
    parser.add_argument(
        "--peers",
        nargs="?",
        const="all",
        metavar="NAMES",
        help=f"also score other extractors: all that are installed, or some of {','.join(PEERS)}",
    )
    parser.add_argument(
        "--json",
        nargs="?",
        const="-",
        metavar="FILE",
        help="write the scores to a JSON file; without FILE, print them instead of the tables",
    )
    _add_learning(parser)
    _add_jobs(parser)
    parser.set_defaults(run=evaluate.run_eval)


def _add_farsw(commands: _Commands) -> None:
    group = commands.add_parser("farsw", help="train the fuzzy association rules of [Bu14]")
    actions = group.add_subparsers(title="actions", required=True, metavar="ACTION")
    parser = actions.add_parser("train", help="learn the rules from labeled pages")
    parser.add_argument("inputs", nargs="+", metavar="GOLD", help="rows with html and gold")
    parser.add_argument("-o", "--output", metavar="MODEL", help="the model file to write (JSON)")
    parser.add_argument(
        "--variant",
        choices=("inter-site", "intra-site"),
        default="inter-site",
        help="inter-site: rules for unseen sites; intra-site: rules for the site of the pages"
        " (default: inter-site)",
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
