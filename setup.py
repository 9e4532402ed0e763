"""Compile the modules that have a `.pxd` beside them, all or none; setup.cfg holds the rest.

Cython compiles the same `.py` that Python runs without a compiler. Where there is no C compiler the
package is built as pure Python, and tagged so. A module that does not compile fails the build: a
package of some compiled modules and some others would be a third thing that nobody has tested.

`MAINBLOCK_PURE=1` builds without compiling. `MAINBLOCK_CHECKED=1` compiles with checks of every
index (for fuzzing).
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PACKAGE = Path("scrapy_mainblock")
MANIFEST = PACKAGE / "compiled.json"
C_SOURCES = Path("build", "c")
STAMP = C_SOURCES / "cython.txt"
"""Which Cython made the last build in this checkout."""
SHARED = "scrapy_mainblock._cython_shared"
"""The module with what Cython would otherwise copy into every other one, above all memory views:
half of the compiled code, and 8 MB in each process."""


def modules() -> list[Path]:
    """The sources that are compiled."""
    paths = PACKAGE.rglob("*.pxd")
    return sorted(path.with_suffix(".py") for path in paths if path.name != "__init__.pxd")


def extensions() -> list[Extension]:
    """An extension for each of them, or none where nothing can be compiled."""
    if os.environ.get("MAINBLOCK_PURE") or not has_compiler():
        return []
    from Cython.Build import cythonize  # noqa: PLC0415 - a pure build does not need it

    folder = C_SOURCES / cython_version()
    is_checked = bool(os.environ.get("MAINBLOCK_CHECKED"))
    # Without `cdivision`: `/` and `%` of integers must be what they are in Python.
    found: list[Extension] = cythonize(
        [Extension(name_of(source), [str(source)]) for source in modules()],
        build_dir=str(folder),
        shared_utility_qualified_name=SHARED,
        compiler_directives={
            "language_level": "3",
            "annotation_typing": False,
            "boundscheck": is_checked,
            "wraparound": False,
            "initializedcheck": is_checked,
        },
    )
    found.append(Extension(SHARED, [str(shared_code(folder))]))
    for one in found:
        one.extra_compile_args += compiler_options()
    return found


def shared_code(folder: Path) -> Path:
    """Write the C source of the shared module into a folder, if it is not there yet."""
    source = folder.joinpath(*SHARED.split(".")).with_suffix(".c")
    if not source.exists():
        source.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=source.parent) as unfinished:
            written = Path(unfinished, source.name)
            options = [f"--generate-shared={written}", f"--module-name={SHARED}"]
            command = [sys.executable, "-m", "cython", *options]
            subprocess.run(command, check=True)  # noqa: S603 - nothing in it comes from outside
            written.replace(source)
    return source


def compiler_options() -> list[str]:
    """Optimize, without assertions; the caller's CFLAGS may name another level, and symbols.

    CFLAGS replace all of Python's own flags. Without NDEBUG the scan takes 1.3 times as long, with
    -O2, which some Pythons ask for, a page a fifth longer. Debugging symbols are nine tenths of the
    size of the package.
    """
    if sysconfig.get_platform().startswith("win"):
        return []
    given = os.environ.get("CFLAGS", "").split()
    found = ["-fwrapv"]  # as for Python itself: sums of integers may wrap
    if not os.environ.get("MAINBLOCK_CHECKED"):
        found.append("-DNDEBUG")
    if not any(flag.startswith("-O") for flag in given):
        found.append("-O3")
    if not any(flag.startswith("-g") for flag in given):
        found.append("-g0")
    return found


def name_of(source: Path) -> str:
    """The name of the module in a file."""
    return ".".join(source.with_suffix("").parts)


def has_compiler() -> bool:
    """Whether a C compiler and Python's headers are there: compile four lines to see."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <Python.h>\nint probe(void) { return PY_MAJOR_VERSION; }\n")
        include = sysconfig.get_paths()["include"]
        from setuptools._distutils.ccompiler import new_compiler  # noqa: PLC0415
        from setuptools._distutils.sysconfig import customize_compiler  # noqa: PLC0415

        try:
            compiler = new_compiler()
            customize_compiler(compiler)
            compiler.compile([str(source)], output_dir=folder, include_dirs=[include])
        except Exception as error:  # a compiler that is missing or broken
            sys.stderr.write(f"scrapy-mainblock: no C compiler ({error}): built as pure Python\n")
            return False
    return True


class BuildAll(build_ext):
    """Build every extension, then write down what was built from what."""

    def finalize_options(self) -> None:
        """Compile on all cores."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self) -> None:
        """Write the manifest last: without it nothing compiled is used."""
        folder = Path() if self.inplace else Path(self.build_lib)
        (folder / MANIFEST).unlink(missing_ok=True)
        self.force = self.force or bool(self.extensions and not has_same_cython())
        wanted = {Path(self.get_ext_filename(one.name)) for one in self.extensions or ()}
        suffix = sysconfig.get_config_var("EXT_SUFFIX")
        for built in (folder / PACKAGE).rglob(f"*{suffix}"):
            if built.relative_to(folder) not in wanted:  # left over from another build
                built.unlink()
        super().run()
        if self.extensions:
            STAMP.write_text(cython_version())
            built = {name_of(source): digest_of(source) for source in modules()}
            (folder / MANIFEST).write_text(json.dumps(built, indent=1) + "\n")


def cython_version() -> str:
    """The version of Cython, which is only there if something is compiled."""
    import Cython  # noqa: PLC0415

    return str(Cython.__version__)


def has_same_cython() -> bool:
    """Whether the last build in this checkout was by this version: files of two do not mix."""
    return STAMP.exists() and STAMP.read_text() == cython_version()


def digest_of(source: Path) -> str:
    """The digest of a source, by which a later change to it is seen."""
    return hashlib.sha256(source.read_bytes()).hexdigest()


if __name__ == "__main__":
    setup(ext_modules=extensions(), cmdclass={"build_ext": BuildAll})
