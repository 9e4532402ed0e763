"""Writes content as Markdown: CommonMark, with GFM's tables.

Markdown is written from the clean HTML, not from the page: the nesting of elements has been settled
there, and both have the same content. Blocks become blocks; `markdown_line` writes their lines.

What Markdown cannot express is approximated. A definition list becomes paragraphs with a list under
each. A table that holds blocks, or has a single column (a page's layout), is written as these
blocks; the content of a cell that spans several stands in the first of them. ``<sub>``, ``<sup>``,
``<del>``, ``<ins>`` and ``<mark>`` stay tags. Code is literal: links in a code block are left out.
"""

from __future__ import annotations

import html as html_references
import re

from scrapy_mainblock.outline.buffers.octets import Octets
from scrapy_mainblock.outline.html.scan import code_of
from scrapy_mainblock.outline.html.tags import CODES, HASH_FACTOR, HASH_MASK, HASH_START
from scrapy_mainblock.render.markdown_line import Line, Mark
from scrapy_mainblock.render.markdown_table import Table, is_table
from scrapy_mainblock.render.tables import (
    BOUNDARY,
    CELL_LINE,
    EM,
    HEADING_LINE,
    INLINE,
    INLINE_CODE,
    INLINE_MARK,
    LINK,
    MARKDOWN,
    PARAGRAPH_LINE,
    STRONG,
    TAG,
    WHAT,
)

A, BLOCKQUOTE, BR, CAPTION, CODE, DD, DL, H1, H6 = (
    CODES[name] for name in "a blockquote br caption code dd dl h1 h6".split()
)
HR, IMG, LI, OL, P, PRE, TABLE, TD, TH, THEAD, TR, UL = (
    CODES[name] for name in "hr img li ol p pre table td th thead tr ul".split()
)
_WRITTEN = {
    "b strong": (STRONG, b"**", b"**"),
    "i em": (EM, b"*", b"*"),
    "s del": (TAG, b"<del>", b"</del>"),
    **{name: (TAG, b"<%b>" % name.encode(), b"</%b>" % name.encode())
       for name in ("sub", "sup", "ins", "mark")},
}  # fmt: skip
MARKS = {CODES[name]: marks for names, marks in _WRITTEN.items() for name in names.split()}
"""By the code of an inline tag: its kind of mark, and what is written before and after its
words."""
LESS, GREATER, SLASH, SPACE, QUOTE, LINE_FEED, AMPERSAND = b'<>/ "\n&'
MOST_INSIDE = 8
"""Levels of nested lists and quotations; deeper ones stay at the eighth. Parsers give up at some
depth (markdown-it at 20 of its own levels, two for each list), and each line begins with all
levels."""
LARGEST_NUMBER = 999_999_999
"""Largest number of a list item; CommonMark allows nine digits."""
_REFERENCE = re.compile(r"&(?=#?\w+;)")
_ADDRESS = b"&()\\|"
ADDRESS = bytes(octet in _ADDRESS for octet in range(256))
"""For each byte, whether it may have a meaning in the address of a link."""
_IN_ADDRESS = re.compile(r"[()\\<>|]")


def markdown(clean: str) -> str:
    """Return clean HTML as Markdown; `clean` must be as `HtmlWriter` writes it."""
    return MarkdownWriter(clean.encode()).run().decode().strip("\n")


class Container:
    """An open list, item or quotation."""

    def __init__(self, code: int, size: int) -> None:
        self.code = code
        self.size = size
        """How much of each line's prefix belongs to what is around this list, item or quotation."""
        self.number = 1
        self.bullet = b"-"


