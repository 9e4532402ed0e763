"""Fuzz the compiled loops under AddressSanitizer, and all code that reads a page or rules.

    pip install -e ".[fuzz]"          (and clang, from the system's packages)
    python tools/fuzz.py [--minutes 60] [--inputs DIR] [--findings DIR]

A copy of the package is compiled with clang's AddressSanitizer; coverage is counted in the compiled
loops and in Python alike. Atheris (libFuzzer) makes inputs that reach new code, beginning with the
hostile pages of tests/hostile_pages.py, cut short. The properties that each input must satisfy are
in tests/hostile_laws.py. A finding is written to a file of its own and the fuzzing goes on; at the
end each finding is printed with its error, and the exit code is 1 if there are any.
`python tools/fuzz.py --try FILE` runs one again. A finding that is fixed becomes a row of `FOUND`
in tests/hostile/test_properties.py.
"""

# ruff: noqa: PLC0415 - what is instrumented must be imported late
from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy_mainblock.template.rules import SiteRules

ROOT = Path(__file__).resolve().parent.parent
FUZZ = ROOT / ".fuzz"
BUILT = FUZZ / "built"
DESCRIBED_BY = ("setup.py", "setup.cfg", "pyproject.toml", "README.md", "LICENSE")

OF_PAGES = (b"d", b"s", b"x", b"e", b"p")
"""Kinds of input that consist of a page alone: see `_laws`."""
LONGEST = 4096
SECONDS, MEGABYTES = 60, 3000
"""Beyond these limits an input is a finding, unless it holds when it is run again: the seconds are
wall-clock time, and the machine may be busy."""
COMPILER = "clang -fno-omit-frame-pointer -fsanitize=address,fuzzer-no-link"
SAID_LAST = re.compile(
    r"(?:SUMMARY: |==\d+== ?ERROR: libFuzzer: |\w+(?:\.\w+)*(?:Error|Exception))"
)
"""The beginning of the line that names the error of a finding."""
RUNS = re.compile(rb"stat::number_of_executed_units:\s+(\d+)")


# --- one input ------------------------------------------------------------------------------------


def try_one(data: bytes) -> None:
    """Test an input; its first byte tells what the others are."""
    held = _laws().get(data[:1])
    if held is not None:
        held(data[1:])


@cache
def _laws() -> dict[bytes, Callable[[bytes], object]]:
    import hostile_laws as laws

    return {
        b"d": laws.decoding_holds,
        b"s": laws.scanner_holds,
        b"x": laws.selectors_hold,
        b"e": laws.alone_holds,
        b"p": laws.page_holds,
        b"t": lambda data: laws.page_holds(*_page_and_address(data)),
        b"l": lambda data: laws.rules_are_used(_learnt_rules(), data),
        b"r": lambda data: laws.rules_hold(data, _page()),
        b"u": lambda data: laws.rule_holds(*_rule_and_page(data)),
    }


def _page() -> str:
    from hostile_pages import PAGE

    return PAGE


@cache
def _learnt_rules() -> SiteRules:
    from pages import site

    from scrapy_mainblock import learn

    return learn(site(8)).sites["news.example"]


def _page_and_address(data: bytes) -> tuple[str, str]:
    address, _, page = data.decode("utf-8", "surrogateescape").partition("\n")
    return page, address


def _rule_and_page(data: bytes) -> tuple[dict[str, str], str]:
    names = ("id", "class", "path", "keep", "drop", "dropLines", "page")
    values = data.decode("utf-8", "surrogateescape").split("\x1e")
    fields = dict(zip(names, values, strict=False))
    return fields, fields.get("page", _page())


# --- seeds ----------------------------------------------------------------------------------------


