"""Long-form specials: hand-made layout, and too few pages for a rule to be learned from them."""

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
from demo_site.model import IndexContent, Rendered, Story, Surroundings
from demo_site.navigation import SITE_NAME, menu_html
from demo_site.stories import Recipe

from .base import Template, folder_pages

CREDITS = "Design and code by the specials desk. Maps drawn from memory."
FOOTER = "Support independent imagination: become a member of the Courier."
SCROLL = "Scroll to begin"

STYLE = BlockStyle(
    paragraph='<p class="lf-par"><span>{}</span></p>',
    heading='<h2 class="lf-chapter">{}</h2>',
    quote='<aside class="lf-pull"><q>{}</q></aside>',
)


def chrome(head: str, main: str, around: Surroundings) -> str:
    """Return a whole page, with the template around `main`."""
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
{head}
<style>{stylesheet("specials")}{around.bulk.style}</style></head>
<body>
<details class="lf-menu"><summary>The Courier</summary>
{menu_html('<a href="{0}">{1}</a>')}
</details>{around.bulk.menu}
{main}
<footer class="lf-foot">{FOOTER}</footer>
<script>{around.bulk.script}addEventListener("scroll", function () {{}}, {{ passive: true }});</script>
</body>
</html>
"""


def render(story: Story, around: Surroundings) -> Rendered:
    """Render a special."""
    ref = story.ref
    plate = f"""<figure class="lf-plate"><img src="{picture_path(ref, 1)}" width="1000" height="420" alt="">
<figcaption>{esc(story.captions[1])}</figcaption></figure>"""
    main = f"""<div class="lf-hero"><img src="{picture_path(ref)}" width="1280" height="480" alt="">
<h1>{esc(ref.headline)}</h1><p class="lf-by">{byline(ref, "{} | ")}{ref.date.isoformat()}</p>
<p class="lf-scroll">{SCROLL}</p></div>
<div class="lf-flow">
{blocks_html(story, STYLE, {middle(story): plate})}
</div>
<div class="lf-credits">{CREDITS}</div>
<div class="lf-others">{anchors(story.related, '<a href="{0}">{1}</a>')}</div>"""
    html = chrome(metadata(story, around, SITE_NAME, "en_GB"), main, around)
    return Rendered(html, (CREDITS, FOOTER, SCROLL))


def index(content: IndexContent, around: Surroundings) -> Rendered:
    """Render the list of specials."""
    links = anchors(content.refs, '<a href="{0}">{1}</a>')
    main = f'<div class="lf-flow"><h1>{content.title}</h1><div class="lf-others">{links}</div>{pager(content)}</div>'
    head = f"<title>{content.title} | {SITE_NAME}</title>"
    return Rendered(chrome(head, main, around), (FOOTER,))


TEMPLATE = Template(
    name="specials",
    section="/specials/",
    title="Specials",
    page_type="article",
    recipe=Recipe("news", commented=False, long_form=True),
    path=lambda ref, slug: f"/specials/{ref.number + 1}-{slug}/",
    render=render,
    render_index=index,
    index_path=folder_pages("/specials/"),
    most=4,
)
