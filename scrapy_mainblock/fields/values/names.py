"""Finds names of people in bylines: ``By Anna Berg and Ben Falk | 3 May`` has two."""

from __future__ import annotations

import re
import unicodedata

from scrapy_mainblock.fields.values.dates import days_in
from scrapy_mainblock.outline.parts import Parts
from scrapy_mainblock.page.bounded_cache import bounded_cache

LONGEST_BYLINE, LONGEST_NAME, MOST_NAMES, MOST_WORDS = 250, 60, 20, 6
LEAST_SENTENCE = 3
"""In a script with capitals, a text of at least this many words in lowercase is not a name."""

_BYLINE = r"""^\W*(?:
      (?:written|post(?:ed)?|published|reported|words|story|article|text|report|reviewed|contributed
        |submitted|created)
        \s*(?:and\ photos?\s*)?(?:by\b|:)
    | by\b:? | authors?\s*(?:/[^:]{1,20})?:? | guest\ (?:post|author)\s*(?:by\b|:)?
    | from\ our\ (?:own\ )?(?:reporter|correspondent)\b:?
    | (?:erstellt|gespeichert)\ von\b:? | escribe\b:? | von\b:?
    | ein(?:e[nr]?)?\s\w+\svon\b | autor(?:in|en|es|i|a)?\b\s*:? | verfasst\ von | text:
    | geschrieben\ von | foto\ und\ text:
    | par\b | auteurs?\s*: | écrit\ par | publié\ par | rédigé\ par
    | por\b:? | escrito\ por | publicado\ por | de:\s
    | di\b | a\ cura\ di | scritto\ da | pubblicato\ da | autore:
    | door\b | geschreven\ door | av\b | skrevet\ av | skriven\ av | af\b | text\s*: | tekst:
    | автор(?:ы)?\s*: | автор\b | текст\s*: | του\b | της\b
    | από\ (?:τον|την)\b | από\b
    | autorzy?: | napisał(?:a)?\b | yazar\b:? | yazan\b:? | autor\s*: | kirjoittanut | írta:
    | 作者\s*[:：]? | 记者\s*[:：]? | 記者\s*[:：]? | 文[/／:：]
    | 撰文\s*[:：]? | 編輯\s*[:：] | 著者\s*[:：]?
    | interview(?:\ (?:by|von))?\s*:? | eingestellt\ von | veröffentlicht\ von
    | pressemitteilung\ von
    | words\s*: | redaktion\s*: | presented\ by | curated\ by | compiled\ by | edited\ by
    | 執筆(?:者)?\s*[:：]? | 글\s*[:：] | 기자\s*[:：]
    | بقلم\s*:? | الكاتب\s*:? | كتب(?:ت)?\s*:? | लेखक\s*:?
    )\s*"""
