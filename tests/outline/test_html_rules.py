"""The rules of HTML, one by one: the text that a browser shows and how its blocks are nested.

Each expected value is what Chromium 156 builds, in the notation of `shapes.shape`. The last table
lists the cases in which the outline is simpler on purpose.
"""

from __future__ import annotations

import pytest
from pages import outline_of
from shapes import shape

XHTML_TRANSITIONAL = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"'
    ' "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">'
)


def shape_of(source: str) -> str:
    return shape(outline_of(source).rows)


IMPLIED_ENDS = {
    "a paragraph ends a paragraph": ("<p>a<p>b", "p[a] p[b]"),
    "a division ends a paragraph": ("<p>a<div>b</div>c", "p[a] div[b] c"),
    "a heading ends a paragraph": ("<p>a<h2>b</h2>", "p[a] h2[b]"),
    "a list ends a paragraph": ("<p>a<ul><li>b</ul>c", "p[a] ul[li[b]] c"),
    "a rule ends a paragraph": ("<p>a<hr>b", "p[a] <hr> b"),
    "a form ends a paragraph": ("<p>a<form>b</form>", "p[a] form[b]"),
    "an element of the line does not": ("<p>a<span>b</span><em>c</em>", "p[abc]"),
    "not across a button": ("<p>a<button><p>b</button>c", "p[ac]"),
    "not out of an object": ("<p>a<object><p>b</object>c", "p[ac]"),
    "an item ends an item": ("<ul><li>a<li>b</ul>", "ul[li[a] li[b]]"),
    "an item ends an item around a division": (
        "<ul><li><div>a<li>b</ul>",
        "ul[li[div[a]] li[b]]",
    ),
    "an item in a list in an item ends none": (
        "<ul><li>a<ul><li>b</ul>c<li>d</ul>",
        "ul[li[a ul[li[b]] c] li[d]]",
    ),
    "a section in an item keeps it open": (
        "<ul><li><section>a<li>b</section></ul>",
        "ul[li[section[a li[b]]]]",
    ),
    "terms and definitions end each other": (
        "<dl><dt>a<dd>b<dt>c<dd>d</dl>",
        "dl[dt[a] dd[b] dt[c] dd[d]]",
    ),
    "a definition of paragraphs": ("<dl><dt>a<dd><p>b<dt>c</dl>", "dl[dt[a] dd[p[b]] dt[c]]"),
    "options end each other": (
        "<datalist><option>a<option>b</datalist>c",
        "c",
    ),
    "rows and cells": (
        "<table><tr><td>a<td>b<tr><th>c<td>d</table>e",
        "table[tbody[tr[td[a] td[b]] tr[th[c] td[d]]]] e",
    ),
    "sections of a table": (
        "<table><caption>a<thead><tr><th>b<tbody><tr><td>c<tfoot><tr><td>d</table>",
        "table[caption[a] thead[tr[th[b]]] tbody[tr[td[c]]] tfoot[tr[td[d]]]]",
    ),
    "a cell without a row": ("<table><td>a<td>b</table>", "table[tbody[tr[td[a] td[b]]]]"),
    "columns": (
        "<table><col><colgroup><col><tr><td>a</table>",
        "table[tbody[tr[td[a]]]]",
    ),
    "a table ends with its table": (
        "<table><tr><td>a<table><tr><td>b</table>c</table>d",
        "table[tbody[tr[td[a table[tbody[tr[td[b]]]] c]]]] d",
    ),
    "the text of a ruby": (
        "<p><ruby>a<rt>b<rt>c<rp>d</ruby>e",
        "p[abcde]",
    ),
}

ENDS_OF_NOTHING = {
    "of a paragraph: an empty one": ("a</p>b", "a p[] b"),
    "of a line: a break": ("a</br>b", "a <br> b"),
    "of a division": ("<p>a</div>b", "p[ab]"),
    "of a table part": ("<div>a</td></tr></table>b</div>", "div[ab]"),
    "of an unknown element": ("<p>a</x-y>b", "p[ab]"),
    "of a heading by another": ("<h1>a</h3>b", "h1[a] b"),
    "of a list, with what is open in it": ("<ul><li><b>a</ul>b", "ul[li[a]] b"),
    "of a cell's paragraph by the cell": (
        "<table><tr><td><p>a</td><td>b</table>",
        "table[tbody[tr[td[p[a]] td[b]]]]",
    ),
    "of a division around an unclosed item": ("<div><ul><li>a</div>b", "div[ul[li[a]]] b"),
    "not out of a cell": (
        "<div><table><tr><td>a</div>b</table>c</div>d",
        "div[table[tbody[tr[td[ab]]]] c] d",
    ),
}

