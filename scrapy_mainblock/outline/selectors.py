"""Fast lookup of a page's elements by id, class, tag path or text."""

from __future__ import annotations

import re
from typing import NamedTuple

from scrapy_mainblock.outline.buffers.arrays import ints
from scrapy_mainblock.outline.html.references import decoded
from scrapy_mainblock.outline.html.tags import BLOCK, CODES, FLAGS, UNKNOWN
from scrapy_mainblock.outline.layout import OPEN, TEXT
from scrapy_mainblock.outline.parts import Parts
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.page.bounded_cache import bounded_cache

AMPERSAND, SPACE, LAST_ASCII = 0x26, 0x20, 0x7F
A, TBODY, TR = CODES["a"], CODES["tbody"], CODES["tr"]

_STEP = re.compile(r"(?P<tag>[^/]*[^\d./]|[^/]*[\d.](?=\.))\.?(?P<number>[1-9][0-9]{0,6})")
_ENDS_LIKE_A_NUMBER = re.compile(r"[\d.]\Z")


class Extent(NamedTuple):
    """The content of an element: a range of segments and a range of blocks."""

    first: int
    end: int
    first_block: int
    end_block: int


def extent(rows: Rows, element: int) -> Extent:
    """Return the content of an element; a segment that is only partly in it counts as a whole."""
    block = rows.block_of[element]
    if block >= 0:
        first, end = rows.block_first[block], rows.block_end[block]
        first_block = end_block = block + 1
    else:
        first, end = _segments_in(rows, rows.tape_at[element], rows.tape_end[element])
        first_block = 0
        while first_block < rows.block_count and (
            rows.tape_at[rows.block_element[first_block]] < rows.tape_at[element]
        ):
            first_block += 1
        end_block = first_block
    while end_block < rows.block_count and (
        rows.tape_at[rows.block_element[end_block]] < rows.tape_end[element]
    ):
        end_block += 1
    return Extent(first, end, first_block, end_block)


def _segments_in(rows: Rows, start: int, end: int) -> tuple[int, int]:
    """Return the range of the segments that have a text in a range of the tape."""
    first = last = -1
    for place in range(max(start, 0), end):
        event = rows.tape[place]
        if event & 3 == TEXT and rows.text_segment[event >> 2] >= 0:
            last = rows.text_segment[event >> 2]
            if first < 0:
                first = last
    if first < 0:
        return 0, 0
    return first, last + 1


def first_segment_of(rows: Rows, element: int) -> int:
    """Return the first segment that has a text in an element, or -1."""
    for place in range(max(rows.tape_at[element], 0), rows.tape_end[element]):
        event = rows.tape[place]
        if event & 3 == TEXT and rows.text_segment[event >> 2] >= 0:
            return rows.text_segment[event >> 2]
    return -1


def segment_of_first_text(rows: Rows, element: int) -> int:
    """Return the segment of the first text of an element; -1 if there is none."""
    for place in range(max(rows.tape_at[element], 0), rows.tape_end[element]):
        event = rows.tape[place]
        if event & 3 == TEXT:
            return rows.text_segment[event >> 2]
    return -1


def with_id(rows: Rows, words: list[bytes]) -> list[int]:
    """Return the visible elements whose id consists of these words, with any spacing."""
    found: list[int] = []
    word: bytes = words[0]
    size = sum(map(len, words)) + len(words) - 1
    for element in range(rows.element_count):
        start, end = rows.id_at[element], rows.id_end[element]
        if end - start < size or rows.tape_at[element] < 0:
            continue
        if may_have(rows.source, start, end, word) and _value(rows, start, end).split() == words:
            found.append(element)
    return found


def with_classes(rows: Rows, words: list[bytes]) -> list[int]:
    """Return the visible elements that have all of some classes."""
    found: list[int] = []
    word = max(words, key=len)
    size = sum(map(len, words)) + len(words) - 1
    for element in range(rows.element_count):
        start, end = rows.class_at[element], rows.class_end[element]
        if end - start < size or rows.tape_at[element] < 0:
            continue
        if may_have(rows.source, start, end, word):
            if set(words).issubset(_value(rows, start, end).split()):
                found.append(element)
    return found


