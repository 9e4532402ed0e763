"""Properties of the rendered output, checked on your own pages.

    MAINBLOCK_PAGES=pages.jsonl.gz python -m pytest tests/render/test_real_pages.py

The file has JSON lines with `html` and, if known, `url`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from pages import outline_of, rendered
from structure import structure

from scrapy_mainblock import extract
from scrapy_mainblock.inputs.pages import Inputs

PAGES = os.environ.get("MAINBLOCK_PAGES")
COMMONMARK = MarkdownIt("commonmark").enable("table")


@pytest.mark.skipif(not PAGES, reason="MAINBLOCK_PAGES names no file of pages")
def test_text_html_and_markdown_agree_on_every_page() -> None:
    wrong = []
    read = 0
    for page in Inputs([str(Path(PAGES or ""))], print):
        article = extract(page.html or "", page.url, markdown=True)
        html, text = article.articleBodyHtml, article.articleBody
        if html is None or text is None:
            continue
        read += 1
        again = rendered(outline_of(f"<body>{html}")).text
        if again.replace("|", " ").split() != text.replace("|", " ").split():
            wrong.append(f"{page.id}: the text is not that of the HTML")
        shown = COMMONMARK.render(article.articleBodyMarkdown or "")
        if structure(shown) != structure(html):
            wrong.append(f"{page.id}: the Markdown is not the HTML")
    assert read
    assert not wrong, "\n".join(wrong)
