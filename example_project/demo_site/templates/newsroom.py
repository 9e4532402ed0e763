"""A newspaper before its redesign: plain HTML5, readable source, meaningful ids."""

from __future__ import annotations

from demo_site.markup import (
    LAST_UPDATE,
    BlockStyle,
    anchors,
    blocks_html,
    byline,
    esc,
    metadata,
    middle,
    picture_path,
    stylesheet,
)
from demo_site.model import Comment, Rendered, Story, Surroundings
from demo_site.navigation import SITE_NAME, menu_html
from demo_site.stories import Recipe

from . import redesign
from .base import Template, query_pages

ADVERT = "Advertisement: Lindqvist Windows, triple glazing fitted in a day. Call for a free quote."
NEWSLETTER = "Get the Courier's morning briefing in your inbox. No spam, one click to leave."
FOOTER = "All rights reserved. The Demo Courier is printed on imaginary paper."

ADVERT_BOX = f"""<aside class="advert" aria-label="Advertisement">
  <a href="https://ads.example.org/click?c=88121" rel="sponsored nofollow">{ADVERT}</a>
</aside>"""
STYLE = BlockStyle()

AUTHOR = '<a rel="author" href="/news/#staff">{}</a>'


def chrome(title: str, head: str, main: str, around: Surroundings, aside: str) -> str:
    """Return a whole page, with the template around `main`."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{head}
<link rel="icon" href="/media/icon.svg" type="image/svg+xml">
<link rel="alternate" type="application/rss+xml" href="/feed.xml" title="{SITE_NAME}">
<style>
{stylesheet("newsroom")}
{around.bulk.style}
</style>
<script>window.dataLayer = window.dataLayer || [];
function track() {{ dataLayer.push(arguments); }}
track("config", "DC-4411", {{"section": "{title}"}});</script>
</head>
<body class="page">
<a class="skip-link" href="#content">Skip to content</a>
<div id="cookie-notice" role="dialog" aria-label="Cookies">
  <p>We and our 412 partners use cookies to measure how this site is read.</p>
  <button type="button">Accept all</button> <button type="button">Settings</button>
</div>
<header class="site-header">
  <p class="logo"><a href="/">{SITE_NAME}</a></p>
  <form action="/search" role="search"><input name="q" placeholder="Search the Courier"></form>
  <nav class="main-nav" aria-label="Sections">
    <ul>
{menu_html('<li><a href="{0}">{1}</a></li>')}
    </ul>
  </nav>
{around.bulk.menu}
</header>
<div class="columns">
{main}
{aside}
</div>
<footer class="site-footer">
  <ul>
{menu_html('<li><a href="{0}">{1}</a></li>', 0, 12)}
  </ul>
  <p>{FOOTER}</p>
</footer>
<script>{around.bulk.script}
document.querySelector("#cookie-notice button").addEventListener("click", function () {{
  document.getElementById("cookie-notice").remove();
}});</script>
</body>
</html>
"""


def _aside(most_read: str) -> str:
    return f"""<aside id="sidebar">
  <section class="most-read">
    <h2>Most read</h2>
    <ol>
{most_read}
    </ol>
  </section>
  <section class="newsletter">
    <h2>Newsletter</h2>
    <p>{NEWSLETTER}</p>
    <form action="/subscribe" method="post"><input type="email" name="mail"
      placeholder="you@mail.example"><button>Sign up</button></form>
  </section>
{ADVERT_BOX}
</aside>"""


def _comment(number: int, comment: Comment) -> str:
    return f"""    <article class="comment" id="comment-{number}">
      <header><b class="comment-author">{esc(comment.author)}</b>
        <time>{comment.when}</time></header>
      <p>{esc(comment.paragraphs[0])}</p>
      <footer><button>Reply</button> <button>Recommend</button> <button>Report</button></footer>
    </article>"""


def render(story: Story, around: Surroundings) -> Rendered:
    """Render an article."""
    ref = story.ref
    boxes = {
        middle(story): f"""<aside class="related-inline">
  <h3>Read also</h3>
  <ul>
{anchors(story.related[:2], '<li><a href="{0}">{1}</a></li>')}
  </ul>
</aside>""",
        middle(story) * 2 + 1: ADVERT_BOX,
    }
    comments = "\n".join(_comment(n, comment) for n, comment in enumerate(story.comments, 1))
    tags = "".join(f'<li><a rel="tag" href="/news/#{esc(t)}">{esc(t)}</a></li>' for t in story.tags)
    main = f"""<main id="content">
  <p class="edition">Updated: {LAST_UPDATE.strftime("%A, %d %B %Y")}</p>
  <nav class="breadcrumbs" aria-label="Breadcrumb">
    <a href="/">Front page</a> &rsaquo; <a href="/news/">News</a> &rsaquo;
    <span aria-current="page">{esc(ref.headline)}</span>
  </nav>
  <article class="story">
    <header>
      <h1>{esc(ref.headline)}</h1>
      <p class="byline">{byline(ref, "By {}, ", AUTHOR)}
        <time datetime="{ref.date.isoformat()}">{ref.date.strftime("%d/%m/%Y")}</time></p>
      <ul class="share"><li><a href="https://social.example.org/post?u={ref.number}">Share</a></li>
        <li><a href="https://chirp.example.org/?u={ref.number}">Chirp</a></li>
        <li><a href="mailto:?subject=article">E-mail</a></li><li><a href="#comments">{
        len(story.comments)
    } comments</a></li></ul>
    </header>
    <figure>
      <img src="{picture_path(ref)}" width="720" height="405" alt="">
      <figcaption>{esc(story.captions[0])} <span class="credit">Picture: {
        esc(ref.photographer)
    }</span></figcaption>
    </figure>
    <div class="article-body">
{blocks_html(story, STYLE, boxes)}
    </div>
    <ul class="tags">{tags}</ul>
  </article>
  <section class="related">
    <h2>More on this</h2>
    <ul>
{anchors(story.related, '<li><a href="{0}">{1}</a> <small>{2}</small></li>')}
    </ul>
  </section>
  <section id="comments">
    <h2>{len(story.comments)} comments</h2>
    <p class="rules">Be kind. Comments are open for seven days and are read before they appear.</p>
{comments}
  </section>
</main>"""
    html = chrome(
        "news",
        metadata(story, around, SITE_NAME, "en_GB"),
        main,
        around,
        _aside(anchors(story.most_read, '<li><a href="{0}">{1}</a></li>')),
    )
    return Rendered(html, (ADVERT, NEWSLETTER, FOOTER, "Asia Pacific", "Read also"))


TEMPLATE = Template(
    name="newsroom",
    section="/news/",
    title="News",
    page_type="article",
    recipe=Recipe("news", short_share=0.2),
    path=lambda ref, slug: f"/news/{ref.date:%Y/%m%d}/{slug}-{ref.number}.html",
    render=render,
    render_index=redesign.index,  # the list of articles already has the new design
    index_path=query_pages("/news/"),
)
