"""Collects the texts of a page that could be the name of its site or of a section.

`template.learning.names` counts these texts over the pages of a template: a text that stands on
most of them is a name, not a headline.
"""

from __future__ import annotations

from scrapy_mainblock.fields.headings import shown_text
from scrapy_mainblock.fields.page_titles import PageTitles
from scrapy_mainblock.outline.html.tags import CODES
from scrapy_mainblock.template.learning.names import LONGEST_NAME

_MOST_HEADINGS = 3


def possible_names(titles: PageTitles) -> frozenset[str]:
    """Return the first and last parts of the page's titles, and the texts of its first headings."""
    found: set[str] = set()
    for _, name in titles.named:
        if len(name.parts) > 1:
            found.update(name.runs[part].text for part in (name.parts[0], name.parts[-1]) if part)
        else:
            found.add(name.text)
    headings = titles.page.rows.with_tag(CODES["h1"], _MOST_HEADINGS)
    found.update(shown_text(titles.page, heading) for heading in headings)
    return frozenset(text for text in found if text and len(text) <= LONGEST_NAME)
