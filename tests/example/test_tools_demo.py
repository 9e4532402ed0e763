"""The main command of the README, except for its installation step."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
RUN = (
    f"import sys; sys.path.insert(0, {str(TOOLS)!r})\n"
    "import demo, pathlib; demo.run(pathlib.Path(sys.executable), pathlib.Path(sys.argv[1]))"
)
WIDEST = 100


def demo(directory: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", RUN, "out"],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.splitlines()


def test_demo_prints_items_rules_and_paths_on_each_run(tmp_path: Path) -> None:
    for state in ("no rules yet", "rules of the last run"):
        said = demo(tmp_path)
        assert said[0] == f"scrapy crawl demo ({state})"
        assert f"Items  {Path('out/articles.jsonl')}" in said
        assert (tmp_path / "out" / "articles.jsonl").exists()
        assert sum(line.startswith("  headline ") for line in said) == 3
        assert sum(line.startswith("  127.0.0.1 ") for line in said) >= 8  # rules
        assert max(map(len, said)) <= WIDEST
        assert str(tmp_path) not in "\n".join(said)
