"""A shop's product page: gallery, price box, tabs, properties, and reviews longer than the rest."""

# ruff: noqa: E501 - a line of HTML is as long as the page has it

from __future__ import annotations

import json

from demo_site.markup import BlockStyle, anchors, blocks_html, esc, pager, picture_path, stylesheet
from demo_site.model import Comment, IndexContent, Ref, Rendered, Story, Surroundings
from demo_site.navigation import menu_html
from demo_site.stories import Recipe

from .base import Template, folder_pages

NAME = "Courier Shop"
DELIVERY = "Free delivery from 40 pounds. Returns within 30 days, no questions asked."
BASKET = "Add to basket"
FOOTER = "All prices include VAT. Pictures may show accessories that are sold separately."
ALSO = "Customers also bought"

STYLE = BlockStyle(
    unordered='<ul class="product-features">{}</ul>',
    table='<table class="product-specs"><tbody>{}</tbody></table>',
    head_cell="<td>{}</td>",
)


def _price(ref: Ref) -> str:
    return f"{9 + ref.number * 13 % 180}.90"


def chrome(head: str, main: str, around: Surroundings) -> str:
    """Return a whole page, with the template around `main`."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
{head}
<style>
{stylesheet("shop")}
{around.bulk.style}
</style>
</head>
<body class="template-product">
<div class="promo-strip">{DELIVERY}</div>
<header class="shop-header"><a class="shop-logo" href="/shop/">{NAME}</a>
<form class="shop-search" action="/search"><input placeholder="What are you looking for?"></form>
<a class="shop-cart" href="/shop/#cart">Basket (0)</a>
<nav class="mega"><ul>
{menu_html('<li class="mega-item"><a href="{0}">{1}</a></li>')}
</ul></nav>{around.bulk.menu}</header>
{main}
<footer class="shop-footer"><p>{FOOTER}</p>
<ul>{menu_html('<li><a href="{0}">{1}</a></li>', 26)}</ul></footer>
<div class="cookie-modal" aria-modal="true"><p>Cookies keep your basket together.</p><button>Fine</button></div>
<script>{around.bulk.script}window.shop = {{ currency: "GBP", locale: "en" }};</script>
</body>
</html>
"""


def _tile(ref: Ref) -> str:
    return f"""<div class="grid-item"><a href="{ref.path}"><img src="{picture_path(ref)}" width="220"
height="165" alt=""><span class="grid-title">{esc(ref.headline)}</span></a>
<span class="grid-price">£{_price(ref)}</span></div>"""


def _review(comment: Comment, number: int) -> str:
    stars = "★" * (3 + number % 3)
    return f"""<div class="review" itemprop="review"><span class="review-stars">{stars}</span>
<span class="review-author">{esc(comment.author)}</span> <span class="review-date">{comment.when}</span>
<p class="review-text">{esc(comment.paragraphs[0])}</p><button>Helpful</button></div>"""


def render(story: Story, around: Surroundings) -> Rendered:
    """Render a product page."""
    ref = story.ref
    linked_data = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": ref.headline,
        "image": around.absolute(picture_path(ref)),
        "offers": {"@type": "Offer", "price": _price(ref), "priceCurrency": "GBP"},
    }
    head = f"""<title>{esc(ref.headline)} | {NAME}</title>
<link rel="canonical" href="{around.absolute(ref.path)}">
<meta property="og:type" content="product">
<meta property="og:title" content="{esc(ref.headline)}">
<script type="application/ld+json">{json.dumps(linked_data)}</script>"""
    reviews = "\n".join(_review(comment, n) for n, comment in enumerate(story.comments))
    main = f"""<main class="product" id="product-{ref.number + 700}">
<div class="crumbs"><a href="/">Courier</a> / <a href="/shop/">Shop</a> / Household</div>
<div class="product-top"><div class="gallery"><img src="{picture_path(ref)}" width="420" height="315" alt="">
<div class="thumbs"><img src="{picture_path(ref, 1)}" width="90" height="68" alt=""><img
src="{picture_path(ref, 2)}" width="90" height="68" alt=""></div></div>
<div class="buy-box"><h1 class="product-title">{esc(ref.headline)}</h1>
<div class="rating">★★★★☆ <a href="#reviews">{len(story.comments)} reviews</a></div>
<div class="price">£{_price(ref)}</div><p class="stock">In stock, leaves our store tomorrow</p>
<button class="add-to-cart">{BASKET}</button><button class="wish">Save for later</button></div></div>
<div class="tabs" role="tablist"><span class="tab">Description</span><span class="tab">Questions</span></div>
<div class="product-description" itemprop="description">
{blocks_html(story, STYLE)}
</div>
<section class="also"><h2>{ALSO}</h2><div class="grid">{"".join(map(_tile, story.related[:4]))}</div></section>
<section class="reviews" id="reviews"><h2>Reviews</h2>
{reviews}
</section>
</main>"""
    return Rendered(chrome(head, main, around), (DELIVERY, BASKET, FOOTER, ALSO, "Save for later"))


def index(content: IndexContent, around: Surroundings) -> Rendered:
    """Render a page of the list of products."""
    main = f"""<main class="collection"><h1>{content.title}</h1>
<div class="grid">{"".join(map(_tile, content.refs))}</div>{pager(content)}
<ul class="bestsellers">{anchors(content.most_read, '<li><a href="{0}">{1}</a></li>')}</ul></main>"""
    return Rendered(
        chrome(f"<title>{content.title} | {NAME}</title>", main, around), (DELIVERY, FOOTER)
    )


TEMPLATE = Template(
    name="shop",
    section="/shop/",
    title="Shop",
    page_type="product",
    recipe=Recipe("shop", words="shop", short_share=0.3),
    path=lambda ref, slug: f"/shop/p/{slug}-{ref.number + 700}/",
    render=render,
    render_index=index,
    index_path=folder_pages("/shop/"),
    per_index=12,
)
