"""The rules learned from the same pages are the same in every process."""

from __future__ import annotations

import os
import subprocess
import sys

# More places of one length than a rule may name: which of them it names must not depend on the
# hashes of strings, which differ from process to process.
LEARN = """
from hashlib import sha256
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.recipe.learn import Learner, evidence_of
from scrapy_mainblock.stores.documents import site_to_text

def letters(number):
    return "".join(chr(97 + int(digit)) for digit in str(number))

def html(page):
    said = [
        f"<div class=c{letters(place)}>Of {letters(place)} the people of "
        f"{sha256(b'%d %d' % (page, place)).hexdigest()[:8]} said on this day, they remember.</div>"
        for place in range(100, 400)
    ]
    title = f"Story {letters(page)} of the day"
    return f"<title>{title}</title><h1>{title}</h1><div id=story>{''.join(said)}</div>"

learner = Learner()
for page in range(8):
    url = f"http://a.example/{page}"
    learner.add("a.example", evidence_of(Page.of(html(page), url)))
rules = learner.rules().of("a.example")
print(len(rules.templates[0].rule.selection.known))
print(site_to_text(rules))
"""


def learned(seed: str) -> list[str]:
    """Return how many places the rule names, and the document of the rules."""
    done = subprocess.run(
        [sys.executable, "-c", LEARN],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_rules_do_not_depend_on_the_hashes_of_strings() -> None:
    first = learned("1")
    assert int(first[0]) == 200
    assert learned("2") == first
