"""JSON-LD: the objects in a page's ``<script type="application/ld+json">``, and the main one.

A page may have a single object, a list, a graph whose parts refer to each other by ``@id``, several
scripts from as many plug-ins, and the teasers of other pages. Many scripts are not valid JSON: a
template leaves a trailing comma, a line break in a string, or a comment around the whole text. Such
errors are repaired where possible. Otherwise the parser collects the intact pairs of a key and a
string.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from scrapy_mainblock.fields.titles import Key, key_of
from scrapy_mainblock.page.lazy import cached

LARGEST = 400_000
"""Maximum length of a script in characters; a page's own data takes a few thousand."""
MOST_SCRIPTS, MOST_NODES, DEEPEST, MOST_VALUES = 20, 400, 8, 60
LONGEST_TEXT = 10_000

Node = dict[str, Any]

ARTICLES = frozenset(
    "article newsarticle blogposting report reportagenewsarticle analysisnewsarticle"
    " opinionnewsarticle reviewnewsarticle backgroundnewsarticle advertisercontentarticle"
    " satiricalarticle techarticle scholarlyarticle medicalscholarlyarticle liveblogposting"
    " socialmediaposting discussionforumposting review recipe howto videoobject podcastepisode"
    " creativework blog qapage question".split()
)
PAGES = frozenset(
    "webpage itempage medicalwebpage aboutpage collectionpage product event jobposting book"
    " softwareapplication course faqpage profilepage".split()
)
_OF_OTHERS = frozenset(
    {"comment", "review", "itemlistelement", "haspart", "isrelatedto", "mentions", "citation",
     "relatedlink", "isbasedon", "offers", "blogpost", "suggestedanswer", "acceptedanswer"}
)  # fmt: skip
"""Keys whose values describe other things than the page."""
_COMMENT = re.compile(r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)")
_TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
_PAIR = re.compile(r'"([@A-Za-z]{2,30})"\s*:\s*"((?:[^"\\\n]|\\.){1,1000})"')
_IN_AUTHOR = re.compile(r'"author"\s*:\s*[\[{][^}]{0,100}$')
_MOST_PAIRS = 60


class LinkedData:
    """The JSON-LD objects of a page."""

    def __init__(
        self, sources: Sequence[str], address: str = "", titles: Sequence[Key] = ()
    ) -> None:
        self._address, self._titles = _bare(address), frozenset(titles)
        self.by_id: dict[str, Node] = {}
        self.nodes: list[tuple[Node, int, bool]] = []
        """Each object, its depth, and whether it describes something other than the page."""
        for source in sources[:MOST_SCRIPTS]:
            for data in parsed(source):
                self._walk(data)

    def _walk(self, data: Any) -> None:
        level: list[tuple[Any, bool]] = [(data, False)]
        for depth in range(DEEPEST):
            below: list[tuple[Any, bool]] = []
            for value, is_other in level:
                if isinstance(value, list):
                    below += [(one, is_other) for one in value[:MOST_VALUES]]
                elif isinstance(value, dict):
                    if len(self.nodes) >= MOST_NODES:
                        return
                    self.nodes.append((value, depth, is_other))
                    name = value.get("@id")
                    if isinstance(name, str) and len(value) > 1:
                        self.by_id.setdefault(name, value)
                    for key, inner in list(value.items())[:MOST_VALUES]:
                        if isinstance(inner, (dict, list)):
                            below.append((inner, is_other or key.lower() in _OF_OTHERS))
            level = below

    @cached
    def main(self) -> Node:
        """The object that describes the page; empty if there is none."""
        best: Node = {}
        most = 0.0
        for node, depth, is_other in self.nodes:
            worth = self._worth(node, is_other=is_other) - 0.1 * depth
            if worth > most:
                best, most = node, worth
        return best

    @cached
    def page(self) -> Node:
        """The object of the web page, as opposed to the things on it."""
        for node, _, is_other in self.nodes:
            if not is_other and not types_of(node).isdisjoint(PAGES):
                return node
        return {}

    def of_type(self, name: str) -> Iterator[Node]:
        """Return the objects of a type, which is given in lowercase."""
        return (node for node, _, _ in self.nodes if name in types_of(node))

    def _worth(self, node: Node, *, is_other: bool) -> float:
        types = types_of(node)
        worth = 0.0
        if not types.isdisjoint(ARTICLES):
            worth = 2.0 if types & {"creativework", "blog", "videoobject", "review"} else 3.0
        elif not types.isdisjoint(PAGES):
            worth = 1.0
        if "datePublished" in node or "headline" in node:
            worth += 1.0
        if not worth:
            return 0.0
        if is_other:
            worth -= 2.5
        if any(self.is_here(one) for one in _addresses(node)):
            worth += 1.5
        if self._titles:
            value = text_of(node.get("headline")) or text_of(node.get("name"))
            worth += 1.5 if value and key_of(html.unescape(value)) in self._titles else 0.0
        return worth

    def is_here(self, address: str) -> bool:
        """Return whether a URL is that of the page."""
        return bool(self._address) and _bare(address) == self._address

    def resolved(self, value: Any) -> Any:
        """Return the object to which a value refers by ``@id``, or the value itself."""
        if isinstance(value, dict) and len(value) <= 2 and isinstance(value.get("@id"), str):
            return self.by_id.get(value["@id"], value)
        return value


