"""The numbers that the outline's arrays are written in. Compiled modules read them from here."""

from __future__ import annotations

# --- the tape -----------------------------------------------------------------------------------

OPEN, CLOSE, TEXT, EMPTY = range(4)
"""What an event on the tape is, in its lowest two bits: an element that begins or ends, a text, an
element that holds nothing. Above them stands the number of the element or text."""

# --- texts --------------------------------------------------------------------------------------

LINKED, LEADING_SPACE, TRAILING_SPACE, RAW_TEXT = (1 << bit for bit in range(4))
"""Flags of a text: it is in a link, begins or ends with white space, holds no references."""

MOST_SEGMENTS = 100_000
"""Segments of a page; a long one has some thousand. The text behind them is read as one."""

# --- tables -------------------------------------------------------------------------------------

LEAST_CELLS = 4
"""Two rows of two; what has fewer is a frame around a picture or a note."""

# --- character references -----------------------------------------------------------------------

SECOND, LENGTH = 21, 42
"""`references.reference` packs two characters, 21 bits each, and a length into one number: where
the second character and the length begin."""
CHARACTER = (1 << SECOND) - 1
NO_BREAK_SPACE = 0xA0 | len("&nbsp;") << LENGTH

# --- hashes of octets ---------------------------------------------------------------------------

BEGINNINGS = 1024
"""Entries of a table of what texts may begin with, by their first two octets: a power of two."""
START, FACTOR, EVERYTHING = 0xCBF29CE484222325, 0x100000001B3, (1 << 64) - 1
"""FNV-1a in 64 bits: see `hashing`."""
