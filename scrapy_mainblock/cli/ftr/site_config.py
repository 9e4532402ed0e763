"""Conversion of an ftr-site-config file to a rule and to places of fields.

    body: //div[@id='content']
    strip: //div[@class='share']
    strip_id_or_class: related

XPath is more expressive than a rule: what can be carried over is an element named by its id or its
class, anywhere in the page. Each line is carried over, in part, or not at all, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from scrapy_mainblock.cli.ftr.xpath import css_of
from scrapy_mainblock.template.rules import Rule
from scrapy_mainblock.template.selection import Selection

TAGS = tuple("div section aside nav header footer ul p table span figure form".split())
"""Tags that ``//*[...]`` and strip_id_or_class expand to: our selectors must name a tag."""
ABOUT_THEIR_PROGRAM = {"test_url", "test_contains", "prune", "tidy", "parser"}
"""Directives that would have no effect here."""
FETCHING = "it controls fetching, which is the crawler's task"
REWRITING = "it rewrites the page, and pages are not rewritten here"
FIELDS = {"title": "headline", "author": "authors", "date": "datePublished"}
WHY_NOT = {
    "native_ad_clue": "advertorials are not detected",
    "strip_image_src": "images are not selected by their URL",
    "single_page_link": FETCHING,
    "next_page_link": FETCHING,
    "http_header": FETCHING,
    "find_string": REWRITING,
    "replace_string": REWRITING,
    "wrap_in": REWRITING,
    "move_into": REWRITING,
    "dissolve": REWRITING,
}
_LINE = re.compile(r"(?P<key>[a-z_]+)(?:\((?P<argument>.*?)\))?\s*:\s*(?P<value>.*)", re.IGNORECASE)
_QUOTED = r"""(?:'(?P<{0}>[^']*)'|"(?P<{0}2>[^"]*)")"""
_WHOLE_WORD = (
    r"contains\(\s*concat\(\s*['\"] ['\"]\s*,\s*(?:normalize-space\(\s*@class\s*\)|@class)\s*,"
    r"\s*['\"] ['\"]\s*\)\s*,\s*" + _QUOTED.format("word") + r"\s*\)"
)
_PREDICATE = re.compile(
    rf"@id\s*=\s*{_QUOTED.format('id')}|@class\s*=\s*{_QUOTED.format('classes')}"
    rf"|contains\(\s*@class\s*,\s*{_QUOTED.format('part')}\s*\)|{_WHOLE_WORD}"
)
_ELEMENT = re.compile(
    r"(?:\.?//|descendant::)(?P<tag>[a-z][a-z0-9]*|\*)\[(?P<predicate>.*)\]", re.IGNORECASE
)
_BY_ID = re.compile(rf"id\(\s*{_QUOTED.format('id')}\s*\)")
_NAME = re.compile(r"[\w-]+")


class Line(NamedTuple):
    """One directive."""

    number: int
    key: str
    value: str


class Fate(NamedTuple):
    """The outcome for a line."""

    line: Line
    carried: bool
    why: str
    """Why it was not carried over, or only in part; empty if it was carried over as it is."""


class Converted(NamedTuple):
    """The parts of a file that can be expressed as a rule."""

    rule: Rule | None
    """None if its body cannot be."""
    fates: tuple[Fate, ...]
    fields: tuple[tuple[str, str], ...] = ()
    """The places of fields, as pairs of field and place."""


class Element(NamedTuple):
    """An element that an XPath selects, by its id or its classes."""

    tag: str
    id: str = ""
    classes: tuple[str, ...] = ()
    why: str = ""
    """How it differs from the element of the XPath."""


class NotExpressibleError(ValueError):
    """The XPath does not select an element by its id or class."""


def lines_of(text: str) -> Iterator[Line]:
    """Yield the directives of a file, without comments, blank lines and other text."""
    for number, line in enumerate(text.splitlines(), start=1):
        found = _LINE.fullmatch(line.strip())
        if found and found["value"].strip():
            yield Line(number, found["key"].lower(), found["value"].strip())


def convert(text: str) -> Converted:
    """Convert the text of a file."""
    conversion = _Conversion()
    fates = tuple(conversion.take(line) for line in lines_of(text) if not _is_theirs(line))
    rule = conversion.rule()
    if rule is None:
        why = "the file has no body that can be carried over"
        fates = tuple(
            Fate(one.line, False, why) if one.carried and one.line.key not in FIELDS else one
            for one in fates
        )
    return Converted(rule, fates, tuple(conversion.fields.items()))


def _is_theirs(line: Line) -> bool:
    is_our_way = (line.key, line.value) == ("autodetect_on_failure", "yes")
    return is_our_way or line.key in ABOUT_THEIR_PROGRAM


