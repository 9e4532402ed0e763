"""Training of the models of `judge`, and its data: shared by `train_content` and `held_out`.

Pages are split by site, never by page; a site weighs as a root of its number of pages, so that
large sites do not dominate. Each model after the first is trained on what the previous models
predict for pages that they have not seen.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from catboost import CatBoostClassifier, Pool

from scrapy_mainblock.inputs.pages import Inputs
from scrapy_mainblock.judge import confidence, judgement, page_type
from scrapy_mainblock.judge.content import choice
from scrapy_mainblock.judge.content.lists import weighed
from scrapy_mainblock.judge.features import context
from scrapy_mainblock.judge.features import segment as features
from scrapy_mainblock.judge.features.frame import Frame
from scrapy_mainblock.judge.hints import Hints, find_hints
from scrapy_mainblock.judge.judgement import Judgement
from scrapy_mainblock.judge.models.forest import Forest
from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.tokens import score, token_list
from scrapy_mainblock.recipe.reading import Reading

SHORTENED, SHORTENED_WEIGHT = "shortened", 0.5  # the second, shortened copy of a page
LENGTH_WEIGHT = 0.7  # a segment weighs tokens ** LENGTH_WEIGHT, within its page
SITE_WEIGHT, SITE_WEIGHT_OF_PAGES = 0.3, 0.7  # a site weighs pages ** (1 - weight)
UNNAMED_WEIGHT = 0.5  # of a page whose type is not labeled, but known from the kind of its set
OTHER_CUTS = (0.3, 0.7)
"""Confidence is asked of what rules keep, too, so it is trained on other than the best cuts."""
OTHER_CUTS_WEIGHT = 0.2

FIRST = {"iterations": 200, "depth": 6, "learning_rate": 0.15, "rsm": 0.4}
TYPES = {"iterations": 120, "depth": 4, "learning_rate": 0.12, "rsm": 0.3}
SECOND = {"iterations": 120, "depth": 6, "learning_rate": 0.15, "rsm": 0.4}
CONFIDENCE = {"iterations": 80, "depth": 4, "learning_rate": 0.08, "rsm": 0.5}


@dataclass
class Labelled:
    """A page as the models see it, and the label of each segment according to its gold text."""

    site: str
    group: str
    kind: page_type.PageType
    is_named: bool
    """Whether the type is labeled, not only known from the kind of its set."""
    reading: Reading
    frame: Frame
    hints: Hints
    own: np.ndarray
    """The features: a column for each segment."""
    labels: np.ndarray
    weights: np.ndarray
    tokens: list[list[str]]
    headline: int
    gold: list[str]
    first: np.ndarray | None = None
    """What models that have not seen the page predict for it."""
    described: np.ndarray | None = None
    types: np.ndarray | None = None
    in_context: np.ndarray | None = None
    judged: np.ndarray | None = None

    @property
    def sizes(self) -> np.ndarray:
        """The number of characters of each segment."""
        return np.asarray(self.frame.sizes)

    @property
    def judgement(self) -> Judgement:
        """The models' judgement of the page."""
        return Judgement(self.judged, self.types, self.sizes)


class Models(NamedTuple):
    """All models that are shipped."""

    first: Forest
    types: Forest
    second: Forest
    confidence: Forest

    def use(self) -> None:
        """Make `judge` use these models."""
        judgement.first_model = lambda: self.first
        page_type.model = lambda: self.types
        judgement.second_model = lambda: self.second
        confidence.model = lambda: self.confidence

    def to_texts(self) -> list[str]:
        """Return the models as texts that `from_texts` reads."""
        return [forest.to_text() for forest in self]

    @classmethod
    def from_texts(cls, texts: Sequence[str]) -> Models:
        """Return the models that `to_texts` wrote."""
        names = (
            features.names(),
            page_type.names(),
            context.names(page_type.TYPES),
            confidence.names(),
        )
        return cls(*map(Forest.from_text, texts, names))

    def write(self, folder: Path) -> None:
        """Write the models to the files that are shipped."""
        folder.mkdir(exist_ok=True)
        names = ("content", "pagetype", "context", "confidence")
        for name, forest in zip(names, self, strict=True):
            (folder / f"{name}.json").write_text(forest.to_text(), encoding="utf-8")


