"""Constants of the outline's arrays: kinds of events, flags, limits, positions of bits.

Compiled modules read them from here.
"""

from __future__ import annotations

# --- the tape -----------------------------------------------------------------------------------

OPEN, CLOSE, TEXT, EMPTY = range(4)
"""The kind of an event on the tape, in its lowest two bits: an element opens or closes, a text, an
element without content. The higher bits are the number of the element or text."""

# --- texts --------------------------------------------------------------------------------------

LINKED, LEADING_SPACE, TRAILING_SPACE, RAW_TEXT = (1 << bit for bit in range(4))
"""Flags of a text: it is in a link, begins or ends with whitespace, has no references."""

MOST_SEGMENTS = 100_000
"""Maximum segments of a page; a long page has a few thousand. The last one takes all the rest."""

# --- tables -------------------------------------------------------------------------------------

LEAST_CELLS = 4
"""Minimum cells of a data table: two rows of two. A smaller one frames a picture or a note."""

# --- character references -----------------------------------------------------------------------

SECOND, LENGTH = 21, 42
"""The lowest bits of the second character and of the length in the number that
`references.reference` returns: two characters of 21 bits each, and a length."""
CHARACTER = (1 << SECOND) - 1
NO_BREAK_SPACE = 0xA0 | len("&nbsp;") << LENGTH

# --- hashes of bytes ----------------------------------------------------------------------------

BEGINNINGS = 1024
"""Entries of the table of hashed groups of bytes in `parts.Parts`: a power of two."""
SHORTEST = 3
"""Bytes of such a group, and of the shortest part: three adjacent bytes are far rarer than two."""
START, FACTOR, EVERYTHING = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
"""The parameters of 64-bit FNV-1a: see `hashing`."""
