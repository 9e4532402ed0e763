"""What learning keeps of a page is the same by compiled code."""

from __future__ import annotations

import lxml.etree
import numpy as np
import pytest
from lxml.html import HtmlElement
from made_pages import readings, sources

from scrapy_mainblock.core import paths, places
from scrapy_mainblock.core.native import compiled

seen = compiled("seen")
pytestmark = pytest.mark.skipif(seen is None, reason="core/native/seen is not compiled")

READINGS = dict(readings()) if seen else {}
SOME = 300


@pytest.mark.parametrize("name", sources())
def test_a_page_s_places_are_the_same(name: str) -> None:
    if name in READINGS:
        reading = READINGS[name]
        count = len(reading.segments)
        likely = np.linspace(0, 1, count) ** 2
        found = places.places_seen(reading.segments, reading.chains, likely)
        wanted = places.places_seen_in_python(reading.segments, reading.chains, likely)
        assert list(found) == list(wanted)
        for chain, place in found.items():
            assert type(place) is places.PlaceSeen
            assert place.likely == pytest.approx(wanted[chain].likely, rel=1e-12, abs=1e-300)
            assert place[1:] == wanted[chain][1:]


@pytest.mark.parametrize("name", sources())
def test_a_page_s_paths_are_the_same(name: str) -> None:
    if name in READINGS:
        elements = list(READINGS[name].root.iter(lxml.etree.Element))
        assert_same_paths(elements[:: len(elements) // SOME + 1])


def assert_same_paths(elements: list[HtmlElement]) -> None:
    assert elements
    for element in elements:
        assert paths.path_of(element) == paths.path_in_python(element)


def test_paths_of_odd_trees_are_the_same() -> None:
    source = (
        '<a xmlns:x="urn:x"><b/><!--b--><x:b/><b><?b b?><h1/>t<h1><c./></h1><h１/></b>'
        "<x:b><b/></x:b><b/></a>"
    )
    root = lxml.etree.fromstring(source)
    assert_same_paths(list(root.iter()))
    assert_same_paths([root])
