"""A WordPress magazine: post-4711 ids, class soup, widgets, share plugin, threaded comments."""

# ruff: noqa: E501 - a line of HTML is as long as the page has it

from __future__ import annotations

from demo_site.markup import (
    BlockStyle,
    anchors,
    blocks_html,
    byline,
    esc,
    metadata,
    middle,
    pager,
    picture_path,
    stylesheet,
)
from demo_site.model import Comment, IndexContent, Ref, Rendered, Story, Surroundings
from demo_site.navigation import menu_html
from demo_site.stories import Recipe

from .base import Template, folder_pages

NAME = "Courier Magazine"
ADVERT = "Ad: hand-made umbrellas from the Sorrel workshop, ten per cent off this week."
WIDGET = "Enter your email address to follow this blog and receive notifications of new posts."
FOOTER = "Proudly powered by WordPress-like software. Theme: Twenty Something by nobody."
REQUIRED = "Your email address will not be published. Required fields are marked *"

STYLE = BlockStyle(
    heading='<h3 class="wp-block-heading">{}</h3>',
    quote='<blockquote class="wp-block-quote is-layout-flow"><p>{}</p></blockquote>',
    unordered='<ul class="wp-block-list">{}</ul>',
    ordered='<ol class="wp-block-list">{}</ol>',
    table='<figure class="wp-block-table"><table><tbody>{}</tbody></table></figure>',
    inline_advert=(
        '<span class="code-block code-block-3" data-ad="inline"><a rel="nofollow" '
        'href="https://ads.example.org/u">[ad] Umbrellas, 10% off</a></span>'
    ),
)


def post_id(ref: Ref) -> int:
    """Return a post's number. WordPress also counts revisions and pictures, so there are gaps."""
    return 4711 + ref.number * 7


def chrome(head: str, body_class: str, main: str, around: Surroundings, recent: str) -> str:
    """Return a whole page, with the template around `main`."""
    item = '<li class="menu-item menu-item-type-taxonomy"><a href="{0}">{1}</a></li>'
    return f"""<!DOCTYPE html>
<html lang="en-US" prefix="og: https://ogp.me/ns#">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="profile" href="https://gmpg.org/xfn/11">
{head}
<meta name="generator" content="WordPress-like 6.4.2">
<style id="global-styles-inline-css">
{stylesheet("magazine")}
{around.bulk.style}
</style>
<link rel="https://api.w.org/" href="/magazine/wp-json/">
<script id="wp-emoji-settings">window._wpemojiSettings = {{"baseUrl":"/magazine/","ext":".png"}};
!function(i,n){{var o,s,e;function c(e){{try{{return JSON.stringify(e)}}catch(e){{}}}}}}(window,document);</script>
</head>
<body class="{body_class} wp-embed-responsive has-sidebar hfeed">
<div id="page" class="hfeed site">
<header id="masthead" class="site-header" role="banner">
<div class="site-branding"><p class="site-title"><a href="/magazine/" rel="home">{NAME}</a></p>
<p class="site-description">Slow stories from fast places</p></div>
<nav id="site-navigation" class="main-navigation"><ul id="primary-menu" class="menu nav-menu">
{menu_html(item)}
</ul></nav>
{around.bulk.menu}
</header>
<div id="content" class="site-content">
<div id="primary" class="content-area">
{main}
</div>
<aside id="secondary" class="widget-area" role="complementary">
<section id="search-2" class="widget widget_search"><form role="search" class="search-form"
action="/search"><input type="search" class="search-field" placeholder="Search &hellip;"></form></section>
<section id="recent-posts-2" class="widget widget_recent_entries"><h2 class="widget-title">Recent
Posts</h2><ul>
{recent}
</ul></section>
<section id="blog_subscription-3" class="widget widget_blog_subscription"><h2 class="widget-title">Follow
Blog via Email</h2><p>{WIDGET}</p></section>
<section id="categories-2" class="widget widget_categories"><h2 class="widget-title">Categories</h2><ul>
{menu_html('<li class="cat-item"><a href="{0}">{1}</a></li>', 12, 26)}
</ul></section>
</aside>
</div>
<footer id="colophon" class="site-footer"><div class="site-info">{FOOTER}</div></footer>
</div>
<div id="cookie-law-info-bar" data-nosnippet="true"><span>This website uses cookies to improve your
experience.</span> <a role="button" class="cli-plugin-button">ACCEPT</a></div>
<script>{around.bulk.script}/* <![CDATA[ */ var addComment = {{ moveForm: function () {{}} }}; /* ]]> */</script>
</body>
</html>
"""


def _comment(number: int, comment: Comment) -> str:
    parity = "odd alt" if number % 2 else "even"
    return f"""<li id="comment-{number}" class="comment {parity} thread-{parity} depth-1">
<article id="div-comment-{number}" class="comment-body"><footer class="comment-meta">
<div class="comment-author vcard"><b class="fn">{esc(comment.author)}</b> <span class="says">says:</span></div>
<div class="comment-metadata"><a href="#comment-{number}"><time>{comment.when}</time></a></div></footer>
<div class="comment-content"><p>{esc(comment.paragraphs[0])}</p></div>
<div class="reply"><a rel="nofollow" class="comment-reply-link" href="#respond">Reply</a></div>
</article></li>"""


