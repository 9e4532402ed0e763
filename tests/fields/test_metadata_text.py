"""The text in a page's metadata, used if the page shows hardly any text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import outline, told

from scrapy_mainblock import extract
from scrapy_mainblock.fields.metadata_text import metadata_text, only_description

LONG, LONGER = told(30, "long"), told(60, "longer")


def json_ld(data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


def meta(text: str) -> str:
    return f'<meta property="og:description" content="{text}">'


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("", []),
        (meta("too short"), []),
        (meta(LONG.replace("\n\n", " ")), [LONG.replace("\n\n", " ")]),
        (json_ld({"@type": "Article", "articleBody": LONGER}), LONGER.split("\n\n")),
        (json_ld([{"@graph": [{"a": {"description": LONG}}]}]), LONG.split("\n\n")),
        (
            json_ld({"description": LONG}) + meta(LONGER.replace("\n\n", " ")),
            [LONGER.replace("\n\n", " ")],
        ),
        (json_ld({"name": LONG}), []),
        (json_ld({"text": f"<p>{LONG}</p><p>a &amp; b</p>"}), [*LONG.split("\n\n"), "a & b"]),
        (json_ld({"text": f"&lt;p&gt;{LONG}"}), LONG.split("\n\n")),
        ('<script type="application/ld+json">{"description": </script>', []),
        (f'<script type="application/ld+json">{"[" * 90_000}</script>', []),
    ],
)
def test_longest_text_of_the_metadata_is_taken(head: str, expected: list[str]) -> None:
    assert metadata_text(outline("<p>x", head=head).head) == expected


def test_body_of_an_empty_page_is_taken_from_its_metadata() -> None:
    head = json_ld({"@type": "Product", "description": LONG})
    article = extract(f"<html><head>{head}</head><body><div id=app></div></body></html>")
    assert article.articleBody == LONG
    assert article.metadata["method"] == "page"
    assert article.metadata["probability"] < 0.5


def test_metadata_does_not_replace_longer_visible_text() -> None:
    links = "".join(f'<li><a href="/{n}">Link number {n}</a>' for n in range(200))
    article = extract(f"<html><head>{meta(LONG)}</head><body><ul>{links}</ul></body></html>")
    assert LONG.split("\n\n")[0] not in (article.articleBody or "")


# --- a product with a visible description and one in the metadata ---------------------------------

ABOUT = "A kettle of steel that boils a litre of water in two minutes and keeps it warm for an hour"
CARE = "Rinse it with vinegar once a month, and never put its base into the sink or the dishwasher"
SHIPPING = (
    "Orders are sent within two days, and may be given back within a month for any reason at all"
)


@pytest.mark.parametrize(
    ("texts", "kept", "expected"),
    [
        ([ABOUT, SHIPPING, CARE], [True] * 3, [True, False, True]),
        ([ABOUT, CARE, "In stock", ABOUT], [True] * 4, [True, True, False, False]),
        ([ABOUT, SHIPPING, CARE], [True, True, False], [True, True, False]),
        ([SHIPPING], [True], [True]),
        ([ABOUT, CARE, *[f"{SHIPPING} {n}" for n in range(5)]], [True] * 7, [True] * 7),
        ([], [], []),
    ],
    ids=["the rest goes", "once", "not all is kept", "none is shown", "too little", "nothing"],
)
def test_only_the_description_of_a_product_is_kept_if_visible(
    texts: list[str], kept: list[bool], expected: list[bool]
) -> None:
    assert only_description(texts, kept, [ABOUT, CARE]) == expected
    assert only_description(texts, kept, []) == kept


@given(
    st.lists(st.tuples(st.sampled_from([ABOUT, CARE, SHIPPING, "In stock", ""]), st.booleans())),
    st.lists(st.sampled_from([ABOUT, CARE, ""])),
)
def test_only_description_drops_some_but_not_all_segments(
    shown: list[tuple[str, bool]], description: list[str]
) -> None:
    texts, kept = [text for text, _ in shown], [is_kept for _, is_kept in shown]
    found = only_description(texts, kept, description)
    assert len(found) == len(kept)
    assert not any(now and not before for now, before in zip(found, kept, strict=True))
    assert any(found) == any(kept)


def test_product_page_is_reduced_to_the_linked_data_description() -> None:
    data = {"@type": "Product", "name": "Kettle", "description": f"{ABOUT}. {CARE}."}
    offer = {"offers": {"@type": "Offer", "price": "25.00", "priceCurrency": "USD"}}
    others = "".join(
        f'<div class="product-card"><a href="/products/{n}"><img src="/{n}.png">Pot {n}</a>'
        f'<span class="price">${n}.00</span></div>'
        for n in range(12)
    )
    source = f"""<html><head><title>Kettle | Shop</title><meta property="og:type" content="product">
    {json_ld(data | offer)}</head><body class="product woocommerce single-product">
    <nav><ul class="menu"><li><a href="/">Home</a></li><li><a href="/k">Kettles</a></li></ul></nav>
    <main><h1>Kettle</h1><div class="product-gallery"><img src="/kettle.png"></div>
    <div class="product-info"><span class="price">$25.00</span><button>Add to cart</button>
    <p>SKU: 5577</p></div><div class="product-description"><p>{ABOUT}.</p><p>{CARE}.</p>
    <p>{SHIPPING}.</p></div></main><div class="related-products"><h2>You may like</h2>{others}</div>
    <footer><a href="/returns">Returns</a> <a href="/cart">Cart</a></footer></body></html>"""
    article = extract(source, "https://shop.example/products/kettle")
    assert article.metadata["pageType"] == "product"
    assert article.articleBody == f"{ABOUT}.\n\n{CARE}."
