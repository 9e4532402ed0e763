"""The newspaper after its redesign: new paths, ids and classes, and lists of story cards."""

from __future__ import annotations

from demo_site.markup import (
    BlockStyle,
    anchors,
    blocks_html,
    byline,
    esc,
    metadata,
    middle,
    minified_stylesheet,
    pager,
    picture_path,
)
from demo_site.model import Comment, IndexContent, Ref, Rendered, Story, Surroundings
from demo_site.navigation import SITE_NAME, menu_html
from demo_site.stories import Recipe

from .base import Template, query_pages

ADVERT = "Sponsored: Harbour Bank savings plan, now with a fixed rate. Terms apply."
INLINE_ADVERT = "Offer: three months of the Courier for the price of one."
SIGN_UP = "Stories like this one, every evening at six. Join 48,000 readers."
FOOTER = "Published by Demo Courier Media. Set in three typefaces you will not notice."

STYLE = BlockStyle(
    paragraph='<p class="st-p">{}</p>',
    heading='<h3 class="st-h">{}</h3>',
    quote='<figure class="st-quote"><blockquote>{}</blockquote></figure>',
    unordered='<ul class="st-list">{}</ul>',
    ordered='<ol class="st-list">{}</ol>',
    table='<div class="st-table"><table><tbody>{}</tbody></table></div>',
    inline_advert=(
        '<span data-ad="inline" class="st-offer"><a rel="sponsored" '
        f'href="https://ads.example.org/sub">{INLINE_ADVERT}</a></span>'
    ),
)
ADVERT_BOX = f"""<div class="st-slot" data-ad="billboard"><div class="st-slot__in">
<a rel="sponsored" href="https://ads.example.org/bank">{ADVERT}</a></div></div>"""


def chrome(head: str, main: str, around: Surroundings) -> str:
    """Return a whole page, with the template around `main`."""
    return f"""<!doctype html>
<html lang="en" class="no-js">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
{head}
<style>{minified_stylesheet("redesign")}{around.bulk.style}</style>
<script>document.documentElement.className="js";window.__courier={{"build":"7f3a","exp":["a","c"]}};</script>
</head>
<body>
<header class="top" id="top">
<div class="top__bar"><button class="top__burger" aria-expanded="false">Menu</button>
<a class="top__logo" href="/">{SITE_NAME}</a><a class="top__cta" href="/shop/">Subscribe</a></div>
<nav class="top__nav">{menu_html('<a class="top__link" href="{0}">{1}</a>', 0, 10)}</nav>
<div class="drawer" hidden>{menu_html('<a class="drawer__link" href="{0}">{1}</a>', 10)}</div>
{around.bulk.menu}
</header>
{main}
<footer class="foot"><div class="foot__links">
{menu_html('<a href="{0}">{1}</a>')}
</div><p class="foot__legal">{FOOTER}</p></footer>
<div class="consent" data-consent><p>Your privacy matters to us and to our vendors.</p>
<button>Agree</button><button>Manage</button></div>
<script>{around.bulk.script}(function(d){{var c=d.querySelector("[data-consent] button");
c&&c.addEventListener("click",function(){{c.parentNode.hidden=true}})}})(document);</script>
</body>
</html>
"""


def _card(ref: Ref) -> str:
    return f"""<div class="tile"><a class="tile__pic" href="{ref.path}"><img loading="lazy"
src="{picture_path(ref)}" width="320" height="180" alt=""></a>
<h2 class="tile__head"><a href="{ref.path}">{esc(ref.headline)}</a></h2>
<p class="tile__dek">{esc(ref.teaser)}</p>
<span class="tile__meta">{esc(ref.author)} · {ref.date.isoformat()}</span></div>"""


def _comment(comment: Comment) -> str:
    return f"""<li class="talk__item"><div class="talk__who">{esc(comment.author)}
<span>{comment.when}</span></div><div class="talk__text">{esc(comment.paragraphs[0])}</div>
<div class="talk__act"><button>Like</button><button>Answer</button></div></li>"""


def render(story: Story, around: Surroundings) -> Rendered:
    """Render an article."""
    ref = story.ref
    boxes = {
        middle(story): ADVERT_BOX,
        middle(story) * 2 + 1: f"""<div class="st-more"><span class="st-more__label">In this
series</span>{anchors(story.related[:2], '<a class="st-more__link" href="{0}">{1}</a>')}</div>""",
    }
    tags = "".join(f'<a class="chip" href="/news/#{esc(tag)}">{esc(tag)}</a>' for tag in story.tags)
    talk = "\n".join(_comment(comment) for comment in story.comments)
    main = f"""<main class="st-main">
<div class="crumbs"><a href="/">Home</a><a href="/news/">News</a></div>
<article class="story" data-story="{ref.number + 48000}">
<h1 class="story__title">{esc(ref.headline)}</h1>
<div class="story__meta">{byline(ref, '<span class="story__by">{}</span>', between=", ")}
<span class="story__on">Published {ref.date.isoformat()}</span>
<span class="story__time">{len(story.blocks) // 3 + 1} min read</span>
<span class="story__share"><button>Copy link</button><button>Share</button></span></div>
<figure class="story__pic"><img src="{picture_path(ref)}" width="760" height="427" alt="">
<figcaption>{esc(story.captions[0])} <small>Photo: {esc(ref.photographer)}</small></figcaption>
</figure>
<div class="story__text" id="story-text">
{blocks_html(story, STYLE, boxes)}
</div>
<div class="chips">{tags}</div>
<form class="signup" action="/subscribe"><p>{SIGN_UP}</p><input name="m" placeholder="E-mail">
<button>Join</button></form>
</article>
<section class="next"><h2>Read next</h2><div class="tiles">
{"".join(_card(other) for other in story.related[:4])}
</div></section>
<section class="talk" id="talk"><h2>Conversation ({len(story.comments)})</h2><ul class="talk__list">
{talk}
</ul></section>
<section class="popular"><h2>Popular now</h2><ol>
{anchors(story.most_read, '<li><a href="{0}">{1}</a></li>')}
</ol></section>
</main>"""
    html = chrome(metadata(story, around, SITE_NAME, "en_GB"), main, around)
    return Rendered(html, (ADVERT, SIGN_UP, FOOTER, "Your privacy matters to us"))


def index(content: IndexContent, around: Surroundings) -> Rendered:
    """Render a page of the list of articles, or the front page."""
    head = f"""<title>{content.title} | {SITE_NAME}</title>
<meta name="description" content="{content.title} from {SITE_NAME}">
<meta property="og:type" content="website">
<link rel="canonical" href="{around.absolute(content.path)}">"""
    main = f"""<main class="st-main st-main--list"><h1>{content.title}</h1>
<div class="tiles">
{"".join(_card(ref) for ref in content.refs)}
</div>
{pager(content)}
<section class="popular"><h2>Popular now</h2><ol>
{anchors(content.most_read, '<li><a href="{0}">{1}</a></li>')}
</ol></section>
</main>"""
    return Rendered(chrome(head, main, around), (FOOTER, "Popular now"))


TEMPLATE = Template(
    name="newsroom-redesign",
    section="/news/",
    title="News",
    page_type="article",
    recipe=Recipe("news", short_share=0.2, inline_adverts=True),
    path=lambda ref, slug: f"/stories/{slug}-{ref.number + 48000}",
    render=render,
    render_index=index,
    index_path=query_pages("/news/"),
)
