"""The models that come with the package, loaded when first needed.

A model that cannot be loaded (a damaged disk, a broken installation) does not stop anything. The
error is logged once, known rules still apply, and other pages are scored as in [Wang18]. Nothing is
learned, because rules learned without models would remain when the models are available again.
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
    """A model of the package cannot be loaded."""


def forest(name: str, names: Sequence[str]) -> Forest:
    """Return a forest over the features `names`; raise ModelError if it cannot be loaded."""
    return _read(
        name,
        lambda text: Forest.from_text(text, names),
        "pages without a rule are scored by text density, and nothing is learned",
    )


def weights(name: str, without: str) -> Mapping[str, float]:
    """Return the named weights of a model; raise ModelError if it cannot be loaded.

    `without` says, for the log, what happens without the model.
    """
    return _read(name, _weights_from, without)


def weights_of(name: str, names: Sequence[str], without: str) -> Sequence[float]:
    """Return the weights of a model for the features `names`, in their order."""

    def parse(text: str) -> tuple[float, ...]:
        found = _weights_from(text)
        return tuple(found.get(one, 0.0) for one in names)

    return _read(name, parse, without)


def _weights_from(text: str) -> Mapping[str, float]:
    found = {str(name): float(weight) for name, weight in json.loads(text)["weights"].items()}
    if not all(map(math.isfinite, found.values())):
        raise ValueError("a weight is not a finite number")
    return found


_MODELS: dict[str, object] = {}
"""Each model that was read, or the error if it failed: it is tried and logged only once. A file is
always read by the same function."""


def _read(name: str, parse: Callable[[str], T], without: str) -> T:
    if name not in _MODELS:
        from importlib import resources  # noqa: PLC0415 - it takes long to import

        try:
            text = resources.files(__package__).joinpath(name).read_text("utf-8")
            _MODELS[name] = parse(text)
        except Exception as error:  # the file may hold anything
            why = f"the model {name} cannot be loaded ({type(error).__name__})"
            line = "mainblock: %s: %s; reinstall scrapy-mainblock"
            logger.error(line, why, without)  # noqa: TRY400 - one line
            _MODELS[name] = ModelError(why)
    found = _MODELS[name]
    if isinstance(found, ModelError):
        raise ModelError(str(found))  # a new one, since each keeps its traceback
    return found  # type: ignore[return-value]
