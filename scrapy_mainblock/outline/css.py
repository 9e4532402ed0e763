"""CSS selectors on an Outline, as far as people need them to name one element of a page.

Supported are ``div.meta > time``, ``p.byline a[rel=author]``, ``span.date:nth-of-type(2)``, lists
with commas, and a final ``::attr(datetime)`` or ``::text`` as in Scrapy. Selectors match the
elements that the scan found, so that no tree need be built.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scrapy_mainblock.outline import places
from scrapy_mainblock.outline.buffers.arrays import ints
from scrapy_mainblock.outline.html.references import decoded
from scrapy_mainblock.outline.html.tags import CODES, UNKNOWN
from scrapy_mainblock.outline.rows import Rows
from scrapy_mainblock.outline.selectors import has_class, has_id
from scrapy_mainblock.page.bounded_cache import bounded_cache

MOST_STEPS, MOST_GROUPS = 20, 10
LONGEST = 2000
"""Maximum characters of a selector."""
MOST_CANDIDATES, DEEPEST = 10_000, 100
"""Maximum elements of a page that are like the last step, and maximum ancestors that are checked
for each: many times what real pages have, and few enough that no page takes long."""
FEW = frozenset({"h1", "h2"})
"""Tags of which only visible elements match. Of the others, elements are also found by their tag
alone where no reader sees them, such as the metas of the head."""
MOST_COUNTED = 16
"""Elements whose siblings are counted one element at a time, which takes a microsecond each. For
more elements with the same tag, the positions of all are counted at once."""
CHILD = " > "
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

    `code` is the code of the tag, -1 for any tag. `number` is the position among the siblings with
    the same tag, from 1; 0 for any. `is_child` says whether the element must be a child of the
    previous step, not just a descendant.
    """

    def __init__(self, tag: str, is_child: bool) -> None:
        self.tag, self.code = tag, CODES.get(tag, UNKNOWN) if tag else -1
        self.is_child = is_child
        self.id = b""
        self.classes: list[bytes] = []
        self.attributes: list[Attribute] = []
        self.number = 0


class Selector(NamedTuple):
    """A parsed selector."""

    groups: tuple[tuple[Step, ...], ...]
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
    return _of_children(text) or _of_any(text)


def _of_children(text: str) -> Selector | None:
    """Return a selector that is a chain of children, as `selector_of` makes them; else None."""
    first, *others = text.split(CHILD)
    known = [_first_step(first), *map(_child_step, others)]
    steps = tuple(step for step in known if step is not None)
    return Selector((steps,)) if len(steps) == len(known) <= MOST_STEPS else None


@bounded_cache(most=500, longest=200)
def _first_step(text: str) -> Step | None:
    """Return the step that a text is, or None; cached, since the selectors of a site share them."""
    return _whole_step(text, False)


@bounded_cache(most=500, longest=200)
def _child_step(text: str) -> Step | None:
    """Return the same, for a child of the step before it."""
    return _whole_step(text, True)


def _whole_step(text: str, is_child: bool) -> Step | None:
    try:
        step, end = _step(text, 0, is_child)
    except SelectorError:
        return None
    return step if end == len(text) else None


def _of_any(text: str) -> Selector:
    value = ""
    ending = _VALUE.search(text)
    if ending:
        text = text[: ending.start()].rstrip()
        value = TEXT if ending["text"] else _plain(ending["attribute"]).lower()
    groups: list[tuple[Step, ...]] = []
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
            groups.append(tuple(steps))
            steps = []
    groups.append(tuple(steps))
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
        _add(step, part)
        at = part.end()
    if at == start:
        shown = text[at:][:40] or text
        raise SelectorError(f'"{shown}" is not a selector; expected one like p.byline > a')
    return step, at


def _add(step: Step, part: re.Match[str]) -> None:
    """Add a condition to a step."""
    if part["id"]:
        step.id = _plain(part["id"]).encode("utf-8", "replace")
    elif part["name"]:
        step.classes.append(_plain(part["name"]).encode("utf-8", "replace"))
    elif part["attribute"]:
        value = part["double"] or part["single"] or _plain(part["bare"] or "")
        name = _plain(part["attribute"]).lower().encode()
        step.attributes.append(Attribute(name, part["how"] or "", value))
    else:
        step.number = int(part["number"] or 1)


def _plain(text: str) -> str:
    return _ESCAPE.sub(r"\1", text) if "\\" in text else text


# --- on a page ----------------------------------------------------------------------------------


def find_all(
    rows: Rows, wanted: Selector, most: int = 1000, siblings: Siblings | None = None
) -> list[int]:
    """Return the first elements that match a selector, in document order.

    `siblings` are those of earlier calls for the same page, which need not be counted again.
    """
    siblings = siblings or Siblings(rows)
    if len(wanted.groups) == 1:
        return _matching(siblings, wanted.groups[0], most)
    found: set[int] = set()
    for steps in wanted.groups:
        found.update(_matching(siblings, steps, most))
    return sorted(found)[:most]


def _matching(siblings: Siblings, steps: tuple[Step, ...], most: int) -> list[int]:
    """Return the first elements that match a chain of steps, in document order."""
    rows, last = siblings.rows, steps[len(steps) - 1]
    is_visible = last.id or last.classes or last.tag in FEW
    found: list[int] = []
    candidates = 0
    for element in range(rows.element_count):
        if last.code >= 0 and rows.tag[element] != last.code:
            continue
        if (is_visible and rows.tape_at[element] < 0) or not _is(siblings, last, element):
            continue
        candidates += 1
        if _matches(siblings, steps, element):
            found.append(element)
        if len(found) == most or candidates == MOST_CANDIDATES:
            break
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


