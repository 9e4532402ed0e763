"""Other extractors of an article's fields, each with the settings that serve it best.

A peer that is not installed is skipped, with a line that says how to install it.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

Found = Mapping[str, Any]
Run = Callable[[str, "str | None"], Found]
"""A function from a page's HTML and URL to the values of its fields, by name."""


class Peer(NamedTuple):
    """An extractor that may be installed."""

    name: str
    distribution: str
    load: Callable[[], Run]


def installed() -> Iterator[tuple[str, Run]]:
    """Yield the installed peers, each by its name and version."""
    for peer in PEERS:
        try:
            name = f"{peer.name} {version(peer.distribution)}"
            run = peer.load()
        except (ImportError, PackageNotFoundError):
            sys.stderr.write(f"{peer.name} is left out: pip install {peer.distribution}\n")
            continue
        yield name, run


def _htmldate(*, extensive: bool) -> Run:
    from htmldate import find_date  # noqa: PLC0415 - optional, as all below

    def run(html: str, url: str | None) -> Found:
        found = find_date(html, url=url, original_date=True, extensive_search=extensive)
        return {"datePublished": found}

    return run


def _trafilatura() -> Run:
    from trafilatura import bare_extraction  # noqa: PLC0415

    def run(html: str, url: str | None) -> Found:
        found = bare_extraction(html, url=url, with_metadata=True, include_comments=False)
        about = found.as_dict() if found else {}
        return {
            "datePublished": about.get("date"),
            "authors": (about.get("author") or "").split("; ") if about.get("author") else [],
            "mainImage": about.get("image"),
            "inLanguage": about.get("language"),
            "description": about.get("description"),
            "headline": about.get("title"),
        }

    return run


def _newspaper() -> Run:
    from newspaper import Article  # noqa: PLC0415

    def run(html: str, url: str | None) -> Found:
        page = Article(url or "http://page.example/", fetch_images=False)
        with contextlib.redirect_stdout(io.StringIO()):
            page.download(input_html=html)
            page.parse()
        return {
            "datePublished": str(page.publish_date or "")[:10],
            "authors": page.authors,
            "mainImage": page.top_image,
            "inLanguage": page.meta_lang,
            "description": page.meta_description,
            "headline": page.title,
        }

    return run


def _goose() -> Run:
    from goose3 import Goose  # noqa: PLC0415

    goose = Goose({"enable_image_fetching": False})

    def run(html: str, _url: str | None) -> Found:
        page = goose.extract(raw_html=html)
        day = page.publish_datetime_utc
        return {
            "datePublished": day.isoformat()[:10] if day else (page.publish_date or "")[:10],
            "authors": page.authors,
            "mainImage": (page.opengraph or {}).get("image"),
            "inLanguage": page.meta_lang,
            "description": page.meta_description,
            "headline": page.title,
        }

    return run


def _turbohtml() -> Run:
    from turbohtml import parse  # noqa: PLC0415

    def run(html: str, _url: str | None) -> Found:
        page = parse(html).article()
        return {
            "datePublished": page.date,
            "authors": [page.byline] if page.byline else [],
            "mainImage": page.image,
            "inLanguage": page.lang,
            "description": page.description,
            "headline": page.title,
        }

    return run


def _resiliparse() -> Run:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415
    from resiliparse.parse.html import HTMLTree  # noqa: PLC0415
    from resiliparse.parse.lang import detect_fast  # noqa: PLC0415

    def run(html: str, _url: str | None) -> Found:
        tree = HTMLTree.parse(html)
        text = extract_plain_text(tree, main_content=True)
        return {"headline": tree.title, "inLanguage": detect_fast(text)[0]}

    return run


def _readability() -> Run:
    from readability import Document  # noqa: PLC0415

    def run(html: str, url: str | None) -> Found:
        page = Document(html, url=url)
        page.summary()
        return {"headline": page.short_title()}

    return run


def _extruct() -> Run:
    """Use the first article of a page's linked data, else Open Graph; extruct does not choose."""
    from extruct import extract  # noqa: PLC0415

    def run(html: str, url: str | None) -> Found:
        found = extract(
            html, base_url=url, syntaxes=["json-ld", "opengraph"], uniform=True, errors="ignore"
        )
        nodes = [one for data in found["json-ld"] for one in (data, *(data.get("@graph") or ()))]
        node = next((one for one in nodes if "Article" in str(one.get("@type"))), {})
        graph = (found["opengraph"] or [{}])[0]
        authors = node.get("author") or []
        people = authors if isinstance(authors, list) else [authors]
        return {
            "datePublished": str(node.get("datePublished") or "")[:10],
            "dateModified": str(node.get("dateModified") or "")[:10],
            "authors": [
                str(one.get("name")) if isinstance(one, dict) else str(one) for one in people
            ],
            "mainImage": graph.get("og:image") or _address(node.get("image")),
            "inLanguage": node.get("inLanguage")
            or (graph.get("og:locale") or "").partition("_")[0],
            "description": graph.get("og:description") or node.get("description"),
            "headline": node.get("headline") or graph.get("og:title"),
        }

    return run


def _address(image: Any) -> str:
    image = image[0] if isinstance(image, list) and image else image
    return str(image.get("url") if isinstance(image, dict) else image or "")


PEERS = (
    Peer("htmldate, fast", "htmldate", lambda: _htmldate(extensive=False)),
    Peer("htmldate, extensive", "htmldate", lambda: _htmldate(extensive=True)),
    Peer("trafilatura", "trafilatura", _trafilatura),
    Peer("newspaper4k", "newspaper4k", _newspaper),
    Peer("goose3", "goose3", _goose),
    Peer("turbohtml", "turbohtml", _turbohtml),
    Peer("resiliparse", "Resiliparse", _resiliparse),
    Peer("readability", "readability-lxml", _readability),
    Peer("extruct", "extruct", _extruct),
)
