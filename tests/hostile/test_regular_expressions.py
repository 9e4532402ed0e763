"""No regular expression of the package backtracks: each takes linear time on its worst input.

The worst input is derived from the pattern itself: text that leads up to a repetition, then many
copies of the repeated body, then a character that cannot follow.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import random
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import scrapy_mainblock

if sys.version_info >= (3, 11):
    from re import _constants as sre
    from re import _parser as sre_parse
else:
    import sre_constants as sre
    import sre_parse

FIRST, SIZES = (16, 20, 24, 28, 200, 2_000), (8_000, 32_000, 128_000)
"""The first sizes grow in small steps, so that a pattern whose time doubles with each further
character is detected before it takes forever."""
MOST_SECONDS = 0.6  # CPU time for the largest size; a quadratic pattern takes that for 16,000
FAR_TOO_MANY = 0.02  # for the first sizes
FEW = 100
WORST = 4
"""Every attack is tried at small sizes; this many, the slowest, are tried at large sizes."""

ANCHORED = {
    # Only used with this method, that is from a text's first character on.
    "scrapy_mainblock.inputs.mirrors._HTML": "match",
    "scrapy_mainblock.cli.ftr.site_config._ELEMENT": "fullmatch",
    "scrapy_mainblock.cli.ftr.site_config._LINE": "fullmatch",
    "scrapy_mainblock.cli.pins.form._HOST_AND_PORT": "fullmatch",
    "scrapy_mainblock.cli.pins.form._TAG_AND_NAME": "fullmatch",
    "scrapy_mainblock.page.sites._HOST": "fullmatch",
    "scrapy_mainblock.render.notes._TO_PLACE": "fullmatch",
    "scrapy_mainblock.report.marked._PIXELS": "match",
    "scrapy_mainblock.fields.ruled.by_rule._TITLE": "fullmatch",
    "scrapy_mainblock.outline.css._PART": "match",
    "scrapy_mainblock.outline.html.doctype._DOCTYPE": "match",
    "scrapy_mainblock.outline.marks._PHRASE": "fullmatch",
    "scrapy_mainblock.outline.marks._SYMBOLS": "fullmatch",
    "scrapy_mainblock.outline.places._HASHED": "match",
    "scrapy_mainblock.outline.selectors._STEP": "fullmatch",
    "scrapy_mainblock.page.source.decode._SAYS_UTF8": "match",
    "scrapy_mainblock.page.sites._PLAIN": "match",
    "scrapy_mainblock.render.addresses._IMAGE_DATA": "fullmatch",
    "scrapy_mainblock.render.addresses._SCHEME": "match",
    "scrapy_mainblock.stores.directory._DEVICE": "fullmatch",
    "scrapy_mainblock.stores.directory._PLAIN": "fullmatch",
    "scrapy_mainblock.stores.documents._PATHS": "fullmatch",
    "scrapy_mainblock.template.learning.content_places.TAG": "match",
    "scrapy_mainblock.template.selection._TAG": "match",
}
SHORT = {
    # Only used on this many bytes.
    "scrapy_mainblock.inputs.mirrors._HTML": 4096,
    "scrapy_mainblock.page.source.decode._SAYS_UTF8": 4096,
    # Only used on texts of this many characters, with whitespace collapsed.
    "scrapy_mainblock.fields.headings._PERMALINK": 500,
    "scrapy_mainblock.fields.values.dates._EPOCH": 300,
    "scrapy_mainblock.fields.values.dates._TIME": 300,
    "scrapy_mainblock.fields.values.names._BEHIND_SIGN": 500,
    "scrapy_mainblock.fields.values.names._BY": 500,
    "scrapy_mainblock.fields.values.names._EMAIL": 500,
    "scrapy_mainblock.fields.values.names._END": 500,
    "scrapy_mainblock.fields.values.names._LOWER_BY": 500,
    "scrapy_mainblock.fields.values.names._LOWER_END": 500,
    "scrapy_mainblock.fields.values.names._MIDDLE_BY": 500,
    "scrapy_mainblock.fields.values.names._NO_NAME": 500,
    "scrapy_mainblock.fields.values.names._SAYS": 500,
    "scrapy_mainblock.fields.values.names._SPLIT": 500,
    "scrapy_mainblock.fields.values.names._TITLE": 500,
    "scrapy_mainblock.fields.about.dates._IN_URL": 1000,
    "scrapy_mainblock.fields.about.language._CODE": 1000,
    "scrapy_mainblock.fields.sources.linked_data._IN_AUTHOR": 120,
    "scrapy_mainblock.fields.titles._SEPARATOR": 500,
}


def _patterns() -> dict[str, re.Pattern[Any]]:
    found: dict[str, re.Pattern[Any]] = {}

    def look_at(name: str, value: object) -> None:
        value = _compiled_by(value)
        if isinstance(value, re.Pattern):
            found[name] = value
        elif isinstance(value, dict):
            for key, one in value.items():
                look_at(f"{name}[{key}]", one)
        elif isinstance(value, (list, tuple)):
            for number, one in enumerate(value):
                look_at(f"{name}[{number}]", one)

    for module in _modules():
        for name, value in vars(module).items():
            if not name.startswith("__"):
                look_at(f"{module.__name__}.{name}", value)
    return found


def _compiled_by(value: Any) -> Any:
    """Return the pattern that a cached function compiles on first use; return any other value."""
    gives = getattr(value, "__annotations__", {}) if hasattr(value, "cache_info") else {}
    return value() if "re.Pattern" in str(gives.get("return")) else value


def _modules() -> Iterator[object]:
    for one in pkgutil.walk_packages(scrapy_mainblock.__path__, "scrapy_mainblock."):
        yield importlib.import_module(one.name)


PATTERNS = _patterns()


def _sample(parsed: object, dice: random.Random) -> str:
    """Return a text that the parsed pattern roughly matches."""
    return "".join(_sample_of(op, value, dice) for op, value in parsed)  # type: ignore[attr-defined]


def _sample_of(op: object, value: object, dice: random.Random) -> str:  # noqa: PLR0911 - a table
    if op is sre.LITERAL:
        return chr(value)
    if op is sre.NOT_LITERAL:
        return dice.choice([c for c in "x \"'<>=-0" if ord(c) != value])
    if op is sre.ANY:
        return dice.choice("x <>-")
    if op is sre.IN:
        return _one_of(value, dice)
    if op is sre.BRANCH:
        return _sample(dice.choice(value[1]), dice)
    if op is sre.SUBPATTERN:
        return _sample(value[-1], dice)
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
        least, most, body = value
        return "".join(
            _sample(body, dice) for _ in range(min(max(least, dice.randint(0, 2)), most))
        )
    if op is sre.CATEGORY:
        return {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " "}.get(str(value), "x")
    if op is sre.ASSERT:
        return _sample(value[1], dice) if value[0] > 0 and dice.random() < 0.5 else ""
    return ""


def _one_of(members: list[tuple[object, object]], dice: random.Random) -> str:
    if members[0][0] is sre.NEGATE:
        pattern = [(op, value) for op, value in members[1:]]
        allowed = [
            c for c in "x1 \"'<>=-/!?\n;:A#" if not any(_belongs_to(c, *one) for one in pattern)
        ]
        return dice.choice(allowed or ["\x02"])
    op, value = dice.choice(members)
    if op is sre.LITERAL:
        return chr(value)
    if op is sre.RANGE:
        return chr(dice.randint(*value))
    return {"CATEGORY_DIGIT": "1", "CATEGORY_SPACE": " "}.get(str(value), "x")


def _belongs_to(character: str, op: object, value: object) -> bool:
    if op is sre.LITERAL:
        return ord(character) == value
    if op is sre.RANGE:
        return value[0] <= ord(character) <= value[1]
    name = str(value)
    is_in = {
        "DIGIT": character.isdigit(),
        "SPACE": character.isspace(),
        "WORD": character.isalnum() or character == "_",
    }[name.rpartition("_")[2]]
    return is_in != ("NOT" in name)


def _attacks(parsed: object, before: str, dice: random.Random) -> Iterator[tuple[str, str]]:
    """Yield for each unbounded repetition the text that leads to it and the text it repeats."""
    for op, value in parsed:  # type: ignore[attr-defined]
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT):
            if value[1] > 50:
                yield before, _sample(value[2], dice)
            yield from _attacks(value[2], before, dice)
        elif op is sre.SUBPATTERN:
            yield from _attacks(value[-1], before, dice)
        elif op is sre.BRANCH:
            for branch in value[1]:
                yield from _attacks(branch, before, dice)
        elif op is sre.ASSERT:
            yield from _attacks(value[1], before, dice)
        before += _sample_of(op, value, dice)


def attacks_on(pattern: re.Pattern[Any]) -> set[tuple[str, str]]:
    parsed = sre_parse.parse(pattern.pattern, pattern.flags)
    found: set[tuple[str, str]] = set()
    for seed in range(12):
        dice = random.Random(seed)
        for before, body in _attacks(parsed, "", dice):
            whole = _sample(parsed, dice)
            found |= {(before, body), (before, before + body), ("", whole), ("", before or "x")}
            found |= {(before, whole[: len(whole) // 2]), (before, body + " ")}
        found.add(("", _sample(parsed, dice)))
    return {(before, body) for before, body in found if body}


def seconds_for(pattern: re.Pattern[Any], text: str, use: str) -> float:
    """Return the CPU seconds; measure a slow result again, as a busy machine may be slow once.

    A few characters are measured twice more: there a single pause is far too many.
    """
    is_of_bytes = isinstance(pattern.pattern, bytes)
    subject = text.encode("latin-1", "replace") if is_of_bytes else text
    took = _seconds_for(pattern, subject, use)
    for _ in range(2 if len(subject) < FEW else 1):
        if took < FAR_TOO_MANY:
            break
        took = min(took, _seconds_for(pattern, subject, use))
    return took


def _seconds_for(pattern: re.Pattern[Any], text: str | bytes, use: str) -> float:
    start = time.process_time()
    if use == "finditer":
        for _ in pattern.finditer(text):
            pass
    else:
        getattr(pattern, use)(text)
    return time.process_time() - start


def find_slow_input(
    pattern: re.Pattern[Any], use: str = "finditer", longest: int = SIZES[-1]
) -> str | None:
    """Return an input on which the pattern takes too long, or None."""
    took: dict[tuple[str, str], float] = {}
    for attack in sorted(attacks_on(pattern)):
        for size in sorted({min(size, longest) for size in FIRST}):
            took[attack] = seconds_for(pattern, _text(*attack, size), use)
            if took[attack] > FAR_TOO_MANY:
                if size < FEW or took[attack] > MOST_SECONDS:
                    return f"{attack}, {size} characters: {took[attack]:.1f} s"
                break
    for attack in sorted(took, key=lambda attack: -took[attack])[:WORST]:
        for size in (min(size, longest) for size in SIZES):
            seconds = seconds_for(pattern, _text(*attack, size), use)
            if seconds > MOST_SECONDS:
                return f"{attack}, {size} characters: {seconds:.1f} s"
    return None


def _text(before: str, body: str, size: int) -> str:
    return before + body * (size // len(body)) + "\x02"


@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_backtracks(name: str) -> None:
    assert (
        find_slow_input(PATTERNS[name], ANCHORED.get(name, "finditer"), SHORT.get(name, SIZES[-1]))
        is None
    )


@pytest.mark.parametrize("bad", ["a*a*b", "<!--.*?-->", "x[^y]*y", r"(\w+\s?)*$", rb"(\w+\s?)*$"])
def test_known_backtracking_patterns_are_detected(bad: str | bytes) -> None:
    assert find_slow_input(re.compile(bad, re.DOTALL)) is not None


def test_no_pattern_is_compiled_inline() -> None:
    """A pattern passed as a string to `re.sub` and similar functions would not be tested."""
    inline = [
        f"{file.name}:{node.lineno}"
        for file in Path(scrapy_mainblock.__path__[0]).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr not in ("compile", "escape")
    ]
    assert inline == []
    assert len(PATTERNS) > 40


def test_every_module_level_pattern_is_tested() -> None:
    """Include the patterns of compiled modules."""
    package = Path(scrapy_mainblock.__path__[0])
    written = {
        f"{'.'.join(file.relative_to(package.parent).with_suffix('').parts)}.{target.id}"
        for file in package.rglob("*.py")
        for node in ast.parse(file.read_text("utf-8")).body
        if isinstance(node, ast.Assign) and "re.compile(" in ast.unparse(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    assert written <= {name.partition("[")[0] for name in PATTERNS}
