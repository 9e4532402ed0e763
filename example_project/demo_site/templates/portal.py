"""A world news portal: div soup on one line, class names hashed by the build, no <p> anywhere."""

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
    minified_stylesheet,
    one_line,
    pager,
    picture_path,
)
from demo_site.model import Comment, IndexContent, Ref, Rendered, Story, Surroundings
from demo_site.navigation import menu_html
from demo_site.stories import Recipe

from .base import Template, query_pages

NAME = "Courier World"
ADVERT = "PROMOTED Seven signs that your sofa knows more than you think"
APP = "Get the app: breaking alerts, offline reading, fewer adverts."
FOOTER = "Courier World is not responsible for the content of external sites."
HOUSE_RULES = "Comments are moderated by people who have read worse."

STYLE = BlockStyle(
    paragraph='<div class="Text_block__x9Qd2">{}</div>',
    heading='<div class="Text_cross__Lm31a" role="heading" aria-level="2">{}</div>',
    quote='<div class="Quote_box__7Hh0s"><div class="Quote_text__p0Lw">{}</div></div>',
    unordered='<ul class="Text_list__9sKe1">{}</ul>',
    ordered='<ol class="Text_list__9sKe1">{}</ol>',
    table='<div class="Grid_wrap__1iUu"><table class="Grid_table__w4c">{}</table></div>',
    link='<a class="Link_inline__2Pz" href="{}">{}</a>',
    inline_advert='<span class="Promo_inline__8fG" data-ad="inline">(sponsored: SofaWorld)</span>',
)


def chrome(head: str, main: str, around: Surroundings) -> str:
    """Return a whole page on one line, with the template around `main`."""
    return one_line(f"""<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/>
<meta name="viewport" content="width=device-width"/>
{head}
<style data-href="/_app/css/8c1f.css">{minified_stylesheet("portal")}{around.bulk.style}</style></head>
<body><div id="__app"><div class="Shell_root__3kL9a"><div class="Bar_bar__Zq81">
<a class="Bar_logo__0Oe4" href="/world/">{NAME}</a>
<div class="Bar_items__44Ks">{menu_html('<a class="Bar_item__aa2" href="{0}">{1}</a>')}</div></div>
{around.bulk.menu}
{main}
<div class="Foot_root__9pP1"><div class="Foot_cols__e2E">
{menu_html('<div class="Foot_cell__mM2"><a href="{0}">{1}</a></div>')}
</div><div class="Foot_note__d0W">{FOOTER}</div></div>
<div class="Gdpr_sheet__k2J"><div class="Gdpr_text__u7T">By continuing you agree to cookies, pixels and
 crumbs.</div><div class="Gdpr_btn__o1N" role="button" tabindex="0">OK</div></div>
</div></div><script>{around.bulk.script}self.__next_f=self.__next_f||[];self.__next_f.push([0])</script>
</body></html>""")


def _comment(comment: Comment, number: int) -> str:
    return f"""<div class="Talk_item__5Rr" data-cid="{number}"><div class="Talk_name__q1">{
        esc(comment.author)
    }</div><div class="Talk_date__i8">{comment.when}</div><div class="Talk_body__Vv6">{
        esc(comment.paragraphs[0])
    }</div><div class="Talk_vote__z3">{number * 7 % 41} &#9650;</div></div>"""


def render(story: Story, around: Surroundings) -> Rendered:
    """Render an article."""
    ref = story.ref
    advert = (
        f'<div class="Promo_unit__3dF"><a href="https://ads.example.org/sofa">{ADVERT}</a></div>'
    )
    teaser = f"""<div class="Teaser_inline__Uu1"><div class="Teaser_kicker__4">See also</div>{
        anchors(story.related[:1], '<a class="Teaser_link__b7" href="{0}">{1}</a>')
    }</div>"""
    talk = "".join(_comment(comment, n) for n, comment in enumerate(story.comments))
    tags = "".join(
        f'<a class="Tag_tag__s5" href="/world/#{esc(t)}">{esc(t)}</a>' for t in story.tags
    )
    most_read = anchors(
        story.most_read,
        '<div class="Rank_row__c3"><img src="{3}" width="64" height="36" alt=""/>'
        '<a class="Rank_link__c4" href="{0}">{1}</a></div>',
    )
    main = f"""<div class="Page_grid__r5T"><div class="Page_col__1sA">
<div class="Crumb_row__y6"><a href="/">Courier</a><a href="/world/">World</a></div>
<h1 class="Head_title__Kk8">{esc(ref.headline)}</h1>
<div class="Head_meta__Bb2">{byline(ref, '<div class="Head_who__t1">{}</div>', between=" & ")}
<div class="Head_when__t2">{ref.date.strftime("%d/%m/%Y")} 08:00 GMT</div>
<div class="Share_row__w9"><div role="button">Post</div><div role="button">Send</div>
<div role="button">Save</div></div></div>
<div class="Media_box__f4"><img src="{picture_path(ref)}" width="700" height="394" alt=""/>
<div class="Media_legend__f5">{esc(story.captions[0])}</div></div>
<div class="Body_wrap__Ee7">
{blocks_html(story, STYLE, {middle(story): advert, middle(story) * 2 + 1: teaser}, glue="")}
</div>
<div class="Tag_row__s4">{tags}</div>
<div class="Talk_root__5Ra"><div class="Talk_head__5Rb">{len(story.comments)} comments</div>
<div class="Talk_rules__5Rc">{HOUSE_RULES}</div>{talk}</div>
</div><div class="Page_side__2sB"><div class="Rank_root__c1"><div class="Rank_head__c2">Most read</div>
{most_read}</div>
<div class="App_card__n8">{APP}</div>
<div class="Rank_root__c1"><div class="Rank_head__c2">You may like</div>
{anchors(story.related, '<div class="Rank_row__c3"><a class="Rank_link__c4" href="{0}">{1}</a></div>')}
</div><div class="Promo_unit__3dF"><a href="https://ads.example.org/sofa">{ADVERT}</a></div></div></div>"""
    html = chrome(metadata(story, around, NAME, "en_GB", names_itself=True), main, around)
    return Rendered(html, (ADVERT, APP, FOOTER, HOUSE_RULES, "You may like"))


def _teaser(ref: Ref) -> str:
    return f"""<div class="List_cell__h2"><a href="{ref.path}"><img src="{picture_path(ref)}" width="300"
 height="169" alt=""/><span class="List_head__h3">{esc(ref.headline)}</span></a>
<div class="List_text__h4">{esc(ref.teaser)}</div></div>"""


def index(content: IndexContent, around: Surroundings) -> Rendered:
    """Render a page of the list of articles."""
    main = f"""<div class="Page_grid__r5T"><div class="Page_col__1sA"><h1>{content.title}</h1>
<div class="List_grid__h1">{"".join(_teaser(ref) for ref in content.refs)}</div>{pager(content)}</div>
<div class="Page_side__2sB"><div class="App_card__n8">{APP}</div></div></div>"""
    return Rendered(chrome(f"<title>{content.title} | {NAME}</title>", main, around), (APP, FOOTER))


TEMPLATE = Template(
    name="portal",
    section="/world/",
    title="World",
    page_type="article",
    unsigned=(NAME,),
    recipe=Recipe("news", short_share=0.4, silent_share=0.15, inline_adverts=True),
    path=lambda ref, slug: f"/world/{ref.topic}/{slug}-{ref.number * 7919 + 100003:x}",
    render=render,
    render_index=index,
    index_path=query_pages("/world/"),
)
