"""The settings: each with its default, its allowed values and its purpose.

`SETTINGS` is the only definition; a test checks docs/settings.md against it.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

from itemadapter import ItemAdapter
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from scrapy_mainblock.crawl.fleet.rules_address import rules_address
from scrapy_mainblock.page.sites import host, registered_domain
from scrapy_mainblock.render.article import FIELDS, MARKDOWN
from scrapy_mainblock.stores.addresses import AddressError, is_server, without_password
from scrapy_mainblock.stores.rules import check_address

logger = logging.getLogger("scrapy_mainblock")


SiteOf = Callable[[Response], str]


class WrongSettingError(ValueError):
    """A setting has an invalid value: the crawl does not start."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        self.name = name
        super().__init__(f"{name} = {value!r} is wrong: use {allowed}")


class _UnusableError(ValueError):
    """A value is not allowed; the message says why."""


class Setting(NamedTuple):
    """The definition of one setting."""

    default: Any
    allowed: str
    purpose: str
    read: Callable[[Any], Any]
    """Converts a given value to the value in use; raises ValueError if it is not allowed."""


def _yes_or_no(value: Any) -> bool:
    named = {"true": True, "1": True, "false": False, "0": False}
    if isinstance(value, (bool, int, str)) and str(value).lower() in named:
        return named[str(value).lower()]
    raise ValueError


def _seconds(value: Any) -> float:
    if isinstance(value, bool):
        raise ValueError
    seconds = float(value)
    if not 0 <= seconds < math.inf:
        raise ValueError
    return seconds


def _number_from_one(value: Any) -> int:
    if isinstance(value, (bool, float)) or (number := int(value)) < 1:
        raise ValueError
    return number


def _fields(value: Any) -> Mapping[str, str]:
    mapping = json.loads(value) if isinstance(value, str) else value
    if not isinstance(mapping, Mapping):
        raise ValueError
    known = set(mapping) <= set(FIELDS)
    if not known or not all(
        name is None or (name and type(name) is str) for name in mapping.values()
    ):
        raise ValueError
    names = [name for name in mapping.values() if name]
    if len(set(names)) < len(names):
        raise _UnusableError("two results would go to the same field")
    return {field: mapping[field] for field in FIELDS if mapping.get(field)}


IsOurs = Callable[[Any], bool]


def _items(value: Any) -> IsOurs | None:
    if value is None:
        return None
    if isinstance(value, str) and "," in value:
        value = [one.strip() for one in value.split(",")]
    listed = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
    try:
        found = [load_object(one) if isinstance(one, str) else one for one in listed]
    except Exception as error:
        raise _UnusableError(str(error)) from None
    classes = tuple(one for one in found if isinstance(one, type))
    if classes and len(classes) == len(found):
        return lambda item: isinstance(item, classes)
    if len(found) == 1 and callable(found[0]):
        is_ours: IsOurs = found[0]
        return is_ours
    raise ValueError


def _directory(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, (str, PathLike)):
        return str(fspath(value))
    raise ValueError


def _store(value: Any) -> str | None:
    address = _directory(value)
    if address is not None:
        check_address(address)
    return address


def _file(value: Any) -> str | None:
    name = _directory(value)
    if name is not None and (not name or name.endswith("/")):
        raise ValueError
    return name


def _domain_of(response: Response) -> str:
    return registered_domain(response.url)


def _host_of(response: Response) -> str:
    return host(response.url)


def _site(value: Any) -> SiteOf:
    if value in ("domain", "host"):
        return _domain_of if value == "domain" else _host_of
    if not callable(value) and not (isinstance(value, str) and "." in value):
        raise ValueError
    try:
        found = load_object(value)
    except Exception as error:
        raise _UnusableError(str(error)) from None
    if not callable(found):
        raise ValueError
    site_of: SiteOf = found
    return site_of


