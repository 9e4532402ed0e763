"""Compare the scan with the rules of HTML, and with libxml2, on html5lib's tree-construction tests.

    python tools/scan_check.py FOLDER_WITH_DAT_FILES [--show N]

Each test document comes with the tree that a browser builds of it. Two things are compared: the
text that a reader sees, and the nesting of the blocks that hold it. A fragment is read inside the
elements that its context stands for. (The tests: https://github.com/html5lib/html5lib-tests,
folder tree-construction.)
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import lxml.etree
import lxml.html

from scrapy_mainblock.outline.html.references import decoded
from scrapy_mainblock.outline.html.scan import scan
from scrapy_mainblock.outline.html.tags import BLOCK_TAGS, HIDDEN_TAGS, NAMES
from scrapy_mainblock.outline.layout import CLOSE, EMPTY, TEXT

CONTEXTS = {
    "tbody": "<table><tbody>",
    "thead": "<table><thead>",
    "tfoot": "<table><tfoot>",
    "tr": "<table><tbody><tr>",
    "td": "<table><tbody><tr><td>",
    "th": "<table><tbody><tr><th>",
    "caption": "<table><caption>",
    "colgroup": "<table><colgroup>",
    "table": "<table>",
    "html": "",
    "head": "<head>",
    "body": "<body>",
}
"""The source before a fragment, by its context; any other context is written as its element."""


class Case(NamedTuple):
    """One test document."""

    file: str
    source: str
    tree: list[str]
    context: str


Node = "str | tuple[str, list[Node]]"


def cases(folder: Path) -> Iterator[Case]:
    """Yield all test documents of a folder."""
    for file in sorted(folder.glob("*.dat")):
        text = file.read_text("utf-8", "surrogateescape")
        for one in re.split(r"(?:\A|\n)#data\n", text)[1:]:
            sections = re.split(
                r"\n?^#(errors|new-errors|document-fragment|document|script-\w+)\n?",
                one,
                flags=re.MULTILINE,
            )
            named = dict(zip(sections[1::2], sections[2::2], strict=False))
            yield Case(
                file.stem,
                sections[0],
                named.get("document", "").strip("\n").split("\n"),
                named.get("document-fragment", "").strip(),
            )


# --- what a browser builds ------------------------------------------------------------------------


def expected(case: Case) -> list[Node]:
    """Return the nodes of the expected tree: texts, and elements with their children."""
    root: list[Node] = []
    stack: list[list[Node]] = [root]
    lines = iter(case.tree)
    for line in lines:
        if not line.startswith("| "):
            continue
        depth = (len(line) - len(line[2:].lstrip(" ")) - 2) // 2
        content = line[2 + 2 * depth :]
        del stack[depth + 1 :]
        if content.startswith('"'):
            while not content.endswith('"') or len(content) == 1:
                content += "\n" + next(lines)
            stack[-1].append(content[1:-1])
        elif content.startswith("<") and not content.startswith("<!"):
            children: list[Node] = []
            stack[-1].append((content[1:-1], children))
            stack.append(children)
        else:
            stack.append([])  # an attribute, a comment, or a template's content
    return root


def outline_of_nodes(nodes: list[Node]) -> tuple[str, str]:
    """Return the visible text of some nodes, and their blocks."""
    text: list[str] = []
    blocks: list[str] = []

    def walk(nodes: list[Node]) -> None:
        for node in nodes:
            if isinstance(node, str):
                text.append(node)
                blocks.append(node)
                continue
            name, children = node
            if name.rpartition(" ")[2] in HIDDEN_TAGS:  # "svg title" as well
                continue
            if name in BLOCK_TAGS:
                blocks.append(f"\x01{name}[")
                walk(children)
                blocks.append("]\x01")
            else:
                walk(children)

    walk(nodes)
    return folded("".join(text)), shape("".join(blocks))


def folded(text: str) -> str:
    """Return a text without its whitespace, which depends on rendering."""
    return "".join(text.replace("\x00", "").split())


def shape(blocks: str) -> str:
    """Return the blocks that hold text."""
    text = "".join(blocks.replace("\x00", "").split())
    while True:
        less = re.sub(r"\x01[a-z0-9]+\[\]\x01", "", text)
        if less == text:
            return text.replace("\x01", "")
        text = less


# --- the scan and libxml2 -------------------------------------------------------------------------


def by_scan(source: str) -> tuple[str, str]:
    """Return the visible text and the blocks according to the scan."""
    rows = scan(source.encode("utf-8", "surrogateescape"))
    text: list[str] = []
    blocks: list[str] = []
    for event in rows.tape:
        kind, number = event & 3, event >> 2
        if kind == TEXT:
            piece = decoded(rows.source[rows.text_start[number] : rows.text_end[number]])
            text.append(piece)
            blocks.append(piece)
        elif NAMES[rows.tag[number]] in BLOCK_TAGS:
            name = NAMES[rows.tag[number]]
            if kind == CLOSE:
                blocks.append("]\x01")
            else:
                blocks.append(f"\x01{name}[" + ("]\x01" if kind == EMPTY else ""))
    return folded("".join(text)), without_root(shape("".join(blocks)))


def by_libxml2(source: str) -> tuple[str, str]:
    """Return the visible text and the blocks according to lxml's HTML parser."""
    parser = lxml.html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    try:
        root = lxml.html.document_fromstring(
            source.encode("utf-8", "surrogateescape"), parser=parser
        )
    except (lxml.etree.LxmlError, ValueError, AssertionError):
        return "", ""
    text, blocks = outline_of_nodes([of_element(root)])
    return text, without_root(blocks)


