"""Marks beside headings and code (links, edit buttons, line numbers) that are not part of the text.

    <h2>Usage<a class="headerlink" href="#usage">¶</a></h2>       Sphinx, MkDocs
    <span class="permalink"><a href="#a1">◆ </a></span>                Doxygen
    <h2>Usage<a class="hash-link" href="#usage">Direct link to Usage</a></h2>
    <h2>Usage<span class="mw-editsection">[<a href="...">edit</a>]</span></h2>     MediaWiki
    <td class="linenos"><pre>1 2 3</pre></td>                          line numbers of code

A class alone proves nothing: many generators put the words of the heading into such a link.
"""

from __future__ import annotations

import re

from scrapy_mainblock.page.bounded_cache import bounded_cache

LONGEST = 250
"""Maximum characters of a mark's text."""
LONGEST_CLASSES = 200
"""Maximum characters of a class attribute whose results are cached."""
MOST_PARTS = 8
"""Maximum elements in a mark: enough for an icon."""
MOST_NUMBERS = 10
"""Maximum texts of a cell that are examined."""

_SYMBOLS = re.compile(
    "[#¶§⁋∞⚓◆◇◊\U0001f517"  # pilcrow, section, anchor, diamonds, link
    "\ue000-\uf8ff"  # private use area: icons of an icon font
    "\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff\\s]+"  # zero-width characters
)
_PHRASE = re.compile(
    r"(?:copy |direct |permanent )?(?:perma)?link(?: to .{1,200})?|anchor|#", re.IGNORECASE
)
_CLASS_OF_LINK = re.compile(
    r"headerlink|permalink|(?:^|[\s_-])(?:anchor|(?:hash|anchor|direct|deep|header|heading)-?link"
    r"|head(?:er|ing)-?anchor)(?:$|[\s_-])",
    re.IGNORECASE,
)
_EDIT = "mw-editsection"
_CLASS_OF_NUMBERS = re.compile(
    r"(?:^|[\s_-])(?:linenos?|line-?numbers?|gutter|crayon-nums)(?:$|[\s_-])"
)
_DIGITS = re.compile(r"[\d\s.:]*")


@bounded_cache(most=10_000, longest=LONGEST_CLASSES)
def names_link(classes: str) -> bool:
    """Return whether a link with this class may be a mark."""
    return _CLASS_OF_LINK.search(classes) is not None


@bounded_cache(most=10_000, longest=LONGEST_CLASSES)
def names_margin(classes: str) -> bool:
    """Return whether a cell or span with this class may be a mark."""
    return _EDIT in classes or _CLASS_OF_NUMBERS.search(classes) is not None


def is_margin(classes: str, texts: list[str]) -> bool:
    """Return whether a cell or span that `names_margin` accepts is a mark."""
    return _EDIT in classes or all(map(_DIGITS.fullmatch, texts))


def is_permalink(text: str, address: str, has_link_class: bool) -> bool:
    """Return whether a link with ``#`` in its URL is a mark; see `names_link` for its class."""
    if len(text) > LONGEST:
        return False
    if _SYMBOLS.fullmatch(text):
        return has_link_class or address.startswith("#")
    return has_link_class and _PHRASE.fullmatch(text.strip()) is not None