def _matches(siblings: Siblings, steps: tuple[Step, ...], element: int) -> bool:
    """Return whether an element that is like the last step matches a chain of steps.

    The loop goes up from the element. One bit of a number stands for each step: `just` has those
    that the element directly below may match, `below` those that any of the elements below may.
    """
    rows = siblings.rows
    just = below = 1 << len(steps) - 1
    for _ in range(DEEPEST):
        around = rows.parent[element]
        if below & 1 or around < 0:
            break
        fits = open_steps = 0
        for number in range(1, len(steps)):
            bit = 1 << number
            step = steps[number]
            if just & bit or (below & bit and not step.is_child):
                open_steps = 1
                if _is(siblings, steps[number - 1], around):
                    fits |= bit >> 1
        if not open_steps:
            return False
        # Not every parser adds the implied section of a row to its tree: accept both.
        is_written = rows.start[around] < rows.inner[around]
        just = fits if is_written else fits | just
        below |= fits
        element = around
    return bool(below & 1)


def _is(siblings: Siblings, step: Step, element: int) -> bool:
    rows = siblings.rows
    if step.code >= 0 and rows.tag[element] != step.code:
        return False
    if step.code == UNKNOWN and rows.name(element) != step.tag:
        return False
    if step.id and not has_id(rows, element, step.id):
        return False
    for name in step.classes:
        if not has_class(rows, element, name):
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
    """Positions of elements among the siblings with the same tag, counted one tag at a time.

    Keep one for all selectors of a page: it also caches the steps of `selector_of`.
    """

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._asked: dict[str, int] = {}
        self._numbers: dict[str, dict[int, int]] = {}
        self._steps: dict[int, str] = {}
        self._found = ints(3)

    def step(self, element: int) -> str:
        """Return the step for an element, with its position if its tag needs one."""
        found = self._steps.get(element)
        if found is None:
            found = self._steps[element] = _step_for(self, element, False)
        return found

    def name_of(self, element: int) -> str:
        """Return the id or class of an element as in a selector, if it is the same on all pages."""
        found = self._found
        places.find_name(self.rows, element, found)
        if not found[0]:
            return ""
        name = _escaped(decoded(self.rows.source[found[1] : found[2]], True))
        return f"#{name}" if found[0] == places.BY_ID else f".{name}"

    def number_of(self, element: int) -> int:
        """Return the position of an element among the siblings with the same tag, from 1."""
        name = self.rows.name(element)
        numbers = self._numbers.get(name)
        asked = self._asked.get(name, 0)
        if numbers is None and asked == MOST_COUNTED:
            numbers = self._numbers[name] = self._count(name)
        if numbers is not None:
            return numbers[element]
        self._asked[name] = asked + 1
        number = 1
        for other in range(self.rows.parent[element] + 1, element):
            number += self._is_sibling(other, element)
        return number

    def has_several(self, element: int) -> bool:
        """Return whether an element has a sibling with the same tag."""
        for other in range(self.rows.parent[element] + 1, self.rows.element_count):
            if other != element and self._is_sibling(other, element):
                return True
        return False

    def _is_sibling(self, other: int, element: int) -> bool:
        """Return whether an element has the same parent and the same tag as another one."""
        rows = self.rows
        if rows.parent[other] != rows.parent[element] or rows.tag[other] != rows.tag[element]:
            return False
        return rows.tag[element] != UNKNOWN or rows.name(other) == rows.name(element)

    def _count(self, name: str) -> dict[int, int]:
        """Return the position of each element with a tag."""
        rows = self.rows
        found: dict[int, int] = {}
        counts: dict[int, int] = {}
        for element in rows.with_tag(CODES.get(name, UNKNOWN)):
            if rows.name(element) == name:
                parent = rows.parent[element]
                found[element] = counts[parent] = counts.get(parent, 0) + 1
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
        is_numbered = len(steps) < numbered
        step = _step_for(siblings, element, True) if is_numbered else siblings.step(element)
        steps.append(step)
        if step.startswith("#", len(rows.name(element))):
            break
        element = rows.parent[element]
    steps.reverse()
    return CHILD.join(steps)


def _step_for(siblings: Siblings, element: int, is_numbered: bool) -> str:
    """Return the step for an element; `is_numbered` requests its position even with a class."""
    tag = siblings.rows.name(element)
    name = siblings.name_of(element)
    step = tag + name
    is_numbered = is_numbered or (not name and tag in NUMBERED)
    if is_numbered and not name.startswith("#") and siblings.has_several(element):
        step += f":nth-of-type({siblings.number_of(element)})"
    return step


def _escaped(name: str) -> str:
    return name if _is_plain(name) else _SPECIAL.sub(_escape, name)


def _is_plain(name: str) -> bool:
    """Return whether a name consists of ASCII letters, digits, hyphens and underscores."""
    for character in name:
        if not (
            "a" <= character <= "z"
            or "A" <= character <= "Z"
            or "0" <= character <= "9"
            or character in "-_"
        ):
            return False
    return True


def _escape(special: re.Match[str]) -> str:
    character = special[0]
    return character if ord(character) > 0x7F else f"\\{character}"
