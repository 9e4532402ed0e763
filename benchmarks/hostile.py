"""Hostile pages through this extractor and the installed peers.

    python -m benchmarks.hostile [--size 5000000] [--json] [--only NAME…] [--pages NAME…]

Each page (tests/hostile_pages.py) is extracted in a process of its own, with limits on time and
memory; the collections of small inputs, if available, in one process each. For each extractor this
prints the inputs that went well (no exception, within the limits), the slowest, the largest memory,
and the characters kept. Then come the pages that went wrong, by name. Seconds are CPU seconds;
memory is the peak of the whole process.

Peers: pip install trafilatura readability-lxml jusText newspaper4k goose3 boilerpy3 resiliparse
turbohtml html2text inscriptis (any of them; missing ones are left out).
"""

# ruff: noqa: PLC0415 - the pages are the tests'; a peer may not be installed
from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(1, str(ROOT / "tests"))

import hostile_pages  # noqa: E402
from hostile_pages import Source  # noqa: E402

SECONDS, MEGABYTES = 30, 2000
"""Limits: beyond these a page has gone wrong."""
URL = "http://hostile.example/page"


def _ours(html: Source) -> str:
    from scrapy_mainblock import extract

    article = extract(html, URL)
    if "could not be processed" in (article.metadata["reason"] or ""):
        raise RuntimeError(article.metadata["reason"])
    return article.articleBody or ""


def _our_learning(html: Source) -> str:
    from scrapy_mainblock import learn

    learn([(html, URL)])
    return ""


def _our_link_blocks(html: Source) -> str:
    from scrapy_mainblock.outline.outline import Outline
    from scrapy_mainblock.page.page import Page
    from scrapy_mainblock.papers.wang14.link_blocks import link_blocks

    link_blocks(Outline(Page.of(html)))
    return ""


def _trafilatura(html: Source) -> str:
    import trafilatura

    return trafilatura.extract(html) or ""


def _readability(html: Source) -> str:
    import lxml.html
    import readability

    summary = readability.Document(html).summary()
    return str(lxml.html.fromstring(summary).text_content()) if summary.strip() else ""


def _justext(html: Source) -> str:
    import justext

    found = justext.justext(html, justext.get_stoplist("English"))
    return "\n".join(one.text for one in found if not one.is_boilerplate)


def _newspaper(html: Source) -> str:
    import newspaper

    article = newspaper.Article(URL)
    article.download(input_html=_text(html))
    article.parse()
    return article.text


def _goose(html: Source) -> str:
    import goose3

    with goose3.Goose() as goose:
        return goose.extract(raw_html=_text(html)).cleaned_text


def _boilerpy(html: Source) -> str:
    from boilerpy3 import extractors

    return extractors.ArticleExtractor(raise_on_failure=True).get_content(_text(html))


def _resiliparse(html: Source) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    return extract_plain_text(_text(html), main_content=True)


def _turbohtml(html: Source) -> str:
    import turbohtml

    return turbohtml.parse(html).main_text()


def _html2text(html: Source) -> str:
    import html2text

    return html2text.html2text(_text(html))


def _inscriptis(html: Source) -> str:
    import inscriptis

    return inscriptis.get_text(_text(html))


def _text(html: Source) -> str:
    return html if isinstance(html, str) else html.decode("utf-8", "replace")


OURS: Mapping[str, Callable[[Source], str]] = {
    "mainblock": _ours,
    "mainblock learn": _our_learning,
    "mainblock blocks": _our_link_blocks,
}
PEERS: Mapping[str, tuple[str, Callable[[Source], str]]] = {
    "trafilatura": ("trafilatura", _trafilatura),
    "readability-lxml": ("readability", _readability),
    "jusText": ("justext", _justext),
    "newspaper4k": ("newspaper", _newspaper),
    "goose3": ("goose3", _goose),
    "boilerpy3": ("boilerpy3", _boilerpy),
    "resiliparse": ("resiliparse", _resiliparse),
    "turbohtml": ("turbohtml", _turbohtml),
    "html2text": ("html2text", _html2text),
    "inscriptis": ("inscriptis", _inscriptis),
}


def extractors() -> dict[str, Callable[[Source], str]]:
    """Return our extractors and the installed peers, by name."""
    installed = {name: run for name, (module, run) in PEERS.items() if find_spec(module)}
    return {**OURS, **installed}


# --- in a process of its own --------------------------------------------------------------------


def inputs_named(name: str, size: int) -> Iterable[Source]:
    if name in hostile_pages.GROWING:
        return [hostile_pages.GROWING[name](size)]
    if name in hostile_pages.FIXED:
        return [hostile_pages.FIXED[name]]
    if name == "every prefix of a page":
        return hostile_pages.prefixes()
    path = hostile_pages.directory_of_collections()
    return hostile_pages.collections(path)[name] if path else []


