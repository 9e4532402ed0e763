"""The layout of the code that docs/architecture.md promises, checked on the sources."""

from __future__ import annotations

import ast
import configparser
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapy_mainblock.crawl.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "scrapy_mainblock"
LARGEST_ROOM = 14
"""The limit of modules in a package: "about a dozen"."""
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)
COMPILED = [path for path in SOURCES if path.with_suffix(".pxd").exists()]


def functions(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name


def test_sources_are_python_only() -> None:
    assert COMPILED
    assert not [*PACKAGE.rglob("*.pyx"), *PACKAGE.rglob("*.pyi"), *PACKAGE.rglob("*.c")]


@pytest.mark.parametrize("path", [*COMPILED, *(path.with_suffix(".pxd") for path in COMPILED)],
                         ids=lambda path: path.name)  # fmt: skip
def test_compiled_modules_do_not_use_lxml_or_libxml2(path: Path) -> None:
    assert not re.search(r"lxml|libxml|xmlNode|cdef extern", path.read_text("utf-8"))


def test_every_pxd_declares_functions_of_its_source() -> None:
    """A function declared only in the .pxd would be a second implementation, or dead code."""
    for path in COMPILED:
        declared = re.findall(
            r"^\s*(?:cpdef|cdef) [^(=\n]*?(\w+)\(",
            path.with_suffix(".pxd").read_text(),
            re.MULTILINE,
        )
        missing = set(declared) - set(functions(path))
        assert not missing, f"{path.name}: {missing}"


def test_pxd_files_contain_no_code() -> None:
    """A body in a .pxd would be code that Python cannot run."""
    for path in COMPILED:
        code = re.findall(
            r"^[ \t]*(?:cp?def|def)\b(?! class\b)(?:[^\n:\[]|\[[^\]]*\])*\([^)]*\)[^\n]*:[ \t]*$",
            path.with_suffix(".pxd").read_text(),
            re.MULTILINE,
        )
        assert not code, f"{path.name}: {code}"


def test_one_module_checks_whether_the_package_is_compiled() -> None:
    asking = re.compile(r"MAINBLOCK_PURE|EXTENSION_SUFFIXES|cython\.compiled|\.so\b")
    found = [path for path in SOURCES if asking.search(path.read_text("utf-8"))]
    assert [path.name for path in found] == ["compiled.py"]


def test_every_subpackage_is_in_the_import_layers() -> None:
    """import-linter does not report packages that are missing in its configuration."""
    (layers,) = re.findall(
        r'type = "layers"\nlayers = \[(.*?)\]', (ROOT / "pyproject.toml").read_text(), re.DOTALL
    )
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms == set(re.findall(r"scrapy_mainblock\.(\w+)", layers))


def test_every_module_is_in_a_subpackage() -> None:
    assert {path.name for path in PACKAGE.glob("*.py")} == {
        "__init__.py",
        "compiled.py",
        "datatrove.py",
        "nemo_curator.py",
        "spark.py",
    }
    folders = {path.parent for path in SOURCES}
    assert all((folder / "__init__.py").exists() for folder in folders)


def test_all_files_of_the_package_are_in_the_wheel() -> None:
    """A file of a kind that setup.cfg does not list would be missing in the wheel."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    patterns = config["options.package_data"]["scrapy_mainblock"].split()
    built = {".py", ".pyc", ".so", ".pyd"}
    files = [path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in built]
    packed = {path for pattern in patterns for path in PACKAGE.glob(pattern)}
    assert PACKAGE / "py.typed" in packed
    assert not sorted(set(files) - packed)


def test_papers_are_uncompiled_and_not_imported() -> None:
    """The papers are plain Python, and extracting and learning do not import them."""
    assert not [path for path in COMPILED if "papers" in path.parts]
    code = (
        "import sys, scrapy_mainblock as m\n"
        "page = '<title>A</title><h1>A</h1>' + '<p>Some words of a text, that go on.</p>' * 9\n"
        "rules = m.learn([(page, f'http://e.example/{n}') for n in range(8)])\n"
        "assert m.extract(page, 'http://e.example/9', rules).articleBody\n"
        "print([name for name in sys.modules if name.startswith('scrapy_mainblock.papers')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout == "[]\n"


def constants(path: Path) -> Iterator[tuple[str, int | float]]:
    """Yield the named numbers of a module."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                value = ast.literal_eval(node.value)
            except ValueError:
                continue
            if isinstance(value, (int, float)) and node.targets[0].id.isupper():
                yield node.targets[0].id, value


def test_numeric_constants_are_defined_once() -> None:
    homes = defaultdict(list)
    for path in SOURCES:
        for name, value in constants(path):
            homes[name, value].append(str(path.relative_to(PACKAGE)))
    assert len(homes) > 100
    assert not {number: paths for number, paths in homes.items() if len(paths) > 1}


def test_every_setting_named_in_the_sources_exists() -> None:
    """`MAINBLOCK_PURE` and similar names are environment variables, listed in `compiled`."""
    named = {
        name
        for path in SOURCES
        if path.name != "compiled.py"
        for name in re.findall(r"\bMAINBLOCK_[A-Z_]*[A-Z]\b", path.read_text("utf-8"))
    }
    assert named == set(SETTINGS)


def test_no_package_has_more_than_about_a_dozen_modules() -> None:
    rooms = Counter(path.parent for path in SOURCES if path.name != "__init__.py")
    room, modules = rooms.most_common(1)[0]
    assert modules <= LARGEST_ROOM, f"{room} has {modules}"


def test_caches_of_other_objects_are_not_modified() -> None:
    pattern = re.compile(r"\.memo\b|__dict__\.pop|__dict__\[")
    found = [path.name for path in SOURCES if pattern.search(path.read_text("utf-8"))]
    assert not found


@pytest.mark.parametrize(
    ("noun", "names"),
    [
        ("outline", "outline|page|rows|head|places|folded"),
        ("judge/decision.py", "decision|decided"),
        ("render/article.py", "article"),
    ],
)
def test_core_objects_are_not_modified_by_other_packages(noun: str, names: str) -> None:
    home = PACKAGE / noun
    pattern = re.compile(
        rf"(?<![\w.])(?:self\.)?(?:{names})\.\w+(?:\[[^\]]*\])? (?:[-+*|&]|//?)?= "
    )
    found = [
        f"{path.relative_to(PACKAGE)}: {line.strip()}"
        for path in SOURCES
        if path != home and home not in path.parents
        for line in path.read_text("utf-8").splitlines()
        if pattern.search(line)
    ]
    assert not found


def test_undocumented_scrapy_api_is_used_in_one_file() -> None:
    private = re.compile(
        r"scraper\.slot|engine\._slot|_cached_selector|\._declared_encoding|start_itemproc_async"
        r"|close_spider_async|scraper\.enqueue_scrape|feed_options|\.itemcount|\.batch_id"
        r"|scrapy\.(?:extensions|pqueues|core)\b"
    )
    found = {path.name for path in SOURCES if private.search(path.read_text("utf-8"))}
    assert found == {"scrapy_compat.py"}


def test_extract_module_uses_the_core_nouns_in_under_sixty_lines() -> None:
    source = (PACKAGE / "recipe/extract.py").read_text("utf-8")
    tree = ast.parse(source)
    imports = {
        alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert {"Page", "Outline", "Decision", "Article"} <= imports
    bodies = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    lines = sum(node.end_lineno - node.lineno + 1 for node in bodies)
    assert lines < 60


SAYS_NOTHING = {
    "log_formatter.py __str__": "the item is shown as its own class shows it",
    "item_types.py _parts_of": "annotations that name nothing: its parts get plain values",
    "link.py _hang_up": "a connection is cut that does not answer; the call has been counted",
    "link.py _run": "a connection is closed at the end",
    "page.py _source_of_response": "the page is decoded from its bytes instead",
    "scrapy_compat.py has_known_queues": "the queues are not known, which their owner logs",
    "warc.py _next": "a damaged record: counted, and said at the end of its file",
}
"""Handlers of any exception that do not report it, and the reason."""
ANY = {"Exception", "BaseException"}


def _names_in(node: ast.AST | None) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} if node else set()


def _swallows(node: ast.AST) -> bool:
    """Return whether a node catches any exception, and neither raises nor uses it."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "suppress" and any(_names_in(one) & ANY for one in node.args)
    if not isinstance(node, ast.ExceptHandler) or not (
        node.type is None or _names_in(node.type) & ANY
    ):
        return False
    inside = [one for statement in node.body for one in ast.walk(statement)]
    used = {one.id for one in inside if isinstance(one, ast.Name)}
    return node.name not in used and not any(isinstance(one, ast.Raise) for one in inside)


def test_swallowed_exceptions_are_reported() -> None:
    """An exception must be counted, logged, or reported in the result."""
    found = set()
    for path in SOURCES:
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(
                map(_swallows, ast.walk(function))
            ):
                found.add(f"{path.name} {function.name}")
    assert found == set(SAYS_NOTHING)
