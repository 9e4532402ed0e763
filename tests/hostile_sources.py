"""Sources on which a quadratic pattern or a quadratic scan takes minutes."""

from __future__ import annotations

MANY = 100_000
ADVERSARIAL = {
    **{
        repr(piece): piece * MANY
        for piece in (
            *("<a ", '<a "', "<a '\"", "<a href=1>", '<a href="', "<a \"<a '", "<a \"='<a '=\""),
            *("<!--", "<!-- -", "--", "<!", "<?", "</", "</a", "</a ", "<script", "<script ", "&"),
            *("<textarea>", "<p x=", '="', "<b '", "a ", "<", ">", "年", "&#1"),
        )
    },
    "ends without >": "<script>" + "</script " * MANY,
    "one long name": "<" + "a" * MANY + "<",
    "one long end name": "</" + "a" * MANY + "<",
    "spaces in a tag": "<a x" + " " * MANY + "href>",
    "attributes": "<a x " + "href2 " * MANY + ">",
    "equals": "<a x " + "= " * MANY + " href=1>",
    "a long number": "<a href=1>x</a>&#" + "1" * MANY + ";<a href=1>x</a>",
    "apostrophes": "<a href=1>x</a>" + "a'" * MANY + "<a href=1>x</a>",
}
