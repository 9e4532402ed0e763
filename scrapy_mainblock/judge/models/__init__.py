"""The models that come with the package, read when first needed.

One that cannot be read (a disk that lost a part of it, a broken installation) stops nothing: it is
said once, the rules that are known still hold, other pages are scored as [Wang18] scores them, and
nothing is learnt: rules learnt without models would stay when the models are there again.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from scrapy_mainblock.judge.models.forest import Forest

logger = logging.getLogger("scrapy_mainblock")

T = TypeVar("T")


class ModelError(Exception):
    """A model of the package cannot be read."""


def forest(name: str, names: Sequence[str]) -> Forest:
    """A forest over features of these names; ModelError when it cannot be read."""
    return _read(
        name,
        lambda text: Forest.from_text(text, names),
        "pages without a rule are scored by text density, and nothing is learnt",
    )


def weights(name: str, without: str) -> Mapping[str, float]:
    """Named weights; ModelError when they cannot be read, and what is done without them is said."""
    return _read(name, _weights_from, without)


def _weights_from(text: str) -> Mapping[str, float]:
    found = {str(name): float(weight) for name, weight in json.loads(text)["weights"].items()}
    if not all(map(math.isfinite, found.values())):
        raise ValueError("a weight that is no number")
    return found


_MODELS: dict[str, object] = {}
"""What was read, or why it could not be: that is found out, and said, once."""


def _read(name: str, parse: Callable[[str], T], without: str) -> T:
    if name not in _MODELS:
        from importlib import resources  # noqa: PLC0415 - it takes long to import

        try:
            text = resources.files(__package__).joinpath(name).read_text("utf-8")
            _MODELS[name] = parse(text)
        except Exception as error:  # whatever the file holds
            why = f"the model {name} cannot be read ({type(error).__name__})"
            line = "mainblock: %s: %s; install scrapy-mainblock again"
            logger.error(line, why, without)  # noqa: TRY400 - one line
            _MODELS[name] = ModelError(why)
    found = _MODELS[name]
    if isinstance(found, ModelError):
        raise ModelError(str(found))  # a new one: each keeps what it was raised through
    return found  # type: ignore[return-value]
