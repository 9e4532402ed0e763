"""Limits on sources: how much of a page is read, and which sources cannot be read at all."""

from __future__ import annotations

import re

from scrapy_mainblock.page.source.first_bytes import begins_with_markup, is_surely_text

LARGEST = 256_000_000
"""Maximum bytes of a source; the rest is not read. Offsets into it are 32-bit integers."""

_NOT_BLANK = re.compile(rb"[^\xef\xbb\xbf\x00 \t\r\n]")
_MARKUP = re.compile(rb"<[a-zA-Z!/?]")
_LEAST_HEAD, _HEAD = 64, 4096
_MOST_CONTROLS = 0.05
_CONTROLS = bytes([*range(0x01, 0x09), *range(0x0E, 0x20), 0x7F])
_REPLACEMENT = "\ufffd".encode()


def is_binary(source: bytes) -> bool:
    """Return whether the source is not text but, say, an image or compressed data sent as HTML.

    In random bytes, one character in nine is a control character or undecodable; text has hardly
    any, though a page in a wrong encoding may have some. NUL is not counted: UTF-16 is full of it.
    """
    if is_surely_text(source, min(len(source), _HEAD)):  # as nearly all pages are
        return False
    head = source[:_HEAD].replace(b"\x00", b"")
    controls = len(head) - len(head.translate(None, _CONTROLS)) + head.count(_REPLACEMENT)
    characters = len(head.decode("utf-8", "ignore"))
    return characters > _LEAST_HEAD and controls > _MOST_CONTROLS * characters


def why_unreadable(source: bytes) -> str | None:
    """Return why a source cannot be read as a page, or None if it can."""
    has_markup = begins_with_markup(source)
    if not has_markup and not _NOT_BLANK.search(source):
        return "the page is empty"
    if is_binary(source):
        return "the page is binary"
    return None if has_markup or _MARKUP.search(source) else "the page contains no markup"
