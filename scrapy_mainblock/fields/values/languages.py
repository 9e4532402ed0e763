"""Detects the language of a text, by its script or by the small words of every sentence.

Written by hand: the task is only to find the one language of a page, which the page mostly
declares. Language libraries hold megabytes of models, and take longer than everything else here.
"""

from __future__ import annotations

import re
from math import lcm

from scrapy_mainblock.fields.values.letters import SmallWords, ascii_in, letters_by

_SMALL_WORDS = {
    "en": "the of and to in is that for with on was as are by this be from have at it you not",
    "de": "der die und das ist nicht den mit von für ein eine auf dem im des sich auch es wird",
    "fr": "le les et des est une du dans pour que qui sur pas par au plus avec ce sont vous",
    "es": "el los las y que una por con para del es se como más pero su al fue está han",
    "it": "il di che per una con del della sono non gli più anche è nel alla ha delle si",
    "pt": "o os e que uma com para não do da em no na dos por mais ao foi são você",
    "nl": "de het een van en dat niet zijn voor met op te die wordt ook aan bij naar om",
    "sv": "och att det som en på är av för med den till inte har ett om jag var",
    "da": "og at det er en på af til med for ikke den de der som har et jeg vi blev",
    "nb": "og at det er en på av til med for ikke den de som har et jeg vi ble fra",
    "fi": "ja on että ei se oli myös mutta kun joka ovat tai jos niin kuin hän",
    "pl": "i w na z do nie się że jest to jak o po za od są dla przez był oraz",
    "cs": "a v na se je že to s z do o pro jako ale by jsou za po však také",
    "sk": "a v na sa je že to s z do o pre ako ale by sú za po však aj",
    "hu": "a az és hogy nem egy is volt ez meg mint csak már még ha vagy",
    "ro": "și în de la cu pe nu o un care este din mai pentru că fost sunt se",
    "tr": "ve bir bu da de için ile olarak çok daha olan gibi ne o var en",
    "id": "yang dan di dari untuk dengan ini itu pada tidak adalah dalam ke juga akan",
    "vi": "và của là có không được cho các những một người trong với đã này để",
    "ca": "el els i que una per amb del és es com més però al va són les",
    "hr": "i u je se na da za su od s a o kako ne koji što bi ali iz",
    "et": "ja on ei et see kui ta oli ka mis aga või ning oma nii",
    "lt": "ir kad tai su yra į iš bet kaip ne buvo jis už nuo ar",
    "lv": "un ir ka ar no par uz bet kas tas kā arī nav vai bija",
    "sq": "dhe në të e për me nga një që është se si nuk ka",
    "af": "die en van in het is nie dat vir met op wat aan te sy",
}
_LANGUAGES = tuple(_SMALL_WORDS)
_LANGUAGES_OF: dict[str, list[int]] = {}
for _number, _words in enumerate(_SMALL_WORDS.values()):
    for _word in dict.fromkeys(_words.split()):
        _LANGUAGES_OF.setdefault(_word, []).append(_number)
_HIT = lcm(*map(len, _LANGUAGES_OF.values()))
"""Score of a word that only one language has; a word of several languages counts a fraction of it
for each. Integer sums do not depend on the order."""
_KNOWN = SmallWords(
    {
        word: [(number, _HIT // len(known)) for number in known]
        for word, known in _LANGUAGES_OF.items()
    },
    len(_LANGUAGES),
)

_SCRIPTS = (
    ("ja", 0.05, 0x3040, 0x3100),
    ("ko", 0.2, 0xAC00, 0xD7B0),
    ("zh", 0.2, 0x4E00, 0xA000),
    ("th", 0.3, 0x0E00, 0x0E80),
    ("el", 0.3, 0x0370, 0x0400),
    ("he", 0.3, 0x0590, 0x0600),
    ("hi", 0.3, 0x0900, 0x0980),
    ("bn", 0.3, 0x0980, 0x0A00),
    ("ta", 0.3, 0x0B80, 0x0C00),
    ("ka", 0.3, 0x10A0, 0x1100),
    ("hy", 0.3, 0x0530, 0x0590),
    ("ar", 0.3, 0x0600, 0x0700),
    ("ru", 0.3, 0x0400, 0x0500),
)
"""Languages that are detected by their script: the minimum share of the script in the letters of a
text, its first character, and the one after its last; both are multiples of 16."""


def _table_of_scripts() -> bytes:
    found = bytearray(0xD7B0 >> 4)
    for number, (_, _, first, end) in enumerate(_SCRIPTS, 1):
        found[first >> 4 : end >> 4] = bytes([number]) * ((end - first) >> 4)
    return bytes(found)


_SCRIPT_OF = _table_of_scripts()
_OF_ARABIC = ((re.compile("[پچژگ]"), re.compile("[ٹڈڑں]")), ("fa", "ur"))
_UKRAINIAN, _BULGARIAN = re.compile("[іїєґ]"), re.compile(r"\b(?:от|ще|със|през|както|беше)\b")
_SAMPLE, _MOSTLY_LATIN = 600, 0.8
_LEAST_LETTERS, _LEAST_HITS, _MARGIN = 40, 5, 1.3
MOST_READ = 1500
"""How many bytes of a page's text are examined."""
ALIKE = tuple(
    frozenset(line.split())
    for line in (
        "nb nn no da", "hr sr bs sl sh", "id ms jv", "cs sk", "es gl ca ast",
        "ru be kk ky mn mk bg uk sr tg tt ba", "ar fa ur ps ku ckb ug sd", "hi mr ne",
        "zh ja yue", "nl af fy", "he yi",
    )
)  # fmt: skip
"""Groups of similar languages: a text in one of them does not contradict a page that declares
another."""


def language_of(text: str) -> tuple[str, float]:
    """Return the language of a text and the confidence; an empty string if it is unclear."""
    text = text[:MOST_READ]
    if not text.isascii():
        sample = text[:_SAMPLE]
        counts = letters_by(sample, _SCRIPT_OF, len(_SCRIPTS))
        letters = counts[0]
        if letters < _LEAST_LETTERS:
            return "", 0.0
        if ascii_in(sample) < _MOSTLY_LATIN * len(sample):
            for number, (language, share, _, _) in enumerate(_SCRIPTS, 1):
                if counts[number] >= share * letters:
                    return _of_script(language, text), 0.95
    which, first, second = _KNOWN.best(text.lower())
    if first < _LEAST_HITS * _HIT:
        return "", 0.0
    return _LANGUAGES[which], 0.9 if first > _MARGIN * second else 0.5


def _of_script(language: str, text: str) -> str:
    if language == "ru":
        lower = text.lower()
        return "uk" if len(_UKRAINIAN.findall(lower)) > len(lower) / 200 else language
    if language == "ar":
        for letters, name in zip(*_OF_ARABIC, strict=True):
            if len(letters.findall(text)) > len(text) / 100:
                return name
    return language


def are_alike(one: str, other: str) -> bool:
    """Return whether two languages are the same, or too similar to be distinguished here."""
    return one == other or any(one in some and other in some for some in ALIKE)