def has_id(rows: Rows, element: int, word: bytes) -> bool:
    """Return whether the id of an element is a word, with whitespace around it or without."""
    octets, at, end = rows.source, rows.id_at[element], rows.id_end[element]
    if may_differ(octets, at, end):
        return _value(rows, at, end).strip() == word
    while at < end and octets[at] <= SPACE:
        at += 1
    while at < end and octets[end - 1] <= SPACE:
        end -= 1
    return end - at == len(word) and holds(octets, at, end, word)


def has_class(rows: Rows, element: int, word: bytes) -> bool:
    """Return whether a word is one of the classes of an element."""
    octets, at, end = rows.source, rows.class_at[element], rows.class_end[element]
    length = len(word)
    if end - at < length:
        return False
    if may_differ(octets, at, end):
        return word in _value(rows, at, end).split()
    while at + length <= end:
        behind = at + length
        if holds(octets, at, behind, word) and (behind == end or octets[behind] <= SPACE):
            return True
        while at < end and octets[at] > SPACE:
            at += 1
        at += 1
    return False


def with_class_part(rows: Rows, parts: Parts) -> list[int]:
    """Return the visible elements whose class contains one of some parts of words."""
    found: list[int] = []
    for element in range(rows.element_count):
        start, end = rows.class_at[element], rows.class_end[element]
        if start < end and rows.tape_at[element] >= 0 and parts.is_in(rows.source, start, end):
            found.append(element)
    return found


def among_with_class_part(rows: Rows, elements: list[int], parts: Parts) -> list[int]:
    """Return those of some elements whose class contains one of some parts of words."""
    return [
        element
        for element in elements
        if parts.is_in(rows.source, rows.class_at[element], rows.class_end[element])
    ]


def ancestors(rows: Rows, element: int, most: int) -> list[int]:
    """Return an element and its ancestors, innermost first, at most `most` in all."""
    found: list[int] = []
    while element >= 0 and len(found) < most:
        found.append(element)
        element = rows.parent[element]
    return found


def has_class_part_around(rows: Rows, element: int, most: int, parts: Parts) -> bool:
    """Return whether the class of an element or of its ancestors has one of some parts of words.

    At most `most` elements are examined.
    """
    for _ in range(most):
        if element < 0:
            break
        start, end = rows.class_at[element], rows.class_end[element]
        if parts.is_in(rows.source, start, end):
            return True
        if may_differ(rows.source, start, end) and parts.are_in(_value(rows, start, end)):
            return True
        element = rows.parent[element]
    return False


def names_around(rows: Rows, element: int, most: int) -> str:
    """Return the classes and ids of an element and its ancestors below the body, in lower case."""
    names: list[bytes] = []
    differs = False
    for _ in range(most):
        if element <= rows.body:
            break
        start, end = rows.class_at[element], rows.class_end[element]
        differs = differs or may_differ(rows.source, start, end)
        names.append(rows.source[start:end])
        start, end = rows.id_at[element], rows.id_end[element]
        differs = differs or may_differ(rows.source, start, end)
        names.append(rows.source[start:end])
        element = rows.parent[element]
    if differs:
        return " ".join([decoded(name, True) for name in names]).lower()
    return b" ".join(names).decode("utf-8", "replace").lower()


def with_tags(rows: Rows, wanted: bytes) -> dict[int, list[int]]:
    """Return the elements with some tags by tag; `wanted` has a byte for each code of a tag."""
    found: dict[int, list[int]] = {}
    for element in range(rows.element_count):
        code = rows.tag[element]
        if wanted[code]:
            found.setdefault(code, []).append(element)
    return found


def links_in(rows: Rows, start: int, end: int) -> list[int]:
    """Return the ``<a>`` elements that begin in a range of the tape."""
    found: list[int] = []
    for place in range(max(start, 0), end):
        event = rows.tape[place]
        if event & 3 == OPEN and rows.tag[event >> 2] == A:
            found.append(event >> 2)
    return found


