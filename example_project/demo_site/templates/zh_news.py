"""A Chinese news site: one line of source, a long menu, and comments longer than the article."""

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
from demo_site.model import Comment, IndexContent, Rendered, Story, Surroundings
from demo_site.navigation import CHINESE_NAME, chinese_menu_html
from demo_site.stories import Recipe

from .base import Template

ADVERT = "【广告】夏日家电节，满三百减五十，点击领取优惠券"
STATEMENT = "免责声明：本网转载文章仅供参考，版权归原作者所有。"
QR_CODE = "扫一扫，在手机上继续阅读"
FOOTER = "演示时报社版权所有 未经授权不得转载 演示备案号00000000"
HOT = "热点排行"

STYLE = BlockStyle(
    paragraph="<p>　　{}</p>",
    heading="<p><strong>{}</strong></p>",
    quote='<blockquote class="rich_quote">{}</blockquote>',
    table='<table class="data-table" border="1">{}</table>',
    link='<a target="_blank" href="{}">{}</a>',
)


def chrome(head: str, main: str, around: Surroundings) -> str:
    """Return a whole page on one line, with the template around `main`."""
    return one_line(f"""<!DOCTYPE html><html lang="zh-CN"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="applicable-device" content="pc,mobile">
{head}
<style>{minified_stylesheet("zh_news")}{around.bulk.style}</style></head><body>
<div class="topbar"><span>欢迎访问{CHINESE_NAME}</span><a href="/zh/#login">登录</a><a href="/zh/#reg">注册</a></div>
<div class="header w1200"><a class="logo" href="/zh/">{CHINESE_NAME}</a>
<div class="search"><input placeholder="请输入关键词"><button>搜索</button></div></div>
<div class="nav"><ul class="w1200 clearfix">{chinese_menu_html('<li><a href="{0}">{1}</a></li>')}</ul></div>
{around.bulk.menu}
{main}
<div class="footer"><div class="w1200"><p>{chinese_menu_html('<a href="{0}">{1}</a>')}</p>
<p>{FOOTER}</p></div></div>
<script>{around.bulk.script}var _hmt=_hmt||[];(function(){{var s=document.getElementsByTagName("script")[0];}})();</script>
</body></html>""")


def _comment(comment: Comment, number: int) -> str:
    return f"""<div class="cmt-item" id="c{number}"><div class="cmt-user">{esc(comment.author)}
<em>{comment.when}</em></div><div class="cmt-txt">{esc(comment.paragraphs[0])}</div>
<div class="cmt-op"><a>回复</a><a>点赞({number * 13 % 97})</a></div></div>"""


def render(story: Story, around: Surroundings) -> Rendered:
    """Render an article."""
    ref = story.ref
    picture = f"""<div class="pic"><img src="{picture_path(ref)}" width="600" height="338" alt="">
<div class="pic-note">{esc(story.captions[0])} {esc(ref.photographer)} 摄</div></div>"""
    advert = f'<div class="ad-in" id="ad_{ref.number % 3}"><a href="https://ads.example.org/zh">{ADVERT}</a></div>'
    tags = "".join(f'<a href="/zh/#{esc(tag)}">{esc(tag)}</a>' for tag in story.tags)
    comments = "".join(_comment(comment, n) for n, comment in enumerate(story.comments))
    related = anchors(story.related, '<li><a href="{0}">{1}</a><span>{2}</span></li>')
    main = f"""<div class="main w1200 clearfix"><div class="left">
<div class="position">当前位置：<a href="/zh/">首页</a> &gt; <a href="/zh/#shehui">{esc(ref.topic)}</a> &gt; 正文</div>
<h1 class="title">{esc(ref.headline)}</h1>
<div class="info"><span>{ref.date.isoformat()} 09:{ref.number % 60:02d}</span><span>来源：{CHINESE_NAME}</span>
{byline(ref, "<span>记者：{}</span>", between="、")}<span class="fs">字号：<a>大</a><a>中</a><a>小</a></span></div>
<div class="article-content" id="artibody">
{blocks_html(story, STYLE, {0: picture, middle(story) * 2 + 1: advert}, glue="")}
<div class="editor">责任编辑：{esc(ref.author[:1])}编</div></div>
<div class="qr">{QR_CODE}</div><div class="share">分享到：<a>微信</a><a>微博</a><a>空间</a></div>
<div class="tagbox">标签：{tags}</div>
<div class="statement">{STATEMENT}</div>
<div class="ad-in"><a href="https://ads.example.org/zh2">{ADVERT}</a></div>
<div class="xg"><h3>相关阅读</h3><ul>{related}</ul></div>
<div class="cmt" id="comment"><h3>网友评论({len(story.comments)}条)</h3>{comments}</div>
</div><div class="right"><div class="hot"><h3>{HOT}</h3><ol>
{anchors(story.most_read, '<li><a href="{0}">{1}</a></li>')}
</ol></div></div></div>"""
    html = chrome(metadata(story, around, CHINESE_NAME, "zh_CN"), main, around)
    return Rendered(html, (ADVERT, STATEMENT, QR_CODE, FOOTER, HOT))


def index(content: IndexContent, around: Surroundings) -> Rendered:
    """Render a page of the list of articles."""
    row = '<li><a href="{0}">{1}</a><span>{2}</span></li>'
    main = f"""<div class="main w1200"><h2>{content.title}</h2><ul class="list">
{anchors(content.refs, row)}</ul>{pager(content)}</div>"""
    head = f"<title>{content.title}_{CHINESE_NAME}</title>"
    return Rendered(chrome(head, main, around), (FOOTER,))


TEMPLATE = Template(
    name="zh-news",
    section="/zh/",
    title="新闻",
    page_type="article",
    recipe=Recipe("news", words="zh", short_share=0.35, silent_share=0.2),
    path=lambda ref, _slug: f"/zh/{ref.date:%Y/%m-%d}/{ref.number + 1002300}.shtml",
    render=render,
    render_index=index,
    index_path=lambda page: "/zh/" if page == 1 else f"/zh/index_{page}.shtml",
    per_index=12,
    language="zh-CN",
)
