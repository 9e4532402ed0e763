"""The report writer: a report is one HTML file with its script, its style and all its data.

The rows of the overview come first, then the script, so that a browser can show the overview while
it still loads the rest. The drawn pages follow, each deflated and base64-encoded in an element of
its own, which the script decodes only when the user opens that page.
"""

from __future__ import annotations

import base64
import codecs
import hashlib
import html
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import datetime, timezone
from importlib.resources import files
from typing import Any, NamedTuple, Protocol

import scrapy_mainblock
from scrapy_mainblock.outline.places import UNDER
from scrapy_mainblock.page.page import Page
from scrapy_mainblock.papers.wang14.curves import figure, report
from scrapy_mainblock.papers.wang14.curves.sweep import Sweep, page_kind
from scrapy_mainblock.report.advice import Target
from scrapy_mainblock.report.drawn import drawn_page
from scrapy_mainblock.report.survey import (
    REVIEW_REASONS,
    ClusterCount,
    PageRow,
    Survey,
    inspected_or_why,
)
from scrapy_mainblock.stores import documents
from scrapy_mainblock.stores.rules import Rules, rules_for
from scrapy_mainblock.stores.whole_files import NotMadeError
from scrapy_mainblock.template.rules import SiteRules

SAMPLE = 500
"""Pages drawn in full, about 12 KB each. All other pages only have a row in the overview."""
MOST_SHOWN_PLACES = 300
MOST_SHOWN_REASONS = 100
LONGEST_SHOWN = 400
"""Maximum characters of a text in a row, such as a URL, a headline or a reason."""
_METHODS = ("rule", "page", "none")
COLUMNS = (
    "id", "url", "cluster", "method", "probability", "pageType", "reason", "headline", "kept",
    "chars", "agreement", "reviewReasons", "doubt", "drawn",
)  # fmt: skip


_SLOT = re.compile(r"\{(policy|style|frame_style|script|title|data)\}")


class ReportPage(NamedTuple):
    """A page of the input."""

    page: Page | None
    site: str
    name: str
    trouble: str = ""
    """Why `page` is None."""
    page_type: str | None = None
    """The label in the input, if any."""


Pages = Callable[[], Iterable[ReportPage]]
"""A function that starts a new pass over the pages: one to survey all, another to draw some."""


class Texts(Protocol):
    """The text stream that a report is written to."""

    def write(self, text: str, /) -> object:
        """Write a text to the stream."""


OpenOutput = Callable[[], AbstractContextManager[Any]]
"""A function that opens the output file as a stream of bytes."""


class ReportInfo(NamedTuple):
    """The title of the report and how it was made."""

    title: str
    lead: str
    rules: str
    """The value of `--rules` in the commands that the report proposes."""


def rules_of(rules: Rules | None, one: ReportPage) -> SiteRules | None:
    """Return the rules for a page, looked up by its site's name, otherwise by its URL alone."""
    url = one.page.url if one.page is not None else None
    return rules_for(rules, url, one.site) or rules_for(rules, url)


def write_report(
    opened: OpenOutput, pages: Pages, rules: Rules | None, info: ReportInfo, sample: int = SAMPLE
) -> Survey:
    """Survey all pages, draw some of them, write the report, and return the survey.

    Raises NotMadeError, without opening the output, if there are no pages.
    """
    survey = Survey()
    for one in pages():
        known = rules_of(rules, one)
        survey.add(one.page, one.site, one.name, known, one.trouble)
    if not survey.rows:
        raise NotMadeError
    survey.rate()
    chosen = survey.sample(sample)
    with opened() as raw:
        stream = codecs.getwriter("utf-8")(raw, "replace")
        write_head(stream, overview(survey, chosen, info), info.title)
        for name, detail in details(pages, rules, info, chosen, survey):
            write_detail(stream, name, detail)
        stream.write("</body>\n</html>\n")
    return survey