def of_element(element: lxml.html.HtmlElement) -> Node:
    """Return an element of lxml as a node."""
    children: list[Node] = [element.text] if element.text else []
    for child in element:
        children.append(of_element(child))
        if child.tail:
            children.append(child.tail)
    return (str(element.tag), children)


def without_root(blocks: str) -> str:
    """Return the blocks without those that every document has."""
    for name in ("html", "body"):
        if blocks.startswith(f"{name}[") and blocks.endswith("]"):
            blocks = blocks[len(name) + 1 : -1]
    return blocks


# --- a fragment -----------------------------------------------------------------------------------


def in_context(case: Case) -> str:
    """Return the source of a document, or of a fragment inside its context."""
    if not case.context:
        return case.source
    before = CONTEXTS.get(case.context)
    if before is None:
        names = case.context.split()
        before = "".join(
            f"<{name}>"
            for name in (
                [names[0], names[1]] if len(names) > 1 and names[0] != names[1] else names[:1]
            )
        )
    return f"<!doctype html>{before}{case.source}"


def expected_in_context(case: Case) -> tuple[str, str]:
    """Return the visible text and the blocks according to a browser."""
    nodes = expected(case)
    if not case.context:
        text, blocks = outline_of_nodes(nodes)
        return text, without_root(blocks)
    for name in reversed(re.findall(r"<(\w+)>", in_context(case)[: -len(case.source) or None])):
        nodes = [(name, nodes)]
    text, blocks = outline_of_nodes(nodes)
    return text, without_root(blocks)


def main() -> None:
    """Print the figures, and the test files with the most differences."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--show", type=int, default=0, help="documents that differ to print")
    options = arguments.parse_args()
    total = Counter[str]()
    kinds: Counter[str] = Counter()
    for case in cases(options.folder):
        source = in_context(case)
        wanted = expected_in_context(case)
        total["documents"] += 1
        for name, found in (("scan", by_scan(source)), ("libxml2", by_libxml2(source))):
            total[f"{name} text"] += found[0] == wanted[0]
            total[f"{name} blocks"] += found[1] == wanted[1]
            if name == "scan" and found != wanted:
                what = "text" if found[0] != wanted[0] else "blocks"
                kinds[f"{what} {case.file}"] += 1
                if options.show > 0:
                    options.show -= 1
                    print(f"--- {case.file} {case.context} ({what})\n{source!r}")
                    print("  wanted", wanted)
                    print("  found ", found)
    documents = total["documents"]
    print(f"{documents} documents")
    for name in ("scan", "libxml2"):
        text, blocks = total[f"{name} text"], total[f"{name} blocks"]
        shares = f"text {text} ({text / documents:.1%}), blocks {blocks} ({blocks / documents:.1%})"
        print(f"{name:8} {shares}")
    for kind, number in kinds.most_common(25):
        print(f"  {number:4} {kind}")


if __name__ == "__main__":
    main()