SETTINGS: Mapping[str, Setting] = {
    "MAINBLOCK_ENABLED": Setting(
        True, "True or False", "False switches off all three components.", _yes_or_no
    ),
    "MAINBLOCK_FIELDS": Setting(
        {name: name for name in FIELDS},
        f"a dict from any of {', '.join(FIELDS)} to the names of your item's fields (or None)",
        "The item field for each result. A result is left out if it is not named here, or if it"
        " maps to None or to a field that the item class does not have.",
        _fields,
    ),
    "MAINBLOCK_FREEZE": Setting(
        False,
        "True or False",
        "Whether to call `gc.freeze()` when the process's first crawl starts, so that Python's"
        " garbage collector skips the objects that exist by then. This saves a tenth of a crawl's"
        " CPU. Use it only in processes that do nothing but crawl.",
        _yes_or_no,
    ),
    "MAINBLOCK_HOLD": Setting(
        True,
        "True or False",
        "Whether an item waits (on disk) until the rule of its page's cluster is known. With False"
        " every item is filled without waiting, from the page alone if there is no rule yet.",
        _yes_or_no,
    ),
    "MAINBLOCK_HOLD_PAGES": Setting(
        50,
        "an integer >= 1",
        "The maximum number of pages of one site that wait. With one more, the items of all of"
        " them are released.",
        _number_from_one,
    ),
    "MAINBLOCK_HOLD_SECONDS": Setting(
        30.0,
        "a number of seconds >= 0",
        "The maximum time that an item waits for a rule.",
        _seconds,
    ),
    "MAINBLOCK_ITEMS": Setting(
        None,
        "item classes, or their import paths, or a callable from an item to True or False",
        "Which items are filled, and may wait. None means every dict, and every item whose class"
        " has one of the fields of MAINBLOCK_FIELDS. An item that has room for none of these"
        " fields, or only for its URL, does not wait.",
        _items,
    ),
    "MAINBLOCK_MARKDOWN": Setting(
        False,
        "True or False",
        "Whether `articleBodyMarkdown` is filled: the body as CommonMark with GFM's tables.",
        _yes_or_no,
    ),
    "MAINBLOCK_OVERWRITE": Setting(
        False,
        "True or False",
        "Whether to overwrite fields that the spider has filled. By default a field is filled only"
        " if it is missing, None or empty.",
        _yes_or_no,
    ),
    "MAINBLOCK_QUIET": Setting(
        60.0,
        "a number of seconds >= 0",
        "The held items of a site are released after this many seconds without a new page of it."
        " This has an effect only if it is less than MAINBLOCK_HOLD_SECONDS.",
        _seconds,
    ),
    "MAINBLOCK_REPORT": Setting(
        None,
        "a file name like report.html, or None",
        "Where to write a report of the crawl when the spider closes. The report is one HTML file"
        " with a sample of the pages that items came from, what was kept of each, and why. With"
        " None no report is written.",
        _file,
    ),
    "MAINBLOCK_RULES": Setting(
        None,
        "a directory, an address like redis://host:6379/0?namespace=news (or rediss://), redis://"
        " alone for the server of scrapy-redis's settings, or '' to keep no rules",
        "Where rules are kept between crawls, and shared by crawls that run at the same time: a"
        " directory with one JSON document for each site, or Redis, for crawlers on several"
        ' machines (`pip install "scrapy-mainblock[redis]"`). None means the value of'
        " MAINBLOCK_RULES_DIR.",
        _store,
    ),
    "MAINBLOCK_RULES_DIR": Setting(
        None,
        "a directory, or '' to keep no rules",
        "The older name of MAINBLOCK_RULES. None means `.scrapy/mainblock/rules` in the project."
        " Outside of a project it means `mainblock/rules` in the JOBDIR, and without a JOBDIR"
        " rules are not kept.",
        _store,
    ),
    "MAINBLOCK_SITE": Setting(
        "domain",
        "'domain', 'host', or a callable (or its import path) from a response to a name",
        "What counts as a site; the pages of a site share their rules. It is the registered domain"
        " (`example.co.uk` for `news.example.co.uk`; all of `a.github.io`, because anyone may"
        " register a name under `github.io`), the host, or the name that the callable returns.",
        _site,
    ),
    "MAINBLOCK_SITES": Setting(
        500,
        "an integer >= 1",
        "The maximum number of sites whose evidence is kept in memory. With one more, the domain"
        " that has the most sites loses the one that was not seen for longest. When all sites"
        " together take more than some 200 MB, the largest site of the domain that takes the most"
        " forgets what only few of its pages have shown; if there is little of that, it is"
        " evicted. The rules of an evicted site are saved and its waiting items are filled.",
        _number_from_one,
    ),
}


