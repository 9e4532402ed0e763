"""Scrapy's DEBUG line for each item, which repeats all of it, without the long texts."""

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
    """What a project without a LOG_FORMATTER of its own gets from the add-on."""

    def scraped(
        self, item: Any, response: Response | Failure | None, spider: Spider
    ) -> LogFormatterResult:
        """For Scrapy."""
        return super().scraped(_Shortened(item), response, spider)


class _Shortened:
    """An item whose long texts are cut when it is written, which with INFO it never is."""

    def __init__(self, item: Any) -> None:
        self._item = item

    def __str__(self) -> str:
        try:
            fields = ItemAdapter(self._item).asdict()
        except Exception:  # it is no item, or its class's own
            return str(self._item)
        return str({name: _cut(value) for name, value in fields.items()})


def _cut(value: Any) -> Any:
    if not isinstance(value, str) or len(value) <= LONGEST_TEXT:
        return value
    return f"{value[:LONGEST_TEXT]}... ({len(value)} characters)"