# --- pages --------------------------------------------------------------------------------------


def labelled_pages(names: Sequence[str], manuals: Sequence[str] = ()) -> Iterator[Labelled]:
    """Yield the pages of the inputs that have gold text, articles once more with a shortened text.

    Pages without a `meta.page_type` are articles, those of `manuals` documentation.
    """
    yield from _labelled_pages(names, "article")
    yield from _labelled_pages(manuals, "documentation")


def _labelled_pages(names: Sequence[str], usual: page_type.PageType) -> Iterator[Labelled]:
    chance = random.Random(1)
    for row in Inputs(names, sys.stderr.write):
        page = Page.of(row.html or "", row.url)
        if row.gold is None or page.why_unreadable:
            continue
        outline = Outline(page)
        if not outline.rows.segment_count:
            continue
        group = str(row.meta.get("set") or "-")
        named = page_type.named(str(row.meta.get("page_type")))
        kind, is_named = named or usual, named is not None
        one = _labelled(outline, row.site, group, kind, token_list(row.gold), is_named=is_named)
        yield one
        shorter = _shortened(one, chance) if kind == "article" else None
        if shorter is not None:
            kept, gold = shorter
            outline = Outline(Page(without_segments(outline, kept), row.url))
            if outline.rows.segment_count:
                yield _labelled(outline, row.site, SHORTENED, kind, gold, is_named=is_named)


def _shortened(page: Labelled, chance: random.Random) -> tuple[set[int], list[str]] | None:
    """Return the segments left if only the beginning of the main text stays, and that beginning.

    Most labeled pages are long articles. A short one above a long thread of comments is where a
    page alone is hardest to read, so such pages are made from long ones. Only from articles: the
    first post of a forum thread is not a page of its own.
    """
    words, marked = page.tokens, page.labels
    content = [place for place in np.flatnonzero(marked) if len(words[place]) >= 8]
    noise = sum(len(each) for each, is_content in zip(words, marked, strict=True) if not is_content)
    if len(content) < 4 or noise < 100:
        return None
    last = content[chance.randint(0, 2)]
    kept = {place for place in range(len(words)) if place <= last or not marked[place]}
    return kept, [token for place in sorted(kept) if marked[place] for token in words[place]]


def without_segments(page: Outline, kept: set[int]) -> bytes:
    """Return the source of a page without the texts of segments that are not kept."""
    rows = page.rows
    pieces, at = [], 0
    for text, segment in enumerate(rows.text_segment):
        if segment >= 0 and segment not in kept:
            pieces.append(rows.source[at : rows.text_start[text]])
            at = rows.text_end[text]
    return b"".join((*pieces, rows.source[at:]))


def _labelled(  # noqa: PLR0913 - the parts of one example
    outline: Outline,
    site: str,
    group: str,
    kind: page_type.PageType,
    gold: list[str],
    *,
    is_named: bool,
) -> Labelled:
    reading = Reading(outline)
    words = [token_list(text) for text in outline.texts]
    weights = np.array([len(each) for each in words], dtype=float) ** LENGTH_WEIGHT
    hints = find_hints(outline.rows, outline.head, outline.url, reading.titles.text)
    headline = reading.position_of(hints.title)
    if headline >= 0:  # some gold texts begin with the title, others do not
        weights[headline] = 0
    weights /= weights.sum() + 1e-9
    if group == SHORTENED:
        weights *= SHORTENED_WEIGHT
    frame = Frame(outline.rows, outline.folded, outline.text_hashes)
    own = np.asarray(features.features(frame, hints.title, hints[1:-1]))
    marked = labels(words, gold)
    return Labelled(
        site, group, kind, is_named, reading, frame, hints, own, marked, weights, words, headline,
        gold,
    )  # fmt: skip


