"""Score the fields of labelled pages, beside other extractors on the same pages.

    python tools/fields.py FIELDS.jsonl.gz [--peers] [--folds 5] [--every N] [--wrong FIELD]

A row has `html`, `url`, `site` and `gold_fields` with what is known of the page. A field that the
gold does not have says nothing. A date is right on the same day (or on `meta.day_also`), authors as
a set of names without case and accents, a headline with the same letters and digits or with F1 of
words of .9, a description with .8, a picture by the end of its path without size and ending (or as
one of `meta.images`), a language by its primary subtag. Printed are right and wrong as shares of
the pages that have gold, and the time that a page takes, in parses of it by lxml.

With `--folds` dates and authors are weighed by weights that were fitted on other sites, as
`train_fields.py` does; without, by those of the package, which have seen the labelled pages that
it was trained on.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import json
import logging
import statistics
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import lxml.html

from scrapy_mainblock.fields.values.pictures import name_of
from scrapy_mainblock.page.tokens import score, tokens

Found = Mapping[str, Any]
FIELDS = (
    "datePublished", "dateModified", "authors", "mainImage", "inLanguage", "description",
    "headline",
)  # fmt: skip
TIMED = 200
"""Pages on which the time is taken, evenly from all."""


def main() -> None:
    """Run ours and the peers, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("gold", metavar="FIELDS", type=Path)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--every", type=int, default=1, help="score one page in so many")
    parser.add_argument("--wrong", metavar="FIELD", help="print the pages where ours is wrong")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    rows = list(read(options.gold))
    runs: dict[str, Callable[[str, str | None], Found]] = {}
    with contextlib.suppress(ImportError):
        runs["ours"] = ours(rows, options.folds)
    rows = rows[:: options.every]
    if options.peers:
        runs |= dict(peers())
    parse = timed(lambda html, _: lxml.html.document_fromstring(html.encode()), rows)
    print(f"{len(rows)} pages; a parse takes {1000 * parse:.2f} ms")
    print_head()
    for name, run in runs.items():
        right, wrong, having = measure(rows, run, options.wrong if name == "ours" else None)
        cost = timed(run, rows) / parse
        print_row(name, right, wrong, having, cost)


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The rows that have gold."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get("gold_fields") and row.get("html"):
                yield row