class _Conversion:
    """The rule of a file, built line by line."""

    def __init__(self) -> None:
        self._block: list[Element] = []
        self._drop: dict[str, None] = {}
        self.fields: dict[str, str] = {}
        """The place of each field in the file."""
        self._body_failed = False
        """Whether the first body cannot be carried over; later ones do not take its place."""

    def rule(self) -> Rule | None:
        """Return the rule so far, or None without a block."""
        if not self._block:
            return None
        identifier = next((one.id for one in self._block if one.id), "")
        classes = next((one.classes for one in self._block if one.classes), ())
        return Rule(identifier, classes, selection=Selection(drop=tuple(self._drop)))

    def take(self, line: Line) -> Fate:
        """Add a line, and return its fate."""
        ways = {"body": self._body, "strip": self._strip, "strip_id_or_class": self._strip_named}
        if line.key in FIELDS:
            return self._field(line)
        way = ways.get(line.key)
        if way is None:
            return Fate(line, False, WHY_NOT.get(line.key, "no equivalent"))
        try:
            return Fate(line, True, way(line.value))
        except NotExpressibleError as error:
            self._body_failed |= line.key == "body" and not self._block
            return Fate(line, False, str(error))

    def _body(self, xpath: str) -> str:
        if self._body_failed:
            raise NotExpressibleError(
                "the first body cannot be carried over, so later ones are not used"
            )
        element = element_of(xpath)
        if any(one.classes for one in self._block) or (self._block and element.id):
            raise NotExpressibleError("a rule has only one id and one set of classes")
        self._block.append(element)
        tag = f"with any tag, not only {element.tag}" if element.tag != "*" else ""
        return "; ".join(filter(None, [element.why, tag]))

    def _field(self, line: Line) -> Fate:
        """Add the place of a field; of several, which ftr programs try in order, only the first."""
        field = FIELDS[line.key]
        if field in self.fields:
            return Fate(line, False, "a rule has one place per field: the first")
        place = css_of(line.value)
        if place is None:
            why = "only an XPath of elements by their tags and attributes can be carried over"
            return Fate(line, False, why)
        self.fields[field] = place
        return Fate(line, True, "")

    def _strip(self, xpath: str) -> str:
        element = element_of(xpath)
        self._drop.update(dict.fromkeys(_steps(element)))
        return _how_dropped(element)

    def _strip_named(self, text: str) -> str:
        name = _name(text.strip("'\""))
        by_class = Element("*", classes=(name,))
        self._drop.update(dict.fromkeys((*_steps(Element("*", name)), *_steps(by_class))))
        return f"as a complete name; {_how_dropped(by_class)}"


def element_of(xpath: str) -> Element:
    """Return the element that an XPath selects; raise NotExpressibleError for other XPaths."""
    text = " ".join(xpath.split())
    if found := _BY_ID.fullmatch(text):
        return Element("*", id=_name(_value(found, "id")))
    found = _ELEMENT.fullmatch(text)
    if found is None:
        raise NotExpressibleError(
            "only an XPath of one element by its id or class can be carried over"
        )
    tag = found["tag"].lower()
    predicate = _PREDICATE.fullmatch(found["predicate"].strip())
    if predicate is None:
        raise NotExpressibleError("only a condition on the id or the class can be carried over")
    if identifier := _value(predicate, "id"):
        return Element(tag, id=_name(identifier))
    if classes := _value(predicate, "classes"):
        names = tuple(_name(one) for one in classes.split())
        return Element(tag, classes=names)
    if word := _value(predicate, "word"):
        if word.strip() != word[1:-1]:
            raise NotExpressibleError("it matches a part of a class name")
        return Element(tag, classes=(_name(word.strip()),))
    return Element(tag, classes=(_name(_value(predicate, "part")),), why="as a complete class")


def _value(found: re.Match[str], group: str) -> str:
    return found[group] or found[f"{group}2"] or ""


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise NotExpressibleError(f'"{text}" is not a complete id or class')
    return text


def _steps(element: Element) -> tuple[str, ...]:
    """Return the selectors that drop an element."""
    if len(element.classes) > 1:
        raise NotExpressibleError("a selector has only one class, and would match more elements")
    name = f"#{element.id}" if element.id else f".{element.classes[0]}"
    if any(character.isdigit() for character in name):
        raise NotExpressibleError(f'"{name[1:]}": names with a number differ between pages')
    return tuple(f"{tag}{name}" for tag in (TAGS if element.tag == "*" else (element.tag,)))


def _how_dropped(element: Element) -> str:
    """Return how the selectors differ: they match elements by id, or by their first class."""
    first = "" if element.id else "only as the first class of an element without an id"
    tags = f"only with the tags {', '.join(TAGS)}" if element.tag == "*" else ""
    return "; ".join(filter(None, [element.why, first, tags]))