"""Words that announce a name, in the languages of the pages."""
WORDS_BEFORE_BY = (
    "written,post,posted,published,reported,words,story,article,text,report,reviewed,contributed"
    ",submitted,created"
)
"""Words of `_BYLINE` that need a ``by`` or a colon after them, perhaps behind ``and photos``."""
WHOLE_WORDS = "by,von,par,por,di,door,av,af,του,της,από"
"""Words of `_BYLINE` that end at a word boundary."""
OTHER_BEGINNINGS = (
    "author,guest ,from our,erstellt von,gespeichert von,escribe,ein ,eine ,einen ,einer ,autor"
    ",verfasst von,geschrieben von,foto und,auteur,écrit par,publié par,rédigé par,escrito por"
    ",publicado por,de:,a cura,scritto da,pubblicato da,geschreven door,skrevet av,skriven av,tekst"
    ",авт,тек,napisa,yazar,yazan,kirjoittanut,ír,作者,记者,記者,文/,文／,文:,文：,撰文,編輯,著者"
    ",interview,eingestellt von,veröff,pressemitteilung von,redaktion,presented by,curated by"
    ",compiled by,edited by,執筆,글,기자,بقلم,الكاتب,كتب,लेखक"
)
"""How all other alternatives of `_BYLINE` begin, in lowercase."""
_BY = re.compile(_BYLINE, re.VERBOSE | re.IGNORECASE)
_LOWER_BY = re.compile(_BYLINE, re.VERBOSE)
"""The same for a text in lowercase, in a third of the time: if `re` does not have to ignore case,
it tries only the alternatives that begin with the letter in the text."""
_SPLIT = re.compile(
    r"\s*(?:[,;]\s*(?:and|und|&)\s|[;|•·⋅∙●▪\n、,،]|\s&\s|,|\s\+\s"
    r"|\s(?:and|und|et|y|e|и|och|og|en|oraz|ve|και|with|mit)\s)\s*"
)
_END_OF_NAMES = (
    r"(?=[\s|•·⋅∙●▪–—(\[\d<@…,hpfbiulvasr])"  # rejects most positions at once: none begins there
    r"(?:\s(?:[-–—|•·]|on|am|um|at|le|à|el|il|в)(?=\W*\d)|\s*[|•·⋅∙●▪–—]\s*|\s+-\s+|\s*\(|\s*\["
    r"|\s(?:for|für|in|under|unter)\s"
    r"|\s+\d|^\d|\s*<|https?:|\s*@|…"
    r"|\b(?:photos?|fotos?|bilder|imag[eo]ns?):|\shace(?=\s\d)"
    r"|\b(?:published|posted|updated|last|veröffentlicht|aktualisiert|publié|stand|im gespräch)\b"
    r"|(?<=[a-zß-ÿ])(?:updated|published|posted|redakteur|autor|author)"
    r"|[\s,](?:am|on|um|at|le|el)?\s*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|january|february|march|april|june|july|august"
    r"|september|october|november|december|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?(?=\s?\d))(?=\W|$))"
)
_END, _LOWER_END = re.compile(_END_OF_NAMES, re.IGNORECASE), re.compile(_END_OF_NAMES)
"""Matches where a byline continues with something other than names."""
_SIGN_OR_DIGIT = re.compile(r"[|(\[\d<@]|\s-")
_WORDS_AT_END = Parts(
    *(b"for", b" in ", b"under", b"unter", b"http", b"photo", b"foto", b"bilder", b"imag", b"publ"),
    *(b"posted", b"updat", b"last", b"ffentlicht", b"aktual", b"stand", b"gespr", b"redakt"),
    *(b"auth", b"autor", b"day", b"tag", b"mittwoch", b"uary", b"march", b"april", b"june"),
    *(b"july", b"august", b"ember", b"october"),
)
"""In a text of ASCII in lowercase, `_LOWER_END` matches nothing without one of these parts, a digit
or a sign."""
_TITLE = re.compile(
    r"^(?:(?:senior|staff|chief|deputy|political|contributing|special|associate|managing|news"
    r"|editor|reporter|writer|correspondent|columnist|author|authors?|director|professor|expert"
    r"|founder|ceo|manager|contributor|producer|journalist|redakteur(?:in)?|journaliste|periodista"
    r"|redactor(?:a)?|giornalista|freelancer)"
    r"\b[\s\w'-]*)$",
    re.IGNORECASE,
)
_CREDENTIALS = frozenset(
    "phd md jr sr rd rdn ld ldn ma ms msc mba mph mha med ba bs bsc bed jd esq rn np pa do dds dmd"
    " dvm dnp dpt msn bsn edd psyd pharmd lcsw lmft lmhc lpc lac cfp cpa cfa cscs cpt cdces pmp ryt"
    " eryt faap faan facp facog frcp obe mbe".split()
)
"""Abbreviations after a person's name, in lowercase and without periods."""
_NO_NAME = re.compile(
    r"(?=[hw@{}<>=\\\[\]*.\d]|^)"  # rejects most positions at once: none begins there
    r"(?:https?:|www\.|[@{}<>=\\\[\]*]|\.(?:com|org|net|html?|php)\b|(?<![^\W_])\d{3}|\d{5}"
    r"|^(?:(?:posted|published|updated|veröffentlicht|publié)(?: on| am| le)?|last .*"
    r"|post|admin|administrator|root|user|editor|null|none|unknown|undefined|author|false|true|default"
    r"|anonymous|guest|by|share|follow|more|read|view all.*|about.*|all posts.*|see .*|posts by.*"
    r"|subscribe.*|.*\bcomments?|kommentare?|uncategorized|facebook|twitter|email|e-mail"
    r"|print|linkedin|instagram|whatsapp|rss|n/a|-+|zuletzt geändert|c?e[sd]?t|gmt|utc|p[sd]t)$)",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"\b(?:experts?|editor|director|lead|manager|officer|reporter|writer|analyst|reviewer|founder"
    r"|co-founder|president|ceo|cto|cmo|specialist|consultant|correspondent|columnist|strategist"
    r"|engineer|scientist|chefredakteur\w*|redakteur\w*|geschäftsführer\w*|leiter\w*|contributor|host"
    r"|herausgeber\w*|referent\w*|coach|attorney|partner|head of|vice)\b",
    re.IGNORECASE,
)
"""Roles of a person; no name follows after one."""
_GENERIC = frozenset({"redaktion", "editor", "staff", "redacción", "rédaction", "redazione"})
_EMAIL = re.compile(r"\S+@\S+|https?:\S+")
_MIDDLE_BY = re.compile(
    r"^posted in .{1,60}?\bby:?\s+(?=\w)"
    r"|^(?:posted|published|written|veröffentlicht|geschrieben|publié|publicado)?\b"
    r".{0,40}?[\d:.·|]\W*\b(?:by|von|par|por|door|av)\b:?\s+(?=\w)",
    re.IGNORECASE,
)
_BEHIND_SIGN = re.compile(r"[\d:.·|]\W*\b(?:by|von|par|por|door|av)\b|^posted in ", re.IGNORECASE)
"""Without a match, no text stands before a byline."""
_SAYS = re.compile(r"\b(?:says|said|sagt|meint|schreibt|dice|dit|wrote):?$", re.IGNORECASE)
_LAST_OF_SAYS = frozenset("sdteSDTE:\nſ")
"""The last characters of what `_SAYS` matches."""
_UNSEEN = dict.fromkeys([0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF])
"""Invisible characters, such as soft hyphens where a name may be broken."""
_BEFORE_DAYS = frozenset(
    {"on", "am", "vom", "um", "at", "le", "à", "el", "il", "em", "den", "på", "op", "в"}
)
_SIGNS = str.maketrans("", "", ".®-")
_ARTICLES = frozenset({"the", "die", "der", "das", "la", "le", "les", "el"})
_ORGANIZATION = re.compile(
    r"\b(?:team|staff|redaktion|redacción|rédaction|redazione|redação|redakcja|editors?|editorial|news"
    r"|newsroom|agency|agentur|inc|ltd|llc|gmbh|foundation|institute|university|press|media|online"
    r"|desk|reuters|afp|dpa|ap|apa|bbc|bureau|ministerium|verein|group|company|blog|magazine|redaktor)\b",
    re.IGNORECASE,
)


