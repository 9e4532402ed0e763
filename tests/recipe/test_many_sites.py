"""Learning from more sites than fit in memory: the rest is on disk, and the rules are the same."""

from __future__ import annotations

import errno
import tempfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pages import site

from scrapy_mainblock.page import swallowed
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe import learn as module
from scrapy_mainblock.recipe.learn import Learner, evidence_of
from scrapy_mainblock.recipe.shelf import Shelf, ShelfFullError
from scrapy_mainblock.stores.rules import Rules
from scrapy_mainblock.template.learning.evidence import NO_EVIDENCE, PageEvidence

SITES = {
    f"{name}.example": [
        evidence_of(Page.of(html, url)) for html, url in site(9, host=f"{name}.example", **parts)
    ]
    for name, parts in {
        "a": {},
        "b": {"attributes": 'class="post"'},
        "c": {"body": 300, "comments": 2},
        "d": {"attributes": 'id="own"', "above": "<p>Above all that is told</p>"},
    }.items()
}
SITES["a.example"][3] = NO_EVIDENCE  # a page that could not be read
PAGES = [(name, pages[place]) for place in range(9) for name, pages in SITES.items()]


def learn_pages(pages: list[tuple[str, PageEvidence]], most_entries: int) -> tuple[Rules, Learner]:
    learner = Learner(most_entries)
    for name, page in pages:
        learner.add(name, page)
    return learner.rules(), learner


@given(st.permutations(PAGES), st.integers(0, 2000), st.sampled_from([2, 3, 256]))
@example([("a.example", NO_EVIDENCE), *(one for one in PAGES if one[1] is not NO_EVIDENCE)], 0, 256)
@settings(deadline=None, max_examples=25)
def test_rules_do_not_depend_on_the_memory_limit(
    pages: list[tuple[str, PageEvidence]], most: int, records: int
) -> None:
    everything, all_here = learn_pages(pages, 10**9)
    assert len(everything) == 4
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "MOST_RECORDS", records)
        some, some_here = learn_pages(pages, most)
    assert some == everything
    assert list(some.sites) == list(everything.sites)
    assert len(all_here._here) == 4
    assert all(some_here._shelf.count(name) <= records for name in SITES)
    if most < 100 and records == 256:
        # A site whose first page could not be read takes no memory, and leaves room for the next.
        first = next(name for name, page in pages if page is not NO_EVIDENCE)
        assert some_here._here.keys() == {pages[0][0], first}


def test_few_sites_are_not_written_to_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_file(*_: object, **__: object) -> None:
        pytest.fail("a file")

    monkeypatch.setattr(tempfile, "TemporaryFile", no_file)
    learn_pages(PAGES, module.MOST_ENTRIES)


@pytest.mark.parametrize("takes", [0, 1, 7, 15])
def test_full_disk_loses_no_page(takes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    put, taken = Shelf.put, []
    heard: list[str] = []

    def full(self: Shelf, key: str, record: bytes) -> None:
        if len(taken) == takes:
            raise ShelfFullError(errno.ENOSPC, "No space left on device")
        taken.append(key)
        put(self, key, record)

    monkeypatch.setattr(Shelf, "put", full)
    swallowed.listen(heard.append)
    try:
        some, learner = learn_pages(PAGES, 100)
    finally:
        swallowed.forget(heard.append)
    assert some == learn_pages(PAGES, 10**9)[0]
    assert len(taken) == takes
    assert len(learner._here) == 4
    assert heard == ["ShelfFullError"]


def test_shelf_keeps_its_records_after_a_failed_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shelf = Shelf()
    shelf.put("a", b"first")
    file = shelf._file
    assert file is not None

    class Full:
        def seek(self, place: int) -> int:
            return file.seek(place)

        def write(self, data: memoryview) -> int:
            if len(data) > 3:
                return file.write(data[:3])
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shelf, "_file", Full())
    with pytest.raises(ShelfFullError):
        shelf.put("a", b"lost")
    monkeypatch.setattr(shelf, "_file", file)
    shelf.put("a", b"second")
    shelf.put("b", b"other")
    assert list(shelf.records("a")) == [b"first", b"second"]
    assert (shelf.count("a"), shelf.count("b"), shelf.count("c")) == (2, 1, 0)
    assert list(shelf.records("b")) == [b"other"]
