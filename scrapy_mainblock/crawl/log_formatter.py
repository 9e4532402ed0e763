"""A log formatter that truncates the long texts in Scrapy's DEBUG line for each item.

Scrapy's own formatter writes the whole item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.logformatter import LogFormatter

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import Response
    from scrapy.logformatter import LogFormatterResult
    from twisted.python.failure import Failure

LONGEST_TEXT = 100


class ShortItems(LogFormatter):
    """The log formatter that the add-on sets in a project without its own LOG_FORMATTER."""

    def scraped(
        self, item: Any, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult:
        """Format the line of a scraped item; called by Scrapy."""
        return super().scraped(_Shortened(item), response, spider)


class _Shortened:
    """An item whose long texts are cut when it is formatted, which does not happen at INFO."""

    def __init__(self, item: Any) -> None:
        self._item = item

    def __str__(self) -> str:
        try:
            fields = ItemAdapter(self._item).asdict()
        except Exception:  # not an item, or raised by the item class
            return str(self._item)
        return str({name: _cut(value) for name, value in fields.items()})


def _cut(value: Any) -> Any:
    if not isinstance(value, str) or len(value) <= LONGEST_TEXT:
        return value
    return f"{value[:LONGEST_TEXT]}... ({len(value)} characters)"