def run_here(extractor: str, page: str, size: int) -> dict[str, Any]:
    """Extract a page's inputs in this process, and return the outcome."""
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))
    extract = extractors()[extractor]
    extract(hostile_pages.PAGE)  # what is loaded once must not count for the page
    inputs = list(inputs_named(page, size))
    characters = 0
    slowest = 0.0
    wrong: list[str] = []
    for html in inputs:
        before = time.process_time()
        try:
            characters += len(extract(html))
        except BaseException as error:  # a peer may raise anything
            wrong.append(f"{type(error).__name__}: {error}"[:200])
        slowest = max(slowest, time.process_time() - before)
        if slowest > SECONDS:
            wrong.append(f"more than {SECONDS} s")
    return {
        "inputs": len(inputs),
        "wrong": len(wrong),
        "why": wrong[0] if wrong else None,
        "seconds": round(slowest, 3),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "characters": characters,
    }


def run_in_a_process(extractor: str, page: str, size: int) -> dict[str, Any]:
    here = ("--here", extractor, page, "--size", str(size))
    command = [sys.executable, "-m", "benchmarks.hostile", *here]
    row = {"extractor": extractor, "page": page}
    failed = {"inputs": 1, "wrong": 1, "seconds": None, "megabytes": None, "characters": 0}
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=8 * SECONDS, check=False, cwd=ROOT
        )
    except subprocess.TimeoutExpired:
        return {**row, **failed, "why": f"more than {SECONDS} s"}
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return {**row, **failed, "why": f"the process died ({done.returncode}): {last}"[:200]}
    return {**row, **json.loads(done.stdout.splitlines()[-1])}


# --- the table ----------------------------------------------------------------------------------


def all_pages() -> list[str]:
    path = hostile_pages.directory_of_collections()
    if path is None:
        sys.stderr.write(f"{hostile_pages.NO_COLLECTIONS}\n")
    return [
        *hostile_pages.GROWING,
        *hostile_pages.FIXED,
        "every prefix of a page",
        *(hostile_pages.collections(path) if path else ()),
    ]


def summary(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each extractor."""
    result = []
    for name in dict.fromkeys(row["extractor"] for row in rows):
        own = [row for row in rows if row["extractor"] == name]
        result.append(
            {
                "extractor": name,
                "inputs": sum(row["inputs"] for row in own),
                "ok": sum(row["inputs"] - row["wrong"] for row in own),
                "pages": len(own),
                "pagesOk": sum(not row["wrong"] for row in own),
                "seconds": max((row["seconds"] for row in own if row["seconds"]), default=0.0),
                "megabytes": max((row["megabytes"] for row in own if row["megabytes"]), default=0),
                "characters": sum(row["characters"] for row in own),
            }
        )
    return result


def print_table(rows: list[dict[str, Any]], size: int) -> None:
    print(f"\nheavy pages of {size:,} bytes; a page is ok within {SECONDS} s and {MEGABYTES} MB")
    print(
        f"{'extractor':17} {'pages ok':>9} {'inputs ok':>13} {'slowest':>8} {'MB':>5} {'kept':>13}"
    )
    for one in summary(rows):
        print(
            f"{one['extractor']:17} {one['pagesOk']:4}/{one['pages']:<4}"
            f" {one['ok']:6}/{one['inputs']:<6} {one['seconds']:7.2f}s {one['megabytes']:5}"
            f" {one['characters']:13,}"
        )
    for row in rows:
        if row["wrong"]:
            of = f"{row['wrong']} of {row['inputs']}"
            print(f"{row['extractor']}: {row['page']}: {of}: {row['why']}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.hostile", description=__doc__.split("\n", 1)[0]
    )
    parser.add_argument("--size", type=int, default=5_000_000, help="bytes of a heavy page")
    parser.add_argument("--json", action="store_true", help="every row, as JSON lines")
    parser.add_argument("--only", nargs="*", metavar="NAME", help="extractors")
    parser.add_argument("--pages", nargs="*", metavar="NAME", help="pages")
    parser.add_argument("--here", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.here:
        print(json.dumps(run_here(*options.here, options.size)))
        return 0
    for given, there in ((options.only, extractors()), (options.pages, all_pages())):
        unknown = [name for name in given or () if name not in there]
        if unknown:
            parser.error(f"there is no {', '.join(unknown)}: use some of {', '.join(there)}")
    rows = []
    for extractor in options.only or extractors():
        for page in options.pages or all_pages():
            row = run_in_a_process(extractor, page, options.size)
            rows.append(row)
            if options.json:
                print(json.dumps(row), flush=True)
            else:
                sys.stderr.write(f"\r{extractor}: {page:40.40}")
    if not options.json:
        print_table(rows, options.size)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