def seeds() -> Iterator[bytes]:
    """Yield the beginnings of hostile pages, and rules."""
    import hostile_pages
    from hostile_pages import FIXED, GROWING, PAGE
    from pages import story

    from scrapy_mainblock.stores import documents

    for page in (*(make(1000) for make in GROWING.values()), *FIXED.values(), PAGE):
        yield from (kind + _octets(page) for kind in OF_PAGES)
    path = hostile_pages.directory_of_collections()
    collected = hostile_pages.collections(path).values() if path else ()
    # One kind each: libFuzzer runs all seeds first, and copies what is good for other kinds.
    some = (one for inputs in collected for one in inputs[::9])
    for kind, page in zip(cycle(OF_PAGES), some, strict=False):
        yield kind + _octets(page)
    yield f"thttp://a.example/news/1?page=2\n{PAGE}".encode()
    yield f"ucontent\x1eentry\x1ebody1/div1\x1ep > a\x1ediv.menu > ul\x1eOne\x1e{PAGE}".encode()
    yield b"l" + story()[0].encode()
    yield b"r" + documents.site_to_text(_learnt_rules()).encode()


def _octets(page: bytes | str) -> bytes:
    body = page if isinstance(page, bytes) else page.encode("utf-8", "surrogatepass")
    return body[:LONGEST]


def words() -> str:
    """Return pieces of markup in the format of a libFuzzer dictionary."""
    from scrapy_mainblock.outline.html.tags import NAMES

    found = [f"{begin}{name}>" for name in NAMES if name.isalnum() for begin in ("<", "</")]
    found += "id= class= href= hidden style=display:none itemtype= <!-- --> <![CDATA[ ]]>".split()
    found += ["<!doctype html>", "&amp;", "&notin", "&#x41;", "&#1114112;", "charset=utf-16le"]
    return "".join(f'"{word}"\n' for word in found)


# --- the build ------------------------------------------------------------------------------------


def build() -> None:
    """Compile a copy of the package with AddressSanitizer, unless it is up to date."""
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "compiled.json")
    digest = hashlib.sha256(COMPILER.encode())
    sources = [path for path in (ROOT / "scrapy_mainblock").rglob("*.p*") if path.is_file()]
    for path in sorted(path for path in sources if path.suffix in (".py", ".pxd")):
        digest.update(path.read_bytes())
    stamp = BUILT / "built-from"
    if stamp.exists() and stamp.read_text() == digest.hexdigest():
        return
    print("compiling with AddressSanitizer", flush=True)
    shutil.rmtree(BUILT / "scrapy_mainblock", ignore_errors=True)
    BUILT.mkdir(parents=True, exist_ok=True)
    for name in DESCRIBED_BY:
        shutil.copy(ROOT / name, BUILT)
    shutil.copytree(ROOT / "scrapy_mainblock", BUILT / "scrapy_mainblock", ignore=ignored)
    environment = {
        **{name: value for name, value in os.environ.items() if name != "MAINBLOCK_PURE"},
        "CC": COMPILER,
        "CFLAGS": "-O1 -g",
        # Without the sanitizer: its runtime library is the one that Atheris preloads.
        "LDSHARED": "clang -shared",
    }
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(command, cwd=BUILT, env=environment, check=True, stdout=subprocess.DEVNULL)
    stamp.write_text(digest.hexdigest())


def sanitized() -> dict[str, str]:
    """Return the environment of a process that loads the build."""
    atheris = find_spec("atheris")
    assert atheris is not None
    assert atheris.origin is not None
    runtime = Path(atheris.origin).parents[1] / "asan_with_fuzzer.so"
    return {
        **os.environ,
        "LD_PRELOAD": str(runtime),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:handle_abort=1",
        "PYTHONMALLOC": "malloc",  # Python's own allocator would hide reads beyond an end
        "PYTHONPATH": os.pathsep.join(map(str, (BUILT, ROOT / "tests", ROOT / "example_project"))),
        "PYTHONHASHSEED": "0",
    }


# --- the fuzzing ----------------------------------------------------------------------------------


