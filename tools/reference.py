"""Write docs/reference/*.md from the code: `python tools/reference.py [--check]`.

The page on the command comes from its parser, those on Python, metadata and statistics from the
modules that they describe. With `--check` nothing is written; the exit code is 1 if a page is out
of date.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import re
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import scrapy_mainblock
from scrapy_mainblock.cli.main import EXAMPLES, build_parser
from scrapy_mainblock.crawl import stats
from scrapy_mainblock.judge import decision
from scrapy_mainblock.render import article

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "reference"
CRAWL = ROOT / "scrapy_mainblock" / "crawl"
MADE = "This page is made from the code: `python tools/reference.py`."


def main() -> int:
    """Write the pages, or check them; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    old = [name for name, text in pages().items() if _written(name) != text]
    if not options.check:
        DOCS.mkdir(exist_ok=True)
        for name in old:
            (DOCS / name).write_text(pages()[name], encoding="utf-8")
    print(*(f"{'not current' if options.check else 'written'}: {name}" for name in old), sep="\n")
    return 1 if old and options.check else 0


def _written(name: str) -> str | None:
    page = DOCS / name
    return page.read_text(encoding="utf-8") if page.exists() else None


def pages() -> dict[str, str]:
    """Return the text of each page, by its file name."""
    made = {
        "command.md": command(),
        "python.md": python(),
        "metadata.md": metadata(),
        "statistics.md": statistics(),
    }
    return {name: "\n".join([*lines, ""]) for name, lines in made.items()}


# --- the command --------------------------------------------------------------------------------


def command() -> Iterator[str]:
    """Yield the lines on every subcommand with its arguments."""
    yield from ("# The command", "", MADE, "")
    yield from (
        "In a Scrapy project `scrapy mainblock ...` is the same command, with the project's rules",
        "as `--rules` and its settings behind `explain URL`.",
        "",
        "Exit codes: 0; 1 when some input could not be read (named on standard error; the rest is",
        "still done); 2 for wrong usage, with one line that says what to do; 130 after Ctrl-C and",
        "143 after SIGTERM, 129 after SIGHUP, with one line that names what there is of an output.",
        "",
    )
    for name, help_text, parser in _subcommands(build_parser()):
        yield from _subcommand(name, help_text, parser)


def _subcommands(
    parser: argparse.ArgumentParser, above: str = ""
) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            texts = {one.dest: one.help or "" for one in action._choices_actions}
            for name, below in action.choices.items():
                path = f"{above} {name}".strip()
                deeper = list(_subcommands(below, path))
                yield from deeper or [(path, texts[name], below)]


