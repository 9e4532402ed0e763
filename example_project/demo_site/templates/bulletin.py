"""A county bulletin, untouched since 2001: nested tables, fonts, unclosed <p> and <li>."""

# ruff: noqa: E501 - a line of HTML is as long as the page has it

from __future__ import annotations

from demo_site.markup import BlockStyle, anchors, blocks_html, esc, middle, pager, picture_path
from demo_site.model import IndexContent, Rendered, Story, Surroundings
from demo_site.navigation import menu_html
from demo_site.stories import Recipe

from .base import Template

ADVERT = "Carrick Motors - second hand vans - Tel. 555 0144 - ask for Ron"
VISITORS = "You are visitor number"
FOOTER = "This page is best viewed with 800 x 600 pixels. Comments to the webmaster."

STYLE = BlockStyle(
    paragraph="<P>{}",
    heading='<P><B><FONT SIZE="+1">{}</FONT></B>',
    quote="<BLOCKQUOTE><I>{}</I></BLOCKQUOTE>",
    unordered="<UL>{}</UL>",
    ordered="<OL>{}</OL>",
    item="<LI>{}\n",
    table="<TABLE BORDER=1 CELLPADDING=3 CELLSPACING=0>{}</TABLE>",
    row="<TR>{}\n",
    head_cell="<TD><B>{}</B>",
    cell="<TD>{}",
    link='<A HREF="{}">{}</A>',
)


def chrome(title: str, main: str, around: Surroundings, news: str) -> str:
    """Return a whole page, with the template around `main`."""
    return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<HTML>
<HEAD>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1252">
<TITLE>County Bulletin - {title}</TITLE>
<META NAME="keywords" CONTENT="county, bulletin, news, notices">
<STYLE TYPE="text/css"><!--
BODY, TD {{ font-family: Verdana, Arial, sans-serif; font-size: 13px }}
A {{ color: #003399 }}
{around.bulk.style}
--></STYLE>
<SCRIPT LANGUAGE="JavaScript"><!--
function popup(u) {{ window.open(u, "w", "width=400,height=300"); }}
{around.bulk.script}
//--></SCRIPT>
</HEAD>
<BODY BGCOLOR="#E8E8D8" TEXT="#000000" MARGINHEIGHT=0>
<CENTER>
<TABLE WIDTH=900 BORDER=0 CELLPADDING=6 CELLSPACING=0 BGCOLOR="#FFFFFF">
<TR BGCOLOR="#336666"><TD COLSPAN=3><FONT COLOR="#FFFFFF" SIZE="+3"><B>County Bulletin</B></FONT>
<TR BGCOLOR="#CCCC99"><TD COLSPAN=3><FONT SIZE="-1"><A HREF="/bulletin/">Notices</A> |
<A HREF="/">Courier</A> | <A HREF="/forum/">Forum</A> | <A HREF="javascript:popup('/help')">Help</A></FONT>
<TR><TD WIDTH=150 VALIGN=top BGCOLOR="#F4F4E6"><FONT SIZE="-1"><B>Contents</B><BR>
{menu_html('<A HREF="{0}">{1}</A><BR>')}
</FONT>{around.bulk.menu}
<TD VALIGN=top>
{main}
<TD WIDTH=160 VALIGN=top BGCOLOR="#F4F4E6"><FONT SIZE="-1"><B>Latest notices</B>
<UL>
{news}
</UL>
<HR><B>Sponsor</B><BR><A HREF="http://ads.example.org/ron">{ADVERT}</A></FONT>
<TR BGCOLOR="#CCCC99"><TD COLSPAN=3 ALIGN=center><FONT SIZE="-2">{FOOTER}</FONT>
</TABLE>
</CENTER>
</BODY>
</HTML>
"""


def render(story: Story, around: Surroundings) -> Rendered:
    """Render a notice."""
    ref = story.ref
    picture = f"""<TABLE ALIGN=right WIDTH=210 CELLPADDING=4><TR><TD><IMG SRC="{
        picture_path(ref)
    }" WIDTH=200 HEIGHT=113><BR><FONT SIZE="-2" COLOR="#666666">{
        esc(story.captions[0])
    }</FONT></TABLE>"""
    older = "".join(
        f'[<A HREF="{other.path}">{label}</A>] '
        for label, other in (("Previous notice", story.previous), ("Next notice", story.following))
        if other
    )
    main = f"""<FONT SIZE="-1"><A HREF="/">Home</A> &gt; <A HREF="./">Bulletin</A> &gt; No. {
        ref.number
    }</FONT>
<H2>{esc(ref.headline)}</H2>
<FONT SIZE="-1" COLOR="#666666">{ref.date.strftime("%d.%m.%Y")} - from our reporter {
        esc(ref.author)
    }</FONT>
<HR NOSHADE SIZE=1>
{blocks_html(story, STYLE, {middle(story): picture})}
<HR NOSHADE SIZE=1>
<FONT SIZE="-1">{older}[<A HREF="javascript:print()">Print this page</A>]
<P><B>See also:</B>
<UL>
{anchors(story.related, '<LI><A HREF="{0}">{1}</A>')}
</UL>
{VISITORS} {ref.number * 311 + 20417}</FONT>"""
    html = chrome(esc(ref.headline), main, around, anchors(story.most_read, _ITEM))
    return Rendered(html, (ADVERT, VISITORS, FOOTER, "Print this page", "See also:"))


_ITEM = '<LI><A HREF="{0}">{1}</A>'


def index(content: IndexContent, around: Surroundings) -> Rendered:
    """Render a page of the list of notices."""
    rows = "\n".join(
        f'<TR><TD NOWRAP>{ref.date.strftime("%d.%m.%Y")}<TD><A HREF="{ref.path.rsplit("/", 1)[1]}">'
        f"{esc(ref.headline)}</A>"
        for ref in content.refs
    )
    main = f"<H2>{content.title}</H2><TABLE CELLPADDING=4>{rows}</TABLE>{pager(content)}"
    html = chrome(content.title, main, around, anchors(content.most_read, _ITEM))
    return Rendered(html, (ADVERT, FOOTER))


TEMPLATE = Template(
    name="bulletin",
    section="/bulletin/",
    title="County Bulletin",
    page_type="article",
    recipe=Recipe("news", short_share=0.15, commented=False, is_signed=True),
    path=lambda ref, _slug: f"/bulletin/n{ref.number:05d}.htm",
    render=render,
    render_index=index,
    index_path=lambda page: "/bulletin/" if page == 1 else f"/bulletin/index{page}.htm",
    encoding="windows-1252",
)