VOID_AND_RAW = {
    "void elements hold nothing": (
        "<p>a<br>b<img src=x>c<wbr>d<input>e<embed>f</p>",
        "p[a <br> bcdef]",
    ),
    "a void element's end tag": ("<p>a<img></img>b<hr></hr>c", "p[ab] <hr> c"),
    "a slash closes no division": ("<div/>a</div>b", "div[a] b"),
    "a script": ("a<script>if (x<b) '<p>'</script>b", "ab"),
    "a script that is never closed": ("a<script>b<p>c", "a"),
    "a script's end tag with attributes": ("a<script>b</SCRIPT x='>'>c", "ac"),
    "a script is not ended by a longer name": ("a<script>b</scripts>c</script>d", "ad"),
    "a script with a comment": ("a<script><!-- b --></script>c", "ac"),
    "a script in a comment in a script": (
        "a<script><!-- <script>b</script> c --></script>d",
        "ad",
    ),
    "a script in a comment that is not closed": (
        "a<script><!-- <script>b</script> c</script>d",
        "ad",
    ),
    "a comment in a script that never ends": ("a<script><!-- b</script>c", "ac"),
    "a style": ("a<style>p > b {}</p></style>b", "ab"),
    "a text area": ("a<textarea><p>b</textarea>c", "ac"),
    "a title in the body": ("<p>a<title><b>no</title>b", "p[ab]"),
    "an iframe": ("a<iframe><p>b</iframe>c", "ac"),
    "noscript, to a reader with scripts": ("a<noscript><p>b</noscript>c", "ac"),
    "xmp": ("<p>a<xmp>b<i>&amp;</xmp>c", "p[a] xmp[b<i>&amp;] c"),
    "plaintext": ("<p>a<plaintext>b</plaintext>c", "p[a] plaintext[b</plaintext>c]"),
    "a line feed at the beginning of code is none": ("<pre>\n\na</pre>", "pre[a]"),
}

COMMENTS = {
    "a comment": ("a<!-- <p>b</p> -->c", "ac"),
    "with hyphens": ("a<!-- b -- > c --->d", "ad"),
    "that ends at once": ("a<!-->b<!--->c", "abc"),
    "that ends with an exclamation mark": ("a<!-- b --!>c", "ac"),
    "that holds the beginning of one": ("a<!-- b <!-- c -->d", "ad"),
    "that is never closed": ("a<!-- b <p>c", "a"),
    "without hyphens": ("a<!b>c<!->d", "acd"),
    "an instruction": ("a<?php echo '<p>' ?>b", "a' ?>b"),
    "an end tag that is none": ("a</ b>c</3>d", "acd"),
    "an end tag without a name": ("a</>b", "ab"),
    "a doctype in the body": ("<p>a<!doctype html>b", "p[ab]"),
    "CDATA is a comment": ("<p>a<![CDATA[b>c]]>d", "p[ac]]>d]"),
}

REFERENCES = {
    "by name": ("&lt;p&gt; &amp;amp; &eacute;", "<p> &amp; é"),
    "by number": ("&#65;&#x42;&#X43;", "ABC"),
    "without a semicolon, an old name": ("a&ampb &copy2 &eacutetude", "a&b ©2 étude"),
    "without a semicolon, a new name": ("a&nvinfin b", "a&nvinfin b"),
    "the longest name counts": ("&notin; &notit;", "∉ ¬it;"),
    "of two characters": ("&NotEqualTilde;", "≂̸"),
    "of Windows": ("&#146;&#x80;", "’€"),
    "of nothing that is": ("&#0;&#xD800;&#x110000;", "���"),
    "an ampersand alone": ("a & b && c&", "a & b && c&"),
    "a number without digits": ("&#; &#x;", "&#; &#x;"),
    "a long number": ("&#" + "1" * 99 + ";", "�"),
}

TAGS_AND_TEXT = {
    "a less-than sign": ("1 < 2 <3 <", "1 < 2 <3 <"),
    "a tag cut off": ("a<p class='x", "a"),
    "names in any case": ("<P>a<Div>b</DIV>", "p[a] div[b]"),
    "a greater-than sign in a value": ("<p title=\"a > b\" class='>'>c", "p[c]"),
    "a tag in a value": ("<p title='<div>'>a", "p[a]"),
    "a quote behind a value": ("<p title='x'y'>a<p title=\"z'\">b", "p[a] p[b]"),
    "a less-than sign in a tag": ("<p <div>a", "p[a]"),
    "no value, and no name": ("<p a= ='b' c>d", "p[d]"),
    "a NUL": ("<p>a\x00b", "p[ab]"),
    "the byte-order mark of a text": ("<p>a\ufeffb", "p[a\ufeffb]"),
    "line ends of any kind": ("<p>a\r\nb\rc\fd", "p[a b c d]"),
    "a letter that looks like one of ASCII": ("<scrıpt>a</scrıpt><SCRİPT>b</SCRİPT>c", "abc"),
    "a tag begins with a letter of ASCII": ("<ſcript>a", "<ſcript>a"),
    "elements that nobody knows": ("<x-y>a<o:p>b</o:p></x-y>c", "abc"),
}

