"""The `mainblock` command line: what it takes, and who does it."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor
from typing import Any, NoReturn, TypeAlias

import scrapy_mainblock
from scrapy_mainblock import compiled
from scrapy_mainblock.cli import blocks, console, curves, evaluate, extract, farsw, rules
from scrapy_mainblock.cli.inputs import MissingExtraError
from scrapy_mainblock.cli.measures import GROUPS
from scrapy_mainblock.cli.passes import METHODS
from scrapy_mainblock.cli.peers import PEERS
from scrapy_mainblock.papers.wang14 import equations as wang14

_INPUTS_HELP = (
    "pages: .jsonl or .jsonl.gz (rows with html, and id, url, site where known), .html files,"
    " a directory of them, .warc or .warc.gz, or - for JSON lines on standard input"
)


Fetch = Callable[[str], Any]


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, and where the usage is to be found."""

    def error(self, message: str) -> NoReturn:
        self.exit(console.WRONG_USAGE, f"{self.prog}: {message} (see {self.prog} --help)\n")


def build_parser(
    program: str = "mainblock", rules_dir: str | None = None, fetch: Fetch | None = None
) -> argparse.ArgumentParser:
    """The parser with every subcommand; `rules_dir` is used where --rules is needed and missing.

    `fetch` returns the response at a URL, or why there is none.
    """
    parser = _Parser(prog=program, description="Extract the main content of web pages.")
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
    """Run the command; returns its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a page's text may be more than a terminal's
            stream.reconfigure(errors="backslashreplace")
    try:
        options = build_parser(program, rules_dir, fetch).parse_args(arguments)
        code: int = options.run(options)
        sys.stdout.flush()
    except (console.UsageError, MissingExtraError) as error:
        console.complain(str(error))
        return console.WRONG_USAGE
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return console.SOME_UNREADABLE
    except OSError as error:  # a disk that is full, an output that went away
        console.complain(f"stopped: {error.strerror or error}")
        return console.SOME_UNREADABLE
    except BrokenExecutor:
        console.complain("stopped: a process of --jobs was killed (out of memory?)")
        return console.SOME_UNREADABLE
    except KeyboardInterrupt:
        console.complain("interrupted")
        return console.INTERRUPTED
    return code


_Commands: TypeAlias = "argparse._SubParsersAction[_Parser]"


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1 up")
    return number


_positive.__name__ = "number"  # argparse names it in its own message


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", nargs="+", metavar="IN", help=_INPUTS_HELP)


def _add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs", type=_positive, default=1, metavar="N", help="processes to work in (default 1)"
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
        help="group the pages by site, learn rules, then apply them (default); or each page alone",
    )


def _add_extract(commands: _Commands) -> None:
    parser = commands.add_parser("extract", help="write the main content of each page")
    _add_inputs(parser)
    parser.add_argument(
        "-o", "--output", default="-", metavar="OUT", help="JSON lines, a row a page (default: -)"
    )
    _add_learning(parser)
    parser.add_argument("--rules", metavar="DIR", help="start from, and keep, the rules in here")
    parser.add_argument("--method", choices=METHODS, default="auto")
    _add_model(parser)
    _add_jobs(parser)
    parser.set_defaults(run=extract.run_extract)


def _add_rules_dir(parser: argparse.ArgumentParser, rules_dir: str | None) -> None:
    where = "where the rules are" + (" (default: the project's)" if rules_dir else "")
    required = rules_dir is None
    parser.add_argument("--rules", metavar="DIR", required=required, default=rules_dir, help=where)


def _add_learn(commands: _Commands, rules_dir: str | None) -> None:
    parser = commands.add_parser("learn", help="learn the rules of sites from their pages")
    _add_inputs(parser)
    _add_rules_dir(parser, rules_dir)
    _add_jobs(parser)
    parser.set_defaults(run=extract.run_learn)


def _add_rules(commands: _Commands, rules_dir: str | None) -> None:
    group = commands.add_parser("rules", help="look at the rules, try them, pin one, move them")
    actions = group.add_subparsers(title="actions", required=True, metavar="ACTION")

    def action(name: str, text: str) -> argparse.ArgumentParser:
        parser = actions.add_parser(name, help=text)
        _add_rules_dir(parser, rules_dir)
        return parser

    action("list", "a line for each rule").set_defaults(run=rules.run_list)
    show = action("show", "the document of a site")
    show.add_argument("site", metavar="SITE")
    show.set_defaults(run=rules.run_show)
    test = action("test", "apply the rules to pages and count what came of it")
    _add_inputs(test)
    test.set_defaults(run=rules.run_test)
    pin = action("pin", "set a rule by hand, which then wins over what is learnt")
    pin.add_argument("site", metavar="SITE")
    pin.add_argument("--cluster", metavar="NAME", help="the cluster it is for (default: the site)")
    pin.add_argument("--id", metavar="ID")
    pin.add_argument("--class", dest="css_class", metavar="CLASSES")
    pin.add_argument("--path", metavar="PATH", help="like body1/div2/div1")
    pin.set_defaults(run=rules.run_pin)
    export = action("export", "write all rules to one file")
    export.add_argument("file", metavar="FILE", nargs="?", default="-")
    export.set_defaults(run=rules.run_export)
    importing = action("import", "merge the rules of such a file")
    importing.add_argument("file", metavar="FILE", nargs="?", default="-")
    importing.set_defaults(run=rules.run_import)


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
    from scrapy_mainblock.cli.look.explain import run_explain  # noqa: PLC0415 - most runs need neither

    return run_explain(options)


def _add_inspect(commands: _Commands, rules_dir: str | None) -> None:
    parser = commands.add_parser("inspect", help="write a report to look at what was extracted")
    _add_inputs(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="the report, one HTML file")
    parser.add_argument(
        "--rules", metavar="DIR", default=rules_dir, help="look at these rules; else learn some"
    )
    parser.add_argument(
        "--sample", type=_positive, metavar="N", help="pages that are drawn in full (default 500)"
    )
    parser.add_argument(
        "--edit",
        action="store_true",
        help="change the rules of --rules by pointing at pages, in a browser on this machine",
    )
    parser.add_argument(
        "--port", type=_positive, default=0, metavar="N", help="for --edit (default: any)"
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
        type=_positive,
        nargs="?",
        const=farsw.FOLDS,
        metavar="K",
        help=f"print the scores of a K-fold cross-validation (default {farsw.FOLDS})",
    )
    parser.set_defaults(run=farsw.run_train)


if __name__ == "__main__":
    sys.exit(main())
