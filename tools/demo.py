"""Run the main job on the bundled demo site: `python3 tools/demo.py`. Sets itself up.

Runs `scrapy crawl demo` in example_project/, shows some of the cleaned items beside the content of
their pages, and the rules that were learned. A second run starts from the rules of the first.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from environment import ROOT, python_with

PROJECT = ROOT / "example_project"
sys.path.insert(0, str(PROJECT))
import demo_site  # noqa: E402

SHOWN = (("newsroom", 0.5), ("magazine", 1.0), ("zh-news", 0.7))
"""Templates, and which of their articles: 1.0 is the one with most around it for its length."""
WIDTH = 96
MARGIN = 12
UNSEEN = re.compile(r"(?s)<head.*?</head>|<!--.*?-->|<(script|style|template)\b.*?</\1>")


def main() -> None:
    """Set up the environment, and run the demo."""
    run(python_with("test"), ROOT / "out" / "demo")


def run(python: Path, out: Path) -> None:
    """Crawl, show some items, and show the rules."""
    out = out.resolve()
    articles, rules, log = out / "articles.jsonl", out / "rules", out / "crawl.log"
    out.mkdir(parents=True, exist_ok=True)
    crawl(python, articles, rules, log)
    items = [json.loads(line) for line in articles.read_text(encoding="utf-8").splitlines()]
    by_path = {urlsplit(item["url"]).path: item for item in items}
    site = demo_site.build()
    summary(items)
    for template, share in SHOWN:
        page = article_of(site, template, share)
        show(page, by_path[page.path])
    show_rules(python, rules)
    print(f"\nItems  {os.path.relpath(articles)}")
    print(f"Rules  {os.path.relpath(rules)}{os.sep} (the next run starts from them)")
    print(f"Log    {os.path.relpath(log)}")


def crawl(python: Path, articles: Path, rules: Path, log: Path) -> None:
    """Run `scrapy crawl demo`, with all of its output in our folder."""
    known = any(rules.glob("*.json"))
    print(f"scrapy crawl demo ({'rules of the last run' if known else 'no rules yet'})", flush=True)
    log.unlink(missing_ok=True)
    feeds = {str(articles): {"format": "jsonlines", "overwrite": True}}
    settings = {"FEEDS": json.dumps(feeds), "MAINBLOCK_RULES_DIR": rules, "LOG_FILE": log}
    command = [python, "-m", "scrapy", "crawl", "demo"]
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    if subprocess.run(command, cwd=PROJECT, check=False).returncode:
        sys.exit(f"the crawl failed: see {os.path.relpath(log)}")


def summary(items: list[dict[str, Any]]) -> None:
    """Print how the items were found."""
    methods = Counter(item["metadata"]["method"] for item in items)
    print(
        f"{len(items)} pages, {len(items)} items: {methods['rule']} by a rule,"
        f" {methods['page']} from the page alone, {methods['none']} with nothing found"
    )


def article_of(site: demo_site.Site, template: str, share: float) -> demo_site.Page:
    """Return an article of a template, chosen by how much there is around the articles."""
    pages = [page for page in site.pages if page.template == template]
    pages.sort(key=lambda page: len("".join(fragments(page))) / len(page.gold or page.html))
    return pages[round(share * (len(pages) - 1))]


def show(page: demo_site.Page, item: dict[str, Any]) -> None:
    """Print an item, and what it leaves out of its page."""
    body = " ".join((item["articleBody"] or "").split())
    held = fragments(page)
    left_out = [text for text in held if text not in body]
    print(f"\n{page.path}")
    line("held", f"{sum(map(len, held)):,} characters, of which {len(body):,} are the article")
    line("headline", item["headline"] or "-")
    line("article", body or "-")
    line("left out", left_out[0])
    for text in sorted(left_out[1:], key=len)[:-3:-1]:
        line("", text)
    line("found by", how(item["metadata"]))


def fragments(page: demo_site.Page) -> list[str]:
    """Return the visible text of a page, cut at its tags."""
    shown = (" ".join(text.split()) for text in re.split("<[^>]*>", UNSEEN.sub("", page.html)))
    return [unescape(text) for text in shown if text]


def line(label: str, text: str) -> None:
    """Print the beginning of a text after its label."""
    wide = sum(ord(char) > 0x2E7F for char in text[:WIDTH]) > WIDTH / 4
    room = (WIDTH - MARGIN) // (2 if wide else 1)
    print(f"  {label:<{MARGIN - 2}}{cut(text, room)}")


def cut(text: str, room: int) -> str:
    """Return the text, cut if it is longer than the room."""
    return text if len(text) <= room else f"{text[: room - 3]}..."


def how(metadata: dict[str, Any]) -> str:
    """Return a description of the rule, or "the page alone"."""
    if metadata["method"] != "rule":
        return "the page alone"
    selectors = " ".join(f"{kind}={value}" for kind, value in metadata["rule"].items())
    return f"rule {selectors}, cluster {metadata['cluster']}"


def show_rules(python: Path, rules: Path) -> None:
    """Print `scrapy mainblock rules list`, cut to a terminal's width."""
    print("\nscrapy mainblock rules list")
    command = [python, "-m", "scrapy", "mainblock", "rules", "list", "--rules", rules]
    listed = subprocess.run(command, cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True)
    for row in listed.stdout.splitlines():
        print(f"  {cut(row, WIDTH - 2)}")


if __name__ == "__main__":
    main()
