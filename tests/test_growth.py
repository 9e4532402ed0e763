"""The check of growth itself: it passes linear work, and fails planted quadratic work."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from growth import assert_linear

MOST = 10**8


def _linear(size: int) -> Callable[[], object]:
    return lambda: sum(number & 7 for number in range(size))


def _planted(share: float) -> Callable[[int], Callable[[], object]]:
    """Return linear work plus a quadratic part of `share` at the size where a run takes 50 ms."""

    def work(size: int) -> Callable[[], object]:
        inner = int(share * size / 1_000_000 * size)
        return lambda: (_linear(size)(), _linear(inner)())

    return work


def test_linear_work_passes() -> None:
    assert_linear(_linear, 10_000, MOST)


def test_planted_quadratic_work_is_caught() -> None:
    """Quadratic work that is a third of the short run."""
    with pytest.raises(AssertionError, match="times its share"):
        assert_linear(_planted(0.5), 500_000, MOST)


def test_search_of_a_list_for_each_member_is_caught() -> None:
    """The most common quadratic loop, which a short run of some milliseconds does not reveal."""

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


def test_quadratic_work_too_short_for_one_run_is_caught() -> None:
    """The limits of a page may leave no size that takes long enough."""
    with pytest.raises(AssertionError, match="times its share"):
        assert_linear(lambda size: lambda: [*range(size * size)], 100, 800)


def test_work_without_measurable_time_is_refused() -> None:
    with pytest.raises(AssertionError, match="measure more"):
        assert_linear(lambda size: lambda: None, 1, 4)