def timed(run: Callable[[str, str | None], Any], rows: list[dict[str, Any]]) -> float:
    """Seconds of CPU a page, the median of three rounds."""
    some = rows[:: max(len(rows) // TIMED, 1)]
    rounds = []
    for _ in range(3):
        start = time.process_time()
        for row in some:
            with contextlib.suppress(Exception):
                run(row["html"], row.get("url"))
        rounds.append((time.process_time() - start) / len(some))
    return statistics.median(rounds)


# --- ours ---------------------------------------------------------------------------------------


def ours(rows: list[dict[str, Any]], folds: int) -> Callable[[str, str | None], Found]:
    """Our extractor, each page alone."""
    from scrapy_mainblock import extract  # noqa: PLC0415 - beside what is in `peers`

    if folds:
        from train_fields import of_other_sites  # noqa: PLC0415

        choose_model = of_other_sites(rows, folds)
    else:

        def choose_model(_url: str | None) -> None:
            return None

    def run(html: str, url: str | None) -> Found:
        choose_model(url)
        return plain(extract(html, url=url).to_dict())

    return run


def plain(article: Found) -> Found:
    """The fields of an article as the gold has them."""
    return {
        "datePublished": (article["datePublished"] or "")[:10],
        "dateModified": (article["dateModified"] or "")[:10],
        "authors": [one["name"] for one in article["authors"] or ()],
        "mainImage": (article["mainImage"] or {}).get("url"),
        "inLanguage": article["inLanguage"],
        "description": article["description"],
        "headline": article["headline"],
    }


# --- peers --------------------------------------------------------------------------------------


def peers() -> Iterator[tuple[str, Callable[[str, str | None], Found]]]:
    """The peers that are installed: `pip install htmldate trafilatura newspaper4k`."""
    with contextlib.suppress(ImportError):
        from htmldate import find_date  # noqa: PLC0415

        def by_htmldate(extensive: bool) -> Callable[[str, str | None], Found]:
            def run(html: str, url: str | None) -> Found:
                return {
                    "datePublished": find_date(
                        html, url=url, original_date=True, extensive_search=extensive
                    )
                }

            return run

        yield "htmldate fast", by_htmldate(False)
        yield "htmldate extensive", by_htmldate(True)
    with contextlib.suppress(ImportError):
        from trafilatura import bare_extraction  # noqa: PLC0415

        def by_trafilatura(html: str, url: str | None) -> Found:
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

        yield "trafilatura", by_trafilatura
    with contextlib.suppress(ImportError):
        from newspaper import Article  # noqa: PLC0415

        def by_newspaper(html: str, url: str | None) -> Found:
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

        yield "newspaper4k", by_newspaper


# --- the yardstick ------------------------------------------------------------------------------


def measure(
    rows: list[dict[str, Any]], run: Callable[[str, str | None], Found], wrong_of: str | None
) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """How often each field is right, how often wrong, and how many pages have it."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    having: Counter[str] = Counter()
    for row in rows:
        try:
            found = run(row["html"], row.get("url"))
        except Exception:  # a peer's own
            found = {}
        for field in FIELDS:
            if field not in row["gold_fields"]:
                continue
            having[field] += 1
            value = found.get(field)
            is_right = bool(value) and VERDICTS[field](value, row["gold_fields"][field], row)
            right[field] += is_right
            wrong[field] += bool(value) and not is_right
            if field == wrong_of and not is_right:
                print(row.get("url"), "|", row["gold_fields"][field], "|", value)
    return right, wrong, having


def letters(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(one for one in text.lower() if one.isalnum())


def name_key(name: str) -> str:
    """A name without case, accents and "By"."""
    unaccented = unicodedata.normalize("NFKD", name.lower())
    return letters(
        "".join(one for one in unaccented if not unicodedata.combining(one))
    ).removeprefix("by" if name.lower().startswith("by ") else "\0")


def _same_day(value: Any, gold: Any, row: Mapping[str, Any]) -> bool:
    return str(value)[:10] in (gold, (row.get("meta") or {}).get("day_also"))


def _same_image(value: Any, gold: Any, row: Mapping[str, Any]) -> bool:
    others = (row.get("meta") or {}).get("images") or ()
    return name_of(value) in {name_of(one) for one in (gold, *others)}


def _like(value: str, gold: str, least: float) -> bool:
    return letters(value) == letters(gold) or score(tokens(value), tokens(gold)).f1 >= least


VERDICTS: Mapping[str, Callable[[Any, Any, Mapping[str, Any]], bool]] = {
    "datePublished": _same_day,
    "dateModified": _same_day,
    "authors": lambda value, gold, _: (
        {name_key(one) for one in value} == {name_key(one) for one in gold}
    ),
    "mainImage": _same_image,
    "inLanguage": lambda value, gold, _: str(value).lower().partition("-")[0] == gold,
    "description": lambda value, gold, _: _like(value, gold, 0.8),
    "headline": lambda value, gold, _: _like(value, gold, 0.9),
}


def print_head() -> None:
    """The first line of the table."""
    print(f"{'':20}" + "".join(f"{field:>16}" for field in FIELDS) + f"{'parses':>9}")


def print_row(
    name: str, right: Counter[str], wrong: Counter[str], having: Counter[str], cost: float
) -> None:
    """One extractor: right / wrong for each field."""
    cells = [
        f"{right[field] / having[field]:.3f}/{wrong[field] / having[field]:.3f}"
        if having[field] and (right[field] or wrong[field])
        else "-"
        for field in FIELDS
    ]
    print(f"{name:20}" + "".join(f"{cell:>16}" for cell in cells) + f"{cost:>9.2f}", flush=True)


if __name__ == "__main__":
    main()