class MarkdownWriter:
    """Writes blocks, each line with the prefix of its lists and quotations."""

    def __init__(self, clean: bytes) -> None:
        self.html = clean
        self.out = Octets(len(clean) + 64)
        self.line = Line()
        self.prefix, self.lead = Octets(64), Octets(64)
        """The prefix of the following lines, and that of the next line, which may have the mark of
        an item. Both have the same length."""
        self.common = 0
        """How much of the prefix the last line and the next one share; a blank line has no more."""
        self.inside: list[Container] = []
        self.depth = 0
        self.heading = 0
        self.is_tight = self.is_in_p = False
        """Whether the last block was the text of an item, so that the next item or a list in it may
        follow without a blank line; and whether a paragraph is open."""
        self.ended_list = b""
        self.ended_size = 0
        """Bullet and indentation of a list that has just ended here: another list with both would
        continue it."""
        self.table: Table | None = None

    def run(self) -> bytes:
        """Write and return all of the Markdown."""
        html, size = self.html, len(self.html)
        at = 0
        while at < size:
            if html[at] != LESS:
                at = self.line.text(html, at)
                continue
            is_end = html[at + 1] == SLASH
            name = at + 2 if is_end else at + 1
            hashed = HASH_START
            while html[name] != GREATER and html[name] != SPACE:
                hashed = ((hashed ^ html[name]) * HASH_FACTOR) & HASH_MASK
                name += 1
            end = name + 1
            while html[end - 1] != GREATER:
                end += 1
            code = code_of(hashed)
            if code == PRE and not is_end:
                end = self._code_block(end)
            else:
                self._tag(code, at, end, is_end)
            at = end
        self._end_line()
        return self.out.bytes()

    # ---- tags ----------------------------------------------------------------------------------

    def _tag(self, code: int, at: int, end: int, is_end: bool) -> None:
        meaning = MARKDOWN[code]
        line = self.line
        if meaning == INLINE_MARK:
            if is_end:
                line.stop()
            elif code == A:
                address = address_of(self.html, b' href="', at, end)
                line.start(Mark(LINK, b"[", b"](" + address + b")"))
            else:
                kind, opens, closes = MARKS[code]
                line.start(Mark(kind, opens, closes))
        elif meaning == INLINE_CODE:
            if is_end:
                line.stop_code()
            else:
                line.start_code()
        elif code == BR:
            line.line_break()
        elif code == IMG:
            alt = value_of(self.html, b' alt="', at, end)
            line.picture(alt, address_of(self.html, b' src="', at, end))
        elif meaning == BOUNDARY:
            if self.table is not None:
                self._tag_in_table(self.table, code, at, end, is_end)
            else:
                self._block(code, at, end, is_end)

    def _block(self, code: int, at: int, end: int, is_end: bool) -> None:
        """Handle the start or end of a block."""
        self._end_line()
        if code == UL or code == OL or code == DL:
            if is_end:
                self._end_list()
            else:
                self._start_list(code, at, end)
        elif code == LI or code == DD or code == BLOCKQUOTE:
            if is_end:
                self._end_inside()
            else:
                self._start_inside(code)
        elif H1 <= code <= H6:
            self.heading = 0 if is_end else code - H1 + 1
            self.line.begin(PARAGRAPH_LINE if is_end else HEADING_LINE)
        elif code == HR:
            self._separate()
            self._begin_line()
            self.out.write(b"***")
        elif code == TABLE and not is_end and is_table(self.html, end):
            self.table = Table()
        elif code == P:
            self.is_in_p = not is_end

    def _end_line(self) -> None:
        """End the text of a paragraph, heading or item, and write it."""
        line = self.line
        line.end()
        if not line.out.size:
            if self.heading == 0:
                line.begin(PARAGRAPH_LINE)
            return
        is_text_of_item = not (self.heading or self.is_in_p) and self._is_in_item()
        self._separate()
        is_whole = self._write_lines(line.out, b"#" * self.heading + b" " if self.heading else b"")
        self.is_tight = is_whole and is_text_of_item
        line.begin(PARAGRAPH_LINE)

    def _is_in_item(self) -> bool:
        if not self.inside:
            return False
        innermost: Container = self.inside[len(self.inside) - 1]
        return innermost.code == LI or innermost.code == DD

    # ---- lines ---------------------------------------------------------------------------------

    def _separate(self) -> None:
        """Leave a blank line before the next block, or if none is needed, end the last line."""
        if self.out.size:
            if not (self.is_tight and self._begins_item()):
                self.out.put(LINE_FEED)
                self._write_trimmed(self.common)
            self.out.put(LINE_FEED)
        self.is_tight = False
        self.ended_list = b""

    def _begins_item(self) -> bool:
        """Return whether the next line begins with the mark of an item."""
        for at in range(self.common, self.lead.size):
            if self.lead.data[at] != self.prefix.data[at]:
                return True
        return False

    def _write_trimmed(self, size: int) -> None:
        while size and self.prefix.data[size - 1] == SPACE:
            size -= 1
        self.out.copy(self.prefix, 0, size)

    def _begin_line(self) -> None:
        """Write the prefix of a line; the next line has no marks of items."""
        lead = self.lead
        self.out.copy(lead, 0, lead.size)
        size = lead.size
        lead.size = 0
        lead.copy(self.prefix, 0, size)
        self.common = size

    def _write_lines(self, octets: Octets, first: bytes) -> bool:
        """Write the lines of a block; return whether none of them is blank."""
        is_whole = True
        out, data = self.out, octets.data
        self._begin_line()
        out.write(first)
        start = 0
        for at in range(octets.size):
            if data[at] == LINE_FEED:
                out.copy(octets, start, at + 1)
                start = at + 1
                if at + 1 < octets.size and data[at + 1] == LINE_FEED:
                    self._write_trimmed(self.prefix.size)
                    is_whole = False
                else:
                    out.copy(self.prefix, 0, self.prefix.size)
        out.copy(octets, start, octets.size)
        return is_whole

    def _write_block(self, block: bytes) -> None:
        if block:
            written = Octets(len(block))
            written.write(block)
            self._separate()
            self._write_lines(written, b"")

    # ---- lists, items and quotations -------------------------------------------------------------

    def _start_list(self, code: int, at: int, end: int) -> None:
        found = Container(code, self.prefix.size)
        if code == OL:
            value = value_of(self.html, b' start="', at, end)
            found.number = min(int(value or b"1"), LARGEST_NUMBER)
            found.bullet = b"."
            if found.number != 1:
                self.is_tight = False  # only a list from 1 may directly follow a paragraph
        self._set_apart(found)
        self.inside.append(found)

    def _set_apart(self, found: Container) -> None:
        """Give a list another bullet than that of the list that has just ended here."""
        if found.bullet == self.ended_list and self.prefix.size == self.ended_size:
            if found.code == OL:
                found.bullet = b")" if found.bullet == b"." else b"."
            else:
                found.bullet = b"+" if found.bullet == b"-" else b"-"

    def _end_list(self) -> None:
        found: Container = self.inside.pop()
        self.ended_list, self.ended_size = found.bullet, found.size

    def _start_inside(self, code: int) -> None:
        """Begin an item or a quotation."""
        around: Container | None = self.inside[len(self.inside) - 1] if self.inside else None
        self.inside.append(Container(code, self.prefix.size))
        self.depth += 1
        if self.depth > MOST_INSIDE:
            return
        mark = b"> "
        if code != BLOCKQUOTE:
            mark = b"- "
            if around is not None:
                if code == DD:
                    self._set_apart(around)  # the term before it may be a list
                mark = around.bullet + b" "
                if around.code == OL:
                    mark = b"%d" % around.number + mark
                    around.number = min(around.number + 1, LARGEST_NUMBER)
        self.lead.write(mark)
        self.prefix.write(mark if code == BLOCKQUOTE else b" " * len(mark))

    def _end_inside(self) -> None:
        found: Container = self.inside.pop()
        self.depth -= 1
        self.prefix.size = self.lead.size = found.size
        self.common = min(self.common, found.size)

    # ---- code ----------------------------------------------------------------------------------

    def _code_block(self, end: int) -> int:
        """Write a code block; return where its end tag ends."""
        self._end_line()
        html = self.html
        close = end_of_code(html, end)
        source = html[end:close]
        language = b""
        if source.startswith(b'<code class="language-'):
            language = source[len(b'<code class="language-') : source.index(b'"', 22)]
        text = literal(source)
        if text:
            fence = b"`" * max(3, longest_run(text) + 1)
            self._write_block(fence + language + b"\n" + text + b"\n" + fence)
        for picture in _PICTURE.finditer(source) if b"<img" in source else ():
            alt = value_of(html, b' alt="', end + picture.start(), end + picture.end())
            self.line.picture(
                alt, address_of(html, b' src="', end + picture.start(), end + picture.end())
            )
            self._end_line()
        return close + len(b"</pre>")

    # ---- tables --------------------------------------------------------------------------------

    def _tag_in_table(self, table: Table, code: int, at: int, end: int, is_end: bool) -> None:
        """Handle a part of a table that is written as one, or a paragraph in it."""
        line = self.line
        if code == TD or code == TH:
            if is_end:
                line.end()
                table.add(line.out.bytes())
                line.begin(PARAGRAPH_LINE)
            else:
                line.begin(CELL_LINE)
                columns = rows = 1
                if self.html[at + 3] == SPACE:
                    columns = int(value_of(self.html, b' colspan="', at, end) or b"1")
                    rows = int(value_of(self.html, b' rowspan="', at, end) or b"1")
                table.begin_cell(code == TH, columns, rows)
        elif code == TR:
            if not is_end:
                table.begin_row()
        elif code == P:
            line.line_break()
        elif code == CAPTION:
            self._end_line()
        elif code == TABLE:
            self.table = None
            self._write_block(table.written())


