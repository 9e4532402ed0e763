"""JSON-LD: the objects of a page's ``<script type="application/ld+json">``, and which is the page.

A page may hold one object, a list, a graph whose parts name each other by ``@id``, several scripts
by as many plug-ins, and the teasers of other pages. Much of it is no JSON: a template leaves a
comma behind, a line break in a text, a comment around all of it. What can be mended is; of the rest
the pairs of a key and a text are read that are whole.
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
"""Characters of one script; a page's own data take some thousand."""
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
"""Keys under which other things than the page stand."""
_COMMENT = re.compile(r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)")
_TRAILING_COMMA = re.compile(r",\s*(?=[}\]])")
_PAIR = re.compile(r'"([@A-Za-z]{2,30})"\s*:\s*"((?:[^"\\\n]|\\.){1,1000})"')
_IN_AUTHOR = re.compile(r'"author"\s*:\s*[\[{][^}]{0,100}$')
_MOST_PAIRS = 60


class LinkedData:
    """The objects of a page, by what is asked of them."""

    def __init__(
        self, sources: Sequence[str], address: str = "", titles: Sequence[Key] = ()
    ) -> None:
        self._address, self._titles = _bare(address), frozenset(titles)
        self.by_id: dict[str, Node] = {}
        self.nodes: list[tuple[Node, int, bool]] = []
        """Each object, how deep it is, and whether it is one of another page."""
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
        """The object that is the page; an empty one where none is."""
        best: Node = {}
        most = 0.0
        for node, depth, is_other in self.nodes:
            worth = self._worth(node, is_other=is_other) - 0.1 * depth
            if worth > most:
                best, most = node, worth
        return best

    @cached
    def page(self) -> Node:
        """The object that is the web page, as against what stands on it."""
        for node, _, is_other in self.nodes:
            if not is_other and not types_of(node).isdisjoint(PAGES):
                return node
        return {}

    def of_type(self, name: str) -> Iterator[Node]:
        """The objects of a type, in small letters."""
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
        """Whether an address is the page's own."""
        return bool(self._address) and _bare(address) == self._address

    def resolved(self, value: Any) -> Any:
        """An object that is only named, by its name."""
        if isinstance(value, dict) and len(value) <= 2 and isinstance(value.get("@id"), str):
            return self.by_id.get(value["@id"], value)
        return value


def types_of(node: Node) -> set[str]:
    """The types of an object in small letters, without the vocabulary's address."""
    value = node.get("@type")
    names = value if isinstance(value, list) else [value]
    return {
        one.rpartition("/")[2].rpartition(":")[2].lower()
        for one in names[:5]
        if isinstance(one, str)
    }


def text_of(value: Any) -> str:
    """The text of a value: itself, its ``@value``, its name, or the first of several."""
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
    """The values of a key, of which there may be one or several."""
    return value[:MOST_VALUES] if isinstance(value, list) else [] if value is None else [value]


def _addresses(node: Node) -> Iterator[str]:
    for key in ("url", "mainEntityOfPage", "@id"):
        value = node.get(key)
        if isinstance(value, dict):
            value = value.get("@id") or value.get("url")
        if isinstance(value, str):
            yield value


def _bare(address: str) -> str:
    """An address without what the same page may be had with or without."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    host = (parts.netloc or "").lower().removeprefix("www.").removeprefix("m.")
    path = parts.path.rstrip("/")
    return f"{host}{path}" if host and path else ""


# --- reading ------------------------------------------------------------------------------------


def parsed(source: str) -> list[Any]:
    """The values in a script, mended where that can be done."""
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
    """The pairs of a script that is no JSON, as one object; a name stands for the author."""
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