def details(
    pages: Pages, rules: Rules | None, info: ReportInfo, chosen: set[int], survey: Survey
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and data of each drawn page, then of the figures computed from them."""
    sweep = Sweep()
    for number, one in enumerate(pages()):
        if number not in chosen or one.page is None:
            continue
        known = rules_of(rules, one)
        inspected, _ = inspected_or_why(one.page, known)
        if inspected is None:
            continue
        sweep.add(inspected.page, page_kind(inspected.page, one.page_type))
        target = Target(known.site if known else one.site or "SITE", info.rules)
        by_paper = survey.rules_by_paper(one.site)
        yield f"page-{number}", drawn_page(inspected, target, by_paper)
    yield "figures", {"html": report.figures(sweep.result())}


def overview(
    survey: Survey, chosen: set[int], info: ReportInfo, more: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the data that every view needs."""
    sites = {
        site: number for number, site in enumerate(dict.fromkeys(s for s, _ in survey.clusters))
    }
    clusters = {key: number for number, key in enumerate(survey.clusters)}
    now = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    return {
        "title": info.title,
        "lead": info.lead,
        "about": f"{now}, mainblock {scrapy_mainblock.__version__}",
        "reviewReasons": REVIEW_REASONS,
        "columns": COLUMNS,
        "sites": list(sites),
        "clusters": [
            _cluster_entry(sites[key[0]], key, one, survey) for key, one in survey.clusters.items()
        ],
        "rows": [_row(one, clusters[one.site, one.cluster], chosen) for one in survey.rows],
        **(more or {}),
    }


def _row(row: PageRow, cluster: int, chosen: set[int]) -> list[Any]:
    return [
        _short(row.id),
        _short(row.url),
        cluster,
        _METHODS.index(row.method),
        round(row.probability, 3),
        row.page_type,
        _short(row.reason),
        _short(row.headline),
        row.kept,
        row.chars,
        None if row.agreement is None else round(row.agreement, 3),
        row.review_reasons,
        round(row.doubt, 4),
        int(row.number in chosen and row.chars > 0),
    ]


def _short(text: str | None) -> str | None:
    return text if text is None or len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"


def _cluster_entry(
    site: int, key: tuple[str, str | None], count: ClusterCount, survey: Survey
) -> dict[str, Any]:
    template = survey.templates.get(key)
    entry: dict[str, Any] = {
        "site": site,
        "name": key[1],
        "pages": count.pages,
        "places": [list(one) for one in shown_places(count)],
        "left": [
            [_short(reason), one.pages, one.parts, one.chars]
            for reason, one in sorted(count.left.items(), key=lambda item: -item[1].chars)
        ][:MOST_SHOWN_REASONS],
        "rule": None,
    }
    if template is not None:
        document = documents.site_to_document(SiteRules(key[0], (template,)))
        entry |= {
            "rule": document["clusters"][0]["rule"],
            "version": template.version,
            "pinned": template.pinned,
            "learned": template.pages,
            "agreement": round(template.agreement, 3),
        }
    return entry


def shown_places(count: ClusterCount) -> Iterator[tuple[int, str, int, int, int]]:
    """Yield the places that occur on most pages, in tree order.

    Each is a tuple of its depth, its last step, the number of pages that have the place, the number
    of pages on which it holds content, and its number of characters.
    """
    often = sorted(count.places.items(), key=lambda item: (-item[1].pages, item[0].count(UNDER)))
    children: dict[str, list[str]] = {}
    for chain, _ in often[:MOST_SHOWN_PLACES]:
        children.setdefault(chain.rpartition(UNDER)[0], []).append(chain)
    waiting = [(chain, 0) for chain in reversed(children.get("", []))]
    while waiting:
        chain, depth = waiting.pop()
        place = count.places[chain]
        yield depth, chain.rpartition(UNDER)[2], place.pages, place.content, place.chars
        waiting += [(child, depth + 1) for child in reversed(children.get(chain, []))]


# --- the file -----------------------------------------------------------------------------------


def write_head(
    stream: Texts, data: Mapping[str, Any], title: str, *scripts: str, connect: str = "'none'"
) -> None:
    """Write the document up to the details; `connect` is the CSP `connect-src` of the script."""
    script = "\n".join(asset(name) for name in ("report.js", *scripts, "page.js"))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline';"
        f" img-src data:; connect-src {connect}; base-uri 'none'; form-action 'none'"
    )
    values = {
        "policy": policy,
        "style": figure.STYLE + asset("report.css"),
        "frame_style": asset("frame.css"),
        "script": script,
        "title": html.escape(title),
        "data": _inert(json.dumps(data, ensure_ascii=False, separators=(",", ":"))),
    }
    # In a single pass, because the inserted values contain braces too.
    stream.write(_SLOT.sub(lambda slot: values[slot[1]], asset("report.html")))


def _inert(text: str) -> str:
    """Escape JSON so that it can neither end nor begin an HTML element."""
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def write_detail(stream: Texts, name: str, detail: Mapping[str, Any]) -> None:
    """Write a detail as an inert element that the script decodes on demand."""
    packed = base64.b64encode(packed_detail(detail)).decode("ascii")
    stream.write(f'<script type="text/plain" id="{name}">{packed}</script>\n')


def packed_detail(detail: Mapping[str, Any]) -> bytes:
    """Return a detail as deflated JSON."""
    text = json.dumps(detail, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode("utf-8", "replace"), 9)


def asset(name: str) -> str:
    """Return the text of an asset file, such as a script, a style sheet or the HTML skeleton."""
    return files(__package__).joinpath("assets", name).read_text("utf-8")