def end_of_code(html: bytes, at: int) -> int:
    """Return where the code block ends whose content begins at `at`; it may hold other ones."""
    end = html.find(b"</pre>", at)
    if end >= 0 and html.find(b"<pre", at, end) < 0:
        return end
    depth = 1
    for tag in _PRE.finditer(html, at):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.start()
    return len(html)


def value_of(html: bytes, name: bytes, at: int, end: int) -> bytes:
    """Return the raw value of an attribute of a clean tag; empty without it."""
    length = len(name)
    for place in range(at, end - length):
        if html[place] == SPACE and html[place + 1] == name[1]:
            if html[place : place + length] == name:
                first = last = place + length
                while html[last] != QUOTE:
                    last += 1
                return html[first:last]
    return b""


def address_of(html: bytes, name: bytes, at: int, end: int) -> bytes:
    """Return the address in an attribute, escaped for the parentheses of a link."""
    value = value_of(html, name, at, end)
    for place in range(len(value)):
        if ADDRESS[value[place]]:
            break
    else:
        return value
    address = html_references.unescape(value.decode())
    return _REFERENCE.sub(r"\\&", _IN_ADDRESS.sub(r"\\\g<0>", address)).encode()


_PRE = re.compile(rb"<(/?)pre\b")
_PICTURE, _TICKS = re.compile(rb"<img[^<>]*>"), re.compile(rb"`+")


