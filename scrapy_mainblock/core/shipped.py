"""The models that come with the package, read when first needed.

One that cannot be read (a disk that lost a part of it, a broken installation) stops nothing: it is
said once, the rules that are known still hold, other pages are scored as [Wang18] scores them, and
nothing is learnt, since rules that were learnt so would outlast the repair.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache

from scrapy_mainblock.core.forest import Forest

logger = logging.getLogger("scrapy_mainblock")


class ModelError(Exception):
    """A model of the package cannot be read."""


def model(name: str, names: Sequence[str]) -> Forest:
    """A model over features of these names; ModelError when it cannot be read."""
    found = _read(name, tuple(names))
    if isinstance(found, str):
        raise ModelError(found)
    return found


@lru_cache(maxsize=8)
def _read(name: str, names: tuple[str, ...]) -> Forest | str:
    """The model, or why there is none."""
    from importlib import resources  # noqa: PLC0415 - it takes long to import

    try:
        text = resources.files(__package__).joinpath(f"models/{name}").read_text("utf-8")
        return Forest.from_text(text, names)
    except Exception as error:  # whatever the file holds
        why = f"the model {name} cannot be read ({type(error).__name__})"
        logger.error(  # noqa: TRY400 - one line
            "mainblock: %s: pages without a rule are scored by text density, and nothing is learnt;"
            " install scrapy-mainblock again",
            why,
        )
        return why