def types_of(node: Node) -> set[str]:
    """Return the types of an object in lowercase, without the URL of the vocabulary."""
    value = node.get("@type")
    names = value if isinstance(value, list) else [value]
    return {
        one.rpartition("/")[2].rpartition(":")[2].lower()
        for one in names[:5]
        if isinstance(one, str)
    }


def text_of(value: Any) -> str:
    """Return the text of a value: itself, its ``@value`` or name, or the first item's text."""
    for _ in range(4):
        if isinstance(value, str):
            return value.strip()[:LONGEST_TEXT]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)[:40]
        if isinstance(value, list):
            value = value[0] if value else None
        elif isinstance(value, dict):
            value = value.get("@value") or value.get("name")
        else:
            break
    return ""


def listed(value: Any) -> list[Any]:
    """Return the values of a key as a list, whether there are none, one or several."""
    return value[:MOST_VALUES] if isinstance(value, list) else [] if value is None else [value]


def _addresses(node: Node) -> Iterator[str]:
    for key in ("url", "mainEntityOfPage", "@id"):
        value = node.get(key)
        if isinstance(value, dict):
            value = value.get("@id") or value.get("url")
        if isinstance(value, str):
            yield value


def _bare(address: str) -> str:
    """Return a URL without the parts that may differ between URLs of the same page."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    host = (parts.netloc or "").lower().removeprefix("www.").removeprefix("m.")
    path = parts.path.rstrip("/")
    return f"{host}{path}" if host and path else ""


# --- reading ------------------------------------------------------------------------------------


def parsed(source: str) -> list[Any]:
    """Return the JSON values in a script, repaired where possible."""
    source = source.strip()
    if not source or len(source) > LARGEST:
        return []
    try:
        return [json.loads(source, strict=False)]
    except RecursionError:
        return []
    except ValueError:
        return _mended(source)


def _mended(source: str) -> list[Any]:
    source = _COMMENT.sub("", source)
    if "&quot;" in source:
        source = html.unescape(source)
    source = _TRAILING_COMMA.sub("", source)
    decoder = json.JSONDecoder(strict=False)
    found: list[Any] = []
    at = _next_value(source, 0)
    while 0 <= at < len(source) and len(found) < MOST_SCRIPTS:
        try:
            value, at = decoder.raw_decode(source, at)
        except (ValueError, RecursionError):
            break
        found.append(value)
        at = _next_value(source, at)
    return found or _pairs(source)


def _next_value(source: str, at: int) -> int:
    places = [place for place in (source.find("{", at), source.find("[", at)) if place >= 0]
    return min(places, default=-1)


def _pairs(source: str) -> list[Any]:
    """Return the key-value pairs of a script that is not JSON, as one object.

    A name inside an author is stored as the author.
    """
    node: Node = {}
    for count, pair in enumerate(_PAIR.finditer(source)):
        if count == _MOST_PAIRS:
            break
        key, value = pair[1], pair[2]
        try:
            value = json.loads(f'"{value}"', strict=False)
        except ValueError:
            continue
        before = source[max(pair.start() - 120, 0) : pair.start()]
        if key == "name" and _IN_AUTHOR.search(before):
            node.setdefault("author", value)
        else:
            node.setdefault(key, value)
    return [node] if node else []