def labels(words: Sequence[Sequence[str]], gold: Sequence[str]) -> np.ndarray:
    """Return 1 for each segment most of whose runs of up to five tokens are in the gold text."""
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


def models_of_folds(
    names: Sequence[str], manuals: Sequence[str], folds: int, known: Path | None = None
) -> list[Models]:
    """Return the models that have not seen each of the folds; keep them in a file, or read it."""
    if known and known.exists():
        return [Models.from_texts(texts) for texts in json.loads(known.read_text("utf-8"))]
    others = [name for name in dict.fromkeys(names) if name not in manuals]
    models = train(list(labelled_pages(others, manuals)), folds, final=False)
    if known:
        known.write_text(json.dumps([each.to_texts() for each in models]), "utf-8")
    return models


# --- training -----------------------------------------------------------------------------------


def fold_of(site: str, folds: int) -> int:
    """Return the fold that a site belongs to, the same in every run."""
    return int(hashlib.sha256(site.encode()).hexdigest(), 16) % folds


def train(pages: Sequence[Labelled], folds: int, *, final: bool) -> list[Models]:
    """Return the models that have not seen each fold; with `final`, also those that saw all."""
    parts = [*range(folds), *([folds] if final else [])]

    def fitted(
        fit: Callable[[Sequence[Labelled]], Forest], judge: Callable[[Labelled, Forest], None]
    ) -> list[Forest]:
        forests = []
        for part in parts:
            seen = [page for page in pages if fold_of(page.site, folds) != part]
            forests.append(fit(seen))
            sys.stderr.write(".")
        for page in pages:
            judge(page, forests[fold_of(page.site, folds)])
        return forests

    firsts = fitted(_fit_first, _judge_first)
    types = fitted(_fit_types, _judge_types)
    seconds = fitted(_fit_second, _judge_second)
    confidences = fitted(_fit_confidence, lambda _page, _forest: None)
    sys.stderr.write("\n")
    return [Models(*each) for each in zip(firsts, types, seconds, confidences, strict=True)]


def _fit_first(pages: Sequence[Labelled]) -> Forest:
    return _fit(
        features.names(),
        np.hstack([page.own for page in pages]).T,
        np.concatenate([page.labels for page in pages]),
        _segment_weights(pages),
        FIRST,
    )


def _judge_first(page: Labelled, forest: Forest) -> None:
    page.first = forest.probability(page.own)
    expected = choice.expected_f1(page.first, page.sizes)
    page.described = page_type.describe(page.frame, page.hints, page.own, page.first, expected)


def _fit_types(pages: Sequence[Labelled]) -> Forest:
    whole = [page for page in pages if page.group != SHORTENED]
    if missing := sorted(set(page_type.TYPES).difference(page.kind for page in whole)):
        sys.exit(f"in each fold but one there must be pages of each type; none is {missing[0]}")
    per_site = Counter(page.site for page in whole)
    weights = [
        (1.0 if page.is_named else UNNAMED_WEIGHT) / per_site[page.site] ** SITE_WEIGHT_OF_PAGES
        for page in whole
    ]
    return _fit(
        page_type.names(),
        np.array([page.described for page in whole]),
        np.array([page_type.TYPES.index(page.kind) for page in whole]),
        np.array(weights),
        TYPES,
        page_type.TYPES,
    )


def _judge_types(page: Labelled, forest: Forest) -> None:
    page.types = forest.shares(page.described[:, None])[:, 0]
    expected = choice.expected_f1(page.first, page.sizes)
    page.in_context = context.context(
        page.frame, page.own, page.first, expected, page.types.tolist()
    )


def _fit_second(pages: Sequence[Labelled]) -> Forest:
    return _fit(
        context.names(page_type.TYPES),
        np.hstack([page.in_context for page in pages]).T,
        np.concatenate([page.labels for page in pages]),
        _segment_weights(pages),
        SECOND,
    )