def fuzz_here(inputs: Path, findings: Path, seconds: int) -> None:
    """Fuzz in this process until the time is over or something is found."""
    import atheris

    with atheris.instrument_imports(include=["scrapy_mainblock"]):
        import hostile_laws  # noqa: F401

        import scrapy_mainblock
    if not Path(scrapy_mainblock.__file__).is_relative_to(BUILT):
        sys.exit(f"{scrapy_mainblock.__file__} is not what was built for fuzzing")
    if scrapy_mainblock.compiled.WHY_NOT is not None:
        sys.exit(f"nothing compiled to fuzz: {scrapy_mainblock.compiled.WHY_NOT}")
    for kind in _laws():  # what is loaded once must not count as the first input's time
        try_one(kind + _octets(_page()))
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST}",
        f"-timeout={SECONDS}",
        f"-report_slow_units={SECONDS}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={findings}/",
        f"-dict={inputs.parent / 'words'}",
        "-print_final_stats=1",
        "-verbosity=1",
    ]
    atheris.Setup([sys.argv[0], *options, str(inputs)], try_one)
    atheris.Fuzz()


def fuzz(inputs: Path, findings: Path, minutes: float) -> int:
    """Fuzz in one process after another, since a finding ends the process; return the exit code."""
    build()
    for directory in (inputs, findings):
        directory.mkdir(parents=True, exist_ok=True)
    here = [sys.executable, __file__, "--inputs", str(inputs), "--findings", str(findings)]
    subprocess.run([*here, "--seed"], env=sanitized(), check=True)
    end = time.monotonic() + 60 * minutes
    runs = 0
    log = findings / "log.txt"
    log.unlink(missing_ok=True)
    while (left := int(end - time.monotonic())) > 0:
        with log.open("ab") as stream:
            begin = stream.tell()
            command = [*here, "--here", str(left)]
            subprocess.run(command, env=sanitized(), stdout=stream, stderr=stream, check=False)
        said = log.read_bytes()[begin:]
        found = RUNS.findall(said)
        if not found:
            sys.stderr.write(said[-2000:].decode("utf-8", "replace"))
            sys.exit(f"the fuzzing ended without a count of its runs: see {log}")
        runs += int(found[-1])
    wrong = 0
    for file in sorted(findings.iterdir()):
        if file != log:
            why = why_of(file)
            wrong += bool(why) or file.name.startswith("crash")
            print(f"{file}: {why or 'held when it was tried again'}")
    kept = len(list(inputs.iterdir()))
    print(f"{wrong} findings in {runs} runs, {minutes:g} minutes; {kept} inputs kept")
    return 1 if wrong else 0


def why_of(file: Path) -> str | None:
    """Return the error of a finding by running it again, or None if it holds."""
    command = [sys.executable, __file__, "--try", str(file)]
    try:
        done = subprocess.run(
            command, env=sanitized(), capture_output=True, timeout=4 * SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"more than {4 * SECONDS} s"
    if not done.returncode:
        return None
    said = done.stderr.decode("utf-8", "replace").splitlines()
    return next((line for line in reversed(said) if SAID_LAST.match(line)), "an error")


def write_seeds(inputs: Path) -> None:
    """Write the seeds and the dictionary."""
    for seed in seeds():
        (inputs / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    (inputs.parent / "words").write_text(words())


def main() -> int:
    """Run the command, and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--inputs", type=Path, default=FUZZ / "inputs")
    parser.add_argument("--findings", type=Path, default=FUZZ / "findings")
    parser.add_argument("--try", dest="one", type=Path, metavar="FILE")
    parser.add_argument("--here", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--seed", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if find_spec("atheris") is None:
        sys.exit('coverage-guided fuzzing needs an extra: pip install -e ".[fuzz]"')
    if shutil.which("clang") is None:
        sys.exit("AddressSanitizer with counters of coverage needs clang: install it")
    if options.seed:
        write_seeds(options.inputs)
        return 0
    if options.here:
        fuzz_here(options.inputs, options.findings, options.here)
        return 0
    if options.one:
        if "LD_PRELOAD" not in os.environ:
            build()
            os.execve(sys.executable, [sys.executable, *sys.argv], sanitized())
        try_one(options.one.read_bytes())
        return 0
    return fuzz(options.inputs, options.findings, options.minutes)


if __name__ == "__main__":
    sys.exit(main())
