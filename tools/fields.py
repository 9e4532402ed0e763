"""Score the fields of labeled pages, beside other extractors on the same pages.

    python tools/fields.py FIELDS.jsonl.gz [--peers] [--folds 5] [--every N] [--wrong FIELD]
                           [--markdown]

A row has `html`, `url`, `site` and `gold_fields` with what is known of the page. A field that is
missing there is not scored. A date is right on the same day (or on `meta.day_also`), authors as a
set of names without case and accents, a headline with the same letters and digits or a word F1 of
at least .9, a description likewise with .8, a picture by the end of its path without size and
extension (or as one of `meta.images`), a language by its primary subtag. Printed are right and
wrong as shares of the pages that have gold, the pages on which an extractor raises, and the time
per page including the extractor's own parse, in parses of the page by lxml.

With `--folds` dates and authors are chosen by weights that were fitted on other sites, as in
`train_fields.py`; without, by those of the package, which have seen the labeled pages that they
were trained on.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import logging
import statistics
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lxml.html
from field_peers import Found, Run, installed

from scrapy_mainblock.fields.values.pictures import name_of
from scrapy_mainblock.page.tokens import score, tokens

FIELDS = (
    "datePublished", "dateModified", "authors", "mainImage", "inLanguage", "description",
    "headline",
)  # fmt: skip
TIMED = 200
"""Pages on which the time is measured, spaced evenly."""


def main() -> None:
    """Run our extractor and the peers, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("gold", metavar="FIELDS", type=Path)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--every", type=int, default=1, help="score one page in so many")
    parser.add_argument("--markdown", action="store_true", help="a table for the docs")
    parser.add_argument("--wrong", metavar="FIELD", help="print the pages where ours is wrong")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    rows = list(read(options.gold))
    runs: dict[str, Run] = {}
    with contextlib.suppress(ImportError):
        runs["ours"] = ours(rows, options.folds)
    rows = rows[:: options.every]
    if options.peers:
        runs |= dict(installed())
    parse = timed(lambda html, _: lxml.html.document_fromstring(html.encode()), rows)
    print(f"{len(rows)} pages; a parse takes {1000 * parse:.2f} ms")
    print_line(["", *FIELDS, "raised", "parses"], options.markdown)
    if options.markdown:
        print("|---" * (len(FIELDS) + 3) + "|")
    for name, run in runs.items():
        scores = measure(rows, run, options.wrong if name == "ours" else None)
        cost = timed(run, rows) / parse
        print_line([name, *scores.cells(), str(scores.raised), f"{cost:.1f}"], options.markdown)


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows that have gold."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get("gold_fields") and row.get("html"):
                yield row


def timed(run: Callable[[str, str | None], Any], rows: list[dict[str, Any]]) -> float:
    """Return the CPU seconds per page, the median of three rounds."""
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


def ours(rows: list[dict[str, Any]], folds: int) -> Run:
    """Return our extractor, which reads each page alone."""
    from scrapy_mainblock import extract  # noqa: PLC0415 - optional, like the peers

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
    """Return the fields of an article in the form of the gold."""
    return {
        "datePublished": (article["datePublished"] or "")[:10],
        "dateModified": (article["dateModified"] or "")[:10],
        "authors": [one["name"] for one in article["authors"] or ()],
        "mainImage": (article["mainImage"] or {}).get("url"),
        "inLanguage": article["inLanguage"],
        "description": article["description"],
        "headline": article["headline"],
    }


# --- the measures -------------------------------------------------------------------------------


@dataclass
class Scores:
    """How often each field is right and wrong, and how many pages have gold for it."""

    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    having: Counter[str] = field(default_factory=Counter)
    raised: int = 0

    def cells(self) -> list[str]:
        """Return right / wrong for each field; a dash for one that the extractor never fills."""
        return [self._cell(name) for name in FIELDS]

    def _cell(self, name: str) -> str:
        right, wrong, of = self.right[name], self.wrong[name], self.having[name]
        return f"{right / of:.3f} / {wrong / of:.3f}" if right or wrong else "-"


def measure(rows: list[dict[str, Any]], run: Run, wrong_of: str | None) -> Scores:
    """Score an extractor on all pages."""
    scores = Scores()
    for row in rows:
        try:
            found = run(row["html"], row.get("url"))
        except Exception:  # raised by a peer
            found = {}
            scores.raised += 1
        for name in FIELDS:
            if name not in row["gold_fields"]:
                continue
            scores.having[name] += 1
            value = found.get(name)
            is_right = bool(value) and VERDICTS[name](value, row["gold_fields"][name], row)
            scores.right[name] += is_right
            scores.wrong[name] += bool(value) and not is_right
            if name == wrong_of and not is_right:
                print(row.get("url"), "|", row["gold_fields"][name], "|", value)
    return scores


def letters(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    return "".join(one for one in text.lower() if one.isalnum())


def name_key(name: str) -> str:
    """Return a name without case, accents and "By"."""
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


def print_line(cells: list[str], markdown: bool) -> None:
    """Print a line of the table."""
    if markdown:
        print(f"| {' | '.join(cells)} |", flush=True)
    else:
        print(f"{cells[0]:24}" + "".join(f"{cell:>15}" for cell in cells[1:]), flush=True)


if __name__ == "__main__":
    main()