HEAD_AND_BODY = {
    "what belongs into the head": (
        "<title>t</title><meta name=a><link rel=b><base href=/><style>s</style><p>a",
        "p[a]",
    ),
    "a text ends the head": ("<head><title>t</title>a<p>b", "a p[b]"),
    "an element ends the head": ("<head><div>a</div><title>t</title>b", "div[a] b"),
    "white space does not": ("<html> <head> \n </head> <body>a", "a"),
    "text behind the body": ("<body><p>a</p></body>b", "p[a] b"),
    "text behind the page": ("<p>a</html>b<p>c", "p[ab] p[c]"),
    "a page behind the page": (
        "<html><body><p>a</p></body></html><html><body class=x><div>b</div></body></html>",
        "p[a] div[b]",
    ),
    "a second body": ("<body><div>a<body>b</div>c", "div[ab] c"),
    "a head in the body": ("<p>a<head><title>t</title></head>b", "p[ab]"),
    "a frameset shows nothing": ("<frameset><frame src=a></frameset>", ""),
    "noscript in the head": ("<head><noscript><style>a</style></noscript><p>b", "p[b]"),
    "a template in the head": ("<head><template><p>a</template><p>b", "p[b]"),
}

HIDDEN = {
    "a template": ("a<template><p>b<template>c</template>d</template>e", "ae"),
    "a template's rows": (
        "<table><template><tr><td>a</template><tr><td>b</table>",
        "table[tbody[tr[td[b]]]]",
    ),
    "controls of a form": (
        "<form>a<input value=b><button>c</button><select><option>d</select>e</form>",
        "form[ae]",
    ),
    "media": ("a<video>b<p>c</p></video><audio>d</audio><canvas>e</canvas>f", "af"),
    "an object": ("a<object>b<param></object>c", "ac"),
    "a map": ("a<map><area>b</map>c", "ac"),
}

FOREIGN = {
    "a picture": ("a<svg><text>b</text><title>c</title></svg>d", "ad"),
    "a picture in one tag": ("a<svg/>b", "ab"),
    "a formula": ("a<math><mi>b</mi></math>c", "ac"),
    "an element of HTML ends a picture": ("<div>a<svg><g><p>b</svg>c</div>", "div[a p[bc]]"),
    "a font with a color does too": ("a<svg><font color=red>b", "ab"),
    "a font without does not": ("a<svg><font>b</font>c</svg>d", "ad"),
    "HTML in a picture is no page": ("a<svg><foreignObject><p>b</p></foreignObject>c</svg>d", "ad"),
    "a title in a picture may hold markup": ("a<svg><title><p>b</p></title></svg>c", "ac"),
    "a script in a picture is markup": ("a<svg><script><!-- </script> --></svg>b", "ab"),
    "CDATA in a picture": ("a<svg><![CDATA[</svg>b]]></svg>c", "ac"),
    "annotated": (
        "a<math><annotation-xml encoding=text/html><p>b</p></annotation-xml></math>c",
        "ac",
    ),
}

TABLES = {
    "text in a table": ("<table>a<tr><td>b</table>", "a table[tbody[tr[td[b]]]]"),
    "an element in a table": (
        "<table><div>a</div><tr><p>b<td>c</table>",
        "div[a] p[b] table[tbody[tr[td[c]]]]",
    ),
    "white space in a table stays": ("<table> <tr> <td>a</table>", "table[tbody[tr[td[a]]]]"),
    "text behind a row": ("<table><tr><td>a</tr>b</table>c", "b table[tbody[tr[td[a]]]] c"),
    "a table in a table": (
        "<table><tr><td>a</td><table><tr><td>b</table>",
        "table[tbody[tr[td[a]]]] table[tbody[tr[td[b]]]]",
    ),
    "a table in a table in a cell": (
        "<table><tr><td>a<table>b<tr><td>c</table></table>",
        "table[tbody[tr[td[ab table[tbody[tr[td[c]]]]]]]]",
    ),
    "a script in a table stays": (
        "<table><script>a</script><tr><td>b</table>",
        "table[tbody[tr[td[b]]]]",
    ),
    "a table in a paragraph, by the standard": (
        "<!doctype html><p>a<table><tr><td>b</table>c",
        "p[a] table[tbody[tr[td[b]]]] c",
    ),
    "a table in a paragraph, in quirks mode": (
        "<p>a<table><tr><td>b</table>c",
        "p[a table[tbody[tr[td[b]]]] c]",
    ),
    "a table in a paragraph, by an old doctype": (
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><p>a<table><td>b</table>c',
        "p[a table[tbody[tr[td[b]]]] c]",
    ),
    "a table in a paragraph, by XHTML's doctype": (
        f"{XHTML_TRANSITIONAL}<p>a<table><td>b</table>c",
        "p[a] table[tbody[tr[td[b]]]] c",
    ),
    "a caption holds blocks": (
        "<table><caption><p>a<tr><td>b</table>",
        "table[caption[p[a]] tbody[tr[td[b]]]]",
    ),
    "a list in a cell ends with it": (
        "<table><tr><td><ul><li>a<td>b</table>",
        "table[tbody[tr[td[ul[li[a]]] td[b]]]]",
    ),
}