def _subcommand(name: str, help_text: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    usage = re.sub(r"\s+", " ", parser.format_usage().removeprefix("usage:")).strip()
    yield from (f"## mainblock {name}", "", f"{_sentence(help_text)}", "", f"`{usage}`", "")
    rows = [row for action in parser._actions if (row := _argument(action))]
    if rows:
        yield from ("| | |", "|---|---|", *rows, "")
    if examples := EXAMPLES.get(name, "").strip():
        yield from (*(f"    {line}" for line in examples.splitlines()), "")


def _argument(action: argparse.Action) -> str | None:
    if isinstance(action, argparse._HelpAction):
        return None
    names = ", ".join(action.option_strings) or str(action.metavar or action.dest)
    if action.option_strings and action.metavar and action.nargs != 0:
        names += f" {action.metavar}"
    text = (action.help or "").removesuffix(" (default: %(default)s)")  # Python 3.10 adds it
    if action.choices:
        text += f" ({', '.join(map(str, action.choices))})"
    return f"| `{names}` | {_cell(text)} |"


# --- Python ---------------------------------------------------------------------------------------


def python() -> Iterator[str]:
    """Yield the lines on what `scrapy_mainblock` exports."""
    yield from (
        "# Python",
        "",
        MADE,
        "",
        "    from scrapy_mainblock import explain, extract, learn",
        "",
    )
    yield from (
        "Functions are pure and safe in threads and processes; articles, decisions and rules can",
        "be pickled. The names for Scrapy are imported when they are first used.",
        "",
    )
    for name in scrapy_mainblock.__all__:
        yield from _exported(name, getattr(scrapy_mainblock, name))
    yield from ("## For Scrapy", "", "| | |", "|---|---|")
    for name, module in scrapy_mainblock._SCRAPY.items():
        tree = _tree(CRAWL / f"{module.replace('.', '/')}.py")
        (node,) = (one for one in tree.body if isinstance(one, ast.ClassDef) and one.name == name)
        yield f"| `{name}` | {_cell(ast.get_docstring(node) or '')} |"


def _exported(name: str, value: Any) -> Iterator[str]:
    if inspect.isfunction(value):
        yield from (f"## {name}", "", f"    {_signature(name, value)}", "", *_text(value), "")
        return
    yield from (f"## {name}", "", *_text(value), "")
    if name.endswith("Metadata"):
        yield from ("Its keys: [metadata](metadata.md).", "")
        return
    about = _attributes(Path(inspect.getfile(value)), name)
    fields = getattr(value, "__dataclass_fields__", {})
    rows = [f"| `{one}` | `{fields[one].type}` | {about.get(one, '')} |" for one in fields]
    if rows:
        yield from ("| attribute | type | |", "|---|---|---|", *(_bars(row) for row in rows), "")
    for method, function in vars(value).items():
        plain = inspect.unwrap(getattr(function, "__func__", getattr(function, "fget", function)))
        text = inspect.getdoc(plain) or getattr(function, "__doc__", None)
        if method.startswith("_") or method in fields or not text or inspect.isclass(function):
            continue
        is_called = inspect.isfunction(plain) and not isinstance(function, property)
        shown = _signature(method, plain) if is_called else method
        yield f"- `.{shown}`: {_cell(text)}"
    yield ""


def _signature(name: str, function: Any) -> str:
    signature = inspect.signature(function)
    kept = [one for one in signature.parameters.values() if one.name not in ("self", "cls")]
    shown = str(signature.replace(parameters=kept)).replace("'", "")
    default = re.search(r"fields: [\w\[\]]+ = (frozenset\(.*?\}\))", shown)
    return f"{name}{shown.replace(default[1], 'all but articleBodyMarkdown') if default else shown}"


# --- metadata -------------------------------------------------------------------------------------


def metadata() -> Iterator[str]:
    """Yield the lines on the keys of `article.metadata`, and on the reasons of a decision."""
    source = Path(inspect.getfile(article))
    about = _attributes(source, "Metadata") | _attributes(source, "ItemMetadata")
    yield from (
        "# Metadata",
        "",
        MADE,
        "",
        "`article.metadata` (`Metadata`), and the item's `metadata` field (`ItemMetadata`):",
        "",
    )
    yield from ("| key | type | |", "|---|---|---|")
    types = typing.get_type_hints(article.ItemMetadata)
    in_items = types.keys() - typing.get_type_hints(article.Metadata).keys()
    written = article.ItemMetadata.__annotations__
    for key in types:
        kind = getattr(written[key], "__forward_arg__", str(written[key]))
        kind = " or ".join(map(repr, typing.get_args(decision.Method))) if key == "method" else kind
        where = "In an item only. " if key in in_items else ""
        yield _bars(f"| `{key}` | `{kind}` | {where}{about.get(key, '')} |")
    yield from (
        "",
        "## Why a part was kept or dropped",
        "",
        "The reasons in `explain(...).parts`, in the report and in `mainblock explain`:",
        "",
    )
    yield from (
        f"- {'kept' if number <= decision.PINNED else 'dropped'}: {reason}"
        for number, reason in enumerate(decision.REASONS)
        if number != decision.TITLE
    )
    yield "- the headline: it is a field of its own, and not in the body"


# --- statistics -----------------------------------------------------------------------------------


def statistics() -> Iterator[str]:
    """Yield the lines on the stats of a crawl, and on the kinds of trouble in the sources."""
    yield from (
        "# Statistics",
        "",
        MADE,
        "",
        "A crawl's stats, each with `mainblock/` before it:",
        "",
    )
    yield from ("| stat | what it counts |", "|---|---|")
    yield from (f"| `{name}` | {text} |" for name, text in stats.MEANINGS.items())
    yield from ("", "## Errors", "")
    yield from (
        "`errors/KIND`; the first error of each kind is logged.",
        "",
        "| kind | message |",
        "|---|---|",
    )
    for kind, messages in sorted(troubles().items()):
        yield f"| `{kind}` | {'; '.join(dict.fromkeys(messages))} |"


def counted() -> set[str]:
    """Return the names of the stats that the sources count by a string literal."""
    found = {"errors/swallowed/..."}
    for call, _ in _calls({"count", "count_of_site"}):
        if isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str):
            found.add(call.args[0].value)
    return found


def troubles() -> dict[str, list[str]]:
    """Return the kinds of trouble, each with its log messages."""
    found: dict[str, list[str]] = {}
    for call, message_before in _calls({"trouble"}):
        kind, message = call.args[0], call.args[1]
        if isinstance(kind, ast.Constant):
            said = str(message.value) if isinstance(message, ast.Constant) else message_before
            found.setdefault(str(kind.value), []).append(_cell(said.replace("%s", "…")))
    return found


def _calls(names: set[str]) -> Iterator[tuple[ast.Call, str]]:
    """Yield calls of the crawl's stats, each with the text last assigned to `message` before it."""
    for file in sorted(CRAWL.rglob("*.py")):
        message = ""
        nodes = (node for node in ast.walk(_tree(file)) if isinstance(node, (ast.Assign, ast.Call)))
        for node in sorted(nodes, key=lambda one: one.lineno):
            if isinstance(node, ast.Assign):
                if ast.unparse(node.targets[0]) == "message" and isinstance(
                    node.value, ast.Constant
                ):
                    message = str(node.value.value)
            elif isinstance(node.func, ast.Attribute) and node.func.attr in names and node.args:
                if ast.unparse(node.func.value).endswith("stats"):
                    yield node, message


# --- texts ----------------------------------------------------------------------------------------


def _attributes(file: Path, name: str) -> dict[str, str]:
    """Return the docstrings of a class's attributes, by the name of the attribute."""
    (node,) = (
        one for one in ast.walk(_tree(file)) if isinstance(one, ast.ClassDef) and one.name == name
    )
    found = {}
    for one, following in zip(node.body, node.body[1:], strict=False):
        if (
            isinstance(one, ast.AnnAssign)
            and isinstance(one.target, ast.Name)
            and isinstance(following, ast.Expr)
            and isinstance(following.value, ast.Constant)
        ):
            found[one.target.id] = _cell(str(following.value.value))
    return found


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _text(value: Any) -> list[str]:
    return (inspect.getdoc(value) or "").replace("``", "`").splitlines()


def _cell(text: str) -> str:
    return " ".join(text.replace("``", "`").replace("|", r"\|").split())


def _bars(row: str) -> str:
    """Return a table row with the bars of types like `str | None` escaped."""
    return re.sub(r"(?<=\w|\]) \| (?=\w)(?=[^`|]*`)", r" \\| ", row)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


if __name__ == "__main__":
    sys.exit(main())
