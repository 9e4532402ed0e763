"""Places: where a block stands, in terms of names that are the same on all pages of a site.

A place is the chain of enclosing blocks, such as ``div#main > article > div.entry > p``. A step is
a tag with its id, or else with its first class, or else alone. Names that contain a number differ
from page to page and are ignored. A block without a usable name is distinguished from its siblings
by its position if its tag is one that layouts are made of. One name is enough: all classes in any
order, the first two, and the first alone were tried and found equally good, and the classes after
the first are those that differ from page to page (the ``category-news`` of a blog).
"""

from __future__ import annotations

from array import array

from scrapy_mainblock.outline.buffers.arrays import hashes, ints
from scrapy_mainblock.outline.buffers.hashing import Numbers, extended
from scrapy_mainblock.outline.html.references import decoded
from scrapy_mainblock.outline.html.tags import CODES, NAMES
from scrapy_mainblock.outline.layout import EVERYTHING, FACTOR, LEAST_CELLS, START
from scrapy_mainblock.outline.rows import Rows

ROOT = ""
"""The chain of the body."""
UNDER = " > "
NUMBERED_TAGS = frozenset(
    {"article", "center", "div", "main", "section", "table", "tbody", "td", "tr"}
)
"""Tags of layout: a block without a name gets its position. Paragraphs do not."""
LISTS_OF_LINKS = frozenset({"ol", "p", "ul"})
OF_LINKS = ":links"
"""Suffix of the step of a list or paragraph that consists of links: navigation uses the same
elements as the text of an article."""
MOSTLY = 0.8
DEEPEST = 40
"""Maximum steps of a chain; a deeper block is at the place of its ancestor."""
LONGEST_NAME = 110
"""Maximum bytes of an id or a class; a longer one is not used as a name."""
LONGEST_CHAIN = 1000
"""Maximum bytes of a chain; a block whose chain would be longer is at the place of its ancestor.
The longest chains of real pages have about 500."""

TABLE_PARTS = frozenset({"caption", "tbody", "td", "tfoot", "th", "thead", "tr"})
CELLS = frozenset({"caption", "td", "th"})
LAYOUT_SHARE, LONG_CELLS = 0.3, 40
"""A table is layout if it holds more than this share of the page's text and its segments have more
than this many characters on average."""

BY_ID, BY_CLASS = 1, 2
NUMBER_SIGN, AMPERSAND, HYPHEN, FULL_STOP, UNDERSCORE = 0x23, 0x26, 0x2D, 0x2E, 0x5F
OPENS, CLOSES, ZERO = 0x5B, 0x5D, 0x30
P, TABLE = CODES["p"], CODES["table"]
IS_NUMBERED, IS_LIST, IS_PART, IS_CELL = (1 << bit for bit in range(4))


def _kind_of_tag(name: str) -> int:
    kinds = (NUMBERED_TAGS, LISTS_OF_LINKS, TABLE_PARTS, CELLS)
    return sum(1 << bit for bit, tags in enumerate(kinds) if name in tags)


KIND_OF_TAG = bytes(map(_kind_of_tag, NAMES))
TAG_NAMES = [name.encode() for name in NAMES]
UNDER_OCTETS, OF_LINKS_OCTETS = UNDER.encode(), OF_LINKS.encode()
LENGTH_OF_UNDER = len(UNDER)

LEAST_HASH, MOST_HASH = 2, 8
"""Minimum and maximum length of a CSS module's hash: letters and digits after ``__``."""
LEAST_SUFFIX, MOST_SUFFIX = 5, 10
"""Minimum and maximum length of a CSS-in-JS hash: lower-case letters and digits after ``-``."""


