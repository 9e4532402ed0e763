"""Train the model of `core.content`: which segments of a page are main content.

    pip install -e ".[train]"
    python tools/train_content.py GOLD.jsonl.gz... [--cross-validate 5] [-o MODEL]

GOLD has rows with `html`, `gold` and `site`. Pages are split by site, never by page; a site counts
with the root of its pages, so that large ones do not rule. The model that is shipped was made by
this command with no other option than `-o`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from catboost import CatBoostClassifier, Pool

from scrapy_mainblock.core import content, features
from scrapy_mainblock.core.forest import Forest
from scrapy_mainblock.core.headline import find_headline
from scrapy_mainblock.core.hints import Hints, find_hints
from scrapy_mainblock.core.page import Page
from scrapy_mainblock.core.segments import Segments, only, segment
from scrapy_mainblock.core.tokens import score, token_list
from scrapy_mainblock.inputs import Inputs

DEFAULT_MODEL = Path(content.__file__).parent / "models" / "content.json"
TREES, DEPTH, RATE = 200, 6, 0.15
SITE_WEIGHT = 0.3  # pages of a site weigh together as pages ** (1 - SITE_WEIGHT)
SHORTENED, SHORTENED_WEIGHT = "shortened", 0.5  # a page's second appearance
LENGTH_WEIGHT = 0.7  # a segment weighs as its tokens ** LENGTH_WEIGHT, within its page


class Labelled(NamedTuple):
    """A page as the model sees it, and what its gold text says of each segment."""

    site: str
    group: str
    rows: np.ndarray
    labels: np.ndarray
    weights: np.ndarray
    tokens: list[list[str]]
    headline: int
    gold: list[str]


def labelled_pages(names: Sequence[str]) -> Iterator[Labelled]:
    """The pages of the inputs that have gold text, and each once more with a shortened text."""
    chance = random.Random(1)
    for row in Inputs(names, sys.stderr.write):
        page = Page.of(row.html or "", row.url)
        if row.gold is None or page.body is None:
            continue
        segments = segment(page.body)
        if not len(segments):
            continue
        hints = find_hints(page.root, page.url, find_headline(page.root, page.url))
        words = [token_list(text) for text in segments.texts]
        gold = token_list(row.gold)
        marked = labels(words, gold)
        group = str(row.meta.get("set") or "-")
        yield _labelled(row.site, group, segments, hints, words, marked, gold)
        shorter = _shortened(marked, words, chance)
        if shorter is not None:
            yield _labelled(
                row.site,
                SHORTENED,
                only(segments, shorter),
                hints,
                [words[place] for place in shorter],
                marked[shorter],
                [token for place in shorter if marked[place] for token in words[place]],
            )


def _shortened(
    marked: np.ndarray, words: Sequence[Sequence[str]], chance: random.Random
) -> list[int] | None:
    """The segments of a page of whose main text only the beginning is left.

    Labelled pages are long articles, mostly. A short one under a long thread of comments is where
    a page alone is hardest to read, and is made out of them.
    """
    content = [place for place in np.flatnonzero(marked) if len(words[place]) >= 8]
    noise = sum(len(each) for each, is_content in zip(words, marked, strict=True) if not is_content)
    if len(content) < 4 or noise < 100:
        return None
    last = content[chance.randint(0, 2)]
    return [place for place in range(len(words)) if place <= last or not marked[place]]


def _labelled(  # noqa: PLR0913, PLR0917 - the parts of one example
    site: str,
    group: str,
    segments: Segments,
    hints: Hints,
    words: list[list[str]],
    marked: np.ndarray,
    gold: list[str],
) -> Labelled:
    weights = np.array([len(each) for each in words], dtype=float) ** LENGTH_WEIGHT
    headline = features.headline_place(segments, hints.title)
    if headline >= 0:  # some gold texts begin with the title and some do not
        weights[headline] = 0
    weights /= weights.sum() + 1e-9
    if group == SHORTENED:
        weights *= SHORTENED_WEIGHT
    rows = features.matrix(segments, hints).astype(np.float32)
    return Labelled(site, group, rows, marked, weights, words, headline, gold)


def labels(words: Sequence[Sequence[str]], gold: Sequence[str]) -> np.ndarray:
    """1 for a segment most of whose runs of up to five tokens stand in the gold text."""
    known = {
        size: {tuple(gold[i : i + size]) for i in range(len(gold) - size + 1)}
        for size in (1, 2, 3, 5)
    }
    found = np.zeros(len(words))
    for place, segment_words in enumerate(words):
        if not segment_words:
            continue
        size = max(size for size in known if size <= len(segment_words))
        runs = len(segment_words) - size + 1
        hits = sum(tuple(segment_words[i : i + size]) in known[size] for i in range(runs))
        found[place] = hits > runs / 2
    return found


def fit(pages: Sequence[Labelled]) -> Forest:
    """Train on pages."""
    per_site = Counter(page.site for page in pages)
    pool = Pool(
        np.vstack([page.rows for page in pages]),
        np.concatenate([page.labels for page in pages]),
        weight=np.concatenate(
            [page.weights / per_site[page.site] ** SITE_WEIGHT for page in pages]
        ),
    )
    model = CatBoostClassifier(
        iterations=TREES,
        depth=DEPTH,
        learning_rate=RATE,
        l2_leaf_reg=5,
        rsm=0.4,
        border_count=64,
        bootstrap_type="Bernoulli",
        subsample=0.7,
        random_seed=1,
        thread_count=2,
        verbose=0,
        allow_writing_files=False,
    )
    model.fit(pool)
    return _plain(model)


def _plain(model: CatBoostClassifier) -> Forest:
    """The model's numbers out of catboost's own export."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.json"
        model.save_model(str(file), format="json")
        data = json.loads(file.read_text())
    trees = data["oblivious_trees"]
    shape = (len(trees), DEPTH)
    asked, thresholds = np.zeros(shape, dtype=np.int64), np.full(shape, np.inf, dtype=np.float32)
    leaves = np.zeros((len(trees), 1 << DEPTH), dtype=np.float32)
    for number, tree in enumerate(trees):
        for level, split in enumerate(tree["splits"]):
            asked[number, level] = split["float_feature_index"]
            thresholds[number, level] = split["border"]
        values = tree["leaf_values"]
        leaves[number, : len(values)] = values
    scale, (bias,) = data["scale_and_bias"]
    thresholds[np.isinf(thresholds)] = 3e38  # a tree that is less deep: nobody says yes
    return Forest(features.names(), asked, thresholds, leaves * scale, float(bias))


