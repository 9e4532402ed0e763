"""CSS selectors on an Outline, as far as people need them to name one element of a page.

Supported are ``div.meta > time``, ``p.byline a[rel=author]``, ``span.date:nth-of-type(2)``, lists
with commas, and a final ``::attr(datetime)`` or ``::text`` as in Scrapy. Selectors match the
elements that the scan found, so that no tree need be built.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from typing import NamedTuple

from scrapy_mainblock.outline.html.tags import CODES, UNKNOWN
from scrapy_mainblock.outline.places import step_of
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import with_classes, with_id
from scrapy_mainblock.page.bounded_cache import bounded_cache

MOST_STEPS, MOST_GROUPS = 20, 10
LONGEST = 2000
"""Maximum characters of a selector."""
MOST_CANDIDATES, DEEPEST = 1000, 100
"""Maximum candidate elements of a page, and maximum ancestors that are checked for each: many times
what real pages have, and few enough that no page takes long."""
FEW = frozenset({"h1", "h2"})
"""Tags that occur rarely on a page: faster to find than a class."""
TEXT = "text()"
"""The value of a selector that asks for the text of an element."""

_IDENT = r"(?:[\w-]|[^\x00-\x7f]|\\.)+"
_GAP = re.compile(r"\s*([>+~,])\s*|\s+")
_VALUE = re.compile(rf"::(?:(?P<text>text)|attr\(\s*(?P<attribute>{_IDENT})\s*\))\s*$")
_TAG = re.compile(rf"\*|(?:{_IDENT})")
_PART = re.compile(
    rf"#(?P<id>{_IDENT})|\.(?P<name>{_IDENT})"
    rf"|\[\s*(?P<attribute>{_IDENT})\s*(?:(?P<how>[~^$*|]?=)\s*"
    rf"(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>{_IDENT}))\s*)?\]"
    r"|:(?:nth-of-type\(\s*(?P<number>[1-9]\d{0,5})\s*\)|(?P<first>first-of-type))"
)
_ESCAPE = re.compile(r"\\(.)")
_SPECIAL = re.compile(r"[^\w-]", re.ASCII)


class SelectorError(ValueError):
    """The text is not a selector that is supported here; the message says why."""


class Attribute(NamedTuple):
    """A condition on an attribute."""

    name: bytes
    how: str
    """``=``, ``~=``, ``^=``, ``$=``, ``*=``, ``|=``; empty if any value matches."""
    value: str


class Step:
    """The conditions of a selector on one element.

    `tag` and `id` are empty, and `number` is 0, for any. `number` is the position among the
    siblings with the same tag, from 1. `words` are the `classes` in bytes. With `is_child`, the
    element must be a child of the previous step, not just a descendant.
    """

    def __init__(self, tag: str, is_child: bool) -> None:
        self.tag, self.is_child = tag, is_child
        self.id, self.number = "", 0
        self.classes: list[str] = []
        self.words: list[bytes] = []
        self.attributes: list[Attribute] = []

    def add(self, part: re.Match[str]) -> None:
        """Add a condition, which `_PART` matched."""
        if part["id"]:
            self.id = _plain(part["id"])
        elif part["name"]:
            name = _plain(part["name"])
            self.classes.append(name)
            self.words.append(name.encode("utf-8", "replace"))
        elif part["attribute"]:
            value = part["double"] or part["single"] or _plain(part["bare"] or "")
            name = _plain(part["attribute"]).lower()
            self.attributes.append(Attribute(name.encode(), part["how"] or "", value))
        else:
            self.number = int(part["number"] or 1)

    def has_name(self) -> bool:
        """Return whether an id or a class is given."""
        return bool(self.id or self.classes)


class Selector(NamedTuple):
    """A parsed selector."""

    groups: tuple[list[Step], ...]
    value: str = ""
    """What to read: the name of an attribute, or `TEXT`; empty if the selector does not say."""


@bounded_cache(most=500, longest=LONGEST)
def parsed(text: str) -> Selector | SelectorError:
    """Return the parsed selector, or the error for `selector` to raise (errors are cached too)."""
    try:
        return _parsed(text)
    except SelectorError as error:
        return error


def selector(text: str) -> Selector:
    """Parse a selector; raise SelectorError if it is malformed or not supported here."""
    found = parsed(text)
    if isinstance(found, SelectorError):
        raise found
    return found


def _parsed(text: str) -> Selector:
    text = text.strip()
    value = ""
    ending = _VALUE.search(text)
    if ending:
        text = text[: ending.start()].rstrip()
        value = TEXT if ending["text"] else _plain(ending["attribute"]).lower()
    groups: list[list[Step]] = []
    steps: list[Step] = []
    at, is_child = 0, False
    while True:
        step, at = _step(text, at, is_child)
        steps.append(step)
        if at == len(text):
            break
        gap = _GAP.match(text, at)
        if gap is None:
            raise SelectorError(f'"{text[at:][:40]}" cannot be parsed')
        if gap[1] and gap[1] in "+~":
            raise SelectorError(f'"{gap[1]}" is not supported: select by an ancestor instead')
        at, is_child = gap.end(), gap[1] == ">"
        if gap[1] == ",":
            groups.append(steps)
            steps = []
    groups.append(steps)
    if len(groups) > MOST_GROUPS or max(map(len, groups)) > MOST_STEPS:
        most = f"{MOST_GROUPS} alternatives of {MOST_STEPS} steps each"
        raise SelectorError(f"a selector may have at most {most}")
    return Selector(tuple(groups), value)


def _step(text: str, at: int, is_child: bool) -> tuple[Step, int]:
    start = at
    tag = _TAG.match(text, at)
    at = tag.end() if tag else at
    name = _plain(tag[0]).lower() if tag and tag[0] != "*" else ""
    if name and not any(map(str.isalnum, name)):
        raise SelectorError(f'"{name}" is not an element name')
    step = Step(name, is_child)
    while at < len(text) and text[at] in "#.[:":
        part = _PART.match(text, at)
        if part is None:
            raise SelectorError(f'"{text[at:][:40]}" is not supported in a selector')
        step.add(part)
        at = part.end()
    if at == start:
        shown = text[at:][:40] or text
        raise SelectorError(f'"{shown}" is not a selector; expected one like p.byline > a')
    return step, at


def _plain(text: str) -> str:
    return _ESCAPE.sub(r"\1", text)


# --- on a page ----------------------------------------------------------------------------------


def find_all(rows: Rows, wanted: Selector, most: int = 1000) -> list[int]:
    """Return the first elements that match a selector, in document order."""
    siblings = Siblings(rows)
    if len(wanted.groups) == 1:
        return _matching(siblings, wanted.groups[0], most)
    found: set[int] = set()
    for steps in wanted.groups:
        found.update(_matching(siblings, steps, most))
    return sorted(found)[:most]


def _matching(siblings: Siblings, steps: list[Step], most: int) -> list[int]:
    """Return the first elements that match a chain of steps, in document order."""
    found: list[int] = []
    for element in _candidates_of(siblings.rows, steps)[:MOST_CANDIDATES]:
        if _matches(siblings, steps, element):
            found.append(element)
            if len(found) == most:
                break
    return found


def _candidates_of(rows: Rows, steps: list[Step]) -> list[int]:
    """Return the elements that may match a chain of steps.

    If the last step has no id or class, return only those within the elements that may match the
    nearest step that has one: a page has hundreds of spans, but two bylines.
    """
    number = len(steps) - 1
    last = step = steps[number]
    while not step.has_name():
        if number == 0:
            return _candidates(rows, last)
        number -= 1
        step = steps[number]
    found = _candidates(rows, step)
    if step is last:
        return found
    inside: list[int] = []
    end = 0
    for around in found:
        if rows.start[around] >= end:  # not nested in the previous one
            end = rows.end[around]
            inside += _candidates_in(rows, around, last)
    return inside


def _candidates_in(rows: Rows, around: int, step: Step) -> list[int]:
    """Return the elements in another one that may match a step without id and class."""
    found: list[int] = []
    code, end = CODES.get(step.tag, UNKNOWN), rows.end[around]
    is_shown = step.tag in FEW
    for element in range(around + 1, rows.element_count):
        if rows.start[element] >= end:
            break
        if code == UNKNOWN or (
            rows.tag[element] == code and not (is_shown and rows.tape_at[element] < 0)
        ):
            found.append(element)
    return found


def first_behind(rows: Rows, elements: list[int], at: int) -> int:
    """Return the place of the first element that does not begin before `at`."""
    first, end = 0, len(elements)
    while first < end:
        middle = (first + end) // 2
        if rows.start[elements[middle]] < at:
            first = middle + 1
        else:
            end = middle
    return first


def _candidates(rows: Rows, step: Step) -> list[int]:
    """Return the elements that may match a step, by the condition that is fastest to look up."""
    if step.id:
        return with_id(rows, step.id.encode("utf-8", "replace").split() or [b" "])
    if step.tag in FEW:
        return [one for one in rows.with_tag(CODES[step.tag]) if rows.tape_at[one] >= 0]
    if step.classes:
        return with_classes(rows, step.words)
    if code := CODES.get(step.tag):
        return rows.with_tag(code)
    return list(range(rows.element_count))


def _matches(siblings: Siblings, steps: list[Step], element: int) -> bool:
    """Return whether an element matches a chain of steps.

    The loop goes up from the element. `just` holds the steps that the element directly below may
    match, `below` those that any of the elements below may match.
    """
    rows = siblings.rows
    last = len(steps) - 1
    if not _is(siblings, steps[last], element):
        return False
    # Learned selectors are chains of child steps: those need no sets, and take half the time.
    step = steps[last]
    while last and step.is_child:
        around = rows.parent[element]
        if around < 0 or rows.start[around] == rows.inner[around]:
            break  # an implied row or section, which may be skipped
        step = steps[last - 1]
        if not _is(siblings, step, around):
            return False
        element, last = around, last - 1
    if last == 0:
        return True
    just, below = {last}, {last}
    for _ in range(DEEPEST):
        if 0 in below:
            return True
        around = rows.parent[element]
        if around < 0:
            return False
        fits = set()
        for number in below:
            is_next = number > 0 and (number in just or not steps[number].is_child)
            if is_next and _is(siblings, steps[number - 1], around):
                fits.add(number - 1)
        # Not every parser adds the implied section of a row to its tree: accept both.
        is_written = rows.start[around] < rows.inner[around]
        just = fits if is_written else fits | just
        below |= fits
        element = around
    return 0 in below


def _is(siblings: Siblings, step: Step, element: int) -> bool:
    rows = siblings.rows
    if step.tag and rows.name(element) != step.tag:
        return False
    if step.id and rows.identifier(element).strip() != step.id:
        return False
    if step.classes:
        its_classes = rows.classes(element).split()
        for name in step.classes:
            if name not in its_classes:
                return False
    if step.number and siblings.number_of(element) != step.number:
        return False
    for one in step.attributes:
        if not _has(rows.attribute(element, one.name), one):
            return False
    return True


def _has(value: str | None, wanted: Attribute) -> bool:
    if value is None or not wanted.how:
        return value is not None
    if wanted.how == "=":
        return value == wanted.value
    if not wanted.value:
        return False
    if wanted.how == "~=":
        return wanted.value in value.split()
    if wanted.how == "|=":
        return value == wanted.value or value.startswith(f"{wanted.value}-")
    if wanted.how == "^=":
        return value.startswith(wanted.value)
    return value.endswith(wanted.value) if wanted.how == "$=" else wanted.value in value


class Siblings:
    """Positions of elements among the siblings with the same tag, counted one tag at a time."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._elements: dict[str, list[int]] = {}
        self._numbers: dict[str, dict[int, int]] = {}
        self._counts: dict[str, Counter[int]] = {}
        self._asked: set[str] = set()

    def number_of(self, element: int) -> int:
        """Return the position of an element among the siblings with the same tag, from 1."""
        name, rows = self.rows.name(element), self.rows
        if name in self._numbers or name in self._asked:
            return self._of(name)[element]
        self._asked.add(name)  # count for one element; on the second request, count for all
        parent, same = rows.parent[element], self._with(name)
        number = 0
        for other in same[bisect_right(same, parent) : bisect_right(same, element)]:
            if rows.parent[other] == parent:
                number += 1
        return number

    def has_several(self, element: int) -> bool:
        """Return whether an element has a sibling with the same tag."""
        name = self.rows.name(element)
        self._of(name)
        return self._counts[name][self.rows.parent[element]] > 1

    def _with(self, name: str) -> list[int]:
        """Return all elements with a tag."""
        found = self._elements.get(name)
        if found is None:
            rows, code = self.rows, CODES.get(name, UNKNOWN)
            found = rows.with_tag(code)
            if code == UNKNOWN:
                found = [element for element in found if rows.name(element) == name]
            self._elements[name] = found
        return found

    def _of(self, name: str) -> dict[int, int]:
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = {}
            counts = self._counts[name] = Counter()
            for element in self._with(name):
                parent = self.rows.parent[element]
                counts[parent] += 1
                found[element] = counts[parent]
        return found


