"""Compiles the hot loops (`scrapy_mainblock/core/native`) where there is a compiler.

Without one, the installation is as complete: Python does the same work, slower. All else that is to
say of the package stands in setup.cfg.
"""

from __future__ import annotations

from pathlib import Path

from setuptools import Extension, setup

NATIVE = Path("scrapy_mainblock/core/native")


def extensions() -> list[Extension]:
    """A module for each source; none of them has to compile."""
    try:
        import lxml  # noqa: PLC0415 - a package may be built where these are missing
        from Cython.Build import cythonize  # noqa: PLC0415
    except ImportError:
        return []
    found: list[Extension] = cythonize(
        [
            Extension(
                ".".join(source.with_suffix("").parts),
                [str(source)],
                include_dirs=lxml.get_include(),
            )
            for source in sorted(NATIVE.glob("*.pyx"))
        ],
        compiler_directives={
            "language_level": "3",
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
        },
    )
    for extension in found:
        extension.optional = True  # cythonize() forgets it when it is said above
    return found


setup(ext_modules=extensions())
