"""The model of [Bu14]: the fuzzy regions and association rules that training produces."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from scrapy_mainblock.papers.bu14 import equations as bu14
from scrapy_mainblock.papers.bu14.fuzzy import Features, items_of
from scrapy_mainblock.papers.bu14.lines import TextLine

FORMAT = "farsw-model/1"


@dataclass(frozen=True)
class FarswModel:
    """The fuzzy regions, the rules and the parameters of [Bu14]."""

    variant: bu14.Variant
    spreads: tuple[bu14.Spread, ...]
    """MIN, Mean and MAX of features A to F."""
    rules: tuple[tuple[str, ...], ...]
    """Sets of items, such as ``("A.Middle", "D.High")``; a line that satisfies one is topical."""
    significance: float = bu14.SIGNIFICANCE
    phi: int = bu14.PHI
    block_score: float = bu14.BLOCK_SCORE

    def is_topical(self, line: TextLine) -> bool:
        """Return whether a line satisfies one of the rules (step 6)."""
        features = features_of(line, self.variant)
        return any(all(self._obeys(features, item) for item in rule) for rule in self.rules)

    def _obeys(self, features: Features, item: str) -> bool:
        feature, region = item[0], item[2:]
        number = bu14.FEATURES.index(feature)
        degrees = bu14.memberships(features[number], self.spreads[number], feature, self.variant)
        place = bu14.REGIONS[self.variant][feature].index(region)
        return degrees[place] >= self.significance

    def to_dict(self) -> dict[str, Any]:
        """Return the model as plain data, for JSON."""
        return {
            "format": FORMAT,
            "variant": self.variant,
            "spreads": {
                feature: list(spread)
                for feature, spread in zip(bu14.FEATURES, self.spreads, strict=True)
            },
            "rules": [list(rule) for rule in self.rules],
            "significance": self.significance,
            "phi": self.phi,
            "block_score": self.block_score,
        }

    @classmethod
    def from_dict(cls, data: object) -> FarswModel:
        """Return the model that `to_dict` wrote; raise ValueError for any other data."""
        try:
            return _read(data)
        except (KeyError, TypeError, ValueError) as error:
            reason = f"missing key {error}" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"not a FAR-SW model: {reason}") from None


def features_of(line: TextLine, variant: bu14.Variant) -> Features:
    """Return features A to F of a line; for `inter-site` the index is relative (section 3.2).

    `Deviates:` for `inter-site` only the index is made relative. "The other features can be
    normalized in a similar way", says the paper. But table 9's inter-site rule, with regions from
    table 3, is in bytes, and paragraphs are as long on a short page as on a long one.
    """
    return (
        line.relative_index if variant == "inter-site" else line.number,
        line.text_length,
        line.output_text_length,
        line.density,
        line.link_num,
        line.img_num,
    )


def _read(data: object) -> FarswModel:
    if not isinstance(data, Mapping):
        raise TypeError(f"expected an object, not {type(data).__name__}")
    if data.get("format") != FORMAT:
        raise ValueError(f"the format is {data.get('format')!r}, this version reads {FORMAT!r}")
    variant = data["variant"]
    if variant not in get_args(bu14.Variant):
        raise ValueError(f"unknown variant {variant!r}")
    spreads = tuple(_spread(feature, data["spreads"][feature]) for feature in bu14.FEATURES)
    rules = tuple(_rule(rule, variant) for rule in data["rules"])
    if not rules:
        raise ValueError("it has no rules")
    significance, block_score = (_number(data[key], key) for key in ("significance", "block_score"))
    phi = data["phi"]
    if isinstance(phi, bool) or not isinstance(phi, int) or phi < 0:
        raise ValueError(f"phi is {phi!r}, expected a number of lines")
    return FarswModel(variant, spreads, rules, significance, phi, block_score)


def _spread(feature: str, values: Sequence[object]) -> bu14.Spread:
    spread = bu14.Spread(*(_number(value, f"spread of {feature}") for value in values))
    if not spread.minimum <= spread.mean <= spread.maximum:
        raise ValueError(f"MIN, Mean and MAX of {feature} are not in order: {list(spread)}")
    return spread


def _rule(rule: Sequence[str], variant: bu14.Variant) -> tuple[str, ...]:
    known = items_of(variant)
    if isinstance(rule, str) or not rule or not all(item in known for item in rule):
        raise ValueError(f"{rule!r} is not a rule of the {variant} variant")
    return tuple(rule)


def _number(value: object, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{what} contains {value!r}, which is not a number")
    return float(value)


_TABLE_3_RELATIVE = (
    bu14.Spread(*(value / bu14.TABLE_3_LINES for value in bu14.TABLE_3["A"])),
    *(bu14.TABLE_3[feature] for feature in bu14.FEATURES[1:]),
)

PAPER_MODEL = FarswModel("inter-site", _TABLE_3_RELATIVE, (bu14.INTER_SITE_RULE,))
"""Table 9's rule for all sites with table 3's regions: the only numbers that the paper prints."""

DEFAULT_MODEL = FarswModel("inter-site", _TABLE_3_RELATIVE, (bu14.INTER_SITE_RULE[1:],))
"""`PAPER_MODEL` without A.Middle. `Deviates:` table 3 describes one page, on which A.Middle spans
41 % to 54 % of the way down; on other pages the body mostly begins above that (F1 on the
development set 0.14 with A.Middle, 0.82 without). Training over many sites drops A as well."""