# --- for an element -----------------------------------------------------------------------------

MOST_STEPS_MADE = 6
"""Maximum steps of a generated selector: the more steps, the fewer pages match it by chance."""
NUMBERED = frozenset("article b div em i li p section span strong table td tr".split())
"""Tags that get their position if they have no name. Links and times do not: any of them will do on
a page that has two authors, or that was published and then changed."""


def selector_of(
    siblings: Siblings, element: int, numbered: int = 0, most: int = MOST_STEPS_MADE
) -> str:
    """Return a selector for an element that is the same on all pages of its template.

    The selector goes up to the nearest id, but no more than `most` steps. Like places, it uses
    only names without a number. The innermost `numbered` steps also give their position, even if
    they have a class.
    """
    rows = siblings.rows
    steps: list[str] = []
    while element > rows.body and len(steps) < most:
        tag = rows.name(element)
        name = step_of(rows, element)[len(tag) :]
        step = f"{tag}{name[0]}{_escaped(name[1:])}" if name else tag
        is_numbered = len(steps) < numbered or (not name and tag in NUMBERED)
        if is_numbered and not name.startswith("#") and siblings.has_several(element):
            step += f":nth-of-type({siblings.number_of(element)})"
        steps.append(step)
        if name.startswith("#"):
            break
        element = rows.parent[element]
    return " > ".join(reversed(steps))


def _escaped(name: str) -> str:
    return _SPECIAL.sub(lambda one: one[0] if ord(one[0]) > 0x7F else f"\\{one[0]}", name)