def f1(page: Labelled, probability: np.ndarray) -> float:
    """Token F1 of what would be kept of a page."""
    kept = content.kept_segments(probability, np.array([len(each) for each in page.tokens]))
    body = [
        t for place in np.flatnonzero(kept) if place != page.headline for t in page.tokens[place]
    ]
    gold = Counter(page.gold)
    if page.headline >= 0:  # neither asked for nor held against
        gold -= Counter(page.tokens[page.headline])
    return score(Counter(body), gold).f1


def cross_validate(pages: Sequence[Labelled], folds: int) -> None:
    """Print the F1 on sites that the model was not trained on, for each set."""
    found: dict[str, list[float]] = {}
    for fold in range(folds):
        forest = fit([page for page in pages if fold_of(page.site, folds) != fold])
        for page in pages:
            if fold_of(page.site, folds) == fold:
                found.setdefault(page.group, []).append(f1(page, forest.probability(page.rows)))
    for group, values in sorted(found.items()):
        print(f"{group:20} {len(values):5} pages  F1 {sum(values) / len(values):.4f}", flush=True)


def fold_of(site: str, folds: int) -> int:
    """The fold that a site belongs to, in every run."""
    return int(hashlib.sha256(site.encode()).hexdigest(), 16) % folds


def main() -> None:
    """Cross-validate, train, or both."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("inputs", nargs="+", metavar="GOLD")
    parser.add_argument("-o", "--output", metavar="MODEL", type=Path, default=DEFAULT_MODEL)
    parser.add_argument("--cross-validate", type=int, metavar="K", help="only print the scores")
    options = parser.parse_args()
    pages = list(labelled_pages(options.inputs))
    if options.cross_validate:
        cross_validate(pages, options.cross_validate)
        return
    forest = fit(pages)
    options.output.parent.mkdir(exist_ok=True)
    options.output.write_text(forest.to_text(), encoding="utf-8")
    print(f"{options.output}: {TREES} trees from {len(pages)} pages")


if __name__ == "__main__":
    main()