def read_setting(settings: BaseSettings, name: str) -> Any:
    """Return the value in use of one setting; raises WrongSettingError if it is not allowed."""
    setting = SETTINGS[name]
    value = settings.get(name, setting.default)
    try:
        return setting.read(value)
    except AddressError as error:
        shown = without_password(str(value))
        raise WrongSettingError(name, shown, f"{setting.allowed} ({error})") from None
    except _UnusableError as error:
        raise WrongSettingError(name, value, f"{setting.allowed} ({error})") from None
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise WrongSettingError(name, value, setting.allowed) from None


@dataclass(frozen=True)
class Options:
    """The settings of one crawl, converted to the values in use."""

    enabled: bool
    fields: Mapping[str, str]
    freeze: bool
    hold: bool
    hold_pages: int
    hold_seconds: float
    items: IsOurs | None
    markdown: bool
    overwrite: bool
    quiet: float
    report: str | None
    rules: str | None
    rules_dir: str | None
    site: SiteOf
    sites: int

    @classmethod
    def of(cls, settings: BaseSettings) -> Options:
        """Read all settings; raises WrongSettingError for a value that is not allowed."""
        read = {
            name.removeprefix("MAINBLOCK_").lower(): read_setting(settings, name)
            for name in SETTINGS
        }
        return cls(**read)

    def room_in(self, item: Any) -> frozenset[str]:
        """Return the names of the results that an item has room for.

        There are none for an object that is not an item, or that MAINBLOCK_ITEMS excludes. Raises
        whatever the item class or the project's callable raises.
        """
        if not ItemAdapter.is_item(item) or (self.items is not None and not self.items(item)):
            return frozenset()
        if isinstance(item, dict):  # without an adapter, which raises and catches for each field
            return self._room_of(self._wanted, item)
        adapter = ItemAdapter(item)
        names = frozenset(adapter.field_names())
        return self._room_of([one for one in self._wanted if one[1] in names], adapter)

    def _room_of(
        self, known: Iterable[tuple[str, str]], values: Mapping[str, Any]
    ) -> frozenset[str]:
        if self.overwrite:
            return frozenset([name for name, _ in known])
        return frozenset(
            [name for name, field in known if field not in values or is_empty(values[field])]
        )

    @cached_property
    def _wanted(self) -> list[tuple[str, str]]:
        """The requested results, each with the name of its item field."""
        return [one for one in self.fields.items() if self.markdown or one[0] not in MARKDOWN]


def is_empty(value: Any) -> bool:
    """Return whether a field is not filled; a number and False are values."""
    return value is None or (isinstance(value, (str, bytes, list, tuple, dict)) and not value)


def _check_server(options: Options, settings: BaseSettings) -> None:
    address = rules_address(options.rules, options.rules_dir, settings)
    if address is not None and is_server(address):
        try:
            check_address(address)
        except AddressError as error:
            shown = without_password(address)
            allowed = f"a server's address like redis://host:6379/0 ({error})"
            raise WrongSettingError("REDIS_URL", shown, allowed) from None
    elif address is not None and Path(address).exists() and not Path(address).is_dir():
        raise WrongSettingError("MAINBLOCK_RULES", address, "a directory, not a file")


def read_options(settings: BaseSettings) -> Options:
    """Return `Options.of(settings)`; log what is wrong in one line before raising an error.

    Scrapy itself would only show a traceback.
    """
    try:
        options = Options.of(settings)
        _check_server(options, settings)
        return options  # noqa: TRY300
    except WrongSettingError as error:
        logger.critical("mainblock: %s", error)
        raise


def unknown_settings(settings: BaseSettings) -> list[str]:
    """Return the names that begin like our settings but are not: misspelled ones, most likely."""
    names = (name for name in settings if isinstance(name, str))
    return sorted(name for name in names if name.startswith("MAINBLOCK_") and name not in SETTINGS)