def render(story: Story, around: Surroundings) -> Rendered:
    """Render a post."""
    ref = story.ref
    number = post_id(ref)
    advert = f"""<div class="code-block code-block-1" style="margin: 8px auto; text-align: center;">
<a href="https://ads.example.org/umbrella" rel="nofollow">{ADVERT}</a></div>"""
    tags = ", ".join(f'<a href="/magazine/#{esc(t)}" rel="tag">{esc(t)}</a>' for t in story.tags)
    neighbours = "".join(
        f'<div class="nav-{side}"><a href="{other.path}" rel="prev">'
        f'<span class="meta-nav">{label}</span> {esc(other.headline)}</a></div>'
        for side, label, other in (
            ("previous", "Previous Post", story.previous),
            ("next", "Next Post", story.following),
        )
        if other
    )
    comments = "\n".join(_comment(n, comment) for n, comment in enumerate(story.comments))
    main = f"""<main id="main" class="site-main">
<article id="post-{number}" class="post-{
        number
    } post type-post status-publish format-standard has-post-thumbnail hentry category-{
        ref.topic
    } tag-{ref.number % 5}">
<header class="entry-header"><div class="cat-links"><a href="/magazine/#{ref.topic}">{
        ref.topic.title()
    }</a></div>
<h1 class="entry-title">{esc(ref.headline)}</h1>
<div class="entry-meta"><span class="posted-on">Posted on <time class="entry-date published">{
        ref.date.isoformat()
    }</time></span> {
        byline(ref, '<span class="byline">by {}</span>', '<span class="author vcard">{}</span>')
    }</div></header>
<div class="post-thumbnail"><img class="attachment-post-thumbnail wp-post-image" src="{
        picture_path(ref)
    }" width="680" height="383" alt=""><p class="wp-caption-text">Photo by {
        esc(ref.photographer)
    }</p></div>
<div class="entry-content">
{blocks_html(story, STYLE, {middle(story): advert, middle(story) + 2: _caption(story, number)})}
<div id="jp-post-flair" class="sharedaddy sd-like-enabled sd-sharing-enabled"><div class="robots-nocontent sd-block">
<h3 class="sd-title">Share this:</h3><ul><li class="share-chirp"><a href="https://chirp.example.org/">Chirp</a></li>
<li class="share-mail"><a href="mailto:">Email</a></li><li class="share-print"><a href="#print">Print</a></li></ul></div>
<div id="jp-relatedposts" class="jp-relatedposts"><h3 class="jp-relatedposts-headline"><em>Related</em></h3>
{
        anchors(
            story.related[:3],
            '<p class="jp-relatedposts-post"><a href="{0}" title="{1}">{1}</a> <span>{2}</span></p>',
        )
    }
</div></div>
</div>
<footer class="entry-footer"><span class="tags-links">Tagged {tags}</span></footer>
</article>
<nav class="navigation post-navigation"><div class="nav-links">{neighbours}</div></nav>
<div id="comments" class="comments-area"><h2 class="comments-title">{
        len(story.comments)
    } thoughts on &ldquo;{esc(ref.headline)}&rdquo;</h2>
<ol class="comment-list">
{comments}
</ol>
<div id="respond" class="comment-respond"><h3 id="reply-title">Leave a Reply</h3>
<p class="comment-notes">{REQUIRED}</p><textarea name="comment" rows="4"></textarea></div>
</div>
</main>"""
    recent = anchors(story.most_read, '<li><a href="{0}">{1}</a></li>')
    html = chrome(
        metadata(story, around, NAME, "en_US"),
        f"post-template-default single single-post postid-{number} single-format-standard",
        main,
        around,
        recent,
    )
    return Rendered(html, (ADVERT, WIDGET, FOOTER, REQUIRED, "Share this:"))


def _caption(story: Story, number: int) -> str:
    return f"""<figure id="attachment_{
        number + 2
    }" class="wp-caption aligncenter"><img class="size-medium wp-image-{number + 2}" src="{
        picture_path(story.ref, 1)
    }" width="480" height="270" alt=""><figcaption class="wp-caption-text">{
        esc(story.captions[1])
    }</figcaption></figure>"""


def index(content: IndexContent, around: Surroundings) -> Rendered:
    """Render a page of the list of posts."""
    posts = "\n".join(
        f"""<article id="post-{post_id(ref)}" class="post-{post_id(ref)} post type-post hentry">
<h2 class="entry-title"><a href="{around.absolute(ref.path)}" rel="bookmark">{esc(ref.headline)}</a></h2>
<div class="entry-meta">Posted on {ref.date.isoformat()} by {esc(ref.author)}</div>
<div class="entry-summary"><p>{esc(ref.teaser)} <a class="more-link" href="{ref.path}">Continue reading</a></p></div>
</article>"""
        for ref in content.refs
    )
    main = f'<main id="main" class="site-main">\n<h1>{content.title}</h1>\n{posts}\n{pager(content)}</main>'
    head = f"<title>{content.title} &#8211; {NAME}</title>"
    recent = anchors(content.most_read, '<li><a href="{0}">{1}</a></li>')
    html = chrome(head, "home blog", main, around, recent)
    return Rendered(html, (WIDGET, FOOTER))


TEMPLATE = Template(
    name="magazine",
    section="/magazine/",
    title="Magazine",
    page_type="article",
    recipe=Recipe("news", short_share=0.15, inline_adverts=True),
    path=lambda ref, slug: f"/magazine/{ref.date:%Y/%m}/{slug}-{ref.number}/",
    render=render,
    render_index=index,
    index_path=folder_pages("/magazine/"),
)
