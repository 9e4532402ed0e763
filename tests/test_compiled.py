"""A build or a load in which a part failed never runs half compiled."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from scrapy_mainblock import compiled

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = compiled.FOLDER
DESCRIBED_BY = ("setup.py", "setup.cfg", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in")
SAYS_HOW_IT_RUNS = """
import warnings
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    import scrapy_mainblock
    from scrapy_mainblock.outline.html import scan
page = "<title>A bridge</title><p>" + "It is built over the river. " * 20
article = scrapy_mainblock.extract(page)
print(scrapy_mainblock.compiled.describe())
print(scan.__file__.rpartition(".")[2])
print(len(warned), article.articleBody[:13])
for one in warned:
    print(one.message)
"""
needs_compiled = pytest.mark.skipif(
    compiled.WHY_NOT is not None, reason=f"nothing is compiled here: {compiled.WHY_NOT}"
)


def python(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {key: value for key, value in os.environ.items() if key != compiled.PURE}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**inherited, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def output_of_run(folder: Path, **environment: str) -> list[str]:
    done = python("-c", SAYS_HOW_IT_RUNS, folder=folder, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return a folder with a copy of the package as installed: compiled."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "scrapy_mainblock", ignore=ignored)
    return tmp_path


def extension(folder: Path, module: str) -> Path:
    (found,) = folder.glob(f"scrapy_mainblock/{module}*{EXTENSION_SUFFIXES[0]}")
    return found


@needs_compiled
def test_complete_build_runs_compiled_without_warnings(installed: Path) -> None:
    how, suffix, *rest = output_of_run(installed)
    assert how == "compiled"
    assert suffix in ("so", "pyd")
    assert rest == ["0 It is built o"]


@needs_compiled
def test_missing_dependency_is_not_taken_for_a_broken_build(
    installed: Path,
) -> None:
    (installed / "w3lib.py").write_text('raise ModuleNotFoundError("No w3lib", name="w3lib")')
    done = python("-c", "import scrapy_mainblock", folder=installed)
    assert done.returncode == 1
    assert "ModuleNotFoundError: No w3lib" in done.stderr
    assert "uncompiled" not in done.stderr


@needs_compiled
@pytest.mark.parametrize(
    ("breaks", "why"),
    [
        (lambda folder: extension(folder, "render/walk").unlink(), "render.walk is missing"),
        (
            lambda folder: extension(folder, "judge/content/orphans").write_bytes(b"no library"),
            "cannot be loaded",
        ),
        (
            lambda folder: (folder / "scrapy_mainblock/outline/rows.py").open("a").write("\n#\n"),
            "outline.rows has changed since it was compiled",
        ),
        (lambda folder: (folder / "scrapy_mainblock/compiled.json").unlink(), "missing or damaged"),
        (
            lambda folder: (folder / "scrapy_mainblock/compiled.json").write_text("{"),
            "missing or damaged",
        ),
        (
            lambda folder: extension(folder, "outline/html/scan").write_bytes(
                extension(folder, "judge/content/lists").read_bytes()
            ),
            "cannot be loaded",
        ),
        (
            lambda folder: shutil.copy(
                extension(folder, "judge/content/lists"),
                str(extension(folder, "judge/content/lists")).replace("lists.", "choice."),
            ),
            "judge.content.choice is left over from another build",
        ),
        (
            lambda folder: shutil.copy(
                extension(folder, "judge/content/lists"),
                str(extension(folder, "judge/content/lists")).replace(
                    "content/lists.", "features/__init__."
                ),
            ),
            "judge.features is left over from another build",
        ),
        (
            lambda folder: extension(folder, "_cython_shared").unlink(),
            "the compiled _cython_shared is missing",
        ),
        (
            lambda folder: extension(folder, "_cython_shared").write_bytes(
                extension(folder, "judge/content/lists").read_bytes()
            ),
            "cannot be loaded",
        ),
    ],
    ids=["one is missing", "one is no library", "a source changed", "no manifest",
         "a damaged manifest", "one is another's", "one too many", "a package too many",
         "what they share is missing", "what they share is another's"],
)  # fmt: skip
def test_broken_build_runs_from_the_sources_with_one_warning(
    installed: Path, breaks: object, why: str
) -> None:
    breaks(installed)
    how, suffix, count, warning = output_of_run(installed)
    assert how.startswith("not compiled: ")
    assert why in how
    assert suffix == "py"
    assert count == "1 It is built o"
    assert why in warning
    assert compiled.HOW_TO_COMPILE in warning


def test_pure_or_uncompiled_package_does_not_warn(installed: Path) -> None:
    assert output_of_run(installed, MAINBLOCK_PURE="1")[::2] == [
        "not compiled: MAINBLOCK_PURE is set",
        "0 It is built o",
    ]
    for path in installed.rglob("*"):
        if path.suffix in (".so", ".pyd"):
            path.unlink()
    (installed / "scrapy_mainblock/compiled.json").unlink(missing_ok=True)
    assert output_of_run(installed)[::2] == [
        "not compiled: it was built without a C compiler",
        "0 It is built o",
    ]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a copy of the sources, with nothing built."""
    for name in DESCRIBED_BY:
        shutil.copy(ROOT / name, tmp_path / name)
    built = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "compiled.json")
    shutil.copytree(PACKAGE, tmp_path / "scrapy_mainblock", ignore=built)
    return tmp_path


