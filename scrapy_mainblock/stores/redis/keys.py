"""The keys in Redis, what they hold, and the scripts that change it.

    NAMESPACE:site:SITE        hash: `document` (see `stores.documents`) and its `version`;
                               `damaged`, a copy of a document that was damaged
    NAMESPACE:changes          stream: `site` and `version` of each of the latest changes
    NAMESPACE:epoch            a random name, set with the first document: if it is another one or
                               missing, Redis has lost everything and begins anew
    NAMESPACE:learner:SITE     the worker that learns the site now; expires
    NAMESPACE:pages-F:SITE     stream: pages of one format that workers have seen while there was no
                               settled rule (see `pages`); expires

A script runs as one step: no other client writes between its check of a version and its write. If
Redis has no memory left, it refuses a script before its first step.
"""

from __future__ import annotations

from scrapy_mainblock.stores.documents import FORMAT as DOCUMENTS
from scrapy_mainblock.stores.packed_pages import FORMAT as PAGES

DEFAULT_NAMESPACE = "mainblock"
MOST_CHANGES = 10_000
"""Entries of the stream of changes, some 1 MB. A worker that has missed more of them asks for the
version of each site that it has in memory."""

PUBLISH = """
local version = redis.call('HGET', KEYS[1], 'version') or '0'
local epoch = redis.call('GET', KEYS[3]) or ''
if version ~= ARGV[1] or epoch ~= ARGV[2] then
    return 0
end
if epoch == '' then
    redis.call('SET', KEYS[3], ARGV[3])
end
if ARGV[6] == '1' then
    redis.call('HSET', KEYS[1], 'damaged', redis.call('HGET', KEYS[1], 'document') or '')
end
local following = string.format('%.0f', (tonumber(version) or 0) + 1)
redis.call('HSET', KEYS[1], 'version', following, 'document', ARGV[4])
local entry = redis.call(
    'XADD', KEYS[2], 'MAXLEN', '~', ARGV[7], '*', 'site', ARGV[5], 'version', following)
return {following, entry}
"""
"""Compare and set: write the document if version and epoch are still those that were read.

KEYS: the site's, changes, epoch. ARGV: version, epoch, the epoch to set if there is none, document,
site, whether to keep the document before, the most changes. Returns the new version and the entry
of the change, or 0.
"""

EXCHANGE = """
local learner = redis.call('GET', KEYS[1])
if not learner then
    learner = ARGV[1]
    redis.call('SET', KEYS[1], learner, 'PX', ARGV[2])
elseif learner == ARGV[1] then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
for place = 6, #ARGV do
    redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[4], '*', 'worker', ARGV[1], 'page', ARGV[place])
end
if #ARGV > 5 then
    redis.call('EXPIRE', KEYS[2], ARGV[5])
end
local version = redis.call('HGET', KEYS[3], 'version') or '0'
if learner ~= ARGV[1] then
    return {0, version, {}}
end
return {1, version, redis.call('XRANGE', KEYS[2], '(' .. ARGV[3], '+')}
"""
"""Share pages of a site; find out whether the worker is its learner, and what others have shared.

KEYS: learner, pages, the site's. ARGV: worker, milliseconds, last entry read, most pages, seconds
that they stay, pages... Returns 1 or 0, the version of the site's rules, and the entries that the
learner has not read.
"""

RESIGN = """
if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('DEL', KEYS[1])
end
"""


class Keys:
    """The keys of a namespace."""

    def __init__(self, namespace: str) -> None:
        self._prefix = _octets(namespace) + b":"
        self.changes = self._prefix + b"changes"
        self.epoch = self._prefix + b"epoch"
        self._sites = self._prefix + b"site:"

    def site(self, site: str) -> bytes:
        """Return the key of a site's rules."""
        return self._sites + _octets(site)

    def all_sites(self) -> bytes:
        """Return the pattern of all sites' keys."""
        special = b"*?[]^-\\"
        escaped = b"".join(
            b"\\" + bytes([one]) if one in special else bytes([one]) for one in self._sites
        )
        return escaped + b"*"

    def learner(self, site: str) -> bytes:
        """Return the key of the worker that learns a site."""
        return self._prefix + b"learner:" + _octets(site)

    def pages(self, site: str) -> bytes:
        """Return the key of the pages that workers share."""
        return self._prefix + b"pages-%d.%d:" % (DOCUMENTS, PAGES) + _octets(site)


def _octets(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def site_of(octets: bytes) -> str:
    """Return a site's name from its bytes in a stream."""
    return octets.decode("utf-8", "surrogatepass")
