"""The shell commands in the deployment guides run unchanged."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("spark", "common-crawl", "a-fleet-with-redis")
BLOCK = re.compile(r"(?s)^```sh\n(.*?)^```", re.MULTILINE)
SECONDS = 900
"""Timeout; on a busy machine the JVM alone takes a minute."""
NEEDS = {"redis-server": "redis-server", "scrapy_mainblock.spark": "java"}


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(page: str, tmp_path: Path) -> None:
    blocks = BLOCK.findall((ROOT / f"docs/how-to/{page}.md").read_text("utf-8"))
    assert blocks
    commands = "".join(blocks)
    for name, program in NEEDS.items():
        if name in commands and shutil.which(program) is None:
            pytest.skip(f"no {program}: apt-get install {program}")
    pytest.importorskip("pyspark", reason='pip install "scrapy-mainblock[spark]"')
    with socket.create_server(("127.0.0.1", 0)) as free:
        commands = commands.replace("6379", str(free.getsockname()[1]))
    python = f'python() {{ "{sys.executable}" "$@"; }}\n'
    mainblock = f'mainblock() {{ "{sys.executable}" -m scrapy_mainblock.cli.main "$@"; }}\n'
    places = [str(ROOT), str(ROOT / "example_project"), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        ["bash", "-e", "-c", python + mainblock + commands],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert "Traceback" not in done.stdout