def inline_in(rows: Rows, start: int, end: int, most: int = 1_000_000) -> list[int]:
    """Return the first `most` inline elements that begin in a range of the tape."""
    found: list[int] = []
    for place in range(start, end):
        event = rows.tape[place]
        if event & 3 == OPEN and not FLAGS[rows.tag[event >> 2]] & BLOCK:
            if len(found) == most:
                break
            found.append(event >> 2)
    return found


def before_inline(rows: Rows, start: int) -> int:
    """Return a place of the tape without the inline elements that begin directly before it."""
    while start and rows.tape[start - 1] & 3 == OPEN:
        if FLAGS[rows.tag[rows.tape[start - 1] >> 2]] & BLOCK:
            break
        start -= 1
    return start


def links_of(rows: Rows, element: int) -> list[int]:
    """Return the ``<a>`` elements in an element, including itself."""
    return links_in(rows, rows.tape_at[element], rows.tape_end[element])


def links_between(rows: Rows, first: int, last: int, before: int) -> list[int]:
    """Return the ``<a>`` elements in a range of segments, and in some events `before` it."""
    return links_in(rows, rows.segment_at[first] - before, rows.segment_to[last])


def is_seen(rows: Rows, element: int) -> bool:
    """Return whether readers see an element."""
    return rows.tape_at[element] >= 0


def is_within(rows: Rows, element: int, outer: int) -> bool:
    """Return whether an element begins before the end of another one that begins before it."""
    return rows.tape_at[element] < rows.tape_end[outer]


def texts_of(rows: Rows, element: int, most: int = 1_000_000) -> list[str]:
    """Return the first `most` texts of an element, with all their whitespace."""
    return rows.texts_in(rows.tape_at[element], rows.tape_end[element], most)


def block_of_segment(rows: Rows, segment: int) -> int:
    """Return the element of the innermost block around a segment."""
    return rows.block_element[rows.segment_block[segment]]


def with_address_part(
    rows: Rows, links: list[int], parts: Parts, longest: int = 1_000_000_000
) -> list[int]:
    """Return the links that have one of some parts of words in the first bytes of their URL.

    The URL is examined as written in the source.
    """
    found: list[int] = []
    for link in links:
        start, end = rows.href_at[link], rows.href_end[link]
        if parts.is_in(rows.source, start, min(end, start + longest)):
            found.append(link)
    return found


def addresses(rows: Rows, links: list[int], longest: int = 1_000_000_000) -> list[bytes]:
    """Return the first `longest` bytes of the URL of each link, as written in the source."""
    found: list[bytes] = []
    for link in links:
        start, end = rows.href_at[link], rows.href_end[link]
        found.append(rows.source[start : min(end, start + longest)])
    return found


def _value(rows: Rows, start: int, end: int) -> bytes:
    value = rows.source[start:end]
    return decoded(value, True).encode() if may_differ(value, 0, end - start) else value


def may_differ(octets: bytes, start: int, end: int) -> bool:
    """Return whether a value may differ from its source: by a reference, or a NUL (left out)."""
    for at in range(start, end):
        if octets[at] == AMPERSAND or octets[at] == 0:
            return True
    return False


def may_have(octets: bytes, start: int, end: int, word: bytes) -> bool:
    """Return whether a value has a word, or may differ from its source."""
    length = len(word)
    first = word[0]
    for at in range(start, end):
        octet = octets[at]
        if octet == first and at + length <= end and holds(octets, at, at + length, word):
            return True
        if octet == AMPERSAND or octet == 0:
            return True
    return False


def holds(octets: bytes, start: int, end: int, word: bytes) -> bool:
    """Return whether a word occurs in a slice of some bytes."""
    length = len(word)
    first = word[0]
    for at in range(start, end - length + 1):
        if octets[at] == first:
            place = 1
            while place < length and octets[at + place] == word[place]:
                place += 1
            if place == length:
                return True
    return False


def tag_holds(rows: Rows, element: int, word: bytes) -> bool:
    """Return whether a word occurs in the start tag of an element."""
    return holds(rows.source, rows.start[element], rows.inner[element], word)


def tag_has_part(rows: Rows, element: int, parts: Parts) -> bool:
    """Return whether one of some parts of words occurs in the start tag of an element."""
    return parts.is_in(rows.source, rows.start[element], rows.inner[element])


