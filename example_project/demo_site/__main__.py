"""`python -m demo_site`: serve the site, or write it to disk."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .build import ARTICLES_PER_TEMPLATE, BASE_URL, SEED, build
from .export import write_html, write_jsonl
from .server import make_server


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(prog="python -m demo_site", description=__doc__)
    what = made.add_mutually_exclusive_group(required=True)
    what.add_argument("--port", type=int, help="serve on this port of the loopback (0: any)")
    what.add_argument("--jsonl", type=Path, metavar="FILE", help="write rows; gzipped for *.gz")
    what.add_argument("--html", type=Path, metavar="DIR", help="write one .html file a page")
    made.add_argument(
        "--seed", default=str(SEED), help="another site for another seed (%(default)s)"
    )
    made.add_argument(
        "--articles-per-template", type=int, default=ARTICLES_PER_TEMPLATE, metavar="N"
    )
    made.add_argument("--padding-kb", type=float, default=0, metavar="KB")
    made.add_argument("--base-url", default=BASE_URL, help="for --jsonl and --html (%(default)s)")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    options = parser().parse_args(arguments)
    if options.port is not None:
        return _serve(options)
    site = build(
        seed=options.seed,
        articles_per_template=options.articles_per_template,
        padding_kb=options.padding_kb,
        base_url=options.base_url,
    )
    if options.jsonl is not None:
        count, where = write_jsonl(site, options.jsonl), options.jsonl
    else:
        count, where = write_html(site, options.html), options.html
    sys.stderr.write(f"{count} pages written to {where}\n")
    return 0


def _serve(options: argparse.Namespace) -> int:
    with make_server(
        options.port,
        seed=options.seed,
        articles_per_template=options.articles_per_template,
        padding_kb=options.padding_kb,
    ) as server:
        sys.stderr.write(f"{len(server.site.pages)} pages on {server.url} - Ctrl+C stops\n")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            sys.stderr.write("\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
