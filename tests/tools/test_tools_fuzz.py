"""The fuzzer's seeds cover all kinds of input, and pass."""

from __future__ import annotations

import re
from types import ModuleType

import hostile_laws
import pytest
from tool_runs import Tools


@pytest.fixture
def fuzz(tools: Tools, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("MAINBLOCK_HOSTILE", "/no/such/folder")
    return tools.module("fuzz")


def test_seed_of_each_kind_passes(fuzz: ModuleType) -> None:
    by_kind = {seed[:1]: seed for seed in fuzz.seeds()}
    assert by_kind.keys() == fuzz._laws().keys()
    for seed in by_kind.values():
        fuzz.try_one(seed)


@pytest.mark.parametrize("kind", ["d", "s", "x", "e", "p", "t", "l", "r", "u"])
def test_violated_property_is_a_finding(
    fuzz: ModuleType, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*arguments: object) -> None:
        raise AssertionError

    for name in ("decoding_holds", "scanner_holds", "selectors_hold", "alone_holds", "page_holds",
                 "rules_are_used", "rules_hold", "rule_holds"):  # fmt: skip
        monkeypatch.setattr(hostile_laws, name, fails)
    fuzz._laws.cache_clear()
    with pytest.raises(AssertionError):
        fuzz.try_one(f"{kind}<p>x".encode())


def test_input_of_unknown_kind_is_ignored(fuzz: ModuleType) -> None:
    fuzz.try_one(b"")
    fuzz.try_one(b"?<p>x")


def test_words_have_the_format_of_libfuzzer(fuzz: ModuleType) -> None:
    assert all(re.fullmatch(r'"[^"\\]+"', word) for word in fuzz.words().splitlines())
    assert '"<table>"' in fuzz.words().splitlines()


def test_summary_line_of_a_finding_is_recognized(fuzz: ModuleType) -> None:
    for said in (
        "SUMMARY: AddressSanitizer: heap-buffer-overflow scan.c:1:2 in f",
        "==7== ERROR: libFuzzer: timeout after 21 seconds",
        "AssertionError: x",
        "lxml.etree.ParserError: x",
    ):
        assert fuzz.SAID_LAST.match(said)
    assert not fuzz.SAID_LAST.match("Traceback (most recent call last):")
