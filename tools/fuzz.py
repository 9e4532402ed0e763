"""Fuzz the scanner, the core and the reader of rules, guided by coverage.

    pip install -e ".[fuzz]"
    python tools/fuzz.py [--minutes 60] [--inputs DIR] [--findings DIR]

Atheris (libFuzzer) makes inputs that reach new code, beginning with the hostile pages of
tests/hostile_pages.py, cut short. What must hold of each is in tests/hostile_laws.py. A finding is
written to a file of its own and the fuzzing goes on; printed in the end is each with its error, and
the exit code is 1 when there are any. `python tools/fuzz.py --try FILE` runs one again.
"""

# ruff: noqa: PLC0415 - what is instrumented must be imported late
from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / folder) for folder in ("", "tests", "tests/native", "example_project")]

LONGEST = 4096
SECONDS, MEGABYTES = 20, 2000
"""Beyond these one input is a finding."""


def try_one(data: bytes) -> None:
    """The first byte says what the others are."""
    import hostile_laws as laws
    from hostile_pages import PAGE

    kind, rest = data[:1], data[1:]
    text = rest.decode("utf-8", "surrogateescape")
    if kind == b"s":
        laws.scanner_holds(text)
    elif kind == b"r":
        laws.rules_hold(rest, PAGE)
    elif kind == b"u":
        names = ("id", "class", "path", "keep", "drop", "dropLines", "page")
        fields = dict(zip(names, text.split("\x1e"), strict=False))
        laws.rule_holds(fields, fields.get("page", PAGE))
    elif kind == b"b":
        laws.bounds_hold(text)
    elif kind == b"n":
        laws.compiled_says_the_same(text)
    elif kind == b"t":
        url, _, page = text.partition("\n")
        laws.page_holds(page, url)
    else:
        laws.page_holds(rest)


def seeds() -> set[bytes]:
    """Beginnings of hostile pages, and rules."""
    import hostile_pages
    from hostile_pages import FIXED, GROWING, PAGE

    from scrapy_mainblock import learn
    from scrapy_mainblock.stores import documents

    pages = [make(1000) for make in GROWING.values()] + list(FIXED.values()) + [PAGE]
    path = hostile_pages.directory_of_collections()
    if path is not None:
        pages += [one for inputs in hostile_pages.collections(path).values() for one in inputs[::9]]
    found = set()
    for page in pages:
        body = page if isinstance(page, bytes) else page.encode("utf-8", "surrogatepass")
        found |= {kind + body[:LONGEST] for kind in (b"s", b"p", b"b", b"n")}
    found.add(f"thttp://a.example/news/1?page=2\n{PAGE}".encode())
    found.add(
        f"ucontent\x1eentry\x1ebody1/div1\x1ep > a\x1ediv.menu > ul\x1eOne\x1e{PAGE}".encode()
    )
    learnt = learn([(PAGE, "http://a.example/")] * 7, method="cluster")
    found |= {b"r" + documents.site_to_text(one).encode() for one in learnt.sites.values()}
    return found


def fuzz_here(inputs: Path, findings: Path, seconds: int) -> None:
    """In this process, until the time is over or something is found."""
    import atheris

    with atheris.instrument_imports(include=["scrapy_mainblock"]):
        import scrapy_mainblock.core.mainblock

        import scrapy_mainblock.stores.documents  # noqa: F401
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        f"-timeout={SECONDS}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={findings}/",
        "-print_final_stats=1",
        "-verbosity=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(inputs)], try_one)
    atheris.Fuzz()


def fuzz(inputs: Path, findings: Path, minutes: float) -> int:
    """In processes one after another, since each ends with what it finds."""
    for directory in (inputs, findings):
        directory.mkdir(parents=True, exist_ok=True)
    for seed in seeds():
        (inputs / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    end = time.monotonic() + 60 * minutes
    while (left := int(end - time.monotonic())) > 0:
        command = [sys.executable, __file__, "--here", str(left)]
        command += ["--inputs", str(inputs), "--findings", str(findings)]
        with (findings / "log.txt").open("ab") as log:
            subprocess.run(command, stdout=log, stderr=log, check=False)
    found = [file for file in sorted(findings.iterdir()) if file.name != "log.txt"]
    for file in found:
        command = [sys.executable, __file__, "--try", str(file)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=4 * SECONDS, check=False)
            why = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        except subprocess.TimeoutExpired:
            why = f"more than {4 * SECONDS} s"
        print(f"{file}: {why or 'not found again'}")
    print(
        f"{len(found)} findings in {minutes:g} minutes; {len(list(inputs.iterdir()))} inputs kept"
    )
    return 1 if found else 0


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--inputs", type=Path, default=ROOT / ".fuzz" / "inputs")
    parser.add_argument("--findings", type=Path, default=ROOT / ".fuzz" / "findings")
    parser.add_argument("--try", dest="one", type=Path, metavar="FILE")
    parser.add_argument("--here", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        import atheris  # noqa: F401
    except ImportError:
        sys.exit('coverage-guided fuzzing needs an extra: pip install -e ".[fuzz]"')
    if options.one:
        try_one(options.one.read_bytes())
        return 0
    if options.here:
        fuzz_here(options.inputs, options.findings, options.here)
        return 0
    return fuzz(options.inputs, options.findings, options.minutes)


if __name__ == "__main__":
    sys.exit(main())
