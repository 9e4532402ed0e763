"""Hostile pages of any size, for the tests and for the benchmark.

`GROWING` has pages that become expensive with their size, `FIXED` has pages that are broken in
other ways, and `collections()` returns inputs that others have collected, if they are available:
html5lib's suite, the list of naughty strings, and the list of XSS payloads. Nothing here differs
from run to run.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

Source = bytes | str

WORDS = "some words of a text, that go on for a while, and end here. "
PAGE = (
    '<html><head><meta charset="utf-8"><title>A tïtle ☃ | Site</title></head><body>'
    '<ul class="menu"><li><a href="/1">One</a></li><li><a href="/2">Two</a></li></ul>'
    f'<div id="content" class="entry"><h1>A tïtle ☃</h1><p>{WORDS * 4}</p><p>{WORDS * 3}</p></div>'
    '<div class="foot"><a href="/imprint">Imprint</a></div></body></html>'
)
"""An ordinary page, to be surrounded by or filled with hostile input."""


def _letters(number: int) -> str:
    """Return a name without digits that is different for each number."""
    name = ""
    for _ in range(5):
        number, letter = divmod(number, 26)
        name += chr(ord("a") + letter)
    return name


def _repeat(piece: str, head: str = "", tail: str = "") -> Callable[[int], str]:
    return lambda size: head + piece * (size // len(piece)) + tail


def _numbered(piece: Callable[[int], str]) -> Callable[[int], str]:
    return lambda size: "".join(map(piece, range(size // len(piece(99_999)))))


def _random_tags(size: int) -> str:
    pieces = (
        "<div> </div> <p> </p> <b> </b> <table> </table> <tr> <td> <ul> <li> text <a\thref=x> </a>"
        " <!--x--> <script></script> <br> <h1> &amp; <pre> </pre> <select> <form> <svg> <title>"
    ).split(" ")
    dice = random.Random(size)
    return "".join(dice.choices(pieces, k=size // 5))


def _attributes(size: int) -> str:
    return f"<p {' '.join(f'a{n}=1' for n in range(size // 9))}>{WORDS}</p>"


def _disguised_attributes(size: int) -> str:
    """Return attributes that look like tags, behind a quote that looks open: hard to count."""
    values = " ".join(f'a{n}="></script><b c="' for n in range(size // 27))
    return f'<p>{WORDS}</p><script>if (x<b && y="</script><p {values}>{WORDS}'


GROWING: dict[str, Callable[[int], Source]] = {
    # nesting
    "nested div": _repeat("<div>"),
    "nested div with text": _repeat("<div>word "),
    "unclosed b": _repeat("<b>x"),
    "nested a": _repeat('<a href="/x">x'),
    "nested table": _repeat("<table><tr><td>x"),
    "nested lists": _repeat("<ul><li>x"),
    "nested headings": _repeat("<h1><b>x"),
    "nested pre": _repeat("<pre>x\n"),
    "misnested": _repeat("<b><div></b>x"),
    "unclosed font in p": _repeat("<p><font>word "),
    "svg titles": _repeat("<svg><title>x"),
    "forms": _repeat("<form><p>x"),
    "deep, then closed": lambda size: (
        "<div>" * (size // 11) + "x" + "</div>" * (size // 11) + f"<p>{WORDS}</p>"
    ),
    "deep and wide": _repeat("<p>word</p>", "<div class=abc>" * 1500),
    "deep again and again": _repeat("<i>" * 700 + "x" + "</i>" * 700),
    # the rules by which elements end and move
    "misplaced in tables": _repeat("<table>x"),
    "misplaced in rows": _repeat("<table><tr>x"),
    "links around tables": _repeat("<a href=x><table>x"),
    "formatting that goes on": lambda size: (
        "".join(f"<font c={n}>" for n in range(size // 30)) + "<p>x</p>" * (size // 16)
    ),
    "end tags that begin": _repeat("</p>x"),
    "ends of nothing": lambda size: "<div>" * (size // 15) + "</i></x>" * (size // 12),
    "definition lists": _repeat("<dl><dt>x<dd>y"),
    "selects": _repeat("<select><option>x"),
    "templates": _repeat("<template>x"),
    "noscripts": _repeat("<noscript><p>x</p><p>y</p><p>z</p></noscript>"),
    "buttons": _repeat("<button><p>x"),
    "paragraphs in svg": _repeat("<svg><p>x"),
    "hidden in hidden": _repeat("<p hidden>x<i style='display:none'>"),
    "scripts in scripts": _repeat("<script><!--<script>x</script>"),
    "permalinks": _repeat('<h2>x y<a href="#x">\xb6</a></h2>'),
    "item types": _repeat("itemtype=", f"<p>{WORDS}"),
    "item types of elements": _repeat("<b itemtype=x>", f"<p>{WORDS}"),
    # many
    "links": _repeat('<a href="/x">link</a> '),
    "list of links": _repeat('<li><a href="/x">link</a></li>'),
    "paragraphs": _repeat("<p>x</p>"),
    "line breaks": _repeat("x<br>"),
    "headings": _repeat("<h2>x y</h2>", f"<title>x y</title><p>{WORDS}</p>"),
    "cells": _repeat("<tr><td>x</td></tr>", "<table>"),
    "spans": _repeat("<span>x</span>"),
    "images": _repeat("<img src=x alt=y>"),
    "one id for all": _repeat('<div id="x" class="x">x y</div>'),
    "distinct elements": _numbered(lambda n: f"<e{n}>x</e{n}>"),
    "distinct classes": _numbered(lambda n: f'<div class="{_letters(n)}">x</div>'),
    "distinct paths": _numbered(lambda n: f"<div>{'<p>' if n % 2 else ''}x"),
    "closing tags": _repeat("</p></div>", "", PAGE),
    "random tags": _random_tags,
    # long
    "one line": _repeat("word ", "<p>"),
    "one word": _repeat("x", "<p>"),
    "white space": _repeat(" ", f"<p>{WORDS}"),
    "new lines": _repeat("\n", f"<p>{WORDS}"),
    "a long attribute": lambda size: f'<p title="{"x" * size}">{WORDS}</p>',
    "a long id and class": lambda size: (
        f'<div id="{"x" * size}" class="{"y " * size}">{WORDS}</div>'
    ),
    "a long link": lambda size: f'<p>{WORDS}<a href="{"x/" * (size // 2)}">link</a> {WORDS}',
    "a long tag name": lambda size: f"<p>{WORDS}<{'x' * size}>{WORDS}",
    "a long title": _repeat("x - ", "<title>", f"</title><h1>{'x - ' * 90}</h1><p>{WORDS}"),
    "a long heading": _repeat("x y ", "<title>x y</title><h1>"),
    "linked data": _repeat(
        '"@type" : [ "a', '<script type="application/ld+json">', f"</script><p>{WORDS}"
    ),
    "a pre": _repeat("x\n", "<pre>"),
    "attributes": _attributes,
    "disguised attributes": _disguised_attributes,
    "entities": _repeat("&amp;", "<p>"),
    "numeric entities": _repeat("&#x41;", "<p>"),
    "an endless entity": lambda size: f"<p>{WORDS}&#{'1' * size};{WORDS}",
    # unclosed
    "a comment": _repeat("x", f"<p>{WORDS}<!--"),
    "a CDATA": _repeat("x", f"<p>{WORDS}<![CDATA["),
    "a script": _repeat("x", f"<p>{WORDS}<script>"),
    "comments": _repeat("<!-- c -->", f"<p>{WORDS}"),
    "beginnings of comments": _repeat("<!--", f"<p>{WORDS}"),
    "instructions": _repeat("<?c?>", f"<p>{WORDS}"),
    # regular expressions
    "less-thans": _repeat("<"),
    "tags that do not end": _repeat("<a ", f"<p>{WORDS}"),
    "quotes that do not end": _repeat('<a href="', f"<p>{WORDS}"),
    "quotes of both kinds": _repeat("<a href=\"'", f"<p>{WORDS}"),
    "equals signs": _repeat("= ", f"<p>{WORDS}<a "),
    "greater-thans": _repeat(">", "<p>"),
    "ampersands": _repeat("&#", "<p>"),
    "dates": _repeat("12.12.12", "<p>"),
    "dates in words": _repeat("March 8th, ", "<p>"),
    "dates in Han": _repeat("年月日一", "<p>"),
    "separators": _repeat(" - | ", "<title>", f"</title><p>{WORDS}"),
    "end tags of raw elements": _repeat("</script", f"<p>{WORDS}<script>"),
    # characters
    "NUL": _repeat("\x00", f"<p>{WORDS}"),
    "NUL between": lambda size: PAGE.replace("o", "o\x00" * (size // 60)),
    "controls": _repeat("\x01x word ", "<p>"),
    "lone surrogates": _repeat("\ud800x ", "<p>"),
    "bidi and zero width": _repeat("\u202ex\u200b \u2066", "<p>"),
    "combining marks": _repeat("e\u0301\u0301\u0301", "<p>"),
    "Han": _repeat("北京", "<p>"),
    "emoji": _repeat("👩\u200d👩\u200d👧 ", "<p>"),
    # not HTML
    "random bytes": lambda size: random.Random(size).randbytes(size),
    "gzip": lambda size: gzip.compress(random.Random(size).randbytes(size)),
    "punycode": lambda size: b"<meta charset=punycode>" + b"ab-kva" * (size // 6),
    "utf-7": lambda size: b"<meta charset=utf-7>" + b"+AGE- " * (size // 6),
    "utf-16 without a mark": lambda size: ("<p>" + "word " * (size // 10)).encode("utf-16-le"),
}

FIXED: dict[str, Source] = {
    "empty": "",
    "empty bytes": b"",
    "a space": " ",
    "a byte-order mark": b"\xff\xfe",
    "UTF-16 with a mark": PAGE.encode("utf-16"),
    "UTF-16, said to be UTF-8": b'<meta charset="utf-8">' + PAGE.encode("utf-16-le"),
    "UTF-8, said to be UTF-16": PAGE.replace('"utf-8"', "utf-16").encode(),
    "UTF-8, said to be Latin-1": PAGE.replace('"utf-8"', "latin-1").encode(),
    "Latin-1, said to be UTF-8": PAGE.replace("☃", "").encode("latin-1"),
    "no charset": PAGE.replace("utf-8", "").encode("utf-8"),
    "an unknown charset": PAGE.replace("utf-8", "no-such").encode(),
    "no charset of pages": PAGE.replace("utf-8", "hex").encode(),
    "three charsets": b"\xef\xbb\xbf<meta charset=gbk><meta charset=koi8-r>" + PAGE.encode(),
    "gzip": gzip.compress(PAGE.encode()),
    "gzip behind a tag": b"<html>" + gzip.compress(PAGE.encode() * 50),
    "every byte": bytes(range(256)) * 9,
    "every byte in a page": PAGE.encode().replace(b"go on", bytes(range(256))),
    "every control in a page": PAGE.replace("go on", "".join(map(chr, range(160)))),
    "non-characters": PAGE.replace("go on", "\ufffe\uffff\ufdd0\U0010ffff"),
    "frameset": "<frameset><frame src=x><noframes><p>text</noframes></frameset>",
    "plaintext": f"<p>{WORDS}<plaintext>{WORDS}</p><b>",
    "a doctype with entities": (
        '<!DOCTYPE html [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;">]><p>&b;&b;' + WORDS
    ),
    "an external entity": (
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e SYSTEM "file:///etc/hostname">]>'
        f"<html><body><p>&e;{WORDS}</p></body></html>"
    ),
    "attributes of every kind": (
        '<div id=\'a"b\' id=c class="]\'/*" style=x data-\x01=y "=z xmlns:a=b a:c=d>'
        f"<p lang='{'x' * 5000}'>{WORDS}</p></div>"
    ),
    "ids that are code": "".join(
        f'<div id="{name}" class="{name}"><p>{WORDS}</p></div>'
        for name in (
            "'] | //script[text()='",
            "&quot;)]//*",
            "{__import__('os')}",
            "%s%n%(x)s",
            "../../etc/passwd",
            "a\nINFO: b",
            "\x1b[2J\x1b]0;owned\x07",
            "x" * 4096,
        )
    ),
}


def prefixes() -> Iterator[bytes]:
    """Return every beginning of a page."""
    body = PAGE.encode()
    return (body[:end] for end in range(len(body)))


def directory_of_collections() -> Path | None:
    """Return the folder of the collections: MAINBLOCK_HOSTILE, or `../shared/hostile`, or None."""
    named = os.environ.get("MAINBLOCK_HOSTILE")
    path = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "hostile"
    return path if path.is_dir() else None


NO_COLLECTIONS = (
    "no html5lib suite, naughty strings or XSS list here: put them into ../shared/hostile, or name"
    " their directory in MAINBLOCK_HOSTILE"
)


def collections(path: Path) -> dict[str, list[Source]]:
    """Return the inputs of each collection."""
    return {
        "html5lib trees": list(_tree_inputs(path / "html5lib" / "tree-construction")),
        "html5lib tokenizer": list(_tokenizer_inputs(path / "html5lib" / "tokenizer")),
        "html5lib encoding": list(_encoding_inputs(path / "html5lib" / "encoding")),
        "naughty strings": json.loads((path / "blns.json").read_text("utf-8")),
        "XSS payloads": (path / "xss-payload-list.txt").read_text("utf-8", "replace").splitlines(),
    }


def _tree_inputs(path: Path) -> Iterator[bytes]:
    for file in sorted(path.glob("*.dat")):
        for test in re.split(rb"(?:\A|\n)#data\n", file.read_bytes())[1:]:
            yield test.partition(b"\n#errors")[0]


def _tokenizer_inputs(path: Path) -> Iterator[str]:
    for file in sorted(path.glob("*.test")):
        for tests in json.loads(file.read_text("utf-8")).values():
            yield from (_unescaped(test) for test in tests)


def _unescaped(test: dict[str, object]) -> str:
    text = str(test["input"])
    if not test.get("doubleEscaped"):
        return text
    return re.sub(r"\\u([0-9A-Fa-f]{4})", lambda found: chr(int(found[1], 16)), text)


def _encoding_inputs(path: Path) -> Iterator[bytes]:
    for file in sorted((*path.rglob("*.dat"), *path.rglob("*.txt"))):
        body = file.read_bytes()
        yield body
        for test in body.split(b"#data\n")[1:]:
            yield test.partition(b"\n#encoding")[0]
