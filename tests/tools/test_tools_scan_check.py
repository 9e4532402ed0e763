"""`tools/scan_check.py` compares the scan with html5lib's documents and prints the differences."""

from __future__ import annotations

from pathlib import Path

from tool_runs import Tools

DOCUMENTS = """\
#data
<p>One<p>Two
#errors
(1,3): expected-doctype
#document
| <html>
|   <head>
|   <body>
|     <p>
|       "One"
|     <p>
|       "Two"

#data
<td>a<td>b
#errors
#document-fragment
tr
#document
| <td>
|   "a"
| <td>
|   "b"

#data
<p>what no
browser says
#errors
#document
| <html>
|   <head>
|   <body>
|     <div>
|       "Something
else"
"""


def test_documents_are_counted_and_differences_are_shown(tmp_path: Path, tools: Tools) -> None:
    (tmp_path / "made.dat").write_text(DOCUMENTS)
    said = tools("scan_check", tmp_path, "--show", 1)
    assert "\n3 documents\nscan     text 2 (66.7%), blocks 2 (66.7%)\nlibxml2" in said
    assert "wanted ('Somethingelse', 'div[Somethingelse]')" in said
    assert "1 text made" in said
