"""A page's tag in the meta of its request, computed when it is first read.

Finding the link blocks of a page costs as much as everything else that a crawl does with the page,
and few callbacks use them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scrapy_mainblock.outline.outline import Outline
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.papers.wang14.link_blocks import link_blocks

MOST_BLOCKS = 1000
"""Limit on the blocks in a tag; a page has three to six. A tag is pickled with each request
that the user copies the meta to."""
_METHODS = (
    *("__getitem__", "__iter__", "__reversed__", "__eq__", "__ne__", "__repr__"),
    *("__or__", "__ror__", "__ior__", "__setitem__", "__delitem__"),
    *("get", "items", "values", "copy", "pop", "popitem", "setdefault", "update", "clear"),
)
"""The methods of a dict that read or change its values."""


class _NotRead:
    """An unread value of a tag. Only C code that accesses a dict directly gets to see it.

    orjson does so. It raises an error for this object, as for any other; an empty list would be
    taken for the page's value.
    """

    def __repr__(self) -> str:
        return "<not computed yet: use dict(tag)>"


_NOT_READ: Any = _NotRead()


class Tag(dict[str, Any]):
    """`{"link_blocks": [[start, end, links], ...], "lcr": ..., "ccr": ...}`, computed when read.

    A pickle or a copy of a tag is a plain dict. The tag refers to its page, never to the response:
    the response refers to the tag in its request's meta, and only the garbage collector could free
    such a cycle.
    """

    def __init__(self, page: Page, made_from: tuple[bytes, str | None]) -> None:
        # The keys exist from the start: C code asks for the length of a dict before its items.
        super().__init__(link_blocks=_NOT_READ, lcr=_NOT_READ, ccr=_NOT_READ)
        self.page = page
        self.made_from = made_from
        self._outline: Outline | None = None
        self._is_taken = self.is_read = False

    @property
    def outline(self) -> Outline:
        """The outline of the tag's page."""
        if self._is_taken or self._outline is not None:
            return self._outline or Outline(self.page)
        self._outline = Outline(self.page)
        return self._outline

    def take_outline(self) -> Outline:
        """Return the outline; drop the tag's reference to it, since an item may keep the tag."""
        outline, self._outline, self._is_taken = self.outline, None, True
        return outline

    def read(self) -> None:
        """Find the link blocks, once; leave them empty if that fails."""
        if self.is_read:
            return
        self.is_read = True
        self.update(link_blocks=[], lcr=0.0, ccr=0.0)
        try:
            outline = self.outline
            found = link_blocks(outline).in_characters(outline.rows.source)
        except Exception as error:  # a page must never raise
            swallow(error, "a page could not be tagged")
            return
        blocks = [list(block) for block in found.blocks[:MOST_BLOCKS]]
        self.update(link_blocks=blocks, lcr=round(found.lcr, 4), ccr=round(found.ccr, 4))

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return dict, (dict(self),)


def _reading_first(name: str) -> Callable[..., Any]:
    method = getattr(dict, name)

    def call(self: Tag, *arguments: Any, **named: Any) -> Any:
        for one in (self, *arguments):
            if isinstance(one, Tag):
                one.read()
        return method(self, *arguments, **named)

    return call


for _name in _METHODS:
    setattr(Tag, _name, _reading_first(_name))