def test_module_that_does_not_compile_fails_the_build(checkout: Path) -> None:
    pytest.importorskip("Cython")
    described = checkout / "scrapy_mainblock/outline/buffers/octets.pxd"
    described.write_text(described.read_text() + "cdef int of_no_such_type(NoSuchType one)\n")
    done = python("setup.py", "-q", "build_ext", "--inplace", folder=checkout)
    assert done.returncode != 0
    assert not (checkout / "scrapy_mainblock/compiled.json").exists()
    assert output_of_run(checkout)[2] == "0 It is built o"


def test_build_removes_extensions_of_another_build(checkout: Path) -> None:
    """Only one module is compiled here, so that it takes seconds."""
    cython = pytest.importorskip("Cython")
    package = checkout / "scrapy_mainblock"
    for described in package.rglob("*.pxd"):
        if described.stem != "utf8":
            described.unlink()
    for name in ("judge/content/choice", "judge/features/__init__"):
        (package / f"{name}{EXTENSION_SUFFIXES[0]}").write_bytes(b"of another build")
    done = python("setup.py", "-q", "build_ext", "--inplace", folder=checkout)
    assert done.returncode == 0, done.stderr
    if "no C compiler" in done.stderr:
        pytest.skip("nothing can be compiled here")
    built = {path.name for path in package.rglob(f"*{EXTENSION_SUFFIXES[0]}")}
    assert built == {f"{name}{EXTENSION_SUFFIXES[0]}" for name in ("utf8", "_cython_shared")}
    assert output_of_run(checkout) == ["compiled", "py", "0 It is built o"]
    # Modules of two versions of Cython do not mix, so another version compiles all of them again.
    (checkout / "build/c/cython.txt").write_text("3.0")
    utf8 = package / f"page/source/utf8{EXTENSION_SUFFIXES[0]}"
    os.utime(utf8, (time.time() + 60,) * 2)
    before = utf8.stat().st_mtime_ns
    assert python("setup.py", "-q", "build_ext", "--inplace", folder=checkout).returncode == 0
    assert utf8.stat().st_mtime_ns != before
    assert (checkout / "build/c/cython.txt").read_text() == cython.__version__


@pytest.mark.skipif(os.name == "nt", reason="Microsoft's compiler is not named by CC")
def test_build_without_a_compiler_is_pure_and_reports_it(checkout: Path) -> None:
    done = python("setup.py", "-q", "bdist_wheel", folder=checkout, CC=str(shutil.which("false")))
    assert done.returncode == 0, done.stderr
    assert "no C compiler" in done.stderr
    (wheel,) = (checkout / "dist").glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")


@needs_compiled
def test_manifest_names_every_module_with_a_pxd() -> None:
    manifest = json.loads((PACKAGE / "compiled.json").read_text())
    described = {path.relative_to(PACKAGE).with_suffix("") for path in PACKAGE.rglob("*.pxd")}
    assert set(manifest) == {"scrapy_mainblock." + ".".join(path.parts) for path in described}