def texts_led_by(rows: Rows, octets: bytes, longest: int, most: int) -> list[int]:
    """Return the first `most` texts shorter than `longest` that may begin with some bytes.

    Each text contains the bytes. After any ASCII whitespace it begins with the first of them, or
    with a reference or a non-ASCII character, which may be whitespace too.
    """
    found: list[int] = []
    size = len(octets)
    for number in range(len(rows.text_start)):
        start, end = rows.text_start[number], rows.text_end[number]
        if not size <= end - start < longest:
            continue
        while start < end and rows.source[start] <= SPACE:
            start += 1
        if start == end:
            continue
        first = rows.source[start]
        if first != octets[0] and first != AMPERSAND and first <= LAST_ASCII:
            continue
        if holds(rows.source, start, end, octets):
            found.append(number)
            if len(found) == most:
                break
    return found


def with_most_text(rows: Rows, elements: list[int]) -> int:
    """Return the element that shows the most characters, the first one of equals."""
    size = len(rows.tape)
    before = ints(size + 1)
    before[0] = 0
    for place in range(size):
        event = rows.tape[place]
        chars = rows.text_chars[event >> 2] if event & 3 == TEXT else 0
        before[place + 1] = before[place] + chars
    best, most = elements[0], -1
    for element in elements:
        chars = before[rows.tape_end[element]] - before[rows.tape_at[element]]
        if chars > most:
            best, most = element, chars
    return best


# --- paths --------------------------------------------------------------------------------------


@bounded_cache(most=1000, longest=500)
def steps_of(path: str) -> tuple[tuple[str, int], ...] | None:
    """Return the steps of a path, or None if the text is not a path."""
    parts = [_STEP.fullmatch(step) for step in path.split("/")]
    steps = tuple((part["tag"], int(part["number"])) for part in parts if part)
    return steps if len(steps) == len(parts) else None


def is_path(path: str) -> bool:
    """Return whether a text is a path such as ``body1/div3/div2`` ([Wang18], definition 3).

    Each step is a tag and its number among the siblings with that tag. The root ``<html>`` is left
    out, as in the paper. A dot separates a tag that ends in a digit (or a dot) from its number:
    ``h1.2``. The first step must be a child of the root, so ``div.sect1`` is not a path.
    """
    steps = steps_of(path)
    return steps is not None and steps[0][0] in ("body", "frameset", "head")


def at_path(rows: Rows, path: str) -> int:
    """Return the visible element at a path, or -1."""
    steps = steps_of(path)
    if steps is None:
        return -1
    element = 0
    for tag, number in steps:
        element = child(rows, element, CODES.get(tag, UNKNOWN), tag, number)
        if element < 0:
            return -1
    return element if rows.tape_at[element] >= 0 else -1


def child(rows: Rows, parent: int, code: int, name: str, number: int) -> int:
    """Return the child with a tag and a number among the siblings with that tag, or -1."""
    for element in range(parent + 1, rows.element_count):
        if rows.tag[element] == code and parent_of(rows, element) == parent:
            if code or rows.name(element) == name:
                number -= 1
                if not number:
                    return element
    return -1


def parent_of(rows: Rows, element: int) -> int:
    """Return the parent of an element, ignoring implied rows and sections of tables."""
    parent = rows.parent[element]
    while (
        parent >= 0
        and rows.start[parent] == rows.inner[parent]
        and (rows.tag[parent] == TBODY or rows.tag[parent] == TR)
    ):
        parent = rows.parent[parent]
    return parent


def path_of(rows: Rows, element: int) -> str:
    """Return the path of an element."""
    steps: list[str] = []
    parent = parent_of(rows, element)
    while parent >= 0:
        code, name = rows.tag[element], rows.name(element)
        number = 0
        for other in range(parent + 1, element + 1):
            if rows.tag[other] == code and parent_of(rows, other) == parent:
                number += 1 if code or rows.name(other) == name else 0
        dot = "." if _ENDS_LIKE_A_NUMBER.search(name) else ""
        steps.append(f"{name}{dot}{number}")
        element, parent = parent, parent_of(rows, parent)
    return "/".join(reversed(steps))
