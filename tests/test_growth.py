"""The measure of growth itself: it passes what is linear, and fails a planted square."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from growth import assert_linear

MOST = 10**8


def _linear(size: int) -> Callable[[], object]:
    return lambda: sum(number & 7 for number in range(size))


def _planted(share: float) -> Callable[[int], Callable[[], object]]:
    """Linear work, and a square that is `share` of it at the size where a run takes 50 ms."""

    def work(size: int) -> Callable[[], object]:
        inner = int(share * size / 1_000_000 * size)
        return lambda: (_linear(size)(), _linear(inner)())

    return work


def test_what_is_linear_passes() -> None:
    assert_linear(_linear, 10_000, MOST)


def test_a_planted_square_is_caught() -> None:
    """One that is a third of the short run."""
    with pytest.raises(AssertionError, match="times its share"):
        assert_linear(_planted(0.5), 500_000, MOST)


def test_a_list_searched_for_each_of_its_members_is_caught() -> None:
    """The commonest square, of which a short run of some milliseconds shows nothing."""

    def work(size: int) -> Callable[[], object]:
        names = [str(number) for number in range(size)]

        def run() -> list[str]:
            kept: list[str] = []
            for name in names:
                if name not in kept:
                    kept.append(name)
            return kept

        return run

    with pytest.raises(AssertionError, match="times its share"):
        assert_linear(work, 300, MOST)


def test_a_square_in_so_little_that_it_is_run_many_times_is_caught() -> None:
    """Where the limits of a page leave no size that takes long enough."""
    with pytest.raises(AssertionError, match="times its share"):
        assert_linear(lambda size: lambda: [*range(size * size)], 100, 800)


def test_what_takes_no_time_is_not_called_linear() -> None:
    with pytest.raises(AssertionError, match="measure more"):
        assert_linear(lambda size: lambda: None, 1, 4)
