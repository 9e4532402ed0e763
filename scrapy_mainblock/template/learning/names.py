"""Finds the names in the titles and headings of most pages of a template, which are not headlines.

Examples are ``The Daily`` after every title and ``Sports Wire`` above every article. A page alone
can only guess which part of its title is the site's name; a number of pages show it.
"""

from __future__ import annotations

from collections import Counter

LONGEST_NAME = 100
"""Maximum characters of a name."""
LEAST_PAGES = 3
MOST_SHARE = 0.5
"""A text on more than this share of the pages is a name. A series (`Today's weather`) has many
pages with the same headline, but they are not most pages of a template."""
MOST_TEXTS = 40
MOST_PAGES = 1000
"""Maximum number of texts and of pages kept per template."""


class NameTally:
    """Counts on how many different pages of a template each text occurs."""

    def __init__(self) -> None:
        self._pages = 0
        self._counts: Counter[str] = Counter()
        self._seen: set[int] = set()

    def add(self, texts: frozenset[str], page: int) -> None:
        """Count one more page; `page` identifies it, since a page may be visited again."""
        if page in self._seen or len(self._seen) >= MOST_PAGES:
            return
        self._seen.add(page)
        self._pages += 1
        for text in sorted(texts):  # of equally frequent ones, the first are kept
            self._counts[text] += 1
        if len(self._counts) > MOST_TEXTS:
            latest_last = dict(reversed(self._counts.items()))
            self._counts = Counter(dict(Counter(latest_last).most_common(MOST_TEXTS // 2)))

    def __len__(self) -> int:
        """Return the number of entries kept, which determines the memory used."""
        return len(self._counts) + len(self._seen)

    def names(self) -> tuple[str, ...]:
        """Return the texts that occur on most of the pages."""
        least = max(LEAST_PAGES, MOST_SHARE * self._pages + 0.5)
        return tuple(sorted(text for text, pages in self._counts.items() if pages >= least))
