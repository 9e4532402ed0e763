"""Lines of pages, counted (`core.linetally`)."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]

def keys_of(
    page: Iterable[tuple[str, Sequence[str]]],
    numbers: dict[str, int],
    telling: int,
    most_places: int,
    hash_bits: int,
) -> tuple[Longs, dict[int, str]]: ...
def counted(
    keys: Longs, counts: Ints, since: Ints, added: Longs, order: Longs, added_before: int
) -> tuple[Longs | None, Ints | None, Ints | None, list[int]]: ...
