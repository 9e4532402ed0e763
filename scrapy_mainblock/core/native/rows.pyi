"""The segments of a page as rows of numbers (`core.features`, `core.context`, `core.content`)."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from scrapy_mainblock.core.segments import Block, Segments

class Vocabulary:
    def __init__(
        self,
        *,
        kinds: bytes,
        far_pauses: str,
        far_stops: str,
        far_digits: str,
        endings: str,
        marks: Sequence[str],
        tags: Sequence[tuple[str, int, int, int]],
        tag_columns: int,
        tag_groups: int,
        name_groups: int,
        name_levels: int,
        name_bits: Callable[[str, str], int],
    ) -> None: ...

class Frame:
    def __init__(self, known: Vocabulary, page: Segments) -> None: ...
    def features(
        self, columns: npt.NDArray[np.float32], title: str, said: Sequence[float]
    ) -> None: ...
    def context(
        self,
        columns: npt.NDArray[np.float32],
        own: npt.NDArray[np.float32],
        asked: npt.NDArray[np.int64],
        first: npt.NDArray[np.float64],
        expected: tuple[float, float],
        types: Sequence[float],
    ) -> None: ...
    def describe(
        self,
        columns: npt.NDArray[np.float32],
        first: npt.NDArray[np.float64],
        steps: npt.NDArray[np.float64],
        found: npt.NDArray[np.float64],
    ) -> None: ...
    def weighed(
        self,
        probability: npt.NDArray[np.float64],
        result: npt.NDArray[np.float64],
        *,
        likely: float,
        lift: float,
        few_links: float,
        least_cells: int,
        between: int,
        among: float,
    ) -> None: ...

def headline_place(
    known: Vocabulary,
    texts: list[str],
    block_of: Sequence[int],
    blocks: Sequence[Block],
    title: str,
) -> int: ...
def describe_kept(
    likely: npt.NDArray[np.float64],
    sizes: npt.NDArray[np.float64],
    kept: npt.NDArray[np.uint8],
    steps: npt.NDArray[np.float64],
    found: npt.NDArray[np.float64],
) -> None: ...
