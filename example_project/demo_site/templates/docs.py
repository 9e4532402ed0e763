"""A library's manual as written by a documentation generator: toctree, permalinks, colored code."""

# ruff: noqa: E501 - a line of HTML is as long as the page has it

from __future__ import annotations

import re

from demo_site.markup import BlockStyle, anchors, blocks_html, esc, stylesheet
from demo_site.model import Heading, IndexContent, Rendered, Story, Surroundings
from demo_site.navigation import menu_html
from demo_site.stories import Recipe

from .base import Template, query_pages

PROJECT = "tidewheel 5.2 documentation"
VERSION_NOTE = "You are reading the documentation of a release that is no longer the newest."
FOOTER = "Built with a documentation generator using a theme that everybody knows."
EDIT = "Edit this page"

_TOKEN = re.compile(
    r"(?P<string>\"[^\"\n]*\")|(?P<keyword>\b(?:from|import|for|in|with|as|try|except|def|assert)\b)"
    r"|(?P<number>\b\d+\b)"
)
_COLOURS = {"string": "s2", "keyword": "k", "number": "mi"}
_NAME = re.compile(r"\b(?:[a-z]+[._])+[a-z]+(?:\(\))?|\b[A-Z][a-z]+(?:Error|Timeout|Conflict)\b")


def _highlight(code: str) -> str:
    written, done = [], 0
    for token in _TOKEN.finditer(code):
        written.append(esc(code[done : token.start()]))
        written.append(f'<span class="{_COLOURS[token.lastgroup or ""]}">{esc(token[0])}</span>')
        done = token.end()
    return "".join(written) + esc(code[done:])


def _names_in_code(escaped: str) -> str:
    return _NAME.sub(
        lambda name: (
            f'<code class="docutils literal notranslate"><span class="pre">{name[0]}</span></code>'
        ),
        escaped,
    )


STYLE = BlockStyle(
    heading='<h2>{}<a class="headerlink" href="#" title="Link to this heading">¶</a></h2>',
    unordered='<ul class="simple">{}</ul>',
    ordered='<ol class="arabic simple">{}</ol>',
    item="<li><p>{}</p></li>",
    table='<div class="table-wrapper docutils container"><table class="docutils align-default"><tbody>{}</tbody></table></div>',
    head_cell='<th class="head"><p>{}</p></th>',
    cell="<td><p>{}</p></td>",
    code='<div class="highlight-python notranslate"><div class="highlight"><pre>{}\n</pre>'
    '<button class="copybtn">Copy</button></div></div>',
    link='<a class="reference external" href="{}">{}</a>',
    highlight=_highlight,
    dress=_names_in_code,
)


def chrome(title: str, main: str, around: Surroundings, tree: str) -> str:
    """Return a whole page, with the template around `main`."""
    return f"""<!doctype html>
<html class="no-js" lang="en" data-content_root="../">
  <head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width,initial-scale=1">
    <title>{title} &#8212; {PROJECT}</title>
    <meta property="og:site_name" content="{PROJECT}">
    <link rel="index" title="Index" href="/docs/"><link rel="search" title="Search" href="/search">
    <style>
{stylesheet("docs")}
{around.bulk.style}
    </style>
    <script>var DOCUMENTATION_OPTIONS = {{ VERSION: "5.2", LANGUAGE: "en", HAS_SOURCE: true }};</script>
  </head>
  <body>
    <div class="announcement" role="banner">{VERSION_NOTE}</div>
    <div class="page-columns">
      <aside class="sidebar-drawer"><div class="sidebar-brand"><a href="/docs/">tidewheel</a></div>
        <form class="sidebar-search" action="/search"><input name="q" placeholder="Search"></form>
        <div class="sidebar-tree"><p class="caption"><span class="caption-text">User guide</span></p>
          <ul>
{tree}
          </ul>
          <p class="caption"><span class="caption-text">Elsewhere</span></p>
          <ul>
{menu_html('<li class="toctree-l1"><a class="reference internal" href="{0}">{1}</a></li>')}
          </ul></div>
{around.bulk.menu}
      </aside>
      <div class="main">
{main}
        <footer><div class="bottom-of-page"><p>{FOOTER}</p></div></footer>
      </div>
    </div>
    <script>{around.bulk.script}</script>
  </body>
</html>
"""


_TREE = '<li class="toctree-l1"><a class="reference internal" href="{0}">{1}</a></li>'


def render(story: Story, around: Surroundings) -> Rendered:
    """Render a page of the manual."""
    ref = story.ref
    on_this_page = "".join(
        f'<li><a class="reference internal" href="#">{esc(block.text)}</a></li>'
        for block in story.blocks
        if isinstance(block, Heading)
    )
    neighbours = "".join(
        f'<a class="{side}-page" href="{other.path}"><span class="context">{label}</span>'
        f'<span class="title">{esc(other.headline)}</span></a>'
        for side, label, other in (
            ("prev", "Previous", story.previous),
            ("next", "Next", story.following),
        )
        if other
    )
    main = f"""        <div class="content">
          <div class="breadcrumbs"><a href="/docs/">Docs</a> / User guide</div>
          <a class="edit-this-page" href="https://code.example.org/tidewheel/edit/{ref.number}">{EDIT}</a>
          <article role="main" id="furo-main-content">
<section id="s{ref.number}">
<h1>{esc(ref.headline)}<a class="headerlink" href="#s{ref.number}" title="Link to this heading">¶</a></h1>
{blocks_html(story, STYLE)}
</section>
          </article>
          <div class="related-pages">{neighbours}</div>
        </div>
        <aside class="toc-drawer"><div class="toc-title">On this page</div><ul>{on_this_page}</ul>
          <div class="helpful">Was this page helpful? <button>Yes</button> <button>No</button></div></aside>"""
    near = anchors([*story.most_read, *story.related], _TREE)
    html = chrome(esc(ref.headline), main, around, near)
    return Rendered(html, (VERSION_NOTE, FOOTER, EDIT, "On this page", "Was this page helpful?"))


def index(content: IndexContent, around: Surroundings) -> Rendered:
    """Render the table of contents."""
    pages = "".join(
        f'<li class="toctree-l1"><a href="{path}">Contents, part {number}</a></li>'
        for number, path in enumerate(content.pages, 1)
    )
    main = f"""        <div class="content"><article role="main"><h1>{content.title}</h1>
<div class="toctree-wrapper compound"><ul>
{anchors(content.refs, _TREE)}
</ul><ul>{pages}</ul></div></article></div>"""
    html = chrome(content.title, main, around, anchors(content.most_read, _TREE))
    return Rendered(html, (VERSION_NOTE, FOOTER))


TEMPLATE = Template(
    name="docs",
    section="/docs/",
    title="tidewheel manual",
    page_type="documentation",
    recipe=Recipe("docs", words="docs", short_share=0.2, commented=False),
    path=lambda ref, slug: f"/docs/{slug}-{ref.number}.html",
    render=render,
    render_index=index,
    index_path=query_pages("/docs/"),
    per_index=40,
)
