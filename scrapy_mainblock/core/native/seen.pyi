"""What learning keeps of a page (`core.places`, `core.paths`)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from lxml.html import HtmlElement

from scrapy_mainblock.core.places import PlaceSeen

def places_seen(
    texts: list[str],
    block_of: list[int],
    chain_of: Sequence[str],
    probability: npt.NDArray[np.float64],
    longest: int,
    make: type[PlaceSeen],
) -> dict[str, PlaceSeen]: ...
def path_of(element: HtmlElement) -> str | None: ...
