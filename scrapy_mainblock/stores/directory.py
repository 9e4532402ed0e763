"""Rules in a directory, with one JSON document for each site (see `documents` for its format).

Documents are written atomically (a reader sees the old document or the new one), under a lock, so
that several processes may share a directory: what another process learned in the meantime is
merged, not overwritten. A pinned rule is never overwritten.

Reading changes nothing on disk. If an edit has damaged a document, its last good state stays in
use: the one in memory, or else the copy that the last save left in `.good`. The next save puts the
damaged document aside under another name. A document of a later version is left alone.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import logging
import os
import re
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from scrapy_mainblock.stores import documents
from scrapy_mainblock.stores.addresses import NoDirectoryError
from scrapy_mainblock.template.field_rules import merged_fields
from scrapy_mainblock.template.rules import SiteRules, Template

logger = logging.getLogger(__name__)

_SUFFIX = ".json"
_GOOD = ".good"
_PLAIN_CHARACTER = re.compile(r"[a-z0-9.-]")
_PLAIN = re.compile(r"[a-z0-9-][a-z0-9.-]*")
# Names that Windows reserves for devices, with or without a suffix.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_LONGEST_NAME = 120
LOCK_SECONDS = 10.0
"""How long to wait for another process that is writing, which takes milliseconds. A process that
was stopped while it was writing (Ctrl-Z) must not block a crawl."""
_LOCK_POLL = 0.005
MOST_REMEMBERED = 1000
"""Limit on the sites whose documents are kept in memory, each until its file changes."""
MOST_BYTES_REMEMBERED = 64_000_000
"""Limit on the size of these documents on disk; in memory they take about as much. A document of a
thousand rules has two megabytes, most have some 50 KB."""


def file_name(site: str) -> str:
    """Return the file name of a site: the site's name if it is plain, else quoted to become plain.

    A host is text from a stranger: it may be ``..`` or ``CON``, hold slashes, or be 4 KB long.
    """
    quoted = "".join(
        character if _PLAIN_CHARACTER.fullmatch(character) else _percent(character)
        for character in site
    )
    if not _PLAIN.fullmatch(quoted[:1] or "%") or _DEVICE.fullmatch(quoted):
        quoted = "%" + (f"{ord(quoted[0]):02X}{quoted[1:]}" if quoted else "")
    if len(quoted) > _LONGEST_NAME:
        digest = hashlib.sha256(site.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        # No short name has a "~", so that none can imitate a shortened one.
        quoted = f"{quoted[: _LONGEST_NAME - 17]}~{digest}"
    return quoted + _SUFFIX


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


class _Stamp(NamedTuple):
    """What changes when a file does."""

    changed: int
    size: int
    inode: int


class _Remembered(NamedTuple):
    stamp: _Stamp | None
    """None if there was no file."""
    rules: SiteRules | None
    """The last good state."""


class RulesDirectory:
    """The rules that a project keeps in a directory."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.address = str(self.path)
        self.troubles = 0
        """How many documents could not be used; each was logged."""
        self._remembered: OrderedDict[str, _Remembered] = OrderedDict()
        self._bytes_remembered = 0
        self._guard = threading.Lock()
        self._logged: set[tuple[str, _Stamp | None]] = set()
        self._is_tidy = False
        self._waits = LOCK_SECONDS

    # ---- reading -------------------------------------------------------------------------------

    def look_for_documents(self) -> None:
        """Raise NoDirectoryError if there is no directory; log a warning if it has no documents.

        For callers that only read rules. A crawl makes its directory itself.
        """
        if not self.path.is_dir():
            raise NoDirectoryError(
                f"{self.path} is a file, not a directory of rules"
                if self.path.exists()
                else f"no directory {self.path}: make one with mainblock learn --rules"
            )
        if next(self.path.glob(f"*{_SUFFIX}"), None) is None:
            logger.warning("rules: %s contains no rules", self.path)

    def load(self) -> dict[str, SiteRules]:
        """Return the rules of all sites, by site; none if the directory does not exist yet."""
        files = sorted(file for file in self.path.glob(f"*{_SUFFIX}") if file.is_file())
        sites = (self._look_up(file) for file in files)
        return {rules.site: rules for rules in sites if rules is not None}

    def has(self, site: str) -> bool:
        """Return whether a site has rules."""
        return (self.path / file_name(site)).exists()

    def load_site(self, site: str) -> SiteRules | None:
        """Return the rules of a site, or None."""
        return self._look_up(self.path / file_name(site))

    def changed(self, sites: Iterable[str]) -> list[str]:
        """Return which of some sites have a document that changed since it was last read here."""
        changed = []
        for site in sites:
            file = self.path / file_name(site)
            with self._guard:
                remembered = self._remembered.get(file.name)
            if remembered is not None and _stamp_of(file) != remembered.stamp:
                changed.append(site)
        return changed

    def _look_up(self, file: Path) -> SiteRules | None:
        stamp = _stamp_of(file)
        with self._guard:
            remembered = self._remembered.get(file.name)
        if remembered is not None and remembered.stamp == stamp:
            return remembered.rules
        rules = None
        try:
            if stamp is not None:
                rules = documents.site_from_text(file.read_bytes())
        except FileNotFoundError:
            stamp = None
        except documents.NewerDocumentError as error:
            self._trouble(file, stamp, "not used and left unchanged: %s", error)
        except documents.DamagedDocumentError as error:
            rules = remembered.rules if remembered else None
            rules = rules or self._good_copy(file)
            self._trouble(
                file,
                stamp,
                f"{error}. Fix it, or delete it to relearn the site; %s",
                "until then its last good state is used"
                if rules
                else "until then the site has no rules",
            )
        except OSError as error:
            self._trouble(file, stamp, "cannot be read: %s", error.strerror)
            return None  # it may be readable the next time
        self._remember(file, stamp, rules)
        return rules

    def _good_copy(self, file: Path) -> SiteRules | None:
        try:
            return documents.site_from_text((self.path / _GOOD / file.name).read_bytes())
        except (OSError, documents.DamagedDocumentError, documents.NewerDocumentError):
            return None

    def _remember(self, file: Path, stamp: _Stamp | None, rules: SiteRules | None) -> None:
        with self._guard:
            self._forget(file.name)
            self._remembered[file.name] = _Remembered(stamp, rules)
            self._bytes_remembered += stamp.size if stamp else 0
            while len(self._remembered) > 1 and (
                len(self._remembered) > MOST_REMEMBERED
                or self._bytes_remembered > MOST_BYTES_REMEMBERED
            ):
                self._forget(next(iter(self._remembered)))

    def _forget(self, name: str) -> None:
        before = self._remembered.pop(name, None)
        if before is not None and before.stamp is not None:
            self._bytes_remembered -= before.stamp.size

    def _trouble(self, file: Path, stamp: _Stamp | None, message: str, *arguments: object) -> None:
        """Count a problem; log it once per state of a file, since a crawl reads sites again."""
        self.troubles += 1
        if (file.name, stamp) not in self._logged:
            self._logged.add((file.name, stamp))
            logger.warning(f"rules: %s: {message}", file, *arguments)

    # ---- writing -------------------------------------------------------------------------------

    def save(self, learnt: SiteRules) -> SiteRules:
        """Merge what was learned into the directory; return the site's rules after that.

        Raises OSError if the directory cannot be written.
        """
        try:
            return self.update(learnt.site, lambda known: merge(known, learnt))
        except documents.NewerDocumentError:  # `update` has logged it
            return learnt

    def update(self, site: str, change: Callable[[SiteRules | None], SiteRules]) -> SiteRules:
        """Replace a site's rules by what `change` returns, with no other writer in between.

        Raises NewerDocumentError if the document is of a later version, and OSError if it cannot be
        read or the directory cannot be written.
        """
        with self._lock():
            file = self.path / file_name(site)
            known, is_damaged = self._to_change(file)
            changed = change(known)
            text = documents.checked_text(changed)
            if is_damaged:
                self._put_aside(file)
            if changed != known or is_damaged:
                self._write(file, text)
            self._remember(file, _stamp_of(file), changed)
            return changed

    def _to_change(self, file: Path) -> tuple[SiteRules | None, bool]:
        """Return the rules that a change starts from, and whether their document is damaged.

        Any other OSError is raised: what cannot be read must not be overwritten either.
        """
        try:
            return documents.site_from_text(file.read_bytes()), False
        except FileNotFoundError:
            return None, False
        except documents.NewerDocumentError as error:
            self._trouble(file, _stamp_of(file), "left unchanged: %s", error)
            raise
        except documents.DamagedDocumentError:
            return self._look_up(file), True

    def _put_aside(self, file: Path) -> None:
        for number in range(1, 1000):
            aside = file.with_name(f"{file.name}.damaged-{number}")
            if not aside.exists():
                break
        try:
            file.replace(aside)
        except OSError as error:
            logger.warning("rules: %s is damaged and cannot be put aside: %s", file, error.strerror)
            raise
        logger.warning("rules: %s is damaged: put aside as %s", file, aside.name)

    def _write(self, file: Path, text: str) -> None:
        data = text.encode("utf-8", "backslashreplace")
        self._write_file(file, data)
        with contextlib.suppress(OSError):  # a convenience: the document itself is already written
            good = self.path / _GOOD
            if not good.exists():
                good.mkdir()
                (good / ".gitignore").write_text("*\n")
            self._write_file(good / file.name, data, durable=False)

    def _write_file(self, file: Path, data: bytes, *, durable: bool = True) -> None:
        descriptor, name = tempfile.mkstemp(dir=self.path, prefix=".", suffix=".tmp")
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(data)
                if durable:
                    stream.flush()
                    os.fsync(stream.fileno())
            temporary.chmod(0o644)
            temporary.replace(file)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            import fcntl  # noqa: PLC0415 - not there on Windows, where the replace alone must do
        except ImportError:
            yield
            return
        with (self.path / ".lock").open("a") as stream:
            end = time.monotonic() + self._waits
            while True:
                try:
                    fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() >= end:
                        self._waits = 0.0  # do not make the next save wait as well
                        message = "another process keeps the directory locked"
                        raise TimeoutError(errno.ETIMEDOUT, message) from None
                time.sleep(_LOCK_POLL)
            self._waits = LOCK_SECONDS
            if not self._is_tidy:
                self._is_tidy = True
                self._tidy()
            yield

    def _tidy(self) -> None:
        """Remove half-written files: under the lock nothing is being written by a live process."""
        for file in self.path.glob(".*.tmp"):
            with contextlib.suppress(OSError):
                file.unlink()


