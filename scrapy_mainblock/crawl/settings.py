"""The settings: each with its default, what it may be, and what it is for.

`SETTINGS` is the one place where they stand; docs/settings.md is checked against it by a test.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Mapping
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
    """A setting has a value that it cannot have: the crawl does not start."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        self.name = name
        super().__init__(f"{name} = {value!r} is wrong: use {allowed}")


class Setting(NamedTuple):
    """One setting."""

    default: Any
    allowed: str
    purpose: str
    read: Callable[[Any], Any]
    """Its value as it is used; ValueError when it is not allowed."""


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
        raise ValueError("two of them would fill one field")
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
        raise ValueError(str(error)) from None
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
        raise ValueError(str(error)) from None
    if not callable(found):
        raise ValueError
    site_of: SiteOf = found
    return site_of


SETTINGS: Mapping[str, Setting] = {
    "MAINBLOCK_ENABLED": Setting(
        True, "True or False", "False switches all three components off.", _yes_or_no
    ),
    "MAINBLOCK_FIELDS": Setting(
        {name: name for name in FIELDS},
        f"a dict from any of {', '.join(FIELDS)} to the names of your item's fields (or None)",
        "Which field of the item each result goes to. A result that is not named here, or that"
        " goes to None or to a field that the item class does not have, is left out.",
        _fields,
    ),
    "MAINBLOCK_FREEZE": Setting(
        False,
        "True or False",
        "Whether to call `gc.freeze()` when the process's first crawl starts, so that Python's"
        " garbage collector passes over what is loaded by then. It saves a tenth of a crawl's CPU,"
        " and is for processes that do nothing else than crawl.",
        _yes_or_no,
    ),
    "MAINBLOCK_HOLD": Setting(
        True,
        "True or False",
        "Whether an item waits (on disk) until the rule of its page's cluster is known. False"
        " answers at once, from the page alone where there is no rule yet.",
        _yes_or_no,
    ),
    "MAINBLOCK_HOLD_PAGES": Setting(
        50,
        "a whole number from 1 up",
        "The most pages of one site that wait; with one more, all of the site's are answered.",
        _number_from_one,
    ),
    "MAINBLOCK_HOLD_SECONDS": Setting(
        30.0,
        "a number of seconds from 0 up",
        "How long an item waits for a rule at most.",
        _seconds,
    ),
    "MAINBLOCK_ITEMS": Setting(
        None,
        "item classes, or their import paths, or a callable from an item to True or False",
        "Which items are filled, and may wait. None is every dict, and every item whose class has"
        " one of the fields of MAINBLOCK_FIELDS. An item that has room for none of them, or for"
        " its URL alone, does not wait.",
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
        "Whether a field that the spider has filled is filled again. By default only a field that"
        " is missing, None or empty is.",
        _yes_or_no,
    ),
    "MAINBLOCK_QUIET": Setting(
        60.0,
        "a number of seconds from 0 up",
        "Seconds without a new page of a site after which its held items are released. It has an"
        " effect only where it is less than MAINBLOCK_HOLD_SECONDS.",
        _seconds,
    ),
    "MAINBLOCK_REPORT": Setting(
        None,
        "a file's name, like report.html, or None",
        "Where to write a report of the crawl when the spider closes: one HTML file with a sample"
        " of the pages that items came from, what was kept of each, and why. None writes none.",
        _file,
    ),
    "MAINBLOCK_RULES": Setting(
        None,
        "a directory, an address like redis://host:6379/0?namespace=news (or rediss://), redis://"
        " alone for the server of scrapy-redis's settings, or '' to keep no rules",
        "Where the rules are kept between crawls, and shared by those that run at the same time: a"
        " directory with a JSON document a site, or Redis, for crawlers on several machines"
        ' (`pip install "scrapy-mainblock[redis]"`). None is what MAINBLOCK_RULES_DIR says.',
        _store,
    ),
    "MAINBLOCK_RULES_DIR": Setting(
        None,
        "a directory, or '' to keep no rules",
        "The older name of MAINBLOCK_RULES. None is"
        " `.scrapy/mainblock/rules` of the project; outside of a project"
        " `mainblock/rules` of the JOBDIR, and without one nowhere.",
        _store,
    ),
    "MAINBLOCK_SITE": Setting(
        "domain",
        "'domain', 'host', or a callable (or its import path) from a response to a name",
        "What a site is, whose pages share their rules: the registered domain"
        " (`news.example.co.uk` is `example.co.uk`; of `a.github.io`, under which anybody"
        " may have one, it is the whole), the host, or what the callable says.",
        _site,
    ),
    "MAINBLOCK_SITES": Setting(
        500,
        "a whole number from 1 up",
        "The most sites whose evidence is kept in memory. The one that was not seen for longest"
        " (of the domain that has most of them) makes room: its rules are saved and its waiting"
        " items answered. So it goes, too, when all take more than some 200 MB.",
        _number_from_one,
    ),
}


def read_setting(settings: BaseSettings, name: str) -> Any:
    """The value of one setting as it is used; WrongSettingError for one that is not allowed."""
    setting = SETTINGS[name]
    value = settings.get(name, setting.default)
    try:
        return setting.read(value)
    except AddressError as error:
        shown = without_password(str(value))
        raise WrongSettingError(name, shown, f"{setting.allowed} ({error})") from None
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise WrongSettingError(name, value, setting.allowed) from None


@dataclass(frozen=True)
class Options:
    """The settings of one crawl, read."""

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
        """Read them; WrongSettingError for a value that is not allowed."""
        read = {
            name.removeprefix("MAINBLOCK_").lower(): read_setting(settings, name)
            for name in SETTINGS
        }
        return cls(**read)

    def room_in(self, item: Any) -> frozenset[str]:
        """Which results an item would take; none of one that is not ours, or is no item.

        Raises what the item's class raises, or the project's callable.
        """
        if not ItemAdapter.is_item(item) or (self.items is not None and not self.items(item)):
            return frozenset()
        if isinstance(item, dict):  # by itself: an adapter raises and catches for each field
            known = self._wanted
            value_of: Callable[[str], Any] = item.get
        else:
            adapter = ItemAdapter(item)
            names = frozenset(adapter.field_names())
            known = [one for one in self._wanted if one[1] in names]
            value_of = adapter.get
        if self.overwrite:
            return frozenset(name for name, _ in known)
        return frozenset([name for name, field in known if is_empty(value_of(field))])

    @cached_property
    def _wanted(self) -> list[tuple[str, str]]:
        """The results that are asked for, each with its field."""
        return [one for one in self.fields.items() if self.markdown or one[0] not in MARKDOWN]


def is_empty(value: Any) -> bool:
    """Whether a field is not filled; a number and False are values."""
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
        raise WrongSettingError("MAINBLOCK_RULES", address, "a directory: that is a file")


def read_options(settings: BaseSettings) -> Options:
    """`Options.of`, with the one line that says what is wrong: Scrapy itself shows a traceback."""
    try:
        options = Options.of(settings)
        _check_server(options, settings)
        return options  # noqa: TRY300
    except WrongSettingError as error:
        logger.critical("mainblock: %s", error)
        raise


def unknown_settings(settings: BaseSettings) -> list[str]:
    """Names that begin like ours and are none: somebody has mistyped one."""
    names = (name for name in settings if isinstance(name, str))
    return sorted(name for name in names if name.startswith("MAINBLOCK_") and name not in SETTINGS)
