"""Words in class and id names that say what a block is for: English on sites of all languages.

One automaton (Aho and Corasick 1975) finds the words of all groups in a single pass over a name: 17
regular expressions took as long as parsing the page, on the first page of a site.
"""

from __future__ import annotations

from array import array

NAME_GROUPS = {
    "article": "article story entry post~ blog news",
    "content": "content main body text copy",
    "comment": "comment disqus reply replies respond respons discuss talk feedback review",
    "share": "share social follow facebook twitter addthis like",
    "related": "relat recommend similar more- also popular most trend latest recent readnext"
    " read-next next onward further suggest discover outbrain taboola teaser",
    "nav": "nav menu crumb pager pagination tabs skip",
    "side": "side rail widget aside column right left",
    "foot": "foot copyright legal disclaimer colophon",
    "head": "head banner logo masthead top",
    "advert": "|ad| |ads| advert sponsor promo banner dfp google |ad- |ad_",
    "meta": "meta byline author date time posted publish info dateline credit source",
    "tags": "|tag| |tags| keyword categor topics",
    "caption": "caption photo image img figure gallery media video thumb credit",
    "form": "form subscribe newsletter signup login search cookie consent modal popup poll vote"
    " print email tool",
    "bio": "bio about profile user avatar",
    "hidden": "hidden hide sr-only screen-reader visually none",
    "list": "list item card grid tile feed archive",
}
"""Parts of words. A bar is the beginning or end of a word; a word with a tilde does not count if it
continues as a verb or a plural, as in "posted by"."""
SIGNATURE = 1 << 31
"""The bit of classes that name the signature under each of a user's posts."""
LONGEST_NAME = 300
"""Maximum bytes of a class and an id together that are searched."""

LETTER_BITS = 5
ALPHABET = 1 << LETTER_BITS
"""Room for the classes of bytes: letters, hyphen, underscore, and all others as one. A power of 2,
because dividing by any other number is most of what a step of the automaton takes."""
CLASS_OF = bytes(
    octet - 0x60 if 0x61 <= octet <= 0x7A
    else octet - 0x40 if 0x41 <= octet <= 0x5A
    else 27 if octet == 0x2D
    else 28 if octet == 0x5F
    else 0
    for octet in range(256)
)  # fmt: skip
IS_WORD = bytes(octet >= 0x80 or octet == 0x5F or chr(octet).isalnum() for octet in range(256))
ANYWHERE, AT_BEGINNING, AT_END, NO_VERB = 0, 1, 2, 4


def _words() -> list[tuple[str, int, int]]:
    """Return each word with the bits of its groups and the positions at which it counts."""
    found = [("signature", SIGNATURE, ANYWHERE)]
    for bit, words in enumerate(NAME_GROUPS.values()):
        for word in words.split():
            where = (
                AT_BEGINNING * word.startswith("|")
                + AT_END * word.endswith("|")
                + NO_VERB * word.endswith("~")
            )
            found.append((word.strip("|~"), 1 << bit, where))
    return found


class _Automaton:
    """The words as a trie with a failure link for each state."""

    def __init__(self) -> None:
        self.next: list[list[int]] = [[0] * ALPHABET]
        self.plain = [0]
        """For each state, the bits of the words that end there."""
        self.checked: list[list[tuple[int, int, int]]] = [[]]
        """For each state, the words that count only at some positions: bits, length, position."""
        for word, bits, where in _words():
            self._add(word, bits, where)
        self._link()

    def _add(self, word: str, bits: int, where: int) -> None:
        state = 0
        for octet in word.encode():
            kind = CLASS_OF[octet]
            if not self.next[state][kind]:
                self.next[state][kind] = len(self.next)
                self.next.append([0] * ALPHABET)
                self.plain.append(0)
                self.checked.append([])
            state = self.next[state][kind]
        if where == ANYWHERE:
            self.plain[state] |= bits
        else:
            self.checked[state].append((bits, len(word), where))

    def _link(self) -> None:
        fail = [0] * len(self.next)
        queue = [state for state in self.next[0] if state]
        for state in queue:  # grows during the loop
            for kind in range(ALPHABET):
                after = self.next[state][kind]
                if not after:
                    self.next[state][kind] = self.next[fail[state]][kind]
                    continue
                fail[after] = self.next[fail[state]][kind]
                self.plain[after] |= self.plain[fail[after]]
                self.checked[after] += self.checked[fail[after]]
                queue.append(after)


_automaton = _Automaton()
NEXT = array("i", [after * ALPHABET for row in _automaton.next for after in row])
"""For each state and class of byte, the row of the next state."""
PLAIN = array("I", _automaton.plain)
CHECKED_FROM = array("i", [0])
CHECKED_BITS, CHECKED_LENGTH, CHECKED_WHERE = array("I"), array("i"), array("i")
for _those in _automaton.checked:
    for _bits, _length, _where in _those:
        CHECKED_BITS.append(_bits)
        CHECKED_LENGTH.append(_length)
        CHECKED_WHERE.append(_where)
    CHECKED_FROM.append(len(CHECKED_BITS))