def _stamp_of(file: Path) -> _Stamp | None:
    try:
        stat = os.stat(file)  # noqa: PTH116 - half the time of Path.stat, once for each page
    except OSError:
        return None
    return _Stamp(stat.st_mtime_ns, stat.st_size, stat.st_ino)


def merge(known: SiteRules | None, learnt: SiteRules) -> SiteRules:
    """Return the rules of a site after more was learned.

    Pinned clusters stay as they are. A learned template replaces the one of its name, or else the
    one that its own pages would be matched to, under the next version number if its rule differs. A
    template that was not seen this time is kept. (A cluster is named after its first page, which is
    another one in each crawl: by name alone the oldest rules of a template would win forever.)
    """
    if known is None:
        return learnt
    merged = {one.cluster: one for one in known.templates}
    taken = {one.cluster for one in learnt.templates}
    for template in learnt.templates:
        before = merged.get(template.cluster) or _same_template(template, merged.values(), taken)
        after = template if before is None else _next_version(before, template)
        merged[after.cluster] = after
        taken.add(after.cluster)
    fields = merged_fields(known.fields, learnt.fields)
    return SiteRules(learnt.site, tuple(merged.values()), fields).bounded()


def _same_template(
    template: Template, known: Iterable[Template], taken: Set[str]
) -> Template | None:
    if template.pinned:
        return None
    for one in known:
        if one.cluster not in taken and one.structure and one.is_similar(template.structure):
            return one
    return None


def _next_version(before: Template, after: Template) -> Template:
    """Return what replaces a known template, under its name; a pinned one stays."""
    if before.pinned:
        return before
    return replace(before.successor(after), cluster=before.cluster, structure=before.structure)
