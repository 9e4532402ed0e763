"""Export of the site to files: rows for benchmarks, or plain HTML."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from .model import Page
from .site import Site

SNIPPET_LENGTH = 60
NOT_IN_NAME = re.compile(r"[^A-Za-z0-9]+")

Row = dict[str, object]


def page_id(page: Page) -> str:
    """Return the page's path as a name that any file system accepts."""
    return NOT_IN_NAME.sub("-", page.path).strip("-") or "front-page"


def row(site: Site, page: Page) -> Row:
    """Return one page as a row of a benchmark."""
    return {
        "id": page_id(page),
        "url": site.url(page),
        "site": site.host,
        "html": page.html,
        "gold": page.gold,
        "meta": {
            "page_type": page.page_type,
            "title": page.headline,
            "lang": page.language,
            "template": page.template,
            "with": _snippets(page.gold or ""),
            "without": list(page.not_gold),
            "set": "demo",
        },
    }


def _snippets(gold: str) -> list[str]:
    """Return the starts of the first, middle and last paragraph: an extraction must have them."""
    lines = [line for line in gold.splitlines() if line]
    chosen = dict.fromkeys(lines[i] for i in (0, len(lines) // 2, -1)) if lines else {}
    return [line[:SNIPPET_LENGTH].strip() for line in chosen]


def write_jsonl(site: Site, path: Path) -> int:
    """Write a row per page, gzipped if the name ends in .gz; return the number of pages."""
    with _text_file(path) as out:
        for page in site.pages:
            out.write(json.dumps(row(site, page), ensure_ascii=False) + "\n")
    return len(site.pages)


def write_html(site: Site, folder: Path) -> int:
    """Write each page to its own file, in its own encoding; return the number of pages."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in site.pages:
        (folder / f"{page_id(page)}.html").write_bytes(page.body)
    return len(site.pages)


@contextmanager
def _text_file(path: Path) -> Iterator[TextIO]:
    if path.suffix != ".gz":
        with path.open("w", encoding="utf-8", newline="\n") as out:
            yield out
        return
    # Neither name nor time is in the header, so that the same site gives the same file.
    with (
        path.open("wb") as raw,
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as out,
    ):
        yield out