class Places:
    """The place of each block of a page.

    `hashes` are the hashes of the blocks' chains. The other arrays describe the step of each block:
    its name (from `name_at` to `name_end` in the source, an id or a class: `named_by`), its
    `position` if it needs one, whether it consists of links (`of_links`), whether the block has no
    step and shares its parent's place (`is_same`), and an earlier sibling that is at the same place
    (`twin`, or -1): hashing the chain again takes longer than comparing two steps.
    """

    def __init__(self, page: Rows) -> None:
        self.page = page
        self._make_rows(page.block_count)
        self._find()

    def _make_rows(self, count: int) -> None:
        rows = ints(9 * count)
        self.name_at, self.name_end = rows[:count], rows[count : 2 * count]
        self.named_by, self.position = rows[2 * count : 3 * count], rows[3 * count : 4 * count]
        self.of_links, self.is_same = rows[4 * count : 5 * count], rows[5 * count : 6 * count]
        self.depth, self.length = rows[6 * count : 7 * count], rows[7 * count : 8 * count]
        self.twin = rows[8 * count :]
        self.hashes = hashes(count)
        self._chains: list[str | None] = []

    def _find(self) -> None:
        page = self.page
        in_data = data_tables(page)
        count = page.block_count
        siblings, room = Numbers(count), ints(2 * count + 3)
        positions, latest, found = room[:count], room[count : 2 * count], room[2 * count :]
        for block in range(count):
            positions[block] = 0
            latest[block] = -1
        for block in range(count):
            self.named_by[block] = self.position[block] = 0
            self.of_links[block] = self.is_same[block] = 0
            self.twin[block] = -1
            parent = page.block_parent[block]
            if parent < 0:
                self.hashes[block] = START
                self.depth[block] = self.length[block] = 0
                continue
            element = page.block_element[block]
            tag = page.tag[element]
            self.depth[block] = self.depth[parent] + 1
            if self.depth[block] > DEEPEST or (in_data[block] and tag != TABLE):
                self._share_parent_place(block, parent)
                continue
            length = len(TAG_NAMES[tag])
            find_name(page, element, found)
            self.named_by[block], self.name_at[block], self.name_end[block] = (
                found[0],
                found[1],
                found[2],
            )
            if found[0]:
                length += 1 + self.name_end[block] - self.name_at[block]
            elif KIND_OF_TAG[tag] & IS_NUMBERED and not in_data[block]:
                number = siblings.number(parent << 8 | tag)
                positions[number] += 1
                self.position[block] = positions[number]
                length += 2 + digits_of(positions[number])
            if KIND_OF_TAG[tag] & IS_LIST and self._is_of_links(block):
                self.of_links[block] = 1
                length += len(OF_LINKS_OCTETS)
            if self.depth[parent]:
                length += self.length[parent] + LENGTH_OF_UNDER
            if length > LONGEST_CHAIN:
                self._share_parent_place(block, parent)
                continue
            self.length[block] = length
            other = latest[parent]
            if other >= 0 and self._is_twin(block, other):
                self.twin[block], self.hashes[block] = other, self.hashes[other]
            else:
                self.hashes[block] = self._below(self.hashes[parent], block)
            latest[parent] = block

    def _is_twin(self, block: int, other: int) -> bool:
        """Return whether two blocks with the same parent have the same step."""
        page = self.page
        if (
            page.tag[page.block_element[block]] != page.tag[page.block_element[other]]
            or self.named_by[block] != self.named_by[other]
            or self.position[block] != self.position[other]
            or self.of_links[block] != self.of_links[other]
        ):
            return False
        if not self.named_by[block]:
            return True
        start, size = self.name_at[block], self.name_end[block] - self.name_at[block]
        behind = self.name_at[other] - start
        if self.name_end[other] - self.name_at[other] != size:
            return False
        for at in range(start, start + size):
            if page.source[at] != page.source[behind + at]:
                return False
        return True

    def _share_parent_place(self, block: int, parent: int) -> None:
        self.is_same[block] = 1
        self.hashes[block] = self.hashes[parent]
        self.length[block] = self.length[parent]

    def _below(self, around: int, block: int) -> int:
        """Return the hash of a block's chain, given the hash of the chain around it."""
        if around != START:
            around = extended(around, UNDER_OCTETS, 0, LENGTH_OF_UNDER)
        return self._with_step(around, block)

    def step_hash(self, block: int) -> int:
        """Return the hash of a block's step alone, or of the nearest step around it."""
        while self.is_same[block]:
            block = self.page.block_parent[block]
        return START if self.page.block_parent[block] < 0 else self._with_step(START, block)

    def _with_step(self, found: int, block: int) -> int:
        """Return the hash `found`, continued with a block's step."""
        page = self.page
        name = TAG_NAMES[page.tag[page.block_element[block]]]
        found = extended(found, name, 0, len(name))
        if self.named_by[block]:
            mark = NUMBER_SIGN if self.named_by[block] == BY_ID else FULL_STOP
            found = ((found ^ mark) * FACTOR) & EVERYTHING
            start, end = self.name_at[block], self.name_end[block]
            if has_reference(page.source, start, end):
                name = self.name(block).encode()
                found = extended(found, name, 0, len(name))
            else:
                found = extended(found, page.source, start, end)
        elif self.position[block]:
            found = with_position(found, self.position[block])
        if self.of_links[block]:
            found = extended(found, OF_LINKS_OCTETS, 0, len(OF_LINKS_OCTETS))
        return found

    def _is_of_links(self, block: int) -> bool:
        page = self.page
        chars = linked = 0
        for segment in range(page.block_first[block], page.block_end[block]):
            chars += page.segment_chars[segment]
            linked += page.segment_link_chars[segment]
        return linked > MOSTLY * chars

    def under(self, first: int, end: int) -> memoryview:
        """Return the hashes of the chains of a range of blocks, relative to the block around them.

        The first hash is that of the block around them, an empty chain.
        """
        found = hashes(end - first + 1)
        found[0] = START
        for block in range(first, end):
            around = found[max(self.page.block_parent[block] - first + 1, 0)]
            if self.is_same[block]:
                found[block - first + 1] = around
            elif self.twin[block] >= first:
                found[block - first + 1] = found[self.twin[block] - first + 1]
            else:
                found[block - first + 1] = self._below(around, block)
        return found

    def with_text(self) -> memoryview[int]:
        """Return the hashes of the places that hold text; they are stable across runs and sites."""
        page, seen = self.page, Numbers(self.page.block_count)
        found = hashes(self.page.block_count)
        count = 0
        for block in range(page.block_count):
            if page.block_end[block] > page.block_first[block]:
                if seen.number(self.hashes[block]) == count:
                    found[count] = self.hashes[block]
                    count += 1
        return found[:count]

    def name(self, block: int) -> str:
        """Return the id or class in a block's step."""
        return decoded(self.page.source[self.name_at[block] : self.name_end[block]], True)

    def step(self, block: int) -> str:
        """Return a block's step as text."""
        page = self.page
        step = NAMES[page.tag[page.block_element[block]]]
        if self.named_by[block]:
            step += f"{'#' if self.named_by[block] == BY_ID else '.'}{self.name(block)}"
        elif self.position[block]:
            step += f"[{self.position[block]}]"
        return step + OF_LINKS if self.of_links[block] else step

    def chain(self, block: int) -> str:
        """Return the chain of a block as text; cached, since blocks share their ancestors."""
        if not self._chains:
            self._chains = [None] * self.page.block_count
        inside: list[int] = []  # blocks may be nested too deep for a recursion
        while block >= 0 and self._chains[block] is None:
            inside.append(block)
            block = self.page.block_parent[block]
        found = ROOT if block < 0 else self._chains[block] or ROOT
        while inside:
            block = inside.pop()
            if self.page.block_parent[block] >= 0 and not self.is_same[block]:
                step = self.step(block)
                found = f"{found}{UNDER}{step}" if found else step
            self._chains[block] = found
        return found


