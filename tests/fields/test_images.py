"""The main image: one that leads the content precedes crops made for social networks."""

from __future__ import annotations

import pytest
from pages import told_in_html

from scrapy_mainblock import explain, extract
from scrapy_mainblock.fields.values.pictures import marks_of, name_of

URL = "https://news.example/2024/05/rain-in-the-hills-4711815"
OPEN_GRAPH = '<meta property="og:image" content="{}">'
CARD = "https://img.example/cards/card-778899.jpg"
HERO = "https://img.example/photos/hills-123456.jpg"


def paragraphs(stem: str) -> str:
    return "".join(told_in_html(20, f"{stem}{number}") for number in range(8))


def page(leading: str = "", head: str = "", above: str = "", inside: str = "") -> str:
    return (
        f"<html><head><title>Rain in the hills today</title>{head}</head><body>{above}"
        f"<h1>Rain in the hills today</h1>{leading}<article>{paragraphs('word')}{inside}"
        f"{paragraphs('more')}</article></body></html>"
    )


def main_image(html: str) -> str | None:
    found = extract(html, url=URL, fields=["mainImage"]).mainImage
    return found["url"] if found else None


def figure(url: str, more: str = "") -> str:
    return f'<figure><img src="{url}" {more}></figure>'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (page(figure(HERO), OPEN_GRAPH.format(CARD)), HERO),
        (page("", OPEN_GRAPH.format(CARD)), CARD),
        (page("", OPEN_GRAPH.format(CARD), inside=figure(HERO)), CARD),
        (page(figure(HERO)), HERO),
        (page(figure(CARD) + figure(HERO), OPEN_GRAPH.format(HERO)), HERO),
        (page(figure(HERO), OPEN_GRAPH.format(CARD), above=figure(CARD)), CARD),
        (page(figure("/static/logo.png"), OPEN_GRAPH.format(CARD)), CARD),
        (page(figure("/pixel.gif"), OPEN_GRAPH.format("/default-image.png")), "/default-image.png"),
    ],
    ids=[
        "a picture that leads the content comes before a card for social networks",
        "the card where nothing leads the content",
        "the card where a picture stands deep in the text",
        "the leading one where nothing is named",
        "of two that lead the one that is named",
        "the card where the page shows it above the headline",
        "no logo",
        "a default picture where there is nothing else",
    ],
)
def test_chosen_main_image(html: str, expected: str) -> None:
    found = main_image(html)
    assert found is not None
    assert found.endswith(expected)


@pytest.mark.parametrize(
    "portrait",
    [
        figure(HERO, 'width="64"'),
        figure(HERO, 'class="author-photo"'),
        f'<div class="byline"><span><img src="{HERO}"></span></div>',
        figure("https://img.example/headshot-of-anna-12345.jpg"),
        figure(HERO + "?w=80"),
        figure("https://img.example/arrow-123456.gif"),
    ],
)
def test_portrait_of_the_author_is_not_the_main_image(portrait: str) -> None:
    assert main_image(page(portrait, OPEN_GRAPH.format(CARD))) == CARD
    assert main_image(page(portrait + figure(CARD))) == CARD


@pytest.mark.parametrize(
    ("named", "other"),
    [
        ("https://a.example/image/539fcc98d82ad488e5202c91/4032/jpeg",
         "https://a.example/image/539fcc98d82ad488e5202c91=w700"),
        ("https://a.example/thumbs/400x400/246270.jpg",
         "https://cdn.example/?url=https://a.example/uploads/246270.jpg&w=1000"),
        ("https://a.example/tok_1/w1200_h630_isr_1-17c9a9c45e.jpg",
         "https://a.example/tok_2/w2100_h1313_isr_1-17c9a9c45e.jpg"),
        ("https://a.example/csm_rain-in-hills_a395f41217.jpg",
         "https://a.example/csm_rain-in-hills_93268333ee.jpg"),
    ],
)  # fmt: skip
def test_visible_size_of_an_image_is_taken(named: str, other: str) -> None:
    html = page(figure(CARD) + figure(other), OPEN_GRAPH.format(named))
    assert main_image(html) == other
    chosen = explain(html, url=URL).fields["mainImage"].chosen
    assert chosen is not None
    assert chosen.source == "meta:og:image,content"


def test_page_number_or_date_in_urls_does_not_identify_images() -> None:
    assert marks_of("https://a.example/2024-05-08/20240508/a_4711815.jpg") == {"4711815"}
    card = "https://img.example/4711815/card.jpg"
    html = page(figure(HERO) + figure("/photos/4711815_sun.jpg"), OPEN_GRAPH.format(card))
    assert main_image(html) == HERO


def test_lazy_image_is_listed_with_its_real_url() -> None:
    late = (
        '<figure><img src="/blank.gif" data-srcset="/hills-a.jpg 400w, /hills-b.jpg 800w"></figure>'
    )
    article = extract(page("", inside=late), url=URL)
    assert article.images == [{"url": "https://news.example/hills-b.jpg"}]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/a/sunny-hills-800x600.jpg", "/b/sunny-hills-320x200.webp"),
        ("/sunny-hills-scaled.jpg", "/sunny-hills.png"),
    ],
)
def test_sizes_of_an_image_have_the_same_name(one: str, other: str) -> None:
    assert name_of("https://a.example" + one) == name_of("https://a.example" + other)
