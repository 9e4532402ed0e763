"""The main job on the bundled demo site: `python3 tools/demo.py`. Sets itself up.

Generates a small site of several templates, learns its rules, extracts every page, and shows some
articles beside what their pages held, and the rules.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

from environment import ROOT, python_with

OUT = ROOT / "out" / "demo"
PAGES, ARTICLES, RULES = OUT / "pages.jsonl.gz", OUT / "articles.jsonl", OUT / "rules"
EXCERPT = 300
SHOWN = ("magazine", "portal", "zh-news")


def main() -> None:
    """Generate, extract, show."""
    python = python_with("test")
    OUT.mkdir(parents=True, exist_ok=True)
    run(python, "-m", "demo_site", "--jsonl", PAGES, cwd=ROOT / "example_project")
    run(
        python,
        "-m",
        "scrapy_mainblock.cli.main",
        "extract",
        PAGES,
        "-o",
        ARTICLES,
        "--rules",
        RULES,
    )
    show()
    print(
        f"\nArticles: {ARTICLES.relative_to(ROOT)}\nRules:    {RULES.relative_to(ROOT)}/",
        flush=True,
    )
    run(python, "-m", "scrapy_mainblock.cli.main", "rules", "list", "--rules", RULES)


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    """Run a command; stop where it fails."""
    subprocess.run(command, cwd=cwd, check=True)


def show() -> None:
    """A few articles, each beside the text of its whole page."""
    with gzip.open(PAGES, "rt", encoding="utf-8") as stream:
        pages = [json.loads(line) for line in stream]
    articles = [json.loads(line) for line in ARTICLES.read_text(encoding="utf-8").splitlines()]
    for template in SHOWN:
        page, article = next(
            (page, article)
            for page, article in zip(pages, articles, strict=True)
            if page["meta"]["template"] == template
        )
        print(f"\n--- {article['url']}")
        print(f"the page held  {shortened(visible_text(page['html']))}")
        print(f"headline       {article['headline']}")
        print(f"article        {shortened(article['articleBody'] or '')}")
        print(f"found by       {article['metadata']['rule'] or article['metadata']['method']}")


def visible_text(html: str) -> str:
    """Roughly what a reader sees: enough to show what there was to be left out."""
    return re.sub(r"(?s)<head.*?</head>|<(script|style).*?</\1>|<[^>]*>", " ", html)


def shortened(text: str) -> str:
    """The beginning and the size of a text, indented as a block."""
    words = " ".join(text.split())
    return textwrap.fill(
        f"{words[:EXCERPT]}... ({len(words)} characters)", 96, subsequent_indent=" " * 15
    )


if __name__ == "__main__":
    sys.exit(main())
