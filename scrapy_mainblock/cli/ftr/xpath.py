"""Conversion of an XPath of one element to the equivalent CSS selector, if there is one."""

from __future__ import annotations

import re

from scrapy_mainblock.outline.css import SelectorError, selector

_QUOTED = r"(?:'(?P<{0}>[^']*)'|\"(?P<{0}2>[^\"]*)\")"
_NAME = r"[a-zA-Z][\w-]*"
_STEP = re.compile(rf"(?P<axis>//|/)(?P<tag>{_NAME}|\*)(?P<predicates>(?:\[[^\[\]]*\])*)")
_ENDING = re.compile(rf"//?(?:@(?P<attribute>{_NAME})|(?P<text>text\(\)))\s*$")
_PREDICATE = re.compile(r"\[([^\[\]]*)\]")
_IS = re.compile(rf"@(?P<name>{_NAME})\s*=\s*{_QUOTED.format('value')}")
_HAS = re.compile(rf"@(?P<name>{_NAME})")
_HOLDS = re.compile(rf"contains\(\s*@(?P<name>{_NAME})\s*,\s*{_QUOTED.format('value')}\s*\)")
_BEGINS = re.compile(rf"starts-with\(\s*@(?P<name>{_NAME})\s*,\s*{_QUOTED.format('value')}\s*\)")
_WORD = re.compile(
    r"contains\(\s*concat\(\s*['\"] ['\"]\s*,\s*(?:normalize-space\(\s*@class\s*\)|@class)\s*,"
    rf"\s*['\"] ['\"]\s*\)\s*,\s*{_QUOTED.format('value')}\s*\)"
)
_NUMBER = re.compile(r"[1-9]\d*")
_AND = re.compile(r"(?<!\s)\s+and\s+")


def css_of(xpath: str) -> str | None:
    """Return the CSS selector of an XPath, or None if no supported selector is equivalent."""
    text = " ".join(xpath.split()).removeprefix(".")
    ending = _ENDING.search(text)
    value = ""
    if ending:
        text = text[: ending.start()]
        value = f"::attr({ending['attribute']})" if ending["attribute"] else ""
    steps: list[str] = []
    at = 0
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None:
            return None
        conditions = _conditions(step)
        if conditions is None or (not steps and step["axis"] == "/" and step["tag"] != "html"):
            return None
        if steps:
            steps.append(" " if step["axis"] == "//" else " > ")
        tag = "" if step["tag"] == "*" and conditions else step["tag"].lower()
        steps.append(tag + conditions)
        at = step.end()
    found = "".join(steps) + value
    try:
        selector(found)
    except SelectorError:
        return None
    return found


def _conditions(step: re.Match[str]) -> str | None:
    """Return the conditions on an element in CSS; None if one of them has no equivalent."""
    found: list[str] = []
    for text in _PREDICATE.findall(step["predicates"]):
        for one in _AND.split(text.strip()):
            condition = _condition(one.strip(), step["tag"])
            if condition is None:
                return None
            found.append(condition)
        if _NUMBER.fullmatch(text.strip()) and len(found) > 1:
            # XPath's number counts elements that meet the other conditions, CSS's the whole tag.
            return None
    return "".join(found)


def _condition(text: str, tag: str) -> str | None:
    if _NUMBER.fullmatch(text):
        return f":nth-of-type({text})" if tag != "*" else None
    if found := _HAS.fullmatch(text):
        return f"[{found['name']}]"
    for shape, sign in ((_IS, "="), (_HOLDS, "*="), (_BEGINS, "^=")):
        if found := shape.fullmatch(text):
            return f"[{found['name']}{sign}{_quoted(found)}]"
    if found := _WORD.fullmatch(text):
        word = (found["value"] or found["value2"] or "").strip()
        return f"[class~={_in_quotes(word)}]" if word and " " not in word else None
    return None


def _quoted(found: re.Match[str]) -> str:
    return _in_quotes(found["value"] or found["value2"] or "")


def _in_quotes(text: str) -> str:
    return f"'{text}'" if '"' in text else f'"{text}"'
