"""The fields of a page beside its body, read where its content is known to be."""

from __future__ import annotations

from collections.abc import Collection

from scrapy_mainblock.fields.about.every import NAMES, claims_of
from scrapy_mainblock.fields.sources.said import Said
from scrapy_mainblock.judge.claims import Choice
from scrapy_mainblock.recipe.decide import Decided
from scrapy_mainblock.recipe.reading import Reading


def claims(reading: Reading, decided: Decided, wanted: Collection[str]) -> dict[str, Choice]:
    """What fills each of the fields that are wanted, of a page whose content is decided."""
    if NAMES.isdisjoint(wanted):
        return {}
    title = reading.position_of(decided.headline)
    said = Said(reading.page, decided.decision.kept, title, decided.headline)
    return claims_of(said, wanted)
