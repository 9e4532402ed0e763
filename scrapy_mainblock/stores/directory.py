"""Rules <-> a directory with one JSON document a site (see `documents` for its form).

Written atomically (a reader sees the old document or the new one), under a lock, so that several
processes may share a directory: what another one learnt meanwhile is merged, not overwritten. A
pinned rule is never overwritten. A damaged document is put aside under another name and said so;
one of a later version is left alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from scrapy_mainblock.core.rules import ClusterRule, Rules, SiteRules
from scrapy_mainblock.stores import documents

logger = logging.getLogger(__name__)

_SUFFIX = ".json"
_PLAIN = re.compile(r"[a-z0-9-][a-z0-9.-]*")
# Names that Windows keeps for devices, with or without a suffix.
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_LONGEST_NAME = 120


def file_name(site: str) -> str:
    """The file of a site: its name where that is a plain one, else quoted so that it stays one.

    A host is a stranger's text: it may be ``..``, ``CON``, hold slashes, or be 4 KB long.
    """
    quoted = "".join(
        character if re.match(r"[a-z0-9.-]", character) else _percent(character)
        for character in site
    )
    if not _PLAIN.fullmatch(quoted[:1] or "%") or _DEVICE.fullmatch(quoted):
        quoted = "%" + (f"{ord(quoted[0]):02X}{quoted[1:]}" if quoted else "")
    if len(quoted) > _LONGEST_NAME:
        digest = hashlib.sha256(site.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        quoted = f"{quoted[: _LONGEST_NAME - 17]}-{digest}"
    return quoted + _SUFFIX


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))


class RulesDirectory:
    """The rules that a project keeps."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def load(self) -> Rules:
        """All rules of the directory; none where it does not exist yet."""
        sites = (self._read(file) for file in self._files())
        return Rules({rules.site: rules for rules in sites if rules is not None})

    def load_site(self, site: str) -> SiteRules | None:
        """The rules of one site."""
        return self._read(self.path / file_name(site))

    def save(self, learnt: SiteRules) -> SiteRules:
        """Merge what was learnt into the directory; returns the site's rules as they now are.

        Raises OSError when the directory cannot be written.
        """
        with self._lock():
            file = self.path / file_name(learnt.site)
            if self._is_newer(file):
                logger.warning("rules: %s is of a later version: left as it is", file.name)
                return learnt
            merged = merge(self._read(file), learnt)
            self._write(file, documents.site_to_text(merged))
            return merged

    def put(self, rules: SiteRules) -> None:
        """Write a site's rules as they are, whatever was there: an operator's own edit."""
        with self._lock():
            self._write(self.path / file_name(rules.site), documents.site_to_text(rules))

    def _files(self) -> list[Path]:
        return sorted(file for file in self.path.glob(f"*{_SUFFIX}") if file.is_file())

    def _read(self, file: Path) -> SiteRules | None:
        try:
            return documents.site_from_text(file.read_bytes())
        except FileNotFoundError:
            return None
        except documents.NewerDocumentError as error:
            logger.warning("rules: %s not used: %s", file.name, error)
        except documents.DamagedDocumentError as error:
            self._put_aside(file, error)
        except OSError as error:
            logger.warning("rules: %s cannot be read: %s", file.name, error.strerror)
        return None

    def _put_aside(self, file: Path, why: Exception) -> None:
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
    def _is_newer(file: Path) -> bool:
        try:
            documents.site_from_text(file.read_bytes())
        except documents.NewerDocumentError:
            return True
        except (OSError, documents.DamagedDocumentError):
            pass
        return False

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
            fcntl.flock(stream, fcntl.LOCK_EX)
            yield


def merge(known: SiteRules | None, learnt: SiteRules) -> SiteRules:
    """What a site's rules become when more was learnt.

    Pinned clusters stay as they are; a learnt one replaces the one of its name, under the next
    version number if its rule is another; one that was not seen this time is kept.
    """
    if known is None:
        return learnt
    merged = {cluster.cluster: cluster for cluster in known.clusters}
    for cluster in learnt.clusters:
        before = merged.get(cluster.cluster)
        if before is None:
            merged[cluster.cluster] = cluster
        elif not before.pinned:
            merged[cluster.cluster] = _next_version(before, cluster)
    return SiteRules(learnt.site, tuple(merged.values()))


def _next_version(before: ClusterRule, after: ClusterRule) -> ClusterRule:
    return replace(after, version=before.version + (before.rule != after.rule))