def literal(source: bytes) -> bytes:
    """Return the text of code, with tags removed and character references resolved.

    A tag of a block separates lines. Highlighted code has a tag for each word, so that most of the
    time for a page of documentation is spent here.
    """
    text = Octets(len(source))
    at, size = 0, len(source)
    while at < size:
        octet = source[at]
        if octet == LESS:
            end = at
            while end < size and source[end] != GREATER:
                end += 1
            if end < size:
                if not is_within_line(source, at):
                    text.put(LINE_FEED)
                at = end + 1
                continue
        elif octet == AMPERSAND:
            following = source[at + 1 : at + 5]
            if following[:3] == b"lt;" or following[:3] == b"gt;":
                text.put(LESS if following[:1] == b"l" else GREATER)
                at += 4
                continue
            if following == b"amp;":
                at += 4
        text.put(octet)
        at += 1
    lines = text.bytes().strip(b"\n")
    return lines if lines.strip() else b""


def is_within_line(html: bytes, at: int) -> bool:
    """Return whether the tag that begins at `at` is an inline one."""
    if html[at + 1] == SLASH:
        at += 1
    hashed, name = HASH_START, at + 1
    while html[name] != GREATER and html[name] != SPACE:
        hashed = ((hashed ^ html[name]) * HASH_FACTOR) & HASH_MASK
        name += 1
    code = code_of(hashed)
    return code == IMG or WHAT[code] & INLINE != 0


def longest_run(text: bytes) -> int:
    """Return the length of the longest run of backticks."""
    if b"`" not in text:
        return 0
    return max(map(len, _TICKS.findall(text)))