FORMATTING = {
    "an anchor in an anchor ends it": ("<a href=x>a<a href=y>b</a>c", "abc"),
    "a button in a button ends it": ("<button>a<button>b</button>c", "c"),
    "overlapping elements of a line": ("<p>a<b>b<i>c</b>d</i>e", "p[abcde]"),
    "bold that goes on": ("<p><b>a<p>b</b>c", "p[a] p[bc]"),
    "a paragraph in an unclosed font": ("<font><p>a</font>b", "p[ab]"),
    "a block in an anchor": ("<a href=x><div>a</div>b</a>c", "div[a] bc"),
    "an anchor around an item": ("<ul><a href=x><li>a</a></ul>b", "ul[li[a]] b"),
    "a heading in a heading ends it": ("<h1>a<h2>b</h2>c", "h1[a] h2[b] c"),
    "a heading in a division in a heading": ("<h1><div>a<h2>b</h2></div></h1>", "h1[div[a h2[b]]]"),
    "a form in a form is none": ("<form>a<form>b</form>c</form>d", "form[ab] cd"),
    "a form's end leaves what is open": ("<form><div>a</form>b</div>c", "form[div[ab]] c"),
    "a nobr in a nobr": ("<nobr>a<nobr>b", "ab"),
    "a picture by its old name": ("a<image>b", "ab"),
    "misnested blocks": ("<div>a<p>b</div>c</p>d", "div[a p[b]] c p[] d"),
    "a marquee holds its own": ("<b><marquee>a</b>b</marquee>c", "marquee[ab] c"),
}

SELECTS = {
    "ends at its end": ("a<select><option>b</select>c", "ac"),
    "a select in a select": ("a<select>b<select>c", "ac"),
    "an input ends it": ("a<select>b<input>c", "ac"),
    "in a cell": (
        "<table><tr><td><select><option>a<td>b</table>",
        "table[tbody[tr[td[] td[b]]]]",
    ),
}

RULES = {
    **{f"ends: {name}": rule for name, rule in IMPLIED_ENDS.items()},
    **{f"the end: {name}": rule for name, rule in ENDS_OF_NOTHING.items()},
    **{f"content: {name}": rule for name, rule in VOID_AND_RAW.items()},
    **{f"comments: {name}": rule for name, rule in COMMENTS.items()},
    **{f"references: {name}": rule for name, rule in REFERENCES.items()},
    **{f"tags: {name}": rule for name, rule in TAGS_AND_TEXT.items()},
    **{f"pages: {name}": rule for name, rule in HEAD_AND_BODY.items()},
    **{f"hidden: {name}": rule for name, rule in HIDDEN.items()},
    **{f"foreign: {name}": rule for name, rule in FOREIGN.items()},
    **{f"tables: {name}": rule for name, rule in TABLES.items()},
    **{f"lines: {name}": rule for name, rule in FORMATTING.items()},
    **{f"select: {name}": rule for name, rule in SELECTS.items()},
}


@pytest.mark.parametrize(("source", "expected"), RULES.values(), ids=RULES)
def test_source_is_parsed_as_in_a_browser(source: str, expected: str) -> None:
    assert shape_of(source) == expected


SIMPLER = {
    "a byte-order mark, which is decoding's": ("\ufeff<p>a", "p[a]"),
    "a form in a table holds nothing, and is not shown": (
        "<table><form><tr><td>a</form>b</table>",
        "table[tbody[tr[td[ab]]]]",
    ),
    "a text area ends a list of options, as it did until 2025": (
        "a<select>b<textarea>c</textarea>d",
        "ad",
    ),
    "what overlaps a block is not cloned": ("<b>a<p>b</b>c</p>d", "a p[bc] d"),
}


@pytest.mark.parametrize(("source", "expected"), SIMPLER.values(), ids=SIMPLER)
def test_deliberate_simplifications(source: str, expected: str) -> None:
    assert shape_of(source) == expected
