"""The elements of HTML: a code for each tag name, and flags that tell the scan how to treat it.

The scan looks names up by their hash, in `SLOT_HASH` and `SLOT_CODE`. A name that is not listed
here has the code `UNKNOWN` and is an inline element without special rules.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

UNKNOWN = 0

# --- what a reader sees -------------------------------------------------------------------------

INVISIBLE_TAGS = frozenset(
    "applet area audio base canvas datalist embed head iframe link map math meta noembed noframes"
    " noscript object param script source style svg template title track video".split()
)
# Form controls are not part of the page's text, whatever their labels say.
HIDDEN_TAGS = INVISIBLE_TAGS | {"button", "input", "select", "textarea"}

PARAGRAPH_TAGS = frozenset(
    "address article aside blockquote body center details dir div dl fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend main menu nav ol p pre section"
    " summary table ul".split()
)
LINE_TAGS = frozenset("br caption dd dt li option optgroup tbody tfoot thead tr".split())
CELL_TAGS = frozenset({"td", "th"})
BLOCK_TAGS = (
    PARAGRAPH_TAGS | LINE_TAGS | CELL_TAGS | {"listing", "marquee", "plaintext", "search", "xmp"}
)
"""Elements with a line break before and after them."""

LIST_TAGS = frozenset({"blockquote", "dl", "ol", "pre", "table", "ul"})
"""Elements of many short lines that belong together."""
HEADING_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
KEPT_INLINE_TAGS = frozenset(
    "a abbr b cite code del em i ins kbd mark q s samp small strong sub sup time u var".split()
)
"""Inline elements that clean HTML keeps."""

# --- HTML's rules of tree construction ----------------------------------------------------------
# https://html.spec.whatwg.org/multipage/parsing.html, section 13.2.

_VOID = (
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source"
    " track wbr"
)
_RAW = "iframe noembed noframes noscript plaintext script style textarea title xmp"
_FORMATTING = "a b big code em font i nobr s small strike strong tt u"
_SPECIAL = (
    "address applet area article aside base basefont bgsound blockquote body br button caption"
    " center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form"
    " frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link"
    " listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre"
    " script search section select source style summary table tbody td template textarea tfoot th"
    " thead title tr track ul wbr xmp"
)
_CLOSES_P = (
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption"
    " figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext"
    " pre search section summary ul xmp"
)
_SCOPE = "applet caption html marquee object table td template th"
_MARKER = "applet caption marquee object td template th"
_IN_HEAD = "base basefont bgsound link meta noframes script style template title"
_TABLE_PART = "caption col colgroup tbody td tfoot th thead tr"
_TABLE_CONTEXT = "table tbody tfoot thead tr"
_MODE = "body caption colgroup html select table tbody td tfoot th thead tr"
_BREAKOUT = (
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li"
    " listing menu meta nobr ol p pre ruby s small span strike strong sub sup table tt u ul var"
)

_WITH_RULES = (  # start tags that do more than close some elements and open one
    f"body button caption dd dt form frame frameset h1 h2 h3 h4 h5 h6 head hr html image"
    f" listing math nobr optgroup option plaintext pre rb rp rt rtc select svg table template"
    f" {_RAW} {_TABLE_PART}"
)
_ENDS_IN_SCOPE = (
    "address article aside blockquote button center details dialog dir div dl fieldset figcaption"
    " figure footer header hgroup listing main menu nav ol pre search section select summary ul"
)

NAMES: tuple[str, ...] = (
    "",
    *sorted(
        set(
            f"{_VOID} {_RAW} {_FORMATTING} {_SPECIAL} {_CLOSES_P} {_SCOPE} {_IN_HEAD} {_BREAKOUT}"
            f" {_ENDS_IN_SCOPE} image abbr audio canvas cite datalist del dfn ins kbd label"
            " legend map mark math optgroup option picture q rb rp rt rtc ruby samp svg time var"
            " video".split()
        )
        | BLOCK_TAGS
        | HIDDEN_TAGS
        | KEPT_INLINE_TAGS
    ),
    # Not HTML elements, but entries on the stack of open elements.
    "#foreign",
    "#integration",
    "#closed",
)
"""The tag name of each code."""
CODES = {name: code for code, name in enumerate(NAMES)}

# Flags of a tag, as bits.
VOID, RAW, HIDDEN, BLOCK, SPECIAL, FORMATTING, CLOSES_P, HEADING = (1 << bit for bit in range(8))
SCOPE, IN_HEAD, TABLE_PART, TABLE_CONTEXT, MODE, BREAKOUT, HARD, MARKER = (
    1 << bit for bit in range(8, 16)
)
KEPT_INLINE, LIST, PREFORMATTED, FLOW, PLAIN, ENDS_IN_SCOPE, FOREIGN, NOT_HTML = (
    1 << bit for bit in range(16, 24)
)
TRACKED = SPECIAL | HARD | SCOPE | MODE | MARKER | NOT_HTML
"""Flags for which the stack of open elements tracks the last element that has them."""


def _flags() -> array[int]:
    flags = array("I", [0] * 256)

    def mark(flag: int, names: Iterable[str]) -> None:
        for name in names:
            flags[CODES[name]] |= flag

    mark(VOID, _VOID.split())
    mark(RAW, _RAW.split())
    mark(HIDDEN, HIDDEN_TAGS)
    mark(BLOCK, BLOCK_TAGS)
    mark(SPECIAL, _SPECIAL.split())
    mark(FORMATTING, _FORMATTING.split())
    mark(CLOSES_P, _CLOSES_P.split())
    mark(HEADING, HEADING_TAGS)
    mark(SCOPE, _SCOPE.split())
    mark(IN_HEAD, _IN_HEAD.split())
    mark(TABLE_PART, _TABLE_PART.split())
    mark(TABLE_CONTEXT, _TABLE_CONTEXT.split())
    mark(MODE, _MODE.split())
    mark(FLOW, ("body", "caption", "td", "th"))
    mark(BREAKOUT, _BREAKOUT.split())
    mark(PLAIN, set(NAMES[: CODES["#foreign"]]) - set(_WITH_RULES.split()))
    mark(ENDS_IN_SCOPE, _ENDS_IN_SCOPE.split())
    # A new <li> closes an open <li> only if none of these is open in between.
    mark(HARD, set(_SPECIAL.split()) - {"address", "div", "p"})
    mark(MARKER, _MARKER.split())
    mark(KEPT_INLINE, KEPT_INLINE_TAGS)
    mark(LIST, LIST_TAGS)
    mark(PREFORMATTED, ("listing", "plaintext", "pre", "xmp"))
    mark(SCOPE | SPECIAL | HARD | MODE | FLOW | MARKER | NOT_HTML, ["#integration"])
    mark(FOREIGN | NOT_HTML, ["svg", "math", "#foreign"])
    return flags


FLAGS = _flags()
"""The flags of each code."""

# --- names by their hash ------------------------------------------------------------------------

HASH_START, HASH_FACTOR, HASH_MASK = 0x011C9DC5, 16777619, 0x7FFFFFFF
"""The parameters of 31-bit FNV-1a, over a name in lower case."""
SLOTS = 1024


def name_hash(name: bytes) -> int:
    """Return the hash of a name in lower case."""
    found = HASH_START
    for octet in name:
        found = ((found ^ octet) * HASH_FACTOR) & HASH_MASK
    return found


def _slots() -> tuple[array[int], array[int]]:
    hashes, codes = array("I", [0] * SLOTS), array("i", [UNKNOWN] * SLOTS)
    for code, name in enumerate(NAMES):
        if not name[:1].isalpha():
            continue
        hashed = name_hash(name.encode())
        slot = (hashed ^ hashed >> 15) % SLOTS
        while codes[slot]:
            slot = (slot + 1) % SLOTS
        hashes[slot], codes[slot] = hashed, code
    return hashes, codes


SLOT_HASH, SLOT_CODE = _slots()