def _judge_second(page: Labelled, forest: Forest) -> None:
    judged = np.asarray(weighed(page.frame, forest.probability(page.in_context)))
    page.judged = judgement.raised(page.reading.page, judged, page.sizes, page.types)


def _fit_confidence(pages: Sequence[Labelled]) -> Forest:
    rows, right, weights = [], [], []
    whole = [page for page in pages if page.group != SHORTENED]
    per_site = Counter(page.site for page in whole)
    for page in whole:
        weight = per_site[page.site] ** -SITE_WEIGHT_OF_PAGES
        choices = [(kept_of(page), weight)]
        choices += [(page.judged >= cut, weight * OTHER_CUTS_WEIGHT) for cut in OTHER_CUTS]
        for kept, its_weight in choices:
            rows.append(confidence.describe(page.judgement, kept))
            right.append(f1(page, kept) >= confidence.RIGHT)
            weights.append(its_weight)
    return _fit(confidence.names(), np.array(rows), np.array(right), np.array(weights), CONFIDENCE)


def _segment_weights(pages: Sequence[Labelled]) -> np.ndarray:
    per_site = Counter(page.site for page in pages)
    return np.concatenate([page.weights / per_site[page.site] ** SITE_WEIGHT for page in pages])


def kept_of(page: Labelled) -> np.ndarray:
    """Return which segments of a judged page are kept."""
    reading = Reading(page.reading.page)
    reading.judgement = page.judgement
    return reading.kept


def f1(page: Labelled, kept: np.ndarray) -> float:
    """Return the token F1 of the kept segments; the headline is neither required nor penalized."""
    body = [
        t for place in np.flatnonzero(kept) if place != page.headline for t in page.tokens[place]
    ]
    gold = Counter(page.gold)
    if page.headline >= 0:
        gold -= Counter(page.tokens[page.headline])
    return score(Counter(body), gold).f1


def _fit(  # noqa: PLR0913, PLR0917 - data, names and settings of one forest
    names: Sequence[str],
    rows: np.ndarray,
    wanted: np.ndarray,
    weights: np.ndarray,
    settings: dict[str, float],
    classes: Sequence[str] = ("content",),
) -> Forest:
    model = CatBoostClassifier(
        **settings,
        loss_function="Logloss" if len(classes) == 1 else "MultiClass",
        classes_count=None if len(classes) == 1 else len(classes),
        l2_leaf_reg=5,
        border_count=64,
        bootstrap_type="Bernoulli",
        subsample=0.7,
        random_seed=1,
        thread_count=2,
        verbose=0,
        allow_writing_files=False,
    )
    model.fit(Pool(np.ascontiguousarray(rows, np.float32), wanted, weight=weights))
    return _plain(model, names, classes)


def _plain(model: CatBoostClassifier, names: Sequence[str], classes: Sequence[str]) -> Forest:
    """Return a forest with the numbers of catboost's own export of its model."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.json"
        model.save_model(str(file), format="json")
        data = json.loads(file.read_text())
    trees = data["oblivious_trees"]
    depth = max(len(tree["splits"]) for tree in trees)
    shape = (len(trees), depth)
    asked, thresholds = np.zeros(shape, dtype=np.int64), np.full(shape, 3e38, dtype=np.float32)
    leaves = np.zeros((len(trees), 1 << depth, len(classes)), dtype=np.float32)
    for number, tree in enumerate(trees):
        # At the levels that a shallower tree lacks, it gets conditions that are never true.
        for level, split in enumerate(tree["splits"]):
            asked[number, level] = split["float_feature_index"]
            thresholds[number, level] = split["border"]
        values = np.array(tree["leaf_values"]).reshape(-1, len(classes))
        leaves[number, : len(values)] = values
    scale, bias = data["scale_and_bias"]
    bias = np.atleast_1d(np.array(bias, dtype=float))
    if len(bias) != len(classes):
        bias = np.zeros(len(classes))
    return Forest(tuple(names), tuple(classes), asked, thresholds, leaves * scale, bias)
