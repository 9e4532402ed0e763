"""Train the models of `judge`: which segments of a page are main content, what type a page is.

    pip install -e ".[train]"
    python tools/train_content.py GOLD.jsonl.gz... [--manuals GOLD.jsonl.gz...] [-o FOLDER]

GOLD has rows with `html`, `gold` and `site`, and `meta.page_type` if it is known; pages of sets
without it count as articles, those of --manuals as documentation. The shipped models were made by
this command with no other option. With --cross-validate it writes none, and prints the scores on
sites that the models have not seen: types, F1 of what is kept, confidence.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from training import SHORTENED, Labelled, Models, f1, fold_of, kept_of, labelled_pages, train

from scrapy_mainblock.judge import confidence, models, page_type

MODELS = Path(models.__file__).parent


def main() -> None:
    """Cross-validate the models, or train and write them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("inputs", nargs="+", metavar="GOLD")
    parser.add_argument("--manuals", nargs="*", default=[], metavar="GOLD")
    parser.add_argument("-o", "--output", metavar="FOLDER", type=Path, default=MODELS)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--cross-validate", action="store_true", help="only print the figures")
    options = parser.parse_args()
    pages = list(labelled_pages(options.inputs, options.manuals))
    trained = train(pages, options.folds, final=not options.cross_validate)
    if options.cross_validate:
        report([page for page in pages if page.group != SHORTENED], trained, options.folds)
        return
    trained[-1].write(options.output)
    print(f"{options.output}: four models, from {len(pages)} pages")


def report(pages: Sequence[Labelled], trained: Sequence[Models], folds: int) -> None:
    """Print the scores of the models on pages that they have not seen."""
    by_group: dict[str, list[float]] = defaultdict(list)
    sure: list[tuple[float, float]] = []
    for page in pages:
        kept = kept_of(page)
        value = f1(page, kept)
        by_group[page.group].append(value)
        if page.is_named:
            by_group[f"{page.group} {page.kind}"].append(value)
        trained[fold_of(page.site, folds)].use()
        sure.append((confidence.confidence(page.judgement, kept), value))
    print("\nF1 of what is kept")
    for group, values in sorted(by_group.items()):
        print(f"{group:24} {len(values):5} pages  {sum(values) / len(values):.4f}")
    report_types([page for page in pages if page.is_named])
    report_confidence(sure)


def report_types(pages: Sequence[Labelled]) -> None:
    """Print a confusion matrix: rows are labels, columns are the model's answers."""
    said = Counter((page.kind, page_type.likeliest(page.types)) for page in pages)
    columns = (*page_type.TYPES, "other")
    width = max(map(len, columns))
    right = sum(said[kind, kind] for kind in page_type.TYPES)
    print(f"\nType, right on {right / max(len(pages), 1):.3f} of {len(pages)} labelled pages")
    print(" " * width, *(f"{kind[:8]:>8}" for kind in columns))
    for kind in page_type.TYPES:
        print(f"{kind:{width}}", *(f"{said[kind, column]:8}" for column in columns))


def report_confidence(sure: Sequence[tuple[float, float]]) -> None:
    """Print a reliability table: the promised confidence, and the share of pages that held it."""
    print(f"\nConfidence that F1 is at least {confidence.RIGHT}")
    promised, value = np.array(sorted(sure)).T
    for low in np.arange(0, 1, 0.1):
        here = (promised >= low) & (promised < low + 0.1)
        if here.any():
            held = (value[here] >= confidence.RIGHT).mean()
            print(f"{low:.1f}-{low + 0.1:.1f} {here.sum():5} pages", end="  ")
            print(f"promised {promised[here].mean():.3f}  held {held:.3f}")
    wrong = value < 0.5
    lowest = wrong[: len(wrong) // 10].sum()
    print(f"of {wrong.sum()} wrong pages (F1 < 0.5) {lowest} are in the least sure tenth")


if __name__ == "__main__":
    main()