def with_position(found: int, position: int) -> int:
    """Return the hash `found`, continued with a position in brackets."""
    found = ((found ^ OPENS) * FACTOR) & EVERYTHING
    unit = 1
    while unit * 10 <= position:
        unit *= 10
    while unit:
        found = ((found ^ (ZERO + position // unit % 10)) * FACTOR) & EVERYTHING
        unit //= 10
    return ((found ^ CLOSES) * FACTOR) & EVERYTHING


def smallest(found: memoryview[int], count: int) -> memoryview[int]:
    """Return the smallest of some hashes."""
    return memoryview(array("Q", sorted(found)[:count]))


def step_of(rows: Rows, element: int) -> str:
    """Return the step of any element: its tag, with its name if that is the same on all pages."""
    found = ints(3)
    find_name(rows, element, found)
    tag = rows.name(element)
    if not found[0]:
        return tag
    name = decoded(rows.source[found[1] : found[2]], True)
    return f"{tag}{'#' if found[0] == BY_ID else '.'}{name}"


def find_name(rows: Rows, element: int, found: memoryview) -> None:
    """Find the id or the first class of an element that is the same on all pages.

    Write to `found` `BY_ID`, `BY_CLASS` or 0 (no name), then the name's range in the source.
    """
    source = rows.source
    start, end = rows.id_at[element], rows.id_end[element]
    while start < end and source[start] <= 0x20:
        start += 1
    while start < end and source[end - 1] <= 0x20:
        end -= 1
    found[0] = BY_ID
    if start == end or not is_one_word(source, start, end):
        found[0] = BY_CLASS
        at, last = rows.class_at[element], rows.class_end[element]
        start = end = at
        while at < last:
            while at < last and source[at] <= 0x20:
                at += 1
            start = at
            has_digit = False
            while at < last and source[at] > 0x20:
                has_digit = has_digit or 0x30 <= source[at] <= 0x39
                at += 1
            end = at
            if start < end and (not has_digit or is_made_by_tool(source, start, end)):
                break
            start = end
    if start == end or end - start > LONGEST_NAME:
        found[0] = 0
    found[1], found[2] = start, end


def is_made_by_tool(octets: bytes, start: int, end: int) -> bool:
    """Return whether the digits in a class are a hash made by a tool, not a running number.

    CSS modules and CSS-in-JS make names such as ``Text_block__x9Qd2`` and ``css-1a2b3c``, which
    are the same on every page until the site is built again. No digit comes before the hash; the
    hash of CSS-in-JS has digits between lower-case letters.
    """
    at = end
    while at > start and is_alphanumeric(octets[at - 1]):
        at -= 1
    suffix = end
    while suffix > at and not 0x41 <= octets[suffix - 1] <= 0x5A:
        suffix -= 1
    if at - start > 1 and octets[at - 1] == octets[at - 2] == UNDERSCORE:
        is_hash = LEAST_HASH <= end - at <= MOST_HASH
    elif at > start and octets[at - 1] == HYPHEN and suffix == at:
        is_hash = LEAST_SUFFIX <= end - at <= MOST_SUFFIX
        while suffix < end and octets[suffix] > 0x39:
            suffix += 1
        is_hash = is_hash and suffix < end
        while suffix < end and octets[suffix] <= 0x39:
            suffix += 1
        is_hash = is_hash and suffix < end
    else:
        is_hash = False
    if is_hash:
        for before in range(start, at):
            if 0x30 <= octets[before] <= 0x39:
                return False
    return is_hash


def is_alphanumeric(octet: int) -> bool:
    """Return whether a byte is an ASCII letter or digit."""
    return 0x30 <= octet <= 0x39 or 0x61 <= octet | 0x20 <= 0x7A


def has_reference(source: bytes, start: int, end: int) -> bool:
    """Return whether a name has an ampersand, or a NUL, which is left out of the name."""
    for at in range(start, end):
        if source[at] == AMPERSAND or not source[at]:
            return True
    return False


def digits_of(number: int) -> int:
    """Return how many decimal digits a number has."""
    digits = 1
    while number >= 10:
        number //= 10
        digits += 1
    return digits


def is_one_word(source: bytes, start: int, end: int) -> bool:
    """Return whether a name contains neither a digit nor a space."""
    for at in range(start, end):
        if source[at] == 0x20 or 0x30 <= source[at] <= 0x39:
            return False
    return True


def data_tables(page: Rows) -> memoryview:
    """Return for each block whether it is a data table, or a row or cell of one.

    A data table contains only rows and cells with a line of text each, and no large share of the
    page (`LAYOUT_SHARE`). A table that contains other blocks is layout.
    """
    count = page.block_count
    room = ints(2 * count + page.segment_count + 1)
    table_of, is_layout = room[:count], room[count : 2 * count]
    before = room[2 * count :]  # prefix sums, or nested tables take quadratic time
    before[0] = 0
    for segment in range(page.segment_count):
        before[segment + 1] = before[segment] + page.segment_length[segment]
    length = before[page.segment_count]
    for block in range(count):
        is_layout[block] = 0
        parent = page.block_parent[block]
        around = table_of[parent] if parent >= 0 else -1
        tag = page.tag[page.block_element[block]]
        if around >= 0 and not KIND_OF_TAG[tag] & IS_PART:
            above = page.tag[page.block_element[parent]]
            if tag != P or not KIND_OF_TAG[above] & IS_CELL:
                is_layout[around] = 1
        table_of[block] = block if tag == TABLE else around
        if tag == TABLE and not is_layout[block]:
            cells = page.block_end[block] - page.block_first[block]
            held = before[page.block_end[block]] - before[page.block_first[block]]
            is_large = held > LAYOUT_SHARE * length and held > LONG_CELLS * cells
            if is_large or cells < LEAST_CELLS:
                is_layout[block] = 1
    for block in range(count):
        around = table_of[block]
        table_of[block] = around >= 0 and not is_layout[around]
    return table_of
