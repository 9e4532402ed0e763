"""How the code is laid out: what docs/architecture.md promises, read off the sources."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "scrapy_mainblock"
LARGEST_ROOM = 14
"""HOUSE: "about a dozen"."""
SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)
COMPILED = [path for path in SOURCES if path.with_suffix(".pxd").exists()]


def functions(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name


def test_there_is_one_language() -> None:
    assert COMPILED
    assert not [*PACKAGE.rglob("*.pyx"), *PACKAGE.rglob("*.pyi"), *PACKAGE.rglob("*.c")]


@pytest.mark.parametrize("path", [*COMPILED, *(path.with_suffix(".pxd") for path in COMPILED)],
                         ids=lambda path: path.name)  # fmt: skip
def test_nothing_compiled_knows_lxml_or_libxml2(path: Path) -> None:
    assert not re.search(r"lxml|libxml|xmlNode|cdef extern", path.read_text("utf-8"))


def test_every_pxd_describes_what_its_source_has() -> None:
    """A function that only the .pxd knows would be a second implementation, or dead."""
    for path in COMPILED:
        declared = re.findall(
            r"^\s*(?:cpdef|cdef) [^(=\n]*?(\w+)\(",
            path.with_suffix(".pxd").read_text(),
            re.MULTILINE,
        )
        missing = set(declared) - set(functions(path))
        assert not missing, f"{path.name}: {missing}"


def test_one_place_asks_whether_something_is_compiled() -> None:
    asking = re.compile(r"MAINBLOCK_PURE|EXTENSION_SUFFIXES|cython\.compiled|\.so\b")
    found = [path for path in SOURCES if asking.search(path.read_text("utf-8"))]
    assert [path.name for path in found] == ["compiled.py"]


def test_no_room_has_more_than_about_a_dozen_modules() -> None:
    rooms = Counter(path.parent for path in SOURCES if path.name != "__init__.py")
    room, modules = rooms.most_common(1)[0]
    assert modules <= LARGEST_ROOM, f"{room} has {modules}"


def test_nobody_writes_into_another_modules_memo() -> None:
    pattern = re.compile(r"\.memo\b|__dict__\.pop|__dict__\[")
    found = [path.name for path in SOURCES if pattern.search(path.read_text("utf-8"))]
    assert not found


def test_what_scrapy_does_not_document_stands_in_one_file() -> None:
    private = re.compile(
        r"scraper\.slot|engine\._slot|_cached_selector|\._declared_encoding|start_itemproc_async"
        r"|close_spider_async|scraper\.enqueue_scrape|feed_options|\.itemcount|\.batch_id"
        r"|scrapy\.(?:extensions|pqueues|core)\b"
    )
    found = {path.name for path in SOURCES if private.search(path.read_text("utf-8"))}
    assert found == {"scrapy_compat.py"}


def test_extract_reads_as_the_five_nouns_in_under_sixty_lines() -> None:
    source = (PACKAGE / "recipe/extract.py").read_text("utf-8")
    tree = ast.parse(source)
    imports = {
        alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    assert {"Page", "Outline", "Decision", "Article"} <= imports
    bodies = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    lines = sum(node.end_lineno - node.lineno + 1 for node in bodies)
    assert lines < 60