_PLAIN = re.compile(
    r"(?:\|\ )?(?:(?:(?:Written|Posted)\ )?[Bb]y:?\ |[Vv]on:?\ |Par\ |Por:?\ )?"
    r"(?P<name>[A-Z][a-z]{1,19}(?:\ (?:[A-Z]\.?|[A-Z][a-z]{1,19})){0,2}\ [A-Z][a-z]{1,19})"
    r"\ ?\|?\ ?",
    re.VERBOSE,
)
"""The form of most bylines: a person's name of two to four words, with or without a word before
it, and perhaps with a separator at either end."""
_OTHER_WORDS = frozenset(
    "by von par por door di da av af autor autorin autoren autores autori autora escribe yazar"
    " yazan guest from foto text says said sagt meint schreibt dice dit wrote on am le el il um at"
    " for in last stand im monday tuesday wednesday thursday friday saturday sunday montag dienstag"
    " donnerstag freitag samstag sonntag mittwoch january february march april june july august"
    " september october november december view all see posts post more read share follow print"
    " comment comments senior staff chief deputy political contributing special associate managing"
    " news editor reporter writer correspondent columnist director professor expert founder ceo"
    " manager contributor producer journalist journaliste periodista giornalista freelancer"
    " under unter".split()
)
_OTHER_PARTS = re.compile(
    r"^(?:interview|kirjoittanut|about|subscribe|redactor)|author|autor|redakteur|updated|published"
    r"|posted|day$|(?:tag|woch|ber|uary|march|april|ju[nl][ey]|august)$",
    re.IGNORECASE | re.MULTILINE,
)
"""With one of these words or parts, a text may not be a name, or may continue with something else.
They cover everything that `_names_in` tests."""


def _plain_name(text: str) -> str:
    """Return the name in a byline that is only a person's name; empty for any other text."""
    found = _PLAIN.fullmatch(text)
    if found is None:
        return ""
    words = found["name"].replace(".", "").lower().split()
    if not _OTHER_WORDS.isdisjoint(words) or _OTHER_PARTS.search("\n".join(words)):
        return ""
    return found["name"]


def without_by(text: str) -> str:
    """Return a byline without the words that announce the name."""
    for _ in range(2):
        found = _by(text)
        if found is None:
            break
        text = text[found.end() :]
    return text


