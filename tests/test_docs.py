"""Names in README.md and docs/ exist: files, modules, links, commands and settings."""

from __future__ import annotations

import contextlib
import importlib.util
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrapy_mainblock.cli.main import build_parser
from scrapy_mainblock.compiled import PURE
from scrapy_mainblock.crawl.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[1]
LAB = ROOT / "docs" / "lab"
"""Records of experiments: they name files that existed at their time."""
PAGES = sorted(
    {
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        ROOT / "SECURITY.md",
        *(ROOT / "docs").rglob("*.md"),
    }
    - set(LAB.rglob("*.md"))
)
PATH = re.compile(
    r"(?<![\w/.-])((?:scrapy_mainblock|tests|tools|benchmarks|example_project|docs)/[\w./-]*\w)"
)
"""A path from the root of the checkout."""
SOURCE = re.compile(r"(?<![\w./-])(\w[\w./-]*\.py)\b")
"""A source file by its name, or by the end of its path."""
MODULE = re.compile(r"(?<![\w.])(scrapy_mainblock(?:\.\w+)+)")
IMPORT = re.compile(r"from (scrapy_mainblock[\w.]*) import (\w+(?:, \w+)*)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
SETTING = re.compile(r"MAINBLOCK_[A-Z_]*[A-Z]")
SHELL = {"|", ">", "<", "2>", "&&"}
OF_READERS = {"news_spider.py"}
"""Files that the documentation tells its reader to write."""
COMMAND = re.compile(r"^(?: {4}|\$ )?(?:scrapy )?(mainblock [a-z-].*?)(?:\s+#.*)?$")
KNOWN_SOURCES = [
    f"/{path.relative_to(ROOT)}"
    for folder in ("scrapy_mainblock", "tests", "tools", "benchmarks", "example_project")
    for path in (ROOT / folder).rglob("*.py")
] + ["/setup.py"]
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def _paths(text: str) -> Iterator[str]:
    for path in PATH.findall(text):
        if not (ROOT / path).exists():
            yield path


def _sources(text: str) -> Iterator[str]:
    for path in SOURCE.findall(text):
        is_known = any(known.endswith(f"/{path}") for known in KNOWN_SOURCES)
        if not is_known and path not in OF_READERS:
            yield path


def _modules(text: str) -> Iterator[str]:
    """Yield dotted names that are neither a module nor an attribute of one."""
    for name in MODULE.findall(text):
        if not _exists(name):
            yield name


def _imports(text: str) -> Iterator[str]:
    """Yield missing names that examples import from the package."""
    for module, names in IMPORT.findall(text):
        for name in names.split(","):
            if not _exists(f"{module}.{name.strip()}"):
                yield f"{module}.{name.strip()}"


def _exists(name: str) -> bool:
    above, _, last = name.rpartition(".")
    with contextlib.suppress(ModuleNotFoundError):  # the parent may not exist, or not be a package
        if importlib.util.find_spec(name) is not None:
            return True
    with contextlib.suppress(ModuleNotFoundError):
        return hasattr(importlib.import_module(above), last)
    return False


def _commands(text: str) -> Iterator[str]:
    parser = build_parser(rules_dir="rules")
    for line in _code(text):
        if (found := COMMAND.match(line)) is None:
            continue
        words = shlex.split(found[1])
        end = next((place for place, word in enumerate(words) if word in SHELL), None)
        arguments = words[1:end]
        if arguments in (["--version"], ["--help"]) or arguments[-1:] == ["--help"]:
            continue
        try:
            parser.parse_args(arguments)
        except SystemExit:
            yield found[1]


def _code(text: str) -> Iterator[str]:
    """Yield the lines of code of a page, with lines continued by a backslash joined."""
    joined = text.replace("\\\n", " ")
    fenced = "\n".join(re.findall(r"(?s)^```\w*\n(.*?)^```", joined, re.MULTILINE))
    yield from fenced.splitlines()
    yield from (line for line in joined.splitlines() if line.startswith("    "))


def _settings(text: str) -> Iterator[str]:
    for name in SETTING.findall(text):
        if name not in SETTINGS and name != PURE:
            yield name


def _anchor(heading: str) -> str:
    plain = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return plain.replace(" ", "-")


CHECKS: list[Callable[[str], Iterator[str]]] = [
    _paths,
    _sources,
    _modules,
    _imports,
    _commands,
    _settings,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.strip("_"))
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_names_in_the_documentation_exist(
    page: Path, check: Callable[[str], Iterator[str]]
) -> None:
    assert not list(check(page.read_text("utf-8")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_have_a_target(page: Path) -> None:
    broken = []
    for link in LINK.findall(page.read_text("utf-8")):
        place, _, anchor = link.partition("#")
        if "://" in place:
            continue
        target = (page.parent / place).resolve() if place else page
        if not target.exists() or (
            anchor and anchor not in map(_anchor, HEADING.findall(target.read_text("utf-8")))
        ):
            broken.append(link)
    assert not broken


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (_paths, "see `scrapy_mainblock/core/mainblock.py`"),
        (_sources, "see `core/bounds.py`"),
        (_modules, "see `scrapy_mainblock.core.mainblock`"),
        (_modules, "see `scrapy_mainblock.extrakt`"),
        (_imports, "from scrapy_mainblock import extract, learned"),
        (_commands, "    mainblock rules burn --rules rules/"),
        (_commands, "```\n$ mainblock extract --all page.html | head\n```"),
        (_settings, "MAINBLOCK_HODL = True"),
    ],
)
def test_checks_find_missing_names(check: Callable[[str], Iterator[str]], text: str) -> None:
    assert len(list(check(text))) == 1
