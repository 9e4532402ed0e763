"""Marks that a page puts beside its headings and its code; not its text.

    <h2>Usage<a class="headerlink" href="#usage">¶</a></h2>       Sphinx, MkDocs
    <span class="permalink"><a href="#a1">◆ </a></span>                Doxygen
    <h2>Usage<a class="hash-link" href="#usage">Direct link to Usage</a></h2>
    <h2>Usage<span class="mw-editsection">[<a href="...">edit</a>]</span></h2>     MediaWiki
    <td class="linenos"><pre>1 2 3</pre></td>                          numbers of lines of code

A class alone says nothing: many generators put the words of the heading in such a link.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from lxml.html import HtmlElement

MARKED_TAGS = frozenset({"a", "span", "td"})
"""The elements that may be marks."""

_SYMBOLS = re.compile(
    "[#¶§⁋∞⚓◆◇◊\U0001f517"  # pilcrow, section, anchor, diamonds, link
    "\ue000-\uf8ff"  # icons of a font of the page's own
    "\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff\\s]+"  # no width
)
_PHRASE = re.compile(
    r"(?:copy |direct |permanent )?(?:perma)?link(?: to .{1,200})?|anchor|#", re.IGNORECASE
)
_CLASS = re.compile(
    r"headerlink|permalink|(?:^|[\s_-])(?:anchor|(?:hash|anchor|direct|deep|header|heading)-?link"
    r"|head(?:er|ing)-?anchor)(?:$|[\s_-])",
    re.IGNORECASE,
)
_EDIT = "mw-editsection"
_NUMBERS = re.compile(r"(?:^|[\s_-])(?:linenos?|line-?numbers?|gutter|crayon-nums)(?:$|[\s_-])")
_DIGITS = re.compile(r"[\d\s.:]*")
_MOST_NUMBERS = 10  # texts of a cell that are looked at
_LONGEST = 250  # characters of a mark's text
_MOST_PARTS = 8  # elements in it: enough for an icon, and a page of open links stays linear


def is_mark(element: HtmlElement) -> bool:
    """Whether an element of these tags is such a mark."""
    if element.tag != "a":
        css_class = element.get("class")
        return css_class is not None and _names_margin(css_class) and _is_margin(element, css_class)
    href = element.get("href", "")
    return "#" in href and _is_permalink(element, href)


@lru_cache(maxsize=10_000)
def _names_margin(css_class: str) -> bool:
    return _EDIT in css_class or bool(_NUMBERS.search(css_class))


def _is_margin(element: HtmlElement, css_class: str) -> bool:
    texts = islice(element.itertext(), _MOST_NUMBERS)
    return _EDIT in css_class or all(map(_DIGITS.fullmatch, texts))


def _is_permalink(link: HtmlElement, href: str) -> bool:
    says_so = _CLASS.search(link.get("class", ""))
    is_here = href.startswith("#")
    # Nearly all links end here: words are no symbol.
    if not says_so and (not is_here or (link.text or "").lstrip()[:1].isalnum()):
        return False
    text = _text(link)
    if text is None:
        return False
    if _SYMBOLS.fullmatch(text):
        return bool(says_so) or is_here
    return bool(says_so and _PHRASE.fullmatch(text.strip()))


def _text(link: HtmlElement) -> str | None:
    """The text in a link, None where there is too much in it for a mark."""
    parts = list(islice(link.iter(), _MOST_PARTS + 1))
    if len(parts) > _MOST_PARTS:
        return None
    pieces = [link.text or ""]
    for part in parts[1:]:
        if isinstance(part.tag, str):
            pieces.append(part.text or "")
        pieces.append(part.tail or "")
    text = "".join(pieces)
    return text if len(text) <= _LONGEST else None
