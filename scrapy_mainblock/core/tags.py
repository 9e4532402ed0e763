"""Which elements break a line, and which a reader never sees."""

from __future__ import annotations

INVISIBLE_TAGS = frozenset(
    "applet area audio base canvas datalist embed head iframe link map math meta noembed noframes"
    " noscript object param script source style svg template title track video".split()
)
# Controls of a form are not text of the page, whatever their labels say.
UNPRINTED_TAGS = INVISIBLE_TAGS | {"button", "input", "select", "textarea"}

PARAGRAPH_TAGS = frozenset(
    "address article aside blockquote body center details dir div dl fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend main menu nav ol p pre section"
    " summary table ul".split()
)
LINE_TAGS = frozenset("br caption dd dt li option optgroup tbody tfoot thead tr".split())
CELL_TAGS = frozenset({"td", "th"})
BLOCK_TAGS = PARAGRAPH_TAGS | LINE_TAGS | CELL_TAGS | {"listing", "plaintext", "xmp", "search"}
"""Elements with a line break before and behind them."""

LISTS = frozenset({"blockquote", "dl", "ol", "pre", "table", "ul"})
"""Elements of many short lines, which belong together."""

KEPT_INLINE = frozenset(
    "a abbr b cite code del em i ins kbd mark q s samp small strong sub sup time u var".split()
)
"""Elements within a line that clean HTML keeps."""
