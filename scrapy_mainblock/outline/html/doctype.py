"""Detection of quirks mode, in which a table does not end a paragraph, from the doctype.

https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode
"""

from __future__ import annotations

import re

from scrapy_mainblock.page.bounded_cache import bounded_cache

_DOCTYPE = re.compile(
    rb"""\s*(?P<name>[^\s>]*)\s*
    (?:public\s*(?:"(?P<public>[^">]*)"|'(?P<public_2>[^'>]*)')
       \s*(?:"(?P<system>[^">]*)"|'(?P<system_2>[^'>]*)')?
    |system\s*(?:"(?P<system_3>[^">]*)"|'(?P<system_4>[^'>]*)')
    |(?P<rest>[^>\s][^>]*)?)""",
    re.IGNORECASE | re.VERBOSE,
)
_PUBLIC = frozenset(
    {b"-//w3o//dtd w3 html strict 3.0//en//", b"-/w3c/dtd html 4.0 transitional/en", b"html"}
)
_SYSTEM = b"http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd"
_WITHOUT_SYSTEM = (b"-//w3c//dtd html 4.01 frameset//", b"-//w3c//dtd html 4.01 transitional//")
_PREFIXES = tuple(
    line.strip().encode()
    for line in """
    +//silmaril//dtd html pro v0r11 19970101//
    -//as//dtd html 3.0 aswedit + extensions//
    -//advasoft ltd//dtd html 3.0 aswedit + extensions//
    -//ietf//dtd html 2.0 level 1//
    -//ietf//dtd html 2.0 level 2//
    -//ietf//dtd html 2.0 strict level 1//
    -//ietf//dtd html 2.0 strict level 2//
    -//ietf//dtd html 2.0 strict//
    -//ietf//dtd html 2.0//
    -//ietf//dtd html 2.1e//
    -//ietf//dtd html 3.0//
    -//ietf//dtd html 3.2 final//
    -//ietf//dtd html 3.2//
    -//ietf//dtd html 3//
    -//ietf//dtd html level 0//
    -//ietf//dtd html level 1//
    -//ietf//dtd html level 2//
    -//ietf//dtd html level 3//
    -//ietf//dtd html strict level 0//
    -//ietf//dtd html strict level 1//
    -//ietf//dtd html strict level 2//
    -//ietf//dtd html strict level 3//
    -//ietf//dtd html strict//
    -//ietf//dtd html//
    -//metrius//dtd metrius presentational//
    -//microsoft//dtd internet explorer 2.0 html strict//
    -//microsoft//dtd internet explorer 2.0 html//
    -//microsoft//dtd internet explorer 2.0 tables//
    -//microsoft//dtd internet explorer 3.0 html strict//
    -//microsoft//dtd internet explorer 3.0 html//
    -//microsoft//dtd internet explorer 3.0 tables//
    -//netscape comm. corp.//dtd html//
    -//netscape comm. corp.//dtd strict html//
    -//o'reilly and associates//dtd html 2.0//
    -//o'reilly and associates//dtd html extended 1.0//
    -//o'reilly and associates//dtd html extended relaxed 1.0//
    -//sq//dtd html 2.0 hotmetal + extensions//
    -//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//
    -//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//
    -//spyglass//dtd html 2.0 extended//
    -//sun microsystems corp.//dtd hotjava html//
    -//sun microsystems corp.//dtd hotjava strict html//
    -//w3c//dtd html 3 1995-03-24//
    -//w3c//dtd html 3.2 draft//
    -//w3c//dtd html 3.2 final//
    -//w3c//dtd html 3.2//
    -//w3c//dtd html 3.2s draft//
    -//w3c//dtd html 4.0 frameset//
    -//w3c//dtd html 4.0 transitional//
    -//w3c//dtd html experimental 19960712//
    -//w3c//dtd html experimental 970421//
    -//w3c//dtd w3 html//
    -//w3o//dtd w3 html 3.0//
    -//webtechs//dtd mozilla html 2.0//
    -//webtechs//dtd mozilla html//
""".strip().splitlines()
)


@bounded_cache(most=64, longest=300)
def is_quirks(doctype: bytes) -> bool:
    """Return whether the text after ``<!doctype`` puts the page into quirks mode."""
    found = _DOCTYPE.match(doctype)
    if found is None or found["name"].rstrip(b">").lower() != b"html":
        return True
    if found["rest"] is not None and found["rest"] != b">":
        return True
    public = found["public"] if found["public"] is not None else found["public_2"]
    systems = [found[f"system{number}"] for number in ("", "_2", "_3", "_4")]
    system = next((one for one in systems if one is not None), None)
    if system is not None and system.lower() == _SYSTEM:
        return True
    if public is None:
        return False
    public = public.lower()
    if public in _PUBLIC or public.startswith(_PREFIXES):
        return True
    return system is None and public.startswith(_WITHOUT_SYSTEM)