def _by(text: str) -> re.Match[str] | None:
    if text.isascii():  # other letters may have several lowercase forms
        return _LOWER_BY.match(text.lower())
    return _BY.match(text)


def begins_like_byline(text: str) -> bool:
    """Return whether a line begins with words that announce a name."""
    return _by(text) is not None


@bounded_cache(most=512, longest=400)
def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a byline; an empty tuple if there are none."""
    text = text[: 2 * LONGEST_BYLINE]
    if not text.isascii():
        text = text.translate(_UNSEEN)
    text = " ".join(text.split())
    if not text or len(text) > LONGEST_BYLINE:
        return ()
    if "@" in text or "http" in text:
        text = _EMAIL.sub(" ", text).strip()
    for piece in _between_days(text):
        plain = _plain_name(piece)
        found = (plain,) if plain else _names_in(piece)
        if found:
            return found
    return ()


def _between_days(text: str) -> list[str]:
    """Return the parts of a byline before, between and after its days."""
    days = days_in(text)
    if not days:
        return [text] if text.strip() else []
    pieces, begin = [], 0
    for day in days:
        pieces.append(_without_preposition(text[begin : day.start]))
        begin = day.end
    return [piece for piece in (*pieces, text[begin:]) if piece.strip()]


def _without_preposition(piece: str) -> str:
    """Return the text before a day without the preposition of the day: ``Anna Berg on``."""
    before, _, last = piece.rstrip(" ,:").rpartition(" ")
    return before if last.lower() in _BEFORE_DAYS else piece


def _names_in(text: str) -> tuple[str, ...]:
    if _BEHIND_SIGN.search(text):
        text = _MIDDLE_BY.sub("", text, count=1)
    text = without_by(text)
    if text[-1:] in _LAST_OF_SAYS and _SAYS.search(text):
        return ()
    end = _end_of_names(text)
    if end:
        text = text[: end.start()]
    found: list[str] = []
    for part in _SPLIT.split(text)[: 2 * MOST_NAMES]:
        for name in _beside_slashes(part) if "/" in part else (clean_name(part),):
            if found and name and (_ROLE.search(name) or name.lower() in _GENERIC):
                return tuple(found[:MOST_NAMES])
            if found and name.translate(_SIGNS).lower() in _CREDENTIALS:
                continue
            if name and key_of_name(name) not in map(key_of_name, found):
                found.append(name)
    return tuple(found[:MOST_NAMES])


def _end_of_names(text: str) -> re.Match[str] | None:
    """Return where a byline continues with something other than names, or None."""
    if not text.isascii():
        return _END.search(text, 2)
    lower = text.lower()
    if not _SIGN_OR_DIGIT.search(lower, 1) and not _WORDS_AT_END.are_in(lower.encode()):
        return None
    return _LOWER_END.search(lower, 2)


def _beside_slashes(part: str) -> list[str]:
    """Return the people among names that are separated by slashes: ``Anna Berg/dpa`` has one.

    Agencies, initials and places also stand there. If no name is clearly a person's, the whole text
    is one name, as in ``AFP/Reuters``.
    """
    names = [clean_name(one) for one in part.split("/")]
    people = [name for name in names if _is_person(name)]
    return people or [clean_name(part)]


def _is_person(name: str) -> bool:
    """Return whether a name has several words and is not that of an agency."""
    words = name.split()
    return len(words) > 1 and words[0].lower() not in _ARTICLES and not is_organization(name)


def clean_name(part: str) -> str:
    """Return a name without the text around it, or an empty string if it is not a name."""
    name = without_by(part).strip(" \t.,:;-–—|/\"'“”«»()")
    if not name or name[0].isdigit() or len(name) > LONGEST_NAME:
        return ""
    count = len(name.split())
    if count > MOST_WORDS:
        return ""
    if count >= LEAST_SENTENCE and name.islower():  # "by default a retry policy"
        return ""
    if (
        name.lower() in _BEFORE_DAYS
        or _NO_NAME.search(name)
        or _TITLE.match(name)
        or not any(map(str.isalpha, name))
    ):
        return ""
    return name if len(name) > 1 else ""


@bounded_cache(most=512, longest=250)
def is_organization(name: str) -> bool:
    """Return whether a name is more likely that of an agency or an office."""
    return _ORGANIZATION.search(name) is not None


@bounded_cache(most=1024, longest=200)
def key_of_name(name: str) -> str:
    """Return a name without case, accents and punctuation."""
    plain = name.lower()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain)
    return "".join(one for one in plain if one.isalnum())
