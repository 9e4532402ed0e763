"""Rules <-> a directory with one JSON document a site (see `documents` for its form).

Written atomically (a reader sees the old document or the new one), under a lock, so that several
processes may share a directory: what another one learnt meanwhile is merged, not overwritten. A
pinned rule is never overwritten. A damaged document is put aside under another name and said so;
one of a later version is left alone.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import logging
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import replace
from pathlib import Path

from scrapy_mainblock.stores import documents
from scrapy_mainblock.template.rules import SiteRules, Template

logger = logging.getLogger(__name__)

_SUFFIX = ".json"
_PLAIN_CHARACTER = re.compile(r"[a-z0-9.-]")
_PLAIN = re.compile(r"[a-z0-9-][a-z0-9.-]*")
# Names that Windows keeps for devices, with or without a suffix.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_LONGEST_NAME = 120
LOCK_SECONDS = 10.0
"""How long is waited for another process that writes, which takes milliseconds. One that was
stopped while it did (Ctrl-Z) must not stop a crawl with it."""
_LOCK_POLL = 0.005


def file_name(site: str) -> str:
    """The file of a site: its name where that is a plain one, else quoted so that it stays one.

    A host is a stranger's text: it may be ``..``, ``CON``, hold slashes, or be 4 KB long.
    """
    quoted = "".join(
        character if _PLAIN_CHARACTER.fullmatch(character) else _percent(character)
        for character in site
    )
    if not _PLAIN.fullmatch(quoted[:1] or "%") or _DEVICE.fullmatch(quoted):
        quoted = "%" + (f"{ord(quoted[0]):02X}{quoted[1:]}" if quoted else "")
    if len(quoted) > _LONGEST_NAME:
        digest = hashlib.sha256(site.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        # No short name holds a "~", so that none can be made to look like a long one's.
        quoted = f"{quoted[: _LONGEST_NAME - 17]}~{digest}"
    return quoted + _SUFFIX


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


class RulesDirectory:
    """The rules that a project keeps."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self.troubles = 0
        """How many documents could not be used; each was said in the log."""
        self._said: set[str] = set()
        self._is_tidy = False
        self._waits = LOCK_SECONDS

    def load(self) -> dict[str, SiteRules]:
        """Read the rules of all sites, by site; none where the directory does not exist yet."""
        sites = (self._read(file) for file in self._files())
        return {rules.site: rules for rules in sites if rules is not None}

    def has(self, site: str) -> bool:
        """Whether there are rules of a site."""
        return (self.path / file_name(site)).exists()

    def load_site(self, site: str) -> SiteRules | None:
        """The rules of one site."""
        return self._read(self.path / file_name(site))

    def save(self, learnt: SiteRules) -> SiteRules:
        """Merge what was learnt into the directory; returns the site's rules as they now are.

        Raises OSError when the directory cannot be written.
        """
        try:
            return self.update(learnt.site, lambda known: merge(known, learnt))
        except documents.NewerDocumentError as error:
            self._say_once(file_name(learnt.site), "left as it is", error)
            return learnt

    def update(self, site: str, change: Callable[[SiteRules | None], SiteRules]) -> SiteRules:
        """Replace a site's rules by what `change` makes of them, with no other writer between.

        Raises NewerDocumentError where the document is of a later version, and OSError when it
        cannot be read or the directory cannot be written.
        """
        with self._lock():
            file = self.path / file_name(site)
            self._refuse_newer(file)
            known = self._read(file, locked=True)
            changed = change(known)
            if changed != known:
                self._write(file, documents.site_to_text(changed))
            return changed

    def _files(self) -> list[Path]:
        return sorted(file for file in self.path.glob(f"*{_SUFFIX}") if file.is_file())

    def _read(self, file: Path, *, locked: bool = False) -> SiteRules | None:
        try:
            return documents.site_from_text(file.read_bytes())
        except FileNotFoundError:
            return None
        except documents.NewerDocumentError as error:
            self.troubles += 1
            self._say_once(file.name, "not used, and left as it is", error)
        except documents.DamagedDocumentError as error:
            if not locked:
                return self._read_again(file, error)
            self._put_aside(file, error)
        except OSError as error:
            self.troubles += 1
            self._say_once(file.name, "cannot be read", error.strerror)
        return None

    def _say_once(self, name: str, what: str, why: object) -> None:
        """A crawl comes back to a site whenever it was out of memory, and saves it often."""
        if name not in self._said:
            self._said.add(name)
            logger.warning("rules: %s %s: %s", name, what, why)

    def _read_again(self, file: Path, why: Exception) -> SiteRules | None:
        """Under the lock: another process may have put the damaged file aside meanwhile."""
        try:
            with self._lock():
                return self._read(file, locked=True)
        except OSError:
            self.troubles += 1
            logger.warning("rules: %s is damaged (%s) and not used", file.name, why)
            return None

    def _put_aside(self, file: Path, why: Exception) -> None:
        self.troubles += 1
        for number in range(1, 1000):
            aside = file.with_name(f"{file.name}.damaged-{number}")
            if not aside.exists():
                break
        try:
            file.replace(aside)
        except OSError as error:
            logger.warning("rules: %s is damaged (%s) and not used; it cannot be put aside: %s",
                           file.name, why, error.strerror)  # fmt: skip
        else:
            logger.warning("rules: %s is damaged (%s): put aside as %s", file.name, why, aside.name)

    @staticmethod
    def _refuse_newer(file: Path) -> None:
        # Any other OSError is raised: what cannot be read must not be overwritten either.
        with contextlib.suppress(FileNotFoundError, documents.DamagedDocumentError):
            documents.site_from_text(file.read_bytes())

    def _write(self, file: Path, text: str) -> None:
        descriptor, name = tempfile.mkstemp(dir=self.path, prefix=".", suffix=".tmp")
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(text.encode("utf-8", "backslashreplace"))
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
                        self._waits = 0.0  # the next one need not wait for the same
                        message = "another process keeps the directory locked"
                        raise TimeoutError(errno.ETIMEDOUT, message) from None
                time.sleep(_LOCK_POLL)
            self._waits = LOCK_SECONDS
            if not self._is_tidy:
                self._is_tidy = True
                self._tidy()
            yield

    def _tidy(self) -> None:
        """Under the lock nobody writes: what is half written is of a process that was killed."""
        for file in self.path.glob(".*.tmp"):
            with contextlib.suppress(OSError):
                file.unlink()


def merge(known: SiteRules | None, learnt: SiteRules) -> SiteRules:
    """What a site's rules become when more was learnt.

    Pinned clusters stay as they are; a learnt one replaces the one of its name, or else the one
    that its own pages would be matched to, under the next version number if its rule is another;
    one that was not seen this time is kept. (A cluster is named after its first page, which is
    another in each crawl: by name alone the oldest rules of a template would win for ever.)
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
    return SiteRules(learnt.site, tuple(merged.values())).bounded()


def _same_template(
    template: Template, known: Iterable[Template], taken: Set[str]
) -> Template | None:
    if template.pinned:
        return None
    for one in known:
        if one.cluster not in taken and one.structure and one.is_alike(template.structure):
            return one
    return None


def _next_version(before: Template, after: Template) -> Template:
    """What replaces a template that was known, under its name; a pinned one stays."""
    if before.pinned:
        return before
    return replace(before.successor(after), cluster=before.cluster, structure=before.structure)
