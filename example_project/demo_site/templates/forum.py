"""A forum thread: every post is main text, with more furniture than text around each post."""

# ruff: noqa: E501 - a line of HTML is as long as the page has it

from __future__ import annotations

from demo_site.markup import anchors, esc, pager, stylesheet
from demo_site.model import Comment, IndexContent, Rendered, Story, Surroundings
from demo_site.navigation import menu_html
from demo_site.stories import Recipe

from .base import Template, query_pages

NAME = "Courier Forum"
LOGIN = "You must be logged in to reply to this topic."
RULES = "Please read the board rules before you post for the first time."
FOOTER = "Powered by a bulletin board that has outlived its authors"
ADVERT = "Forum supporter: Pell's Parts, springs and washers by post since 1974"


def chrome(head: str, main: str, around: Surroundings) -> str:
    """Return a whole page, with the template around `main`."""
    return f"""<!DOCTYPE html>
<html dir="ltr" lang="en-gb">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
{head}
<style>
{stylesheet("forum")}
{around.bulk.style}
</style>
</head>
<body id="phpbb" class="nojs notouch section-viewtopic ltr">
<div id="wrap" class="wrap">
<div id="page-header"><div class="headerbar"><a class="logo" href="/forum/">{NAME}</a>
<p>Repairs, bread, gardens and the like</p></div>
<div class="navbar"><ul class="nav-main linklist">
{menu_html('<li><a href="{0}">{1}</a></li>')}
</ul></div>{around.bulk.menu}</div>
<div id="page-body" class="page-body">
<div class="rules">{RULES}</div>
{main}
</div>
<div id="page-footer" class="page-footer"><div class="copyright">{FOOTER}</div></div>
</div>
<script>{around.bulk.script}var cookies = {{ "name": "phpbb3_9x", "path": "/" }};</script>
</body>
</html>
"""


def _post(number: int, post: Comment, thread: int) -> str:
    post_id = thread * 100 + number
    signature = f'<div class="signature">{esc(post.signature)}</div>' if post.signature else ""
    paragraphs = "<br /><br />".join(esc(text) for text in post.paragraphs)
    return f"""<div id="p{post_id}" class="post has-profile bg{number % 2 + 1}"><div class="inner">
<dl class="postprofile"><dt><a class="username" href="#u">{esc(post.author)}</a></dt>
<dd class="profile-rank">{("Newcomer", "Regular", "Old hand")[post_id % 3]}</dd>
<dd class="profile-posts"><strong>Posts:</strong> {post_id * 37 % 4211}</dd></dl>
<div class="postbody"><ul class="post-buttons"><li><a href="#p{post_id}">Quote</a></li><li>
<a href="#p{post_id}">Report</a></li></ul><p class="author"><a href="#p{post_id}">Post</a> by
<strong>{esc(post.author)}</strong> &raquo; <time>{post.when}</time></p>
<div class="content">{paragraphs}</div>
{signature}</div></div></div>"""


def render(story: Story, around: Surroundings) -> Rendered:
    """Render a thread."""
    ref = story.ref
    posts = [_post(number, post, ref.number + 1) for number, post in enumerate(story.comments)]
    posts.insert(
        1, f'<div class="post sponsor"><a href="https://ads.example.org/p">{ADVERT}</a></div>'
    )
    nav = anchors(
        story.related, '<li class="row"><a class="topictitle" href="{0}">{1}</a> {2}</li>'
    )
    main = f"""<ul class="breadcrumbs"><li><a href="/forum/">Board index</a></li>
<li><a href="/forum/#repairs">Repairs</a></li></ul>
<h2 class="topic-title"><a href="{ref.path}">{esc(ref.headline)}</a></h2>
<div class="action-bar">{len(story.comments)} posts &bull; Page <strong>1</strong> of <strong>1</strong></div>
{"".join(posts)}
<div class="action-bar bottom">{LOGIN}</div>
<h3>Similar topics</h3>
<ul class="topiclist">
{nav}
</ul>
<p class="jumpbox-return"><a href="./">Return to the board index</a></p>"""
    head = f"""<title>{esc(ref.headline)} - {NAME}</title>
<link rel="canonical" href="{around.absolute(ref.path)}">"""
    signatures = tuple(post.signature for post in story.comments if post.signature)[:1]
    furniture = (LOGIN, RULES, FOOTER, ADVERT, "Similar topics")
    return Rendered(chrome(head, main, around), furniture + signatures)


def index(content: IndexContent, around: Surroundings) -> Rendered:
    """Render a page of the list of threads."""
    row = '<li class="row bg1"><a class="topictitle" href="{0}">{1}</a> <span>{2}</span></li>'
    main = f"""<h2 class="forum-title">{content.title}</h2><ul class="topiclist topics">
{anchors(content.refs, row)}
</ul>{pager(content)}"""
    html = chrome(f"<title>{content.title} - {NAME}</title>", main, around)
    return Rendered(html, (RULES, FOOTER))


TEMPLATE = Template(
    name="forum",
    section="/forum/",
    title="Forum",
    page_type="forum",
    recipe=Recipe("forum", words="forum"),
    path=lambda ref, _slug: f"/forum/viewtopic.php?t={ref.number + 1031}",
    render=render,
    render_index=index,
    index_path=query_pages("/forum/"),
    per_index=15,
)
