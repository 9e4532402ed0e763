"""What an import costs: fresh processes, with and without us, in turn."""

from __future__ import annotations

import sys
import tempfile
from statistics import median

from .measure import run
from .pages import ROOT

WITHOUT = "import lxml.html, numpy"
WITH = f"{WITHOUT}, scrapy_mainblock"


def milliseconds_more(processes: int) -> tuple[float, float]:
    """CPU that importing the core takes beyond lxml and NumPy; and what those take themselves.

    All is compiled to bytecode before, as pip does with what it installs.
    """
    taken: dict[str, list[float]] = {WITHOUT: [], WITH: []}
    with tempfile.TemporaryDirectory() as bytecode:
        environment = {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
        environment |= {"PYTHONPYCACHEPREFIX": bytecode, "PYTHONDONTWRITEBYTECODE": ""}
        run([sys.executable, "-c", WITH], environment=environment)
        for _ in range(processes):
            for code, found in taken.items():
                found.append(run([sys.executable, "-c", code], environment=environment).cpu * 1000)
    base = median(taken[WITHOUT])
    more = median(b - a for a, b in zip(taken[WITHOUT], taken[WITH], strict=True))
    return more, base
