"""Pages with very many segments are judged segment by segment."""

from __future__ import annotations

import pytest
from pages import outline, words

from scrapy_mainblock.recipe import reading
from scrapy_mainblock.recipe.reading import Reading

PAGE = f"<h1>Title</h1><p>{words(60)}</p><p>{words(50)}</p>"


@pytest.mark.parametrize(("most", "is_together"), [(2, False), (3, True)])
def test_segments_are_not_judged_together_beyond_a_limit(
    monkeypatch: pytest.MonkeyPatch, most: int, is_together: bool
) -> None:
    asked = []
    judged_together = reading.judged_together
    monkeypatch.setattr(reading, "MOST_TOGETHER", most)
    monkeypatch.setattr(
        reading, "judged_together", lambda *words: asked.append(1) or judged_together(*words)
    )
    found = Reading(outline(PAGE))
    assert found.kept.tolist() == [False, True, True]
    assert bool(asked) is is_together
