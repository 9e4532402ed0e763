"""Learning: a bounded sample of each site's pages is sent to one task, which learns its rules.

The sample of a site consists of the pages with the smallest hashes, however the pages are
partitioned: the same pages give the same rules. Before the shuffle each task passes on only the
pages that may be in the sample (`candidates`): of the n pages of a site in the task, some
`per_site` times 1 + ln(n / `per_site`). So even a site with a fifth of the web gives its task only
a few thousand pages, which are read as a stream.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator
from functools import partial
from heapq import heappush, heapreplace
from itertools import groupby, islice
from operator import itemgetter

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import LongType, StructField, StructType

from scrapy_mainblock.page.page import Page
from scrapy_mainblock.page.swallowed import swallow
from scrapy_mainblock.recipe.learn import evidence_of
from scrapy_mainblock.scale import PAGES_OF_A_SITE
from scrapy_mainblock.scale.spark.pages import rows_of, with_sites
from scrapy_mainblock.stores.documents import site_to_text
from scrapy_mainblock.template.learning.evidence import SiteEvidence

MOST_SITES_OF_A_TASK = 100_000
"""Limit on the sites whose smallest hashes a task remembers, under 1 KB each. For a forgotten
site, some more pages are passed on than necessary."""
RULES = "site string, document string, pages int"
"""The columns: a site's key, its rules (as a document of the rules directory), the pages used."""

Batches = Iterator[pa.RecordBatch]


def learn(pages: DataFrame, per_site: int = PAGES_OF_A_SITE) -> DataFrame:
    """Learn the rules of every site from a sample of its pages.

    `pages` has `html` (strings or bytes), and `url`, `site` where known; by default the site of a
    page is its URL's host. Returns one row per site that has rules: `site`, `document`, `pages`.
    """
    if per_site < 1:
        raise ValueError(f"per_site must be at least 1, not {per_site}")
    found = with_sites(pages)
    sampled = found.mapInArrow(
        partial(candidates, per_site=per_site),
        StructType([*found.schema.fields, StructField("order", LongType())]),
    )
    return (
        sampled.repartition(F.col("site"))
        .sortWithinPartitions("site", "order", "url")
        .mapInArrow(partial(learnt, per_site=per_site), RULES)
    )


def order_of(url: str | None, html: bytes | str | None) -> int:
    """Return the rank of a page within its site: a hash of its URL, or else of its source."""
    key = url or html or ""
    octets = key.encode("utf-8", "replace") if isinstance(key, str) else key
    digest = hashlib.blake2b(octets, digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


class Smallest:
    """Keeps the smallest numbers of each site, for a bounded number of sites."""

    def __init__(self, per_site: int, most_sites: int = MOST_SITES_OF_A_TASK) -> None:
        self._per_site, self._most_sites = per_site, most_sites
        self._sites: OrderedDict[str, list[int]] = OrderedDict()

    def may_be_one(self, site: str, order: int) -> bool:
        """Add a number; return whether it is among the smallest of its site so far."""
        kept = self._sites.setdefault(site, [])
        self._sites.move_to_end(site)
        if len(self._sites) > self._most_sites:
            self._sites.popitem(last=False)
        if len(kept) < self._per_site:
            heappush(kept, -order)  # negated, so that the largest is at the top
            return True
        if order >= -kept[0]:
            return False
        heapreplace(kept, -order)
        return True


def candidates(batches: Batches, per_site: int) -> Batches:
    """Yield the pages that may be in the sample of their site, with their rank."""
    smallest = Smallest(per_site)
    for batch in batches:
        places: list[int] = []
        orders: list[int] = []
        for place, row in enumerate(rows_of(batch)):
            order = order_of(row.url, row.html)
            if row.html is not None and smallest.may_be_one(row.site, order):
                places.append(place)
                orders.append(order)
        if places:
            kept = batch.take(pa.array(places))
            column = pa.array(orders, pa.int64())
            yield pa.RecordBatch.from_arrays(
                [*kept.columns, column], names=[*kept.schema.names, "order"]
            )


def learnt(batches: Batches, per_site: int) -> Batches:
    """Yield the rules of each site, learned from its first pages; pages come sorted by site."""
    rows = ((row.site, row) for batch in batches for row in rows_of(batch))
    for site, of_site in groupby(rows, itemgetter(0)):
        evidence, pages = SiteEvidence(site), 0
        for _, row in islice(of_site, per_site):
            evidence.add(evidence_of(Page.of(row.html, row.url)))
            pages += 1
        try:
            rules = evidence.rules()
            document = site_to_text(rules) if rules.templates else None
        except Exception as error:  # a site that cannot be learned never ends the job
            swallow(error, "could not learn the rules of a site")
            continue
        if document is not None:
            yield pa.RecordBatch.from_pydict(
                {
                    "site": [site],
                    "document": [document],
                    "pages": pa.array([pages], pa.int32()),
                }
            )
